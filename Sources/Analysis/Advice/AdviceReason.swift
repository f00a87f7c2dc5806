import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

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
