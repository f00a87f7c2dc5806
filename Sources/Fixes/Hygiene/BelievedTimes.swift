/// The times of a `trk` that are believed, ascending.
///
/// The last ``capacity`` are remembered one by one, older ones as runs.
struct BelievedTimes: Sendable, Equatable {
  /// How many times are remembered one by one.
  static let capacity = 60
  /// The most believed times that a single fix may overrule, and the most fixes in a row that prove nothing.
  static let mostDoubtful = 20
  /// A leap is a longer step than this, in milliseconds.
  static let leapMilliseconds: Int64 = 60_000
  /// A leap is more than this many usual steps.
  static let leapSteps: Int64 = 10

  /// What came before ``milliseconds``: runs without a step above ``leapMilliseconds``, unless there are many.
  private(set) var older: [TimeRun] = []
  /// The times in milliseconds since 1970, ascending; the last ``capacity`` of them count.
  private(set) var milliseconds: [Int64] = []
  /// For each time, how many fixes of the `trk` had arrived, its own included.
  private(set) var arrivals: [Int] = []

  init() {}

  /// Makes the times from saved arrays; nil if these are inconsistent.
  init?(milliseconds: [Int64], arrivals: [Int], older: [TimeRun]) {
    let runs = older.flatMap { [$0.first, $0.last] }
    guard milliseconds.count == arrivals.count, older.allSatisfy({ $0.count > 0 }),
      zip(runs + milliseconds, (runs + milliseconds).dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    (self.milliseconds, self.arrivals, self.older) = (milliseconds, arrivals, older)
    trim()
  }

  /// The newest time, or ``Fix/noTime``.
  var newest: Int64 { milliseconds.last ?? older.last?.last ?? Fix.noTime }
  /// The oldest time that ``capacity`` times are not older than, or ``Fix/noTime``.
  var established: Int64 {
    milliseconds.count < Self.capacity
      ? Fix.noTime : milliseconds[milliseconds.count - Self.capacity]
  }

  /// Adds a time that is not before the newest.
  mutating func append(_ time: Int64, arrival: Int) {
    // Moving many at once is cheaper than one at a time.
    if milliseconds.count == 4 * Self.capacity { trim() }
    milliseconds.append(time)
    arrivals.append(arrival)
  }

  /// Adds the times of fixes, each of which is later than the one before.
  mutating func append(_ fixes: ArraySlice<Fix>, lastArrival: Int) {
    let recent = max(fixes.startIndex, fixes.endIndex - Self.capacity)
    let before = lastArrival - fixes.endIndex + 1
    if recent > fixes.startIndex {
      trim(to: 0)
      for index in fixes.startIndex..<recent {
        moveToOlder(fixes[index].rawTimeMilliseconds, arrival: before + index)
      }
    }
    for index in recent..<fixes.endIndex {
      append(fixes[index].rawTimeMilliseconds, arrival: before + index)
    }
  }

  /// Keeps only the last ``capacity`` one by one.
  mutating func trim() { trim(to: Self.capacity) }

  private mutating func trim(to count: Int) {
    let excess = milliseconds.count - count
    guard excess > 0 else { return }
    for index in 0..<excess { moveToOlder(milliseconds[index], arrival: arrivals[index]) }
    milliseconds.removeFirst(excess)
    arrivals.removeFirst(excess)
  }

  private mutating func moveToOlder(_ time: Int64, arrival: Int) {
    let end = older.count - 1
    if end >= 0, TimeRun.step(from: older[end].last, to: time) <= Self.leapMilliseconds {
      older[end].append(time, arrival: arrival)
    } else {
      older.append(TimeRun(time, arrival: arrival))
      if older.count > TimeRun.capacity { older.joinNearest() }
    }
  }

  /// Removes the times later than a time.
  mutating func disown(laterThan time: Int64) {
    let end = firstIndex(laterThan: time)
    milliseconds.removeSubrange(end...)
    arrivals.removeSubrange(end...)
    while let last = older.last, last.first > time { older.removeLast() }
    if let last = older.last, last.last > time { older[older.count - 1].cut(laterThan: time) }
  }

  /// How many are later than a time; a run that goes beyond it counts whole, so it may be fewer.
  func count(laterThan time: Int64) -> Int {
    let end = firstIndex(laterThan: time)
    guard end == 0 else { return milliseconds.count - end }
    return older.reversed().prefix { $0.last > time }
      .reduce(milliseconds.count) { $0 + $1.count }
  }

  private func firstIndex(laterThan time: Int64) -> Int {
    milliseconds.firstIndex { $0 > time } ?? milliseconds.count
  }
}

extension BelievedTimes {
  /// Whether a time before the newest continues from where the believed times were before they leapt ahead.
  ///
  /// It does if it lies within the leap and is not a leap itself from some earlier believed time: no later
  /// than the fixes since would bring it at their usual pace, with room for a pause.
  ///
  /// - Parameters:
  ///   - time: A time before the newest, in milliseconds since 1970.
  ///   - arrival: How many fixes had arrived, its own included.
  ///   - canOverlap: Whether it may also lie behind the leap, if it goes back by as much as the times leapt: a clock
  ///     that ran ahead longer than its lead is set right so.
  /// - Returns: True if the times later than it, or than the leap, are wrong.
  func isTakenUp(by time: Int64, arrival: Int, canOverlap: Bool = false) -> Bool {
    let runs = older + zip(milliseconds, arrivals).map { TimeRun($0, arrival: $1) }
    let back = TimeRun.step(from: time, to: newest)
    return (1..<max(1, runs.count)).reversed().contains { end in
      let start = runs[end - 1].last
      let leap = TimeRun.step(from: start, to: runs[end].first)
      guard leap > Self.leapMilliseconds, time > start, canOverlap || time < runs[end].first
      else { return false }
      let usual = usualStep(before: end - older.count)
      guard time >= runs[end].first else {
        return runs[..<end].contains { run in
          let fixes = Int64(max(1, arrival &- run.lastArrival))
          let step = TimeRun.step(from: run.last, to: time)
          return step <= Self.leapMilliseconds + Self.product(usual, 2 * fixes + Self.leapSteps)
            && leap > Self.product(max(step / fixes, usual), Self.leapSteps)
        }
      }
      let tolerance = Self.leapMilliseconds + Self.product(usual, Self.leapSteps)
      return leap > Self.product(usual, Self.leapSteps)
        && abs(back - leap) <= min(tolerance, leap / 4)
    }
  }

  /// The usual step from one time to the next in milliseconds: the median of all steps, or that of the steps
  /// before an index if less; 0 without steps.
  private func usualStep(before end: Int) -> Int64 {
    let all = medianStep(before: milliseconds.count)
    return min(all ?? 0, medianStep(before: end) ?? .max)
  }

  /// The median step among the first times; repeated times do not count.
  private func medianStep(before end: Int) -> Int64? {
    var steps: [Int64] = []
    for index in 1..<max(1, end) where milliseconds[index] > milliseconds[index - 1] {
      steps.append(milliseconds[index] &- milliseconds[index - 1])
    }
    steps.sort()
    return steps.isEmpty ? nil : steps[steps.count / 2]
  }

  private static func product(_ a: Int64, _ b: Int64) -> Int64 {
    let (product, isBeyondAll) = a.multipliedReportingOverflow(by: b)
    return isBeyondAll ? .max / 2 : product
  }
}
