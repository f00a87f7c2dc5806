public import ArgumentParser
import Fencepost
public import Monitoring

extension MonitoringOptions.Rank: ExpressibleByArgument {}
extension MonitoringOptions.RefreshRule: ExpressibleByArgument {}
extension MonitoringOptions.InitialState: ExpressibleByArgument {}

/// The engine's rule, as options of every command that follows a path.
struct MonitoringArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How many places are monitored at a time; ‘none’ monitors every place.", valueName: "N"))
  var limit: OrNone<Int> = .some(20)

  @Option(
    help: ArgumentHelp(
      "How far from the last refresh a fix makes a new one.", valueName: "distance"))
  var significantChange = DistanceArgument(meters: 500)

  @Option(
    help: ArgumentHelp(
      "The least time between two refreshes.", valueName: "duration"))
  var minInterval = DurationArgument.seconds(0)

  @Option(
    help: ArgumentHelp(
      "What makes a place near: its centre or its circle's edge.",
      discussion: "The edge counts from whichever side of it the device is."))
  var rank = MonitoringOptions.Rank.center

  @Option(
    help: ArgumentHelp(
      "When the monitored places are renewed.",
      discussion: """
        ‘fixed’ renews after a significant change. ‘adaptive’ renews where the path could first \
        meet an edge that is not monitored, ranks by edge, and says whether anything can have \
        been missed.
        """))
  var refresh = MonitoringOptions.RefreshRule.fixed

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
      "How far beyond its edge a circle is left.", valueName: "distance"))
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

  /// The rule that the options describe.
  var options: MonitoringOptions {
    var options = MonitoringOptions()
    options.limit = limit.value
    options.significantChangeMeters = significantChange.meters
    options.minIntervalMilliseconds = minInterval.milliseconds
    options.rank = rank
    options.refresh = refresh
    options.hasTripwire = tripwire
    options.refreshFloorMeters = refreshFloor.meters
    options.initial = initial
    options.exitMarginMeters = exitMargin.meters
    options.maxGapMilliseconds = maxGap.value?.milliseconds
    options.maxSpeedMetersPerSecond = maxSpeed.value?.metersPerSecond
    options.joinsSegments = joinSegments
    return options
  }

  func validate() throws {
    if let limit = limit.value, limit < 1 {
      throw ValidationError("--limit is at least 1, or none")
    }
  }
}
