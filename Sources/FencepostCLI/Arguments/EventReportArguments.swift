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
    "format",
    "text, ndjson, csv, geojson, gpx, kml, xcode or simctl. Default: text on a terminal, "
      + "ndjson elsewhere.",
    "Without --format, an output file that ends in .ndjson, .csv, .geojson, .gpx or .kml "
      + "sets the format.")
  var format: EventFormat?

  @OptionGroup var output: OutputArguments
  @OptionGroup var units: UnitArguments

  @Option(
    "list", "Report these events, separated by commas, or \"all\".",
    "alert, suppressed (an entry held back), enter, exit, dwell, refresh (a lookup of the "
      + "nearest stories), summary, reminder.")
  var events = EventSelection.standard

  /// The format: text on a terminal, and records for the next program in a pipe.
  var form: EventFormat { output.form(format, stream: .ndjson) }

  /// Opens the report, which the caller must finish.
  ///
  /// A live report writes each event at once and names its file at the start, so that readers can
  /// follow it. With `hasCrossed`, events say when the path met the edge. Tables use `zone`.
  func report(
    isLive: Bool = false, hasCrossed: Bool = false, zone: ClockZone = .utc
  ) throws(OutputFailure) -> EventReport {
    let file = try OutputFile(path: output.path, visibility: isLive ? .asWritten : .whenComplete)
    return EventReport(
      format: form, selection: events, output: file, layout: output.layout,
      zone: zone, flushesEachEvent: isLive, hasCrossed: hasCrossed)
  }

  /// Whether there is room for a progress bar, because the report does not go to the terminal.
  var leavesRoomForProgress: Bool { !output.isTerminal }
}
