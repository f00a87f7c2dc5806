package import Fencepost
package import FencepostMonitoring
package import FencepostNotifications

package struct Advice: Sendable {
  package struct Effect: Equatable, Sendable {
    package var before: AdviceTally
    package var after: AdviceTally

    package var alerts: Int { after.counts.alerts - before.counts.alerts }
    /// Additional alerts on the simulated phone, with their 95 % interval; nil if none was asked.
    ///
    /// With a purpose, they are weighted for it.
    package var simulated: (mean: Double, interval: ClosedRange<Double>)? {
      before.simulated.flatMap { after.simulated?.gain(over: $0) }
    }
    /// Additional persons reached, summed over all stories.
    package var persons: Int { after.reached - before.reached }
    package var refreshes: Int { after.refreshes - before.refreshes }
  }

  package struct Proposal: Equatable, Sendable {
    package var change: AdviceChange
    /// Evidence from the tracks in favor of the change, besides its effect.
    package var reason: AdviceReason
    /// The effect on the advised tracks, on top of the proposals before this one.
    package var effect: Effect
    /// The effect on the tracks held out for testing; nil if none were held out.
    package var keptBack: Effect?
  }

  package let options: AdviceOptions
  /// The changes in the order chosen, each the best addition to those before it.
  package internal(set) var proposals: [Proposal]
  package internal(set) var effect: Effect
  /// The effect of all changes on the tracks held out for testing; nil if none were held out.
  package internal(set) var keptBack: Effect?
  /// The places after all changes, ascending by id.
  package internal(set) var places: [Place]
  package internal(set) var session: TrackSession.Options
  /// No allowed changes of this number reach more weighted alerts on the advised tracks.
  ///
  /// Nil if nothing is proved; see `BestPossible`.
  package internal(set) var best: Int?
  package internal(set) var tried = 0
  /// Whether the search was interrupted, so that more gains may exist.
  package internal(set) var isInterrupted = false

  package var whole: Effect {
    guard let keptBack else { return effect }
    var whole = effect
    whole.before += keptBack.before
    whole.after += keptBack.after
    return whole
  }

  /// The additional alerts of an effect, weighted for the purpose.
  package func points(_ effect: Effect) -> Int {
    options.points(of: effect.after) - options.points(of: effect.before)
  }

  package var removedIDs: [String] { proposals.flatMap { $0.change.removed.map(\.id) }.sorted() }

  /// The ids of the stories whose number of alerts changes on any tracks, ascending.
  package var changedStories: [String] {
    let (before, after) = (whole.before.stories, whole.after.stories)
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }
}

/// What happens on all tracks, as integers so that sums are exact.
package struct AdviceTally: SummedTracks, Equatable, Sendable {
  package struct Story: Equatable, Sendable {
    package var alerts = 0
    /// The number of persons it reaches; a track without a person counts as one.
    package var persons = 0

    package init(alerts: Int = 0, persons: Int = 0) {
      (self.alerts, self.persons) = (alerts, persons)
    }
  }

  package private(set) var tracks = 0
  package private(set) var persons = 0
  package var sums = TrackSums()
  /// The number of persons reached, summed over all stories.
  package private(set) var reached = 0
  /// The stories that alert, by id.
  package private(set) var stories: [String: Story] = [:]
  /// The alerts of the simulated phone, weighted for the purpose; nil if no phone was asked.
  package var simulated: SimulatedAlerts?
  private var daysByAlerts: [Int: Int] = [:]

  init() {}

  init(_ run: PersonRun) {
    (tracks, persons, sums, reached) = (run.tracks.count, 1, run.sums, run.reached)
    stories = run.stories.filter { $0.value.alerts > 0 }
      .mapValues { Story(alerts: $0.alerts, persons: 1) }
    for alerts in run.alertsByDay.values { daysByAlerts[alerts, default: 0] += 1 }
    simulated = run.simulated
  }

  package static func += (sum: inout AdviceTally, other: AdviceTally) {
    sum.tracks += other.tracks
    sum.persons += other.persons
    sum.sums += other.sums
    sum.reached += other.reached
    sum.stories.merge(other.stories) {
      Story(alerts: $0.alerts + $1.alerts, persons: $0.persons + $1.persons)
    }
    sum.daysByAlerts.merge(other.daysByAlerts, uniquingKeysWith: +)
    if let more = other.simulated { sum.simulated = (sum.simulated ?? SimulatedAlerts()) + more }
  }

  package var fatigue: Fatigue { Fatigue(daysByAlerts: daysByAlerts) }

  /// The share of the oracle's alerts that the phone gives too; nil if the oracle gives none.
  package var recall: Double? {
    let counts = sums.counts
    return counts.oracleAlerts > 0
      ? Double(counts.foundAlerts) / Double(counts.oracleAlerts) : nil
  }
}

/// One change, to stories, to the rule or to the quiet hours.
package struct AdviceChange: Hashable, Sendable {
  package let kind: AdviceOptions.Kind
  /// The stories before the change, ascending by id; in a merger, the one that stays comes first.
  package let before: [Place]
  /// The story that remains; nil if stories are dropped, or none changes.
  package let after: Place?
  package let rule: MonitoringOptions?
  package let quietHours: QuietHours?

  init(
    _ kind: AdviceOptions.Kind, _ before: [Place] = [], after: Place?,
    rule: MonitoringOptions? = nil, quietHours: QuietHours? = nil
  ) {
    (self.kind, self.before, self.after) = (kind, before, after)
    (self.rule, self.quietHours) = (rule, quietHours)
  }

  init(rule: MonitoringOptions) { self.init(.rule, after: nil, rule: rule) }

  init(quietHours: QuietHours) { self.init(.hours, after: nil, quietHours: quietHours) }

  package var removed: [Place] { before.filter { $0.id != after?.id } }

  func apply(to changes: inout PlaceChanges) {
    for place in before { changes.byID[place.id] = .some(nil) }
    if let after { changes.byID[after.id] = .some(after) }
  }

  func apply(to session: inout TrackSession.Options) {
    if let rule { session.monitoring = rule }
    if let quietHours { session.alerts.quietHours = quietHours }
  }

  /// Whether it changes the session for everyone, and no story.
  var isForAll: Bool { rule != nil || quietHours != nil }

  /// The size of the change, for breaking ties between changes of one kind in favor of the smaller.
  var extent: Double {
    switch kind {
    case .radius: abs((after?.radiusMeters ?? 0) - before[0].radiusMeters)
    case .position: after.map { $0.coordinate.distanceMeters(to: before[0].coordinate) } ?? 0
    case .merge, .drop: Double(before.count)
    case .dates, .hours, .rule: 0
    }
  }
}
