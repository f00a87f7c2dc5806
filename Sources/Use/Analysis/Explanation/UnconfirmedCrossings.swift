import FencepostSession
import FencepostMonitoring
import FencepostNotifications

/// Finds one story's unconfirmed crossings by following the path without confirmation.
///
/// An explanation shows them, because a short stay that does not count looks like a missed entry.
struct UnconfirmedCrossings {
  private var run: PathRun
  private let index: StoryIndex
  private let source: any PlaceSource
  private var history: StoryHistory

  /// Returns nil if the rule does not confirm crossings.
  init?(_ story: Int, _ index: StoryIndex, source: any PlaceSource, options: TrackSessionOptions) {
    guard options.monitoring.confirmation.isNeeded else { return nil }
    (self.index, self.source) = (index, source)
    var rule = options.monitoring.withoutLimit
    rule.confirmation = ConfirmationOptions()
    run = PathRun(rule)
    history = StoryHistory(story: story)
  }

  mutating func take(_ batch: PathBatch) {
    var start = 0
    while start < batch.points.count {
      start += run.follow(batch.points[start..<batch.points.count], from: source)
      let fix = batch.firstFix + start - 1
      for notice in run.steps(from: source, asks: { _ in false }).compactMap({ $0.notice }) {
        guard let story = index.index(ofKey: notice.key) else { continue }
        history.note(ComparedRuns.Happening(fix: fix, story: story, notice: notice))
      }
    }
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
