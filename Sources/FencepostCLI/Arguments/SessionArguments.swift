public import ArgumentParser
public import Fencepost
import FencepostFixes
import FencepostNotifications
import FencepostPhones
import FencepostTime
import FencepostTracks

extension AlertTrigger: ExpressibleByArgument {}

/// How to read tracks, watch places and alert: the options of commands with a single setting.
struct SessionArguments: ParsableArguments {
  @OptionGroup(title: "What the phone does") var monitoring: MonitoringArguments
  @OptionGroup(title: "When it alerts") var alerts: AlertArguments
  @OptionGroup(title: "Reading walks") var fixes: FixArguments

  func validate() throws { try monitoring.path.confirmation.check(alerts) }

  /// Warns about options without effect, and says how the dates of stories count.
  func sayWarnings() {
    monitoring.sayWarnings()
    alerts.sayDates()
  }

  /// The rules of an analysis, which follows a phone only in how many circles it watches and when it
  /// looks stories up.
  func session(following phone: PhoneProfile?) -> TrackSession.Options {
    var session = session()
    session.monitoring = monitoring.options(following: phone)
    return session
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
  @Option("event", "enter, dwell or exit: the event that alerts.")
  var alertOn = Given(AlertTrigger.enter)

  @Option(
    "duration",
    "Stay quiet about a story for this long after it alerted, or \"forever\" or \"none\".")
  var cooldown = Cooldown.days(7)

  @Option(
    "from-to", "Never alert between these times, such as 22:00-07:00.",
    "The times follow the clock of --time-zone.")
  var quietHours: TimeSpanArgument?

  @OptionGroup var clock: ClockArguments

  var timeZone: ClockZone { clock.zone }

  @Option("speed", "Never alert above this speed, such as 30km/h, nor for 2 minutes afterwards.")
  var maxAlertSpeed: SpeedArgument?

  @Option(
    "day", "Judge story dates as if walked on this day, or as \"recorded\", or \"ignore\" them.",
    """
    On a day, such as 2026-03-04 or today, each entry keeps its time of day. So you can judge \
    stories that were published after the walk. Cooldowns, quiet hours and the times of the \
    output stay as recorded.
    """)
  var dates = DatesArgument.recorded

  func validate() throws {
    if case .day(let moment) = dates, !moment.isDay {
      throw ValidationError("--dates must be recorded, ignore or a day without a time")
    }
  }

  /// Says how the dates of stories count, unless as recorded.
  func sayDates() {
    guard let dates = options.dates else { return }
    let rest = dates == .ignored ? "" : " (\(timeZone.name)); other times stay as recorded"
    StandardError.say(dates.words + rest)
  }

  var options: AlertPolicy.Options {
    var options = AlertPolicy.Options()
    options.cooldown = cooldown
    options.maxAlertSpeedMetersPerSecond = maxAlertSpeed?.metersPerSecond
    options.quietHours = quietHours.flatMap {
      QuietHours(start: $0.start, end: $0.end, zone: timeZone)
    }
    options.dates =
      switch dates {
      case .recorded: nil
      case .ignore: .ignored
      case .day(let moment):
        .day(sinceEpoch: moment.date(in: timeZone).daysSince1970, zone: timeZone)
      }
    return options
  }
}

/// When the dates of stories count: `recorded`, `ignore`, or a day.
enum DatesArgument: ExpressibleByArgument, Sendable {
  case recorded
  case ignore
  case day(MomentArgument)

  init?(argument: String) {
    switch argument {
    case "recorded": self = .recorded
    case "ignore": self = .ignore
    default:
      guard let moment = MomentArgument(argument: argument) else { return nil }
      self = .day(moment)
    }
  }

  var defaultValueDescription: String { "recorded" }
}

struct FixArguments: ParsableArguments {
  @Flag(help: "Keep fixes at latitude 0 and longitude 0. By default they are rejected.")
  var keepNullIsland = false

  @Option("day", "Day of the first fix, such as 2026-03-04, if the receiver reports only times.")
  var date: MomentArgument?

  @Option("speed", "Speed of a walk without times. The walk starts when --date begins.")
  var travelSpeed: SpeedArgument?

  @Option("order", "dmy or mdy: read 3/4/2026 in a table as 3 April (dmy) or March 4 (mdy).")
  var dateOrder: DateOrder?

  @Option(
    "duration", "Sort fixes that come late or out of order: wait this long for earlier ones.",
    """
    Time is measured by the fixes. A device that sends a whole day at once, even newest \
    first, is followed as if each fix had come in time. A fix that comes even later is \
    rejected, and the summary says how late it was. A live source also hands on waiting \
    fixes after this long without a fix.
    """)
  var reorder: DurationArgument?

  func validate() throws {
    try require(reorder?.milliseconds ?? 1 >= 1, "--reorder must be longer than 0")
    try require(date?.isDay ?? true, "--date must be a day, without a time")
    if let travelSpeed {
      try require(travelSpeed.metersPerSecond > 0, "--travel-speed must be above 0")
      try require(date != nil, "--travel-speed needs --date, the day on which the walk begins")
    }
  }

  var options: FixStream.Options {
    FixStream.Options(
      keepsNullIsland: keepNullIsland, startDate: date?.date(in: .ofMachine), dateOrder: dateOrder,
      travelSpeedMetersPerSecond: travelSpeed?.metersPerSecond,
      reorderMilliseconds: reorder?.milliseconds)
  }
}
