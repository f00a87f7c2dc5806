package import FencepostMonitoring

/// What happened to a due entry in one trial; the raw value is used in reports.
///
/// Each due entry has exactly one in each trial. All but ``alert`` are reasons for a loss.
package enum TrialOutcome: String, CaseIterable, Sendable {
  /// An alert that belongs to the entry was shown.
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
  /// The app was told, but its alert rules held the alert back when it came.
  case heldBack = "held-back"

  /// The name in reports, such as `small-radius`.
  package var name: String { rawValue }
}

/// How often a story's due entries brought an alert in many trials, how late, and how far off.
///
/// Memory does not grow with the number of trials, and the order of merging does not matter.
package struct StoryChance: Equatable, Sendable {
  /// Due entries by outcome, over all trials; only counts above 0.
  private var counts: [TrialOutcome: Int] = [:]
  /// What is counted by trial.
  package var runs = Runs()
  /// The seconds from crossing to notification; negative if the notification came first.
  package var delaySeconds = QuantileSketch()
  /// The meters from the edge to the phone at the notification; positive outside the circle.
  package var fromEdgeMeters = QuantileSketch()

  /// Creates the chance of a story before any trial.
  package init() {}

  /// What is counted by trial, and not by due entry.
  ///
  /// One trial can have several due entries, and alerts that belong to none of them.
  package struct Runs: Equatable, Sendable {
    /// The number of trials, whether or not an alert was due.
    package var all = 0
    /// The trials in which at least one due entry brought an alert.
    package var reached = 0
    /// The trials with at least one alert, due or not.
    package var alerting = 0
    /// Alerts for entries that were not due.
    package var laterAlerts = 0
    /// Alerts that belong to no entry.
    package var falseAlerts = 0
    /// Alerts for due entries that came after the phone had crossed back.
    package var lateAlerts = 0

    /// Creates counts of 0.
    package init() {}

    static func += (runs: inout Runs, other: Runs) {
      runs.all += other.all
      runs.reached += other.reached
      runs.alerting += other.alerting
      runs.laterAlerts += other.laterAlerts
      runs.falseAlerts += other.falseAlerts
      runs.lateAlerts += other.lateAlerts
    }
  }

  /// The number of due entries, over all trials.
  package var trials: Int { counts.values.reduce(0, +) }

  /// The due entries with an outcome, over all trials.
  package subscript(outcome: TrialOutcome) -> Int {
    get { counts[outcome] ?? 0 }
    set { counts[outcome] = newValue == 0 ? nil : newValue }
  }

  /// The share of due entries with an outcome; 0 without any.
  package func share(_ outcome: TrialOutcome) -> Double {
    trials == 0 ? 0 : Double(self[outcome]) / Double(trials)
  }

  /// What phones show of the story.
  package var shown: ShownAlerts {
    ShownAlerts(
      alerts: self[.alert] + runs.laterAlerts + runs.falseAlerts, phones: runs.alerting,
      trials: runs.all)
  }

  /// The probability that at least one due entry brings an alert; nil if none is due.
  package var probability: Double? {
    trials > 0 && runs.all > 0 ? Double(runs.reached) / Double(runs.all) : nil
  }

  /// The 95 % confidence interval of ``probability``, given the number of trials.
  package var alertInterval: WilsonInterval { WilsonInterval(runs.reached, of: runs.all) }

  /// Counts due entries with an outcome.
  package mutating func add(_ outcome: TrialOutcome, times: Int = 1) {
    if times > 0 { counts[outcome, default: 0] += times }
  }

  /// Adds a trial that stands for several.
  mutating func add(_ account: TrialAccount, times: Int) {
    runs.all += times
    if !account.alerts.isEmpty { runs.reached += times }
    if account.shown > 0 { runs.alerting += times }
    runs.laterAlerts += account.laterAlerts * times
    runs.falseAlerts += account.falseAlerts * times
    for alert in account.alerts {
      addAlert(
        delaySeconds: alert.delaySeconds, fromEdgeMeters: alert.fromEdgeMeters,
        isLate: alert.isLate, times: times)
    }
    for outcome in account.losses { add(outcome, times: times) }
  }

  /// Counts a due entry that brought an alert, with how late and how far off it came.
  package mutating func addAlert(
    delaySeconds delay: Double, fromEdgeMeters edge: Double, isLate: Bool = false, times: Int = 1
  ) {
    add(.alert, times: times)
    if isLate { runs.lateAlerts += times }
    delaySeconds.add(delay, times: times)
    fromEdgeMeters.add(edge, times: times)
  }

  /// Adds the trials of another track.
  package mutating func merge(_ other: StoryChance) {
    for (key, count) in other.counts { counts[key, default: 0] += count }
    runs += other.runs
    delaySeconds.merge(other.delaySeconds)
    fromEdgeMeters.merge(other.fromEdgeMeters)
  }
}
