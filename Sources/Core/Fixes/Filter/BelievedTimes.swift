/// The believed times of a `trk`, ascending: the last ``capacity`` one by one, older ones as runs.
struct BelievedTimes: Sendable, Equatable {
  static let capacity = 60
  /// The most believed times that one fix can overrule, and the longest row that proves nothing.
  static let mostDoubtful = 20
  /// The longest step that is never a leap, in milliseconds.
  static let leapMilliseconds: Int64 = 60_000
  /// A leap is also longer than this many usual steps.
  static let leapSteps: Int64 = 10

  /// Runs before ``milliseconds``, split at steps above ``leapMilliseconds`` while there are few.
  private(set) var older: [TimeRun] = []
  /// Milliseconds since 1970, ascending; only the last ``capacity`` matter.
  private(set) var milliseconds: [Int64] = []
  /// How many fixes of the `trk` had arrived at each time, including its own.
  private(set) var arrivals: [Int] = []

  init() {}

  /// Returns nil for inconsistent values.
  init?(milliseconds: [Int64], arrivals: [Int], older: [TimeRun]) {
    let runs = older.flatMap { [$0.first, $0.last] }
    guard milliseconds.count == arrivals.count, older.allSatisfy({ $0.count > 0 }),
      zip(runs + milliseconds, (runs + milliseconds).dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    (self.milliseconds, self.arrivals, self.older) = (milliseconds, arrivals, older)
    trim()
  }

  var newest: Int64 { milliseconds.last ?? older.last?.last ?? Fix.noTime }
  /// The time of the oldest of the last ``capacity`` fixes, or ``Fix/noTime``.
  var established: Int64 {
    milliseconds.count < Self.capacity
      ? Fix.noTime : milliseconds[milliseconds.count - Self.capacity]
  }

  mutating func append(_ time: Int64, arrival: Int) {
    // Moving many at once is cheaper than one at a time.
    if milliseconds.count == 4 * Self.capacity { trim() }
    milliseconds.append(time)
    arrivals.append(arrival)
  }

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

  mutating func trim(to count: Int = BelievedTimes.capacity) {
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

  mutating func disown(laterThan time: Int64) {
    let end = firstIndex(laterThan: time)
    milliseconds.removeSubrange(end...)
    arrivals.removeSubrange(end...)
    while let last = older.last, last.first > time { older.removeLast() }
    if let last = older.last, last.last > time { older[older.count - 1].cut(laterThan: time) }
  }

  /// An upper bound: a run that ends after the time counts as a whole.
  func count(laterThan time: Int64) -> Int {
    let end = firstIndex(laterThan: time)
    guard end == 0 else { return milliseconds.count - end }
    return older.reversed().prefix { $0.last > time }
      .reduce(milliseconds.count) { $0 + $1.count }
  }

  private func firstIndex(laterThan time: Int64) -> Int {
    milliseconds.firstIndex { $0 > time } ?? milliseconds.count
  }

  /// Whether a time continues those before a leap, so that the times after the leap are wrong.
  ///
  /// The time must lie within the leap and must not be a leap itself: from some earlier time, the
  /// fixes since then can reach it at their usual pace, with room for a pause.
  ///
  /// With `canOverlap`, it may also lie beyond the leap if it goes back by the leap's length, as
  /// when a clock is corrected after running ahead for longer than its error.
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

  /// The median step in milliseconds, or that before an index if smaller; 0 without steps.
  private func usualStep(before end: Int) -> Int64 {
    let all = medianStep(before: milliseconds.count)
    return min(all ?? 0, medianStep(before: end) ?? .max)
  }

  /// Repeated times do not count as steps.
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

/// Successive times that do not go back; only the ends and the number are kept.
struct TimeRun: Sendable, Equatable, Codable {
  static let capacity = 60

  /// The first and last times in milliseconds since 1970.
  var first: Int64
  var last: Int64
  /// How many fixes of the `trk` had arrived with the first and with the last.
  var firstArrival: Int
  var lastArrival: Int
  var count = 1

  init(_ time: Int64, arrival: Int) {
    (first, last) = (time, time)
    (firstArrival, lastArrival) = (arrival, arrival)
  }

  mutating func append(_ time: Int64, arrival: Int) {
    (last, lastArrival) = (time, arrival)
    count += 1
  }

  /// Removes later times, whose number is estimated from an even pace.
  mutating func cut(laterThan time: Int64) {
    let share = (Double(time) - Double(first)) / max(1, Double(last) - Double(first))
    count = max(1, Int(Double(count) * share))
    last = time
  }

  /// The step between two times, limited to the range of `Int64`.
  static func step(from time: Int64, to later: Int64) -> Int64 {
    let (step, isBeyondAll) = later.subtractingReportingOverflow(time)
    return isBeyondAll ? .max : step
  }
}

extension [TimeRun] {
  /// Joins the two runs with the shortest step between them; if all go back, removes the first.
  mutating func joinNearest() {
    var nearest: (index: Int, step: Int64)?
    for index in indices.dropLast() where self[index].last <= self[index + 1].first {
      let step = TimeRun.step(from: self[index].last, to: self[index + 1].first)
      if step < nearest?.step ?? .max { nearest = (index, step) }
    }
    guard let nearest else { return _ = removeFirst() }
    let next = remove(at: nearest.index + 1)
    self[nearest.index].append(next.last, arrival: next.lastArrival)
    self[nearest.index].count += next.count - 1
  }
}
