public import ArgumentParser
public import FencepostMonitoring

extension MonitoringOptions.Rank: ExpressibleByArgument {}
extension MonitoringOptions.RefreshRule: ExpressibleByArgument {}
extension MonitoringOptions.InitialState: ExpressibleByArgument {}

/// The engine's rule, as options.
struct MonitoringArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How many places are monitored at a time; ‘none’ monitors every place.", valueName: "N"))
  var limit = Given<OrNone<Int>>(.some(20))

  @Option(
    help: ArgumentHelp(
      "How far from the last refresh a fix makes a new one.", valueName: "distance"))
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

  @OptionGroup
  var path: PathArguments

  /// The rule.
  var options: MonitoringOptions {
    var options = path.options
    options.limit = limit.value.value
    options.significantChangeMeters = significantChange.value.meters
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

  /// Sentences about options without effect.
  var warnings: [String] {
    path.warnings(hasAdaptive: refresh == .adaptive, hasLimit: limit.value.value != nil)
  }
}

/// The part of the engine's rule that a sweep does not vary: how fixes form a path, and how circles behave.
struct PathArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The least time between two refreshes.", valueName: "duration"))
  var minInterval = DurationArgument.seconds(0)

  @Flag(
    help: ArgumentHelp(
      "One of the places gives way to the circle whose exit wakes the phone to refresh."))
  var tripwire = false

  @Option(
    help: ArgumentHelp(
      "The adaptive refresh comes no closer than this to the last one.", valueName: "distance"))
  var refreshFloor = DistanceArgument(meters: 0)

  @Option(
    help: ArgumentHelp(
      "What a newly monitored place does when the device is inside it already."))
  var initial = MonitoringOptions.InitialState.silent

  @Option(
    help: ArgumentHelp(
      "How far beyond its edge a circle is left; never, if that is beyond 20,000 km.",
      valueName: "distance"))
  var exitMargin = DistanceArgument(meters: 0)

  @Option(
    help: ArgumentHelp(
      "A longer time between two fixes breaks the path; ‘none’ never does.",
      valueName: "duration"))
  var maxGap: OrNone<DurationArgument> = .some(.seconds(600))

  @Option(
    help: ArgumentHelp(
      "A higher speed between two fixes breaks the path; ‘none’ never does.",
      valueName: "speed"))
  var maxSpeed: OrNone<SpeedArgument> = .some(SpeedArgument(metersPerSecond: 340))

  @Flag(help: "The segments of a file are one path.")
  var joinSegments = false

  @OptionGroup
  var confirmation: ConfirmationArguments

  /// Why one slot is too few with a tripwire.
  static let nothingMonitored =
    "--tripwire takes one of the places, so that nothing is monitored with --limit 1"

  /// Sentences about options without effect.
  ///
  /// - Parameters:
  ///   - hasAdaptive: Whether any setting refreshes adaptively.
  ///   - hasLimit: Whether any setting has a limit.
  /// - Returns: The sentences, each without a full stop.
  func warnings(hasAdaptive: Bool, hasLimit: Bool) -> [String] {
    var warnings: [String] = []
    if refreshFloor.meters > 0, !hasAdaptive {
      warnings.append("--refresh-floor has no effect without --refresh adaptive")
    }
    if confirmation.trustAccuracy, !hasAdaptive {
      warnings.append("--trust-accuracy has no effect without --refresh adaptive")
    }
    if tripwire, !hasLimit { warnings.append("--tripwire has no effect with --limit none") }
    return warnings
  }

  /// The rule, with default values for the rest.
  var options: MonitoringOptions {
    var options = MonitoringOptions()
    options.minIntervalMilliseconds = minInterval.milliseconds
    options.hasTripwire = tripwire
    options.refreshFloorMeters = refreshFloor.meters
    options.initial = initial
    options.exitMarginMeters = exitMargin.meters
    options.maxGapMilliseconds = maxGap.value?.milliseconds
    options.maxSpeedMetersPerSecond = maxSpeed.value?.metersPerSecond
    options.joinsSegments = joinSegments
    confirmation.apply(to: &options)
    return options
  }
}
