import Fencepost
import FencepostMonitoring

/// Finds the crossings of one story that were never confirmed, by following the path without confirmation.
struct UnconfirmedCrossings {
  private var oracle: OracleRun
  private var history: StoryHistory

  /// Begins a track; nil if the rule reports crossings where they happen.
  init?(
    _ story: Int, _ index: StoryIndex, source: any PlaceSource, options: TrackSession.Options
  ) {
    guard options.monitoring.confirmation.isNeeded else { return nil }
    var options = options
    options.monitoring.confirmation = ConfirmationOptions()
    oracle = OracleRun(index, source: source, options: options)
    history = StoryHistory(story: story)
  }

  /// Follows the path through a batch.
  mutating func take(_ batch: PathBatch) {
    oracle.take(batch) { _, _ in }
    for meeting in oracle.meetings { history.note(meeting) }
  }

  /// The crossings with a time that are not among the confirmed ones.
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
