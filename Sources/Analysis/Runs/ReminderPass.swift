package import Fencepost
import FencepostFixes
package import FencepostMonitoring

/// Follows a track with reminders twice: among the stories, and without any.
package struct ReminderPass {
  private var among: TrackSession
  private var alone: TrackSession
  private var segment: Int32 = 0

  package init(
    _ reminders: ReminderWatch.Options, among source: any PlaceSource,
    session rules: TrackSession.Options
  ) {
    func session(_ source: any PlaceSource) -> TrackSession {
      let watch = ReminderWatch(options: reminders, source: source, monitoring: rules.monitoring)
      var session = TrackSession(
        name: "", source: watch.source, options: ReminderWatch.rules(rules, beside: watch))
      session.selection = []
      session.observer = watch
      return session
    }
    among = session(source)
    // An index of no places cannot have two of one id, the only error.
    alone = session((try? PlaceIndex([])) ?? source)
  }

  /// Follows the next vertex of the path.
  mutating func take(_ point: PathPoint, isJoined: Bool) {
    if !isJoined { segment += 1 }
    take([
      Fix(
        coordinate: point.coordinate, timeMilliseconds: point.timeMilliseconds,
        segmentIndex: segment, accuracyMeters: point.accuracyMeters)
    ])
  }

  package mutating func take(_ fixes: [Fix]) {
    among.take(fixes) { _ in }
    alone.take(fixes) { _ in }
  }

  package mutating func finish() -> ReminderCost {
    among.finish(rejected: [:]) { _ in }
    alone.finish(rejected: [:]) { _ in }
    var cost = ReminderCost()
    cost.withStories = among.summary.budget.map { .init($0) } ?? .init()
    cost.withoutStories = alone.summary.budget.map { .init($0) } ?? .init()
    return cost
  }
}
