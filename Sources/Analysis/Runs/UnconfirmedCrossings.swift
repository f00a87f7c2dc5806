import Fencepost
import FencepostMonitoring

/// Finds one story's unconfirmed crossings by following the path without confirmation.
struct UnconfirmedCrossings {
  private var oracle: OracleRun
  private var history: StoryHistory

  /// Returns nil if the rule does not confirm crossings.
  init?(
    _ story: Int, _ index: StoryIndex, source: any PlaceSource, options: TrackSession.Options
  ) {
    guard options.monitoring.confirmation.isNeeded else { return nil }
    var options = options
    options.monitoring.confirmation = ConfirmationOptions()
    oracle = OracleRun(index, source: source, options: options)
    history = StoryHistory(story: story)
  }

  mutating func take(_ batch: PathBatch) {
    oracle.take(batch) { _, _ in }
    for meeting in oracle.meetings { history.note(meeting) }
  }

  /// Returns the crossings with a time that are not among the confirmed ones.
  func edges(besides confirmed: [StoryExplanation.Edge]) -> [StoryExplanation.Edge] {
    history.edges.filter { edge in
      edge.timeMilliseconds != nil
        && !confirmed.contains {
          $0.kind == edge.kind && $0.crossedMilliseconds == edge.crossedMilliseconds
        }
    }.map { edge in
      var edge = edge
      edge.isConfirmed = false
      return edge
    }
  }
}
