import FencepostGeodesy

/// Fixes whose times contradict the believed ones, in order of arrival, while they are undecided.
struct HeldFixes: Sendable {
  /// For sources that do not end.
  static let capacity = 120
  /// For sources that end, such as files.
  static let wholeCapacity = 200_000

  struct Member: Sendable {
    var fix: Fix
    var arrival: Int
    /// How far it was behind the newest believed time on arrival, in milliseconds.
    var lateMilliseconds: Int64 = 0
  }

  private(set) var members: [Member] = []
  /// The times of all fixes refused so far, in order of arrival.
  private(set) var refused: [TimeRun] = []
  /// The last times in a row that were all refused and do not go back.
  private(set) var row: TimeRun?
  /// The last fixes in a row that were all refused, even if their times go back.
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

  mutating func forgetLines() {
    for index in members.indices { members[index].fix.line = 0 }
  }

  mutating func removeAll() -> [Member] {
    defer { self = HeldFixes() }
    return members
  }

  /// Removes and returns the fixes since an arrival, which are no longer refused.
  mutating func removeAll(since arrival: Int) -> [Member] {
    let kept = members.prefix { $0.arrival < arrival }.count
    defer {
      members.removeSubrange(kept...)
      refused.removeAll { $0.firstArrival >= arrival }
      (row, streak) = (nil, nil)
    }
    return Array(members[kept...])
  }

  /// The fix stays refused, as with the removals below.
  mutating func removeFirst() -> Member { members.removeFirst() }

  mutating func removeLast() -> Member { members.removeLast() }

  mutating func remove(before time: Int64) -> [Member] {
    let removed = members.filter { $0.fix.rawTimeMilliseconds < time }
    if !removed.isEmpty { members.removeAll { $0.fix.rawTimeMilliseconds < time } }
    return removed
  }

  /// Returns the start of the latest run that ends with the last fix and has enough fixes.
  ///
  /// The run needs more than `least` fixes, and more than there are believed times later than its
  /// first. Its times are a subsequence of the refused ones, and only neighbors may be equal.
  func startOfRun(outnumbering believed: BelievedTimes, least: Int) -> TimeRun? {
    guard let last = refused.last else { return nil }
    let needed = max(least, believed.count(laterThan: last.last))
    guard refused.reduce(0, { $0 + $1.count }) > needed else { return nil }
    var start: TimeRun?
    // The length of the longest run from each refused run on; 0 if it misses the last fix.
    var counts = [Int](repeating: 0, count: refused.count)
    for index in refused.indices.reversed() {
      let run = refused[index]
      var behind = 0
      for next in (index + 1)..<max(index + 1, refused.count)
      where refused[next].first > run.last || (next == index + 1 && refused[next].first == run.last)
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
