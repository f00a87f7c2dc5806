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
  @Option(
    help: .value("N", "How many places are monitored at a time; ‘none’ monitors every place."))
  var limit = Given<OrNone<Int>>(.some(20))

  @Option(help: .value("distance", "How far from the last refresh a fix makes a new one."))
  var significantChange = Given(DistanceArgument(meters: 500))

  @Option(
    help: ArgumentHelp(
      "What makes a place near: its centre or its circle's edge.",
      discussion: """
        The edge counts from whichever side of it the device is. The default is center, and edge \
        with --refresh adaptive, which knows no other.
        """))
  var rank: MonitoringOptions.Rank?

  @Option(
    help: ArgumentHelp(
      "When the monitored places are renewed.",
      discussion: """
        ‘fixed’ renews after a significant change. ‘adaptive’ renews where the path could first \
        meet an edge that is not monitored, ranks by edge, and says whether anything can have \
        been missed.
        """))
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
    if let limit = limit.value.value, limit < 1 {
      throw ValidationError("--limit is at least 1, or none")
    }
    if limit.value.value == 1, path.tripwire {
      throw ValidationError(PathArguments.nothingMonitored)
    }
    if refresh == .adaptive, rank == .center {
      throw ValidationError("--refresh adaptive ranks by edge; leave --rank center out")
    }
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
  @Option(help: .value("duration", "The least time between two refreshes."))
  var minInterval = Given(DurationArgument.seconds(0))

  @Flag(help: "One of the places gives way to the circle whose exit wakes the phone to refresh.")
  var tripwire = false

  @Option(
    help: .value("distance", "The adaptive refresh comes no closer than this to the last one."))
  var refreshFloor = DistanceArgument(meters: 0)

  @Option(help: "What a newly monitored place does when the device is inside it already.")
  var initial = Given(MonitoringOptions.InitialState.silent)

  @Option(
    help: .value(
      "distance", "How far beyond its edge a circle is left; never, if that is beyond 20,000 km."))
  var exitMargin = Given(DistanceArgument(meters: 0))

  @Option(
    help: .value("duration", "A longer time between two fixes breaks the path; ‘none’ never does."))
  var maxGap: OrNone<DurationArgument> = .some(.seconds(600))

  @Option(
    help: .value("speed", "A higher speed between two fixes breaks the path; ‘none’ never does."))
  var maxSpeed: OrNone<SpeedArgument> = .some(SpeedArgument(metersPerSecond: 340))

  @Flag(help: "The segments of a file are one path.")
  var joinSegments = false

  @OptionGroup var confirmation: ConfirmationArguments

  static let nothingMonitored =
    "--tripwire takes one of the places, so that nothing is monitored with --limit 1"

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
    help: .value(
      "duration", "A crossing counts once the path has stayed on the new side for so long.",
      "If it goes back before, neither crossing counts."))
  var hold: DurationArgument?

  @Option(help: .value("N", "A crossing counts once so many fixes lie on the new side."))
  var confirmFixes: Int?

  @Option(
    help: .value(
      "duration", "Reports a dwell so long after each enter, if the device is still there."))
  var dwell: DurationArgument?

  @Option(help: "Where sides are judged: along the path, or at fixes only, as most engines do.")
  var test = Given(SideTest.path)

  @Option(
    help: ArgumentHelp(
      "What a fix's accuracy means with --test fixes.",
      discussion: """
        ‘contains’: inside once the circle contains the accuracy circle; ‘intersects’: once they \
        meet. Both are left when they meet no more. The default is ignore.
        """))
  var accuracy: AccuracyRule?

  @Flag(
    help:
      "What --refresh adaptive certifies holds wherever the device was within each fix's accuracy.")
  var trustAccuracy = false

  func validate() throws {
    try require(confirmFixes ?? 1 >= 1, "--confirm-fixes is at least 1")
    if accuracy != nil, test.value != .fixes {
      throw ValidationError("--accuracy needs --test fixes; a path has no accuracy")
    }
  }

  /// Checks that the events that should alert can happen.
  func check(_ alerts: AlertArguments) throws {
    if alerts.alertOn.value == .dwell, dwell == nil {
      throw ValidationError("--alert-on dwell needs --dwell, which says how long a dwell is")
    }
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
