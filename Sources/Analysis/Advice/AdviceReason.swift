import FencepostGeodesy
import FencepostMonitoring

/// What the tracks say for a change, before it is made.
package struct AdviceReason: Equatable, Sendable {
  /// Tracks that pass outside the circle and come into the new one.
  package var passing = 0
  /// The least and the greatest distance at which they pass, in metres; nil without any.
  package var passingMeters: ClosedRange<Double>?
  /// Tracks on which an entry into the circle was late or missed.
  package var lost = 0
  /// The best rank at a refresh that left the story out before such an entry; nil without one.
  package var rank: Int?
  /// How often a refresh or the first fix found the device inside the circle, unnoticed.
  package var insideUnnoticed = 0
  /// Whether other stories share its spot, so that another radius lets it alert apart from them.
  package var sharesSpot = false
  /// For stories that go: how often a refresh took one into the monitored set.
  package var monitored = 0
  /// The distance in metres beyond which no track comes near the stories that go; nil for other changes.
  package var farMeters: Double?

  /// Makes a reason of nothing.
  package init() {}

  /// Looks for what speaks for a change.
  init(_ change: AdviceChange, _ stand: AdviceStand, _ options: AdviceOptions) {
    switch change.kind {
    case .radius, .position: look(atCircleOf: change, stand)
    case .merge, .drop:
      let going = Set(change.removed.map(\.id))
      let stories = stand.trial.stories
      for renewal in stand.runs.lazy.flatMap(\.tracks).flatMap(\.run.renewals) {
        monitored += renewal.added.count { going.contains(stories.stories[$0].id) }
      }
      if change.kind == .drop { farMeters = options.radiusRangeMeters.upperBound }
    case .rule: break
    }
  }

  private mutating func look(atCircleOf change: AdviceChange, _ stand: AdviceStand) {
    guard let before = change.before.first, let after = change.after else { return }
    let moved = after.coordinate.distanceMeters(to: before.coordinate)
    let outside = stand.approaches[before.id].filter { $0.distanceMeters > before.radiusMeters }
    // Towards the aim of a move the nearest point comes nearer by all of it, elsewhere by less.
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
