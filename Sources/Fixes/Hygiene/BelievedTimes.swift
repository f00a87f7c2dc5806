/// The newest times of a `trk` that are believed, ascending.
///
/// Only the last ``capacity`` are known: fixes that all of these contradict cannot overrule them.
struct BelievedTimes: Sendable, Equatable {
  /// How many times are remembered.
  static let capacity = 60
  /// How many believed times at most one fix alone may contradict.
  static let mostDoubtful = 20
  /// A shorter step ahead is no leap, in milliseconds.
  static let leapMilliseconds: Int64 = 60_000
  /// How many times as long as the usual step a leap is.
  static let leapSteps: Int64 = 10

  /// The times in milliseconds since 1970, ascending; the last ``capacity`` of them count.
  private(set) var milliseconds: [Int64] = []
  /// How many fixes of the `trk` had come when each of them came, itself included.
  private(set) var arrivals: [Int] = []

  init() {}

  /// Makes the times that some arrays hold; nil where they contradict each other.
  init?(milliseconds: [Int64], arrivals: [Int]) {
    guard milliseconds.count == arrivals.count,
      zip(milliseconds, milliseconds.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    self.milliseconds = milliseconds
    self.arrivals = arrivals
    trim()
  }

  /// The newest, or that of no fix.
  var newest: Int64 { milliseconds.last ?? Fix.noTime }
  /// Whether as many are known as are remembered; after ``trim()``.
  var isFull: Bool { milliseconds.count == Self.capacity }

  /// Believes a time that is not before the newest.
  mutating func append(_ time: Int64, arrival: Int) {
    // Forgetting costs more than remembering: many are forgotten together.
    if milliseconds.count == 4 * Self.capacity { trim() }
    milliseconds.append(time)
    arrivals.append(arrival)
  }

  /// Forgets all but the last ``capacity``.
  mutating func trim() {
    let excess = milliseconds.count - Self.capacity
    guard excess > 0 else { return }
    milliseconds.removeFirst(excess)
    arrivals.removeFirst(excess)
  }

  /// Believes no longer what is later than a time.
  mutating func disown(laterThan time: Int64) {
    let end = firstIndex(laterThan: time)
    milliseconds.removeSubrange(end...)
    arrivals.removeSubrange(end...)
  }

  /// How many are later than a time.
  func count(laterThan time: Int64) -> Int {
    milliseconds.count - firstIndex(laterThan: time)
  }

  private func firstIndex(laterThan time: Int64) -> Int {
    var (low, high) = (0, milliseconds.count)
    while low < high {
      let middle = (low + high) / 2
      if milliseconds[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension BelievedTimes {
  /// Whether a time before the newest takes up where the believed times had got to before they leapt
  /// ahead.
  ///
  /// It does where at most ``mostDoubtful`` are later, where the first of these came by a leap, and
  /// where the time is no leap from some believed time before: not later than the fixes that came
  /// since would bring it at their usual pace, with room for a pause.
  ///
  /// - Parameters:
  ///   - time: A time before the newest, in milliseconds since 1970.
  ///   - arrival: How many fixes had come when its fix came, itself included.
  /// - Returns: Whether it does, so that the times later than it are wrong.
  func isTakenUp(by time: Int64, arrival: Int) -> Bool {
    let end = firstIndex(laterThan: time)
    guard end > 0, milliseconds.count - end <= Self.mostDoubtful else { return false }
    let leap = milliseconds[end] &- milliseconds[end - 1]
    guard leap > Self.leapMilliseconds else { return false }
    let usual = usualStep(before: end)
    return (0..<end).contains { index in
      let fixes = Int64(max(1, arrival &- arrivals[index]))
      let step = time &- milliseconds[index]
      return step <= Self.leapMilliseconds + Self.product(usual, 2 * fixes + Self.leapSteps)
        && leap > Self.product(max(step / fixes, usual), Self.leapSteps)
    }
  }

  /// The usual step from one time to the next in milliseconds, 0 where there is none: the median of
  /// all, or that of those before an index where it is less.
  private func usualStep(before end: Int) -> Int64 {
    let all = medianStep(before: milliseconds.count)
    return min(all ?? 0, medianStep(before: end) ?? .max)
  }

  /// The median of the steps within the first times; a time that is repeated is no step.
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
