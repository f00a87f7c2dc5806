import ArgumentParser
import Fencepost
import Fixes

/// How a track is read and followed and when it alerts: the options of every command that does one
/// setting's work.
struct SessionArguments: ParsableArguments {
  @OptionGroup(title: "Monitoring")
  var monitoring: MonitoringArguments

  @OptionGroup(title: "Alerts")
  var alerts: AlertArguments

  @OptionGroup(title: "Fixes")
  var fixes: FixArguments

  /// Tells the user what was asked for and has no effect.
  func sayWarnings() {
    for warning in monitoring.warnings { StandardError.say("warning: \(warning)") }
  }

  /// The rules of a session.
  var session: TrackSession.Options {
    var session = TrackSession.Options()
    session.monitoring = monitoring.options
    session.alerts = alerts.options
    return session
  }
}
