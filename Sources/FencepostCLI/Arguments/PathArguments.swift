import ArgumentParser
import Monitoring

/// What of the engine's rule is one for all settings: which fixes are joined into a path, and what
/// its circles do.
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

  /// Why one slot is too few with a tripwire.
  static let nothingMonitored =
    "--tripwire takes one of the places, so that nothing is monitored with --limit 1"

  /// What was asked for and has no effect, in sentences.
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
    if tripwire, !hasLimit { warnings.append("--tripwire has no effect with --limit none") }
    return warnings
  }

  /// The rule that the options describe, with the default setting.
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
    return options
  }
}
