#if Command
import ArgumentParser
import FencepostSession
import FencepostFixes
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostTime
import FencepostTracks

/// How to read tracks, watch places and alert: the options of commands with a single setting.
///
/// Most of them are rules, which ``RuleArguments`` fills in from the table of all rules.
/// ``SweepCommand`` takes the groups one by one, as it tries several values of some options.
struct SessionArguments: ParsableArguments {
  @OptionGroup(title: "What the phone does") var monitoring: MonitoringArguments
  @OptionGroup(title: "When it alerts") var alerts: AlertArguments
  @OptionGroup(title: "Reading walks") var fixes: FixArguments

  func validate() throws { try monitoring.path.confirmation.check(alerts) }

  /// Warns about options without effect, and says how the dates of stories count.
  func sayWarnings() {
    let rule = session().monitoring
    monitoring.path.sayWarnings(
      hasAdaptive: rule.refresh == .adaptive, hasLimit: rule.limit != nil)
    alerts.sayDates()
  }

  /// The rules of an analysis, which follows a phone only in part.
  ///
  /// It takes from the phone how many circles it watches and when it looks stories up.
  func session(following phone: PhoneProfile?) -> TrackSessionOptions {
    var session = TrackSessionOptions()
    if let phone {
      session.monitoring.limit = phone.limits.regions.value.value
      session.monitoring.significantChangeMeters = phone.refresh.distanceMeters.value
    }
    apply(to: &session)
    return session
  }

  /// The rules of a session, where the user's options override the phone's rules.
  func session(of phone: PhoneRules? = nil) -> TrackSessionOptions {
    var session = TrackSessionOptions()
    phone?.apply(to: &session)
    apply(to: &session)
    return session
  }

  /// Sets what the user gave; everything else stays as it is.
  private func apply(to session: inout TrackSessionOptions) {
    monitoring.apply(to: &session)
    alerts.apply(to: &session)
    fixes.apply(to: &session)
  }

  /// How to read the tracks.
  var reading: FixStreamOptions { fixes.options(alerts.clock) }
}

/// The rules that decide which entries, exits or dwells alert, and the clock that they follow.
struct AlertArguments: RuleArguments {
  @Option(rule: "alert-on") var alertOn: RuleArgument?
  @Option(rule: "cooldown") var cooldown: RuleArgument?
  @Option(rule: "quiet-hours") var quietHours: RuleArgument?
  @OptionGroup var clock: ClockArguments
  @Option(rule: "max-alert-speed") var maxAlertSpeed: RuleArgument?
  @Option(rule: "dates") var dates: RuleArgument?

  /// The zone of quiet hours, of dates without a zone, and of tables.
  var timeZone: ClockZone { clock.zone }

  func validate() throws {
    try checkRules()
    try require(
      dates.flatMap { MomentArgument(argument: $0.text) }?.isDay ?? true,
      "--dates must be recorded, ignore or a day without a time")
  }

  /// Says how the dates of stories count, unless as recorded.
  func sayDates() {
    guard let dates = given.alerts.dates else { return }
    let rest = dates == .ignored ? "" : " (\(timeZone.name)); other times stay as recorded"
    StandardError.say(dates.words + rest)
  }

  func apply(to session: inout TrackSessionOptions) { setRules(of: &session, in: timeZone) }

  /// The kind of event that alerts.
  var trigger: AlertTrigger { given.alertsOn }
}

/// The options for reading walks: what their times mean, and which fixes count.
struct FixArguments: RuleArguments {
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

  @Option(rule: "max-accuracy") var maxAccuracy: RuleArgument?

  func validate() throws {
    try checkRules()
    try require(given.maxAccuracyMeters ?? 1 > 0, "--max-accuracy must be above 0")
    try require(reorder?.milliseconds ?? 1 >= 1, "--reorder must be longer than 0")
    try require(date?.isDay ?? true, "--date must be a day, without a time")
    if let travelSpeed {
      try require(travelSpeed.metersPerSecond > 0, "--travel-speed must be above 0")
      try require(date != nil, "--travel-speed needs --date, the day on which the walk begins")
    }
  }

  func apply(to session: inout TrackSessionOptions) { setRules(of: &session) }

  /// How to read tracks; times that state no zone follow the clock that was given, or else UTC.
  func options(_ clock: ClockArguments) -> FixStreamOptions {
    var options = FixStreamOptions(
      keepsNullIsland: keepNullIsland, startDate: date?.date(in: .ofMachine), dateOrder: dateOrder,
      travelSpeedMetersPerSecond: travelSpeed?.metersPerSecond,
      reorderMilliseconds: reorder?.milliseconds, maxAccuracyMeters: given.maxAccuracyMeters)
    options.clock = clock.given
    return options
  }
}

/// The rules of what the phone watches: how many circles, which ones, and when it looks them up.
struct MonitoringArguments: RuleArguments {
  @Option(rule: "limit") var limit: RuleArgument?
  @Option(rule: "significant-change") var significantChange: RuleArgument?
  @Option(rule: "rank") var rank: RuleArgument?
  @Option(rule: "refresh") var refresh: RuleArgument?
  @OptionGroup var path: PathArguments

  func apply(to session: inout TrackSessionOptions) {
    setRules(of: &session)
    path.apply(to: &session)
  }

  /// Checks the values, and that a walk gets its times from one source only.
  func validate() throws {
    try checkRules()
    let rule = given.monitoring
    try require(rule.limit ?? 1 >= 1, "--limit must be at least 1, or none")
    try require(rule.limit != 1 || !rule.hasTripwire, PathArguments.nothingMonitored)
    try require(
      rule.refresh != .adaptive || rank?.text != "center",
      "--rank center cannot be used with --refresh adaptive, which always ranks by edge")
  }
}

/// The part of the engine's rule that a sweep does not vary: how paths form and circles behave.
///
/// ``MonitoringArguments`` has the rest.
struct PathArguments: RuleArguments {
  @Option(rule: "min-interval") var minInterval: RuleArgument?
  @Flag(rule: "tripwire") var tripwire = false
  @Option(rule: "refresh-floor") var refreshFloor: RuleArgument?
  @Option(rule: "initial") var initial: RuleArgument?
  @Option(rule: "exit-margin") var exitMargin: RuleArgument?
  @Option(rule: "max-gap") var maxGap: RuleArgument?
  @Option(rule: "max-speed") var maxSpeed: RuleArgument?
  @Flag(rule: "join-segments") var joinSegments = false
  @OptionGroup var confirmation: ConfirmationArguments

  /// The message if the tripwire would take the only slot.
  static let nothingMonitored = "--tripwire takes one slot, so --limit must be at least 2"

  func validate() throws { try checkRules() }

  /// Warns about options without effect because no setting is adaptive, or none has a limit.
  func sayWarnings(hasAdaptive: Bool, hasLimit: Bool) {
    let rule = given.monitoring
    for (option, isIdle, other) in [
      (
        "--refresh-floor", !hasAdaptive && rule.refreshFloorMeters > 0, "without --refresh adaptive"
      ),
      ("--trust-accuracy", !hasAdaptive && rule.trustsAccuracy, "without --refresh adaptive"),
      ("--tripwire", !hasLimit && rule.hasTripwire, "with --limit none"),
    ] where isIdle {
      StandardError.say("warning: \(option) has no effect \(other)")
    }
  }

  func apply(to session: inout TrackSessionOptions) {
    setRules(of: &session)
    confirmation.apply(to: &session)
  }
}

/// Options for what must happen before a crossing counts.
///
/// Phones wait before they report a crossing, to be sure of it. These rules say how long, and what
/// is tested.
struct ConfirmationArguments: RuleArguments {
  @Option(rule: "hold") var hold: RuleArgument?
  @Option(rule: "confirm-fixes") var confirmFixes: RuleArgument?
  @Option(rule: "dwell") var dwell: RuleArgument?
  @Option(rule: "test") var test: RuleArgument?
  @Option(rule: "accuracy") var accuracy: RuleArgument?
  @Flag(rule: "trust-accuracy") var trustAccuracy = false

  /// Checks that some circle can be watched, and that the rank fits the rule of lookups.
  func validate() throws {
    try checkRules()
    try require(
      confirmFixes.flatMap { Int($0.text) } ?? 1 >= 1, "--confirm-fixes must be at least 1")
    try require(
      accuracy == nil || test?.text == "fixes",
      "--accuracy needs --test fixes, because a path has no accuracy")
  }

  /// Checks that the events that should alert can happen.
  func check(_ alerts: AlertArguments) throws {
    try require(
      alerts.trigger != .dwell || dwell != nil,
      "--alert-on dwell needs --dwell, the length of a dwell")
  }

  func apply(to session: inout TrackSessionOptions) {
    // A path has no accuracy, whatever a profile says about fixes.
    if test?.text == "path" { session.monitoring.accuracy = .ignore }
    setRules(of: &session)
  }
}
#endif
