public import ArgumentParser
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

  /// The rule that the options describe.
  var options: MonitoringOptions {
    var options = path.options
    options.limit = limit.value
    options.significantChangeMeters = significantChange.meters
    options.rank = rank ?? .center
    options.refresh = refresh
    return options
  }

  func validate() throws {
    if let limit = limit.value, limit < 1 {
      throw ValidationError("--limit is at least 1, or none")
    }
    if limit.value == 1, path.tripwire { throw ValidationError(PathArguments.nothingMonitored) }
    if refresh == .adaptive, rank == .center {
      throw ValidationError("--refresh adaptive ranks by edge; leave --rank center out")
    }
  }

  /// What was asked for and has no effect, in sentences.
  var warnings: [String] {
    path.warnings(hasAdaptive: refresh == .adaptive, hasLimit: limit.value != nil)
  }
}
