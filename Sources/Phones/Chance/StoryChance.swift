package import FencepostMonitoring

/// What happened to a story in one trial; the raw value is used in reports.
package enum TrialOutcome: String, CaseIterable, Sendable {
  case alert
  /// The phone's regions were taken by nearer stories, or the circle was too large to watch.
  case limit
  /// The last lookup was too long ago, or added the story with the phone already inside.
  case refresh
  /// The circle is so small that even a path through its center is too short to confirm.
  case smallRadius = "small-radius"
  /// The stay was too short to confirm, or fell between two fixes.
  case shortStay = "short-stay"
  /// By chance, the phone did not notice or did not notify.
  case chance
  /// The path was never inside, and no notification came.
  case notEntered = "not-entered"

  package var name: String { rawValue }
}

/// How often a story alerted in many trials, how late, and how far from the edge.
///
/// Memory does not grow with the number of trials, and the order of merging does not matter.
package struct StoryChance: Equatable, Sendable {
  /// Only counts above 0.
  private var counts: [TrialOutcome: Int] = [:]
  /// The seconds from crossing to notification; negative if the notification came first.
  package private(set) var delaySeconds = QuantileSketch()
  /// The meters from the edge to the phone at the notification; positive outside the circle.
  package private(set) var fromEdgeMeters = QuantileSketch()

  /// The number of alerts that came after the phone had crossed back.
  package private(set) var lateAlerts = 0

  package init() {}

  /// Restores saved counts; missing outcomes count as 0.
  package init(
    _ counts: [TrialOutcome: Int], lateAlerts: Int, delaySeconds: QuantileSketch,
    fromEdgeMeters: QuantileSketch
  ) {
    self.counts = counts.filter { $0.value != 0 }
    self.lateAlerts = lateAlerts
    self.delaySeconds = delaySeconds
    self.fromEdgeMeters = fromEdgeMeters
  }

  package var trials: Int { counts.values.reduce(0, +) }

  package subscript(outcome: TrialOutcome) -> Int { counts[outcome] ?? 0 }

  /// The share of trials with an outcome; 0 without trials.
  package func share(_ outcome: TrialOutcome) -> Double {
    trials == 0 ? 0 : Double(self[outcome]) / Double(trials)
  }

  /// The 95 % confidence interval of the probability of an alert, given the number of trials.
  package var alertInterval: WilsonInterval { WilsonInterval(self[.alert], of: trials) }

  package mutating func add(_ outcome: TrialOutcome, times: Int = 1) {
    if times > 0 { counts[outcome, default: 0] += times }
  }

  package mutating func recount(_ outcome: TrialOutcome, as other: TrialOutcome) {
    add(other, times: counts.removeValue(forKey: outcome) ?? 0)
  }

  package mutating func addAlert(
    delaySeconds delay: Double, fromEdgeMeters edge: Double, isLate: Bool = false, times: Int = 1
  ) {
    add(.alert, times: times)
    if isLate { lateAlerts += times }
    delaySeconds.add(delay, times: times)
    fromEdgeMeters.add(edge, times: times)
  }

  package mutating func merge(_ other: StoryChance) {
    counts.merge(other.counts, uniquingKeysWith: +)
    lateAlerts += other.lateAlerts
    delaySeconds.merge(other.delaySeconds)
    fromEdgeMeters.merge(other.fromEdgeMeters)
  }
}
