/// What came of a story's entries in one trial.
struct TrialAccount {
  struct Alert {
    var delaySeconds: Double
    var fromEdgeMeters: Double
    /// Whether the phone had crossed back by then.
    var isLate: Bool
  }

  /// The alerts that came for entries that were due.
  private(set) var alerts: [Alert] = []
  /// Why the others that were due brought none.
  private(set) var losses: [TrialOutcome] = []
  /// Alerts that belong to an entry that was not due.
  private(set) var laterAlerts = 0
  /// Alerts that belong to no entry.
  private(set) var falseAlerts = 0

  /// All alerts that the phone shows, due or not.
  var shown: Int { alerts.count + laterAlerts + falseAlerts }

  /// Gives each alert shown to the entry it belongs to.
  init(
    _ approach: StoryApproach, _ attempts: ArraySlice<PhoneAttempt>,
    _ windows: [ClosedRange<Double>], _ silences: [ClosedRange<Double>],
    isInTime: (_ fix: Int) -> Bool
  ) {
    let entries = approach.entries
    var taken: [Int] = []
    let shown = attempts.filter { $0.isShown }.sorted { ($0.seconds ?? 0) < ($1.seconds ?? 0) }
    for attempt in shown {
      guard let seconds = attempt.seconds,
        let owner = entries.owner(of: seconds, taken: taken)
      else {
        falseAlerts += 1
        continue
      }
      taken.append(owner)
      guard entries[owner].isDue else {
        laterAlerts += 1
        continue
      }
      let (delay, edge) = (seconds - entries[owner].seconds, attempt.fromEdgeMeters)
      let isBack = approach.options.event == .enter ? edge > 0 : edge < 0
      alerts.append(
        Alert(delaySeconds: delay, fromEdgeMeters: edge, isLate: delay > 0 && isBack))
    }
    for (index, entry) in entries.enumerated() where entry.isDue && !taken.contains(index) {
      losses.append(
        approach.loss(
          of: entry, windows, attempts: attempts, silences: silences, isInTime: isInTime))
    }
  }
}
