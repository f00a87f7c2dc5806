package import FencepostSession
import FencepostNotifications

extension WhatIf {
  /// What happens to a reminder on a track, as a replay with reminders follows it.
  package func moments(
    of reminder: String, among reminders: ReminderWatchOptions, on track: RecordedTrack
  ) -> [ReminderMoment] {
    var reminders = reminders
    reminders.run.explainedID = reminder
    let watch = ReminderWatch(
      options: reminders, source: places, monitoring: options.monitoring)
    var rules = options
    rules.monitoring = watch.monitoring
    var session = TrackSession(name: track.name, source: watch.source, options: rules)
    session.observer = watch
    session.selection = [.summary]
    session.follow(track.fixes) { _ in }
    session.finish(rejected: [:]) { _ in }
    return session.summary.budget?.moments ?? []
  }
}
