/// Fixes whose times contradict the believed ones and that are not decided yet, as they came.
struct HeldFixes: Sendable {
  /// How many are held at most.
  static let capacity = 120

  /// A fix, and how many fixes of the `trk` had come when it came, itself included.
  struct Member: Sendable {
    var fix: Fix
    var arrival: Int
  }

  private(set) var members: [Member] = []

  init(_ members: [Member] = []) {
    self.members = members
  }

  var isEmpty: Bool { members.isEmpty }
  var count: Int { members.count }

  mutating func append(_ member: Member) { members.append(member) }

  /// Lets go of all.
  mutating func removeAll() -> [Member] {
    defer { members = [] }
    return members
  }

  /// Lets go of the one that has been held longest.
  mutating func removeFirst() -> Member { members.removeFirst() }

  /// Lets go of those before a time.
  mutating func remove(before time: Int64) -> [Member] {
    let removed = members.filter { $0.fix.rawTimeMilliseconds < time }
    if !removed.isEmpty { members.removeAll { $0.fix.rawTimeMilliseconds < time } }
    return removed
  }

  /// The first time of a run that ends with the last fix and has more fixes than there are believed
  /// times later than its first; the latest such time, or nil.
  ///
  /// A run is any of the fixes in the order they came whose times do not go back.
  func startOfRun(outnumbering believed: BelievedTimes) -> Int64? {
    guard let last = members.last?.fix.rawTimeMilliseconds else { return nil }
    var start: Int64?
    // The latest first time of a run of each length, from 1: the longer, the earlier it begins.
    var starts: [Int64] = []
    for member in members.reversed() where member.fix.rawTimeMilliseconds <= last {
      let time = member.fix.rawTimeMilliseconds
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] >= time { low = middle + 1 } else { high = middle }
      }
      if low == starts.count { starts.append(time) } else { starts[low] = time }
      if low + 1 > believed.count(laterThan: time), time > start ?? .min { start = time }
    }
    return start
  }
}
