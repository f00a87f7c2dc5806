/// Undecided fixes whose times contradict the believed ones, in the order of arrival.
struct HeldFixes: Sendable {
  /// The most fixes that are held.
  static let capacity = 120

  /// A fix, and how many fixes of the `trk` had arrived, itself included.
  struct Member: Sendable {
    var fix: Fix
    var arrival: Int
    /// How far it was behind the newest believed time when it came, in milliseconds.
    var lateMilliseconds: Int64 = 0
  }

  private(set) var members: [Member] = []

  init(_ members: [Member] = []) {
    self.members = members
  }

  var isEmpty: Bool { members.isEmpty }
  var count: Int { members.count }

  mutating func append(_ member: Member) { members.append(member) }

  /// Forgets on which lines of the source the fixes ended.
  mutating func forgetLines() {
    for index in members.indices { members[index].fix.line = 0 }
  }

  /// Removes and returns all.
  mutating func removeAll() -> [Member] {
    defer { members = [] }
    return members
  }

  /// Removes and returns the one held longest.
  mutating func removeFirst() -> Member { members.removeFirst() }

  /// Removes and returns those before a time.
  mutating func remove(before time: Int64) -> [Member] {
    let removed = members.filter { $0.fix.rawTimeMilliseconds < time }
    if !removed.isEmpty { members.removeAll { $0.fix.rawTimeMilliseconds < time } }
    return removed
  }

  /// Finds a run that ends with the last fix and has more fixes than there are believed times later than its
  /// first.
  ///
  /// A run is a subsequence of the fixes whose times do not go back.
  ///
  /// - Parameter believed: The believed times.
  /// - Returns: The latest first time of such a run, or nil.
  func startOfRun(outnumbering believed: BelievedTimes) -> Int64? {
    guard let last = members.last?.fix.rawTimeMilliseconds else { return nil }
    var start: Int64?
    // For each length from 1, the latest first time of a run; longer runs begin earlier.
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
