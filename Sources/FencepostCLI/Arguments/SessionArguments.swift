public import ArgumentParser
import Fencepost
import FencepostFixes
public import FencepostMonitoring
public import FencepostNotifications
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
    monitoring.path.sayWarnings(
      hasAdaptive: monitoring.refresh == .adaptive, hasLimit: monitoring.limit.value.value != nil)
    alerts.sayDates()
  }

  /// The rules of an analysis, which follows a phone only in how many circles it watches and when it
  /// looks stories up.
  func session(following phone: PhoneProfile?) -> TrackSession.Options {
    var session = session()
    var rule = MonitoringOptions()
    if let phone {
      rule.limit = phone.limits.regions.value.value
      rule.significantChangeMeters = phone.refresh.distanceMeters.value
    }
    session.monitoring = monitoring.applied(to: rule)
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

extension AccuracyRule: ExpressibleByArgument {}
extension SideTest: ExpressibleByArgument {}
extension MonitoringOptions.Rank: ExpressibleByArgument {}
extension MonitoringOptions.RefreshRule: ExpressibleByArgument {}
extension MonitoringOptions.InitialState: ExpressibleByArgument {}

struct MonitoringArguments: ParsableArguments {
  @Option("n", "Watch at most N circles at a time, or \"none\" for no limit.")
  var limit = Given<OrNone<Int>>(.some(20))

  @Option("distance", "Look up the nearest stories again after moving this far.")
  var significantChange = Given(DistanceArgument(meters: 500))

  @Option(
    "rank", "center or edge: what makes a story near, its center or the edge of its circle.",
    "The edge is measured from inside as well as outside. Default: center, or edge with "
      + "--refresh adaptive, which must rank by edge.")
  var rank: MonitoringOptions.Rank?

  @Option(
    "rule",
    "fixed: look up after each significant change. adaptive: look up just before an "
      + "unwatched circle could be entered, so that nothing is missed.",
    "\"adaptive\" ranks by edge, and reports whether anything could have been missed.")
  var refresh = MonitoringOptions.RefreshRule.fixed

  @OptionGroup var path: PathArguments

  /// The rule, using `base` for whatever the user did not set.
  func applied(to base: MonitoringOptions) -> MonitoringOptions {
    var options = path.applied(to: base)
    limit.apply { options.limit = $0.value }
    significantChange.apply { options.significantChangeMeters = $0.meters }
    options.rank = rank ?? .center
    options.refresh = refresh
    return options
  }

  func validate() throws {
    try require(limit.value.value ?? 1 >= 1, "--limit must be at least 1, or none")
    try require(limit.value.value != 1 || !path.tripwire, PathArguments.nothingMonitored)
    try require(
      refresh != .adaptive || rank != .center,
      "--rank center cannot be used with --refresh adaptive, which always ranks by edge")
  }
}

/// The part of the engine's rule that a sweep does not vary: how paths form and circles behave.
struct PathArguments: ParsableArguments {
  @Option("duration", "Wait at least this long between two lookups.")
  var minInterval = Given(DurationArgument.seconds(0))

  @Flag(help: "Use one slot for a circle around the phone. Leaving it triggers the next lookup.")
  var tripwire = false

  @Option("distance", "Keep adaptive lookups at least this far apart.")
  var refreshFloor = DistanceArgument(meters: 0)

  @Option(
    "rule",
    "enter: report an entry if the phone is already inside a newly watched circle. silent: do not.")
  var initial = Given(MonitoringOptions.InitialState.silent)

  @Option(
    "distance", "Count an exit only this far beyond the edge. Above 20000km, there is no exit.")
  var exitMargin = Given(DistanceArgument(meters: 0))

  @Option(
    "duration", "Break the path if two fixes are farther apart than this, or \"none\" for never.")
  var maxGap: OrNone<DurationArgument> = .some(.seconds(600))

  @Option("speed", "Break the path if two fixes imply a higher speed, or \"none\" for never.")
  var maxSpeed: OrNone<SpeedArgument> = .some(SpeedArgument(metersPerSecond: 340))

  @Flag(help: "Join the segments of a file into one path.")
  var joinSegments = false

  @OptionGroup var confirmation: ConfirmationArguments

  static let nothingMonitored = "--tripwire takes one slot, so --limit must be at least 2"

  /// Warns about options without effect because no setting is adaptive, or none has a limit.
  func sayWarnings(hasAdaptive: Bool, hasLimit: Bool) {
    let trustsAccuracy = confirmation.trustAccuracy
    for (option, isIdle, other) in [
      ("--refresh-floor", !hasAdaptive && refreshFloor.meters > 0, "without --refresh adaptive"),
      ("--trust-accuracy", !hasAdaptive && trustsAccuracy, "without --refresh adaptive"),
      ("--tripwire", !hasLimit && tripwire, "with --limit none"),
    ] where isIdle {
      StandardError.say("warning: \(option) has no effect \(other)")
    }
  }

  /// The rule, using `base` for whatever the user did not set.
  func applied(to base: MonitoringOptions) -> MonitoringOptions {
    var options = base
    minInterval.apply { options.minIntervalMilliseconds = $0.milliseconds }
    options.hasTripwire = tripwire
    options.refreshFloorMeters = refreshFloor.meters
    initial.apply { options.initial = $0 }
    exitMargin.apply { options.exitMarginMeters = $0.meters }
    options.maxGapMilliseconds = maxGap.value?.milliseconds
    options.maxSpeedMetersPerSecond = maxSpeed.value?.metersPerSecond
    options.joinsSegments = joinSegments
    confirmation.apply(to: &options)
    return options
  }
}

/// Options for what must happen before a crossing counts.
struct ConfirmationArguments: ParsableArguments {
  @Option(
    "duration", "Count an entry or exit only after the path stayed on the new side this long.",
    "If the path turns back earlier, neither counts.")
  var hold: DurationArgument?

  @Option("n", "Count an entry or exit only after N fixes on the new side.")
  var confirmFixes: Int?

  @Option("duration", "Report a dwell this long after each entry, if the phone is still inside.")
  var dwell: DurationArgument?

  @Option(
    "rule", "path or fixes: look for entries along the path, or only at fixes, as most systems do.")
  var test = Given(SideTest.path)

  @Option(
    "rule", "ignore, contains or intersects: how --test fixes uses accuracy. Default: ignore.",
    """
    With "contains", a fix is inside when the circle contains its whole accuracy circle. \
    With "intersects", it is inside when the two meet. With both, it is outside when they \
    no longer meet.
    """)
  var accuracy: AccuracyRule?

  @Flag(
    help: """
      Make --refresh adaptive miss nothing wherever the phone was within each fix's \
      accuracy.
      """)
  var trustAccuracy = false

  func validate() throws {
    try require(confirmFixes ?? 1 >= 1, "--confirm-fixes must be at least 1")
    try require(
      accuracy == nil || test.value == .fixes,
      "--accuracy needs --test fixes, because a path has no accuracy")
  }

  /// Checks that the events that should alert can happen.
  func check(_ alerts: AlertArguments) throws {
    try require(
      alerts.alertOn.value != .dwell || dwell != nil,
      "--alert-on dwell needs --dwell, the length of a dwell")
  }

  /// Copies the options that the user set into a rule.
  func apply(to options: inout MonitoringOptions) {
    if let hold { options.confirmation.holdMilliseconds = hold.milliseconds }
    if let confirmFixes { options.confirmation.fixes = confirmFixes }
    if let dwell { options.confirmation.dwellMilliseconds = dwell.milliseconds }
    test.apply { test in
      options.test = test
      // A path has no accuracy, whatever a profile says about fixes.
      if test == .path { options.accuracy = .ignore }
    }
    if let accuracy { options.accuracy = accuracy }
    options.trustsAccuracy = trustAccuracy
  }
}
