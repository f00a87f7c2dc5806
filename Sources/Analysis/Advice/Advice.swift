package import Fencepost
import FencepostGeodesy
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
    _ kind: AdviceOptions.Kind, _ before: [Place] = [], after: Place? = nil,
    rule: MonitoringOptions? = nil, quietHours: QuietHours? = nil
  ) {
    (self.kind, self.before, self.after) = (kind, before, after)
    (self.rule, self.quietHours) = (rule, quietHours)
  }

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

package struct AdviceReason: Equatable, Sendable {
  /// The number of tracks that pass outside the circle but enter the new one.
  package var passing = 0
  /// How near they pass at least and at most, in meters; nil if no track passes.
  package var passingMeters: ClosedRange<Double>?
  /// The number of tracks with a late or missed entry into the circle.
  package var lost = 0
  /// The story's best rank at a lookup before such an entry; nil if no lookup left it out.
  package var rank: Int?
  /// How often a lookup or the first fix found the phone inside the circle without an alert.
  package var insideUnnoticed = 0
  /// Whether another story shares the spot, so that a new radius lets this one alert separately.
  package var sharesSpot = false
  /// For removed stories: how often a lookup started to watch one.
  package var monitored = 0
  /// For removed stories: no track comes within this distance of them, in meters.
  package var farMeters: Double?
  /// For other dates or shorter quiet hours: the number of entries that the old ones held back.
  package var heldBack = 0
  /// For changes that lose alerts: the alerts of the stories, or in the hours, concerned.
  package var alerts = 0
  /// For changes that lose alerts: how many of these came on days with too many.
  package var crowded = 0

  init(_ change: AdviceChange, _ stand: AdviceStand, _ options: AdviceOptions) {
    if let most = options.mostAfterwards {
      let concerned = CrowdedDays(stand, most: most, zone: options.zone).alerts(concernedBy: change)
      (alerts, crowded) = (concerned.count, concerned.count(where: \.isCrowded))
      return
    }
    switch change.kind {
    case .radius, .position: look(atCircleOf: change, stand)
    case .merge, .drop:
      let going = Set(change.removed.map(\.id))
      let stories = stand.trial.stories
      for renewal in stand.runs.lazy.flatMap(\.tracks).flatMap(\.run.renewals) {
        monitored += renewal.added.count { going.contains(stories.stories[$0].id) }
      }
      if change.kind == .drop { farMeters = options.radiusRangeMeters.upperBound }
    case .dates: heldBack = StoryHappenings(stand).heldBackTimes[change.before[0].id]?.count ?? 0
    case .hours:
      heldBack = StoryHappenings(stand).quietTimes.count {
        change.quietHours?.contains(milliseconds: $0) == false
      }
    case .rule: break
    }
  }

  private mutating func look(atCircleOf change: AdviceChange, _ stand: AdviceStand) {
    guard let before = change.before.first, let after = change.after else { return }
    let moved = after.coordinate.distanceMeters(to: before.coordinate)
    let outside = stand.approaches[before.id].filter { $0.distanceMeters > before.radiusMeters }
    // Moving a story brings it nearer to a point by at most the length of the move.
    let reached = outside.filter {
      after.coordinate.distanceMeters(to: $0.coordinate) <= after.radiusMeters
        && $0.distanceMeters <= after.radiusMeters + moved
    }
    passing = reached.count
    if let first = reached.first, let last = reached.last {
      passingMeters = first.distanceMeters...last.distanceMeters
    }
    sharesSpot = stand.spots[before.id] != nil
    let happenings = StoryHappenings(stand)
    lost = happenings.lostTracks[before.id]?.count ?? 0
    insideUnnoticed = happenings.insideMeters[before.id]?.count ?? 0
    rank = stand.runs.lazy.flatMap(\.tracks).flatMap(\.run.entries)
      .filter { stand.trial.stories.stories[$0.story].id == before.id }
      .compactMap { $0.atRefresh?.rank }.min()
  }
}
