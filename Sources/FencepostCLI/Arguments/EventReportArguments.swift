public import ArgumentParser
public import Fencepost
public import Reporting

extension EventFormat: ExpressibleByArgument, OutputForm {}

extension EventSelection: ExpressibleByArgument {
  /// Reads a list of names with commas between them.
  public init?(argument: String) {
    do {
      try self.init(parsing: argument)
    } catch {
      return nil
    }
  }

  /// As the user would write it.
  public var defaultValueDescription: String {
    Self.names.enumerated()
      .filter { rawValue & (1 << UInt8($0.offset)) != 0 }
      .map(\.element).joined(separator: ",")
  }
}

/// The options of every command that reports events: which, in what form, and where to.
struct EventReportArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The form of the report.",
      discussion: """
        The default follows from the ending of the output's name (.ndjson, .csv, .geojson, .gpx), \
        else it is text on a terminal and ndjson elsewhere.
        """))
  var format: EventFormat?

  @OptionGroup
  var output: OutputArguments

  @Option(
    help: ArgumentHelp(
      """
      What is reported: alert, suppressed, enter, exit, refresh, summary, reminder, with commas, or \
      all.
      """,
      valueName: "list"))
  var events = EventSelection.standard

  /// Opens the report.
  ///
  /// - Parameter isLive: whether somebody follows it as it grows: each event is written at once,
  ///   and a file has its name from the beginning.
  /// - Returns: the report, which its user finishes.
  /// - Throws: `OutputFailure` where the file cannot be created.
  func report(isLive: Bool = false) throws(OutputFailure) -> EventReport {
    let file = try OutputFile(path: output.path, visibility: isLive ? .asWritten : .whenComplete)
    return EventReport(
      format: output.form(format), selection: events, output: file, layout: output.layout,
      flushesEachEvent: isLive)
  }

  /// Whether a progress bar has a place: not where the rows of the report go to the same terminal.
  var leavesRoomForProgress: Bool {
    !output.isTerminal
  }
}
