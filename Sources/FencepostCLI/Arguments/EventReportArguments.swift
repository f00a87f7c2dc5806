public import ArgumentParser
public import Fencepost
import FencepostNotifications
public import FencepostReporting

extension EventFormat: ExpressibleByArgument, OutputForm {}

extension EventSelection: ExpressibleByArgument {
  /// Parses comma-separated names.
  public init?(argument: String) {
    do {
      try self.init(parsing: argument)
    } catch {
      return nil
    }
  }

  /// The comma-separated names.
  public var defaultValueDescription: String {
    Self.names.enumerated()
      .filter { rawValue & (1 << UInt8($0.offset)) != 0 }
      .map(\.element).joined(separator: ",")
  }
}

struct EventReportArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The form of the report.",
      discussion: """
        The default follows from the ending of the output's name (.ndjson, .csv, .geojson, .gpx, \
        .kml), else it is text on a terminal and ndjson elsewhere.
        """))
  var format: EventFormat?

  @OptionGroup var output: OutputArguments

  @Option(
    help: ArgumentHelp(
      """
      What is reported: alert, suppressed, enter, exit, dwell, refresh, summary, reminder, with \
      commas, or all.
      """,
      valueName: "list"))
  var events = EventSelection.standard

  /// Opens the report, which the caller must finish.
  ///
  /// A live report writes each event at once and names its file at the start, so that readers can
  /// follow it. With `hasCrossed`, events say when the path met the edge. Tables use `zone`.
  func report(
    isLive: Bool = false, hasCrossed: Bool = false, zone: ClockZone = .utc
  ) throws(OutputFailure) -> EventReport {
    let file = try OutputFile(path: output.path, visibility: isLive ? .asWritten : .whenComplete)
    return EventReport(
      format: output.form(format), selection: events, output: file, layout: output.layout,
      zone: zone, flushesEachEvent: isLive, hasCrossed: hasCrossed)
  }

  /// Whether there is room for a progress bar, because the report does not go to the terminal.
  var leavesRoomForProgress: Bool {
    !output.isTerminal
  }
}
