public import ArgumentParser
import Fencepost
public import FencepostMonitoring
import FencepostPhones

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

  /// The rule, with a profile's limit and refresh distance where the user set none.
  func options(following profile: PhoneProfile?) -> MonitoringOptions {
    var rule = MonitoringOptions()
    if let profile {
      rule.limit = profile.limits.regions.value.value
      rule.significantChangeMeters = profile.refresh.distanceMeters.value
    }
    return applied(to: rule)
  }

  func sayWarnings() {
    path.sayWarnings(hasAdaptive: refresh == .adaptive, hasLimit: limit.value.value != nil)
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
    for (option, isIdle, other) in [
      ("--refresh-floor", refreshFloor.meters > 0 && !hasAdaptive, "without --refresh adaptive"),
      (
        "--trust-accuracy", confirmation.trustAccuracy && !hasAdaptive, "without --refresh adaptive"
      ),
      ("--tripwire", tripwire && !hasLimit, "with --limit none"),
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
