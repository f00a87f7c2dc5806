/// The newest times of a `trk` that are believed, ascending.
///
/// Only the last ``capacity`` are remembered: a fix older than all of them cannot overrule them.
struct BelievedTimes: Sendable, Equatable {
  /// How many times are remembered.
  static let capacity = 60
  /// The most believed times that a single fix may overrule.
  static let mostDoubtful = 20
  /// A leap is a longer step than this, in milliseconds.
  static let leapMilliseconds: Int64 = 60_000
  /// A leap is more than this many usual steps.
  static let leapSteps: Int64 = 10

  /// The times in milliseconds since 1970, ascending; the last ``capacity`` of them count.
  private(set) var milliseconds: [Int64] = []
  /// For each time, how many fixes of the `trk` had arrived, its own included.
  private(set) var arrivals: [Int] = []

  init() {}

  /// Makes the times from saved arrays; nil if these are inconsistent.
  init?(milliseconds: [Int64], arrivals: [Int]) {
    guard milliseconds.count == arrivals.count,
      zip(milliseconds, milliseconds.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    self.milliseconds = milliseconds
    self.arrivals = arrivals
    trim()
  }

  /// The newest time, or ``Fix/noTime``.
  var newest: Int64 { milliseconds.last ?? Fix.noTime }
  /// Whether ``capacity`` times are remembered; valid after ``trim()``.
  var isFull: Bool { milliseconds.count == Self.capacity }

  /// Adds a time that is not before the newest.
  mutating func append(_ time: Int64, arrival: Int) {
    // Removing many at once is cheaper than one at a time.
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

  /// Removes the times later than a time.
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
  /// Whether a time before the newest continues from where the believed times were before they leapt ahead.
  ///
  /// It does if at most ``mostDoubtful`` are later, if the first of these came by a leap, and if the time
  /// itself is not a leap from some earlier believed time: no later than the fixes since would bring it at
  /// their usual pace, with room for a pause.
  ///
  /// - Parameters:
  ///   - time: A time before the newest, in milliseconds since 1970.
  ///   - arrival: How many fixes had arrived, its own included.
  /// - Returns: True if the times later than it are wrong.
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
