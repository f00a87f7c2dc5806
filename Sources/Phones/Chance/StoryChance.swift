package import FencepostMonitoring

/// What became of a story in one trial; the raw value is the word for it in reports.
package enum TrialOutcome: String, CaseIterable, Sendable {
  /// The notification came.
  case alert
  /// More stories were nearer than the phone has regions, or the circle is larger than it monitors.
  case limit
  /// The story was not among the regions because the last refresh was too long ago, or was added when the
  /// phone was inside already.
  case refresh
  /// Even a way straight through the circle is too short for the phone to confirm it.
  case smallRadius = "small-radius"
  /// The stay was too short for the phone to confirm it, or lay between two fixes.
  case shortStay = "short-stay"
  /// The phone happened not to notice, or said nothing.
  case chance
  /// Nothing came, and the path never was inside.
  case notEntered = "not-entered"

  /// The word for it in reports.
  package var name: String { rawValue }
}

/// What many trials made of a story: how often its alert came, how late and how far beyond the edge.
///
/// Its memory does not grow with the trials, and merging is independent of the order.
package struct StoryChance: Equatable, Sendable {
  /// No count is 0.
  private var counts: [TrialOutcome: Int] = [:]
  /// Seconds from the crossing to the notification; negative if it came before.
  package private(set) var delaySeconds = QuantileSketch()
  /// Metres from the edge to the phone at the notification, positive beyond the edge in the direction of
  /// the crossing: inside after an enter it is as negative as the phone is deep.
  package private(set) var fromEdgeMeters = QuantileSketch()

  /// How many alerts came when the phone was back on the side from which it had crossed.
  package private(set) var lateAlerts = 0

  /// Makes the account of no trial.
  package init() {}

  /// Makes an account of what another one kept.
  ///
  /// - Parameters:
  ///   - counts: How many trials ended so; outcomes that are missing did not occur.
  ///   - lateAlerts: How many of the alerts were late.
  ///   - delaySeconds: The delays of the alerts.
  ///   - fromEdgeMeters: The distances of the alerts.
  package init(
    _ counts: [TrialOutcome: Int], lateAlerts: Int, delaySeconds: QuantileSketch,
    fromEdgeMeters: QuantileSketch
  ) {
    self.counts = counts.filter { $0.value != 0 }
    self.lateAlerts = lateAlerts
    self.delaySeconds = delaySeconds
    self.fromEdgeMeters = fromEdgeMeters
  }

  /// How many trials there were.
  package var trials: Int { counts.values.reduce(0, +) }

  /// How many trials ended so.
  package subscript(outcome: TrialOutcome) -> Int { counts[outcome] ?? 0 }

  /// The share of trials that ended so, 0 without a trial; these shares add up to 1.
  package func share(_ outcome: TrialOutcome) -> Double {
    trials == 0 ? 0 : Double(self[outcome]) / Double(trials)
  }

  /// The interval that holds the probability of an alert with a confidence of 95 %.
  ///
  /// It covers what the number of trials leaves open, not what is unknown of the phone: see the low and
  /// high values of the profile.
  package var alertInterval: WilsonInterval { WilsonInterval(self[.alert], of: trials) }

  /// Adds trials without an alert.
  package mutating func add(_ outcome: TrialOutcome, times: Int = 1) {
    if times > 0 { counts[outcome, default: 0] += times }
  }

  /// Counts the trials of one outcome as trials of another one.
  package mutating func recount(_ outcome: TrialOutcome, as other: TrialOutcome) {
    add(other, times: counts.removeValue(forKey: outcome) ?? 0)
  }

  /// Adds trials with an alert.
  package mutating func addAlert(
    delaySeconds delay: Double, fromEdgeMeters edge: Double, isLate: Bool = false, times: Int = 1
  ) {
    add(.alert, times: times)
    if isLate { lateAlerts += times }
    delaySeconds.add(delay, times: times)
    fromEdgeMeters.add(edge, times: times)
  }

  /// Adds the trials of another account, for instance those of another track.
  package mutating func merge(_ other: StoryChance) {
    counts.merge(other.counts, uniquingKeysWith: +)
    lateAlerts += other.lateAlerts
    delaySeconds.merge(other.delaySeconds)
    fromEdgeMeters.merge(other.fromEdgeMeters)
  }
}
