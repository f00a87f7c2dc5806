import FencepostTracks
public import FencepostTime
public import ArgumentParser
import Fencepost
import FencepostFixes
import FencepostFormats

/// How tracks are read, monitored and alerted on: the options of commands with a single setting.
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

  /// Warns about options without effect.
  func sayWarnings() {
    for warning in monitoring.warnings { StandardError.say("warning: \(warning)") }
  }

  /// The rules of a session.
  var session: TrackSession.Options { session(of: nil) }

  /// The rules of a session on a phone; what the user has asked for goes before what the phone does.
  func session(of phone: PhoneRules?) -> TrackSession.Options {
    var session = TrackSession.Options()
    phone?.apply(to: &session)
    session.monitoring = monitoring.applied(to: session.monitoring)
    session.alerts = alerts.options
    alerts.alertOn.apply { session.alertsOn = $0 }
    return session
  }
}

/// How bytes become fixes, as options.
struct FixArguments: ParsableArguments {
  @Flag(help: "Fixes at latitude and longitude 0 are kept.")
  var keepNullIsland = false

  @Option(
    help: ArgumentHelp(
      "The date of the first fix, for receivers that tell only the time of day.",
      valueName: "YYYY-MM-DD"))
  var date: CivilDate?

  @Option(
    help: ArgumentHelp(
      "The speed at which a track without times was travelled, from the beginning of --date on.",
      valueName: "m/s"))
  var travelSpeed: SpeedArgument?

  @Option(
    help: ArgumentHelp(
      "Whether the day (dmy) or the month (mdy) comes first in dates of tables such as 3/4/2026.",
      valueName: "dmy|mdy"))
  var dateOrder: DateOrder?

  @Option(
    help: ArgumentHelp(
      "Puts fixes that come late or shuffled in order: each waits for one that is so much newer.",
      discussion: """
        Time goes by the fixes' own times: what a device sends after a day without a network is followed as if \
        it had come then, even newest first. What comes later than that is refused as late, and the summary says \
        how late. Of a live source, what waits is also handed on after so long without a fix.
        """,
      valueName: "duration"))
  var reorder: DurationArgument?

  func validate() throws {
    if let reorder, reorder.milliseconds < 1 {
      throw ValidationError("--reorder is longer than nothing")
    }
    if let travelSpeed {
      guard travelSpeed.metersPerSecond > 0 else {
        throw ValidationError("--travel-speed is above 0")
      }
      guard date != nil else {
        throw ValidationError("--travel-speed needs --date, the day on which the track begins")
      }
    }
  }

  /// The options of the stream of fixes.
  var options: FixStream.Options {
    FixStream.Options(
      keepsNullIsland: keepNullIsland, startDate: date, dateOrder: dateOrder,
      travelSpeedMetersPerSecond: travelSpeed?.metersPerSecond,
      reorderMilliseconds: reorder?.milliseconds)
  }
}

/// A date on the command line: `2026-03-04`.
extension CivilDate: ExpressibleByArgument {
  /// Parses a year, month and day.
  public init?(argument: String) {
    guard argument.utf8.count == 10,
      let milliseconds = ISO8601.milliseconds(parsing: argument)
    else { return nil }
    self.init(daysSince1970: Int(milliseconds / 86_400_000))
  }
}
