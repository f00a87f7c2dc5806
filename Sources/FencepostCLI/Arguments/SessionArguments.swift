public import ArgumentParser
public import Fencepost
import FencepostFixes
import FencepostNotifications
import FencepostTime
import FencepostTracks

extension AlertTrigger: ExpressibleByArgument {}

/// How to read tracks, watch places and alert: the options of commands with a single setting.
struct SessionArguments: ParsableArguments {
  @OptionGroup(title: "Monitoring")
  var monitoring: MonitoringArguments

  @OptionGroup(title: "Alerts")
  var alerts: AlertArguments

  @OptionGroup(title: "Fixes")
  var fixes: FixArguments

  func validate() throws {
    try monitoring.path.confirmation.check(alerts)
  }

  /// The rules of a session, where the user's options override the phone's rules.
  func session(of phone: PhoneRules? = nil) -> TrackSession.Options {
    var session = TrackSession.Options()
    phone?.apply(to: &session)
    session.monitoring = monitoring.applied(to: session.monitoring)
    session.alerts = alerts.options
    alerts.alertOn.apply { session.alertsOn = $0 }
    return session
  }
}

struct AlertArguments: ParsableArguments {
  @Option(help: "Which event about a place alerts.")
  var alertOn = Given(AlertTrigger.enter)

  @Option(
    help: .value(
      "duration", "How long a place that alerted stays silent: a duration, ‘forever’, or ‘none’."))
  var cooldown = Cooldown.days(7)

  @Option(
    help: .value(
      "HH:MM-HH:MM", "When nothing alerts, by the clock of --time-zone; may run over midnight."))
  var quietHours: TimeSpanArgument?

  @Option(
    // An offset may begin with a minus, which must not be taken for an option.
    parsing: .unconditional,
    help: ArgumentHelp(
      "Whose clock --quiet-hours, the table of events, an explanation and the hours of an analysis mean: a name "
        + "such as America/New_York, or an offset such as -05:00.",
      valueName: "zone"))
  var timeZone = ClockZone.utc

  @Option(help: .value("speed", "Nothing alerts above this speed, nor for two minutes after."))
  var maxAlertSpeed: SpeedArgument?

  var options: AlertPolicy.Options {
    var options = AlertPolicy.Options()
    options.cooldown = cooldown
    options.maxAlertSpeedMetersPerSecond = maxAlertSpeed?.metersPerSecond
    options.quietHours = quietHours.flatMap {
      QuietHours(start: $0.start, end: $0.end, zone: timeZone)
    }
    return options
  }
}

struct FixArguments: ParsableArguments {
  @Flag(help: "Fixes at latitude and longitude 0 are kept.")
  var keepNullIsland = false

  @Option(
    help: .value(
      "YYYY-MM-DD", "The date of the first fix, for receivers that tell only the time of day."))
  var date: CivilDate?

  @Option(
    help: .value(
      "m/s",
      "The speed at which a track without times was travelled, from the beginning of --date on."))
  var travelSpeed: SpeedArgument?

  @Option(
    help: .value(
      "dmy|mdy",
      "Whether the day (dmy) or the month (mdy) comes first in dates of tables such as 3/4/2026."))
  var dateOrder: DateOrder?

  @Option(
    help: .value(
      "duration",
      "Puts fixes that come late or shuffled in order: each waits for one that is so much newer.",
      """
      Time goes by the fixes' own times: what a device sends after a day without a network is followed as if \
      it had come then, even newest first. What comes later than that is refused as late, and the summary says \
      how late. Of a live source, what waits is also handed on after so long without a fix.
      """))
  var reorder: DurationArgument?

  func validate() throws {
    if let reorder, reorder.milliseconds < 1 {
      throw ValidationError("--reorder is longer than nothing")
    }
    if let travelSpeed {
      try require(travelSpeed.metersPerSecond > 0, "--travel-speed is above 0")
      try require(date != nil, "--travel-speed needs --date, the day on which the track begins")
    }
  }

  var options: FixStream.Options {
    FixStream.Options(
      keepsNullIsland: keepNullIsland, startDate: date, dateOrder: dateOrder,
      travelSpeedMetersPerSecond: travelSpeed?.metersPerSecond,
      reorderMilliseconds: reorder?.milliseconds)
  }
}
