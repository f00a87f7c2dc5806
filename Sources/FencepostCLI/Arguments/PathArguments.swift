import ArgumentParser
import Fencepost
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
