package import FencepostSession
import FencepostFixes
import FencepostMonitoring
package import FencepostNotifications

/// Follows a track with reminders twice: among the stories, and without any.
///
/// The difference is what the stories cost reminders. Both runs are sessions, as a phone would have
/// them, whose events are dropped.
struct ReminderPass {
  private var among: TrackSession
  private var alone: TrackSession
  private var segment: Int32 = 0

  /// Begins both runs, with all reminders active.
  init(
    _ reminders: ReminderWatchOptions, among source: any PlaceSource,
    session rules: TrackSessionOptions
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

  mutating func take(_ point: PathPoint, isJoined: Bool) {
    if !isJoined { segment += 1 }
    take([
      Fix(
        coordinate: point.coordinate, timeMilliseconds: point.timeMilliseconds,
        segmentIndex: segment, accuracyMeters: point.accuracyMeters)
    ])
  }

  mutating func take(_ fixes: [Fix]) {
    among.follow(fixes) { _ in }
    alone.follow(fixes) { _ in }
  }

  /// Ends both runs, and returns the counts of each.
  mutating func finish() -> ReminderCost {
    among.finish(rejected: [:]) { _ in }
    alone.finish(rejected: [:]) { _ in }
    var cost = ReminderCost()
    cost.withStories = among.summary.budget.map { .init($0) } ?? .init()
    cost.withoutStories = alone.summary.budget.map { .init($0) } ?? .init()
    return cost
  }
}

extension RecordedTrack {
  /// What a what-if's stories cost reminders on this track, and the number of its local days.
  ///
  /// Nil if the task is canceled.
  package func reminderCost(
    _ reminders: ReminderWatchOptions, under whatIf: WhatIf, zone: ClockZone
  ) -> (cost: ReminderCost, days: Int)? {
    var pass = ReminderPass(reminders, among: whatIf.places, session: whatIf.options)
    var days = DayCounter(zone: zone)
    let isWhole = forEachPiece { fixes in
      pass.take(fixes)
      for fix in fixes { days.take(fix.timeMilliseconds) }
      return !Task.isCancelled
    }
    return isWhole ? (pass.finish(), days.days.count) : nil
  }
}
