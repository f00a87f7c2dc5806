import FencepostGeodesy

/// Fixes whose times contradict the believed ones, in the order of arrival.
///
/// The fixes themselves are kept while they are undecided; of all of them, how many were in a run.
struct HeldFixes: Sendable {
  /// The most fixes that are held of a source that goes on.
  static let capacity = 120
  /// The most fixes that are held of a source that has an end, such as a file.
  static let wholeCapacity = 200_000

  /// A fix, and how many fixes of the `trk` had arrived, itself included.
  struct Member: Sendable {
    var fix: Fix
    var arrival: Int
    /// How far it was behind the newest believed time when it came, in milliseconds.
    var lateMilliseconds: Int64 = 0
  }

  private(set) var members: [Member] = []
  /// The times of all that were refused so far, in the order of arrival.
  private(set) var refused: [TimeRun] = []
  /// The last times in a row of which all were refused and none goes back.
  private(set) var row: TimeRun?
  /// How many fixes were refused in a row, and with the arrival of which the first and the last came.
  private(set) var streak: TimeRun?

  init(
    _ members: [Member] = [], refused: [TimeRun]? = nil, row: TimeRun? = nil,
    streak: TimeRun? = nil
  ) {
    self.members = members
    self.refused =
      refused ?? members.map { TimeRun($0.fix.rawTimeMilliseconds, arrival: $0.arrival) }
    (self.row, self.streak) = (row, streak)
  }

  var isEmpty: Bool { members.isEmpty }
  var count: Int { members.count }

  /// Adds a fix that is older than the newest believed time.
  mutating func append(_ member: Member) {
    let (time, arrival) = (member.fix.rawTimeMilliseconds, member.arrival)
    members.append(member)
    refused.append(TimeRun(time, arrival: arrival))
    if refused.count > 2 * TimeRun.capacity { refused.joinNearest() }
    let isNext = streak?.lastArrival == arrival - 1
    if !isNext { streak = nil }
    if isNext, let last = row?.last, time >= last {
      row?.append(time, arrival: arrival)
    } else {
      row = TimeRun(time, arrival: arrival)
    }
    streak?.append(time, arrival: arrival)
    streak = streak ?? TimeRun(time, arrival: arrival)
  }

  /// Forgets on which lines of the source the fixes ended.
  mutating func forgetLines() {
    for index in members.indices { members[index].fix.line = 0 }
  }

  /// Removes and returns all fixes.
  mutating func removeAll() -> [Member] {
    defer { self = HeldFixes() }
    return members
  }

  /// Removes and returns the fixes that arrived with a count or later, which are no longer refused.
  mutating func removeAll(since arrival: Int) -> [Member] {
    let kept = members.prefix { $0.arrival < arrival }.count
    defer {
      members.removeSubrange(kept...)
      refused.removeAll { $0.firstArrival >= arrival }
      (row, streak) = (nil, nil)
    }
    return Array(members[kept...])
  }

  /// Removes and returns the fix held longest, which stays refused.
  mutating func removeFirst() -> Member { members.removeFirst() }

  /// Removes and returns the fix that came last, which stays refused.
  mutating func removeLast() -> Member { members.removeLast() }

  /// Removes and returns the fixes before a time, which stay refused.
  mutating func remove(before time: Int64) -> [Member] {
    let removed = members.filter { $0.fix.rawTimeMilliseconds < time }
    if !removed.isEmpty { members.removeAll { $0.fix.rawTimeMilliseconds < time } }
    return removed
  }

  /// Finds a run that ends with the last fix and has more fixes than there are believed times later than its
  /// first.
  ///
  /// A run is a subsequence of the refused fixes whose times do not go back, nor repeat themselves across others.
  ///
  /// - Parameters:
  ///   - believed: The believed times.
  ///   - least: How many fixes are too few in any case.
  /// - Returns: The beginning of such a run, the latest, or nil.
  func startOfRun(outnumbering believed: BelievedTimes, least: Int) -> TimeRun? {
    guard let last = refused.last else { return nil }
    let needed = max(least, believed.count(laterThan: last.last))
    guard refused.reduce(0, { $0 + $1.count }) > needed else { return nil }
    var start: TimeRun?
    // For each refused run, how many fixes the longest run has that begins with it; 0 if it does not reach the last.
    var counts = [Int](repeating: 0, count: refused.count)
    for index in refused.indices.reversed() {
      let run = refused[index]
      var behind = 0
      for next in (index + 1)..<max(index + 1, refused.count)
      where refused[next].first > run.last
        || (next == index + 1 && refused[next].first == run.last)
      { behind = max(behind, counts[next]) }
      guard behind > 0 || index == refused.count - 1 else { continue }
      counts[index] = run.count + behind
      if counts[index] > needed, run.first > start?.first ?? .min,
        counts[index] > believed.count(laterThan: run.first)
      {
        start = run
      }
    }
    return start
  }
}
