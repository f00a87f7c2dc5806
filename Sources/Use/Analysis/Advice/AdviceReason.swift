import FencepostMonitoring

/// What happened on the tracks that speaks for a change of a story.
///
/// Reports print it beside the gain, because an editor wants to know why a change helps. The counts
/// come from the runs before the change.
package struct AdviceReason: Equatable, Sendable {
  /// The number of tracks that pass outside the circle but enter the new one.
  package var passing = 0
  /// How near they pass at least and at most, in meters; nil if no track passes.
  package var passingMeters: ClosedRange<Double>?
  /// The number of tracks with a late or missed entry into the circle.
  package var lost = 0
  /// How often a lookup or the first fix found the phone inside the circle without an alert.
  package var insideUnnoticed = 0

  /// Looks for evidence in the runs without the change.
  ///
  /// A change of the rule has none but its gain.
  init(_ change: AdviceChange, _ state: AdviceState) {
    guard let (before, after) = change.story else { return }
    let moved = after.coordinate.distanceMeters(to: before.coordinate)
    let outside = state.approaches[before.id].filter { $0.distanceMeters > before.radiusMeters }
    // Moving a story brings it nearer to a point by at most the length of the move.
    let reached = outside.filter {
      after.coordinate.distanceMeters(to: $0.coordinate) <= after.radiusMeters
        && $0.distanceMeters <= after.radiusMeters + moved
    }
    passing = reached.count
    if let first = reached.first, let last = reached.last {
      passingMeters = first.distanceMeters...last.distanceMeters
    }
    let losses = AdviceState.Losses(state)
    lost = losses.tracks[before.id]?.count ?? 0
    insideUnnoticed = losses.insideMeters[before.id]?.count ?? 0
  }
}
