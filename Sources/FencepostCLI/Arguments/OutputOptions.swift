public import ArgumentParser
import Glibc
public import Reporting

extension EventFormat: ExpressibleByArgument {}

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
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The form of the report.",
      discussion: """
        The default follows from the ending of the output's name (.ndjson, .csv, .geojson, .gpx), \
        else it is text on a terminal and ndjson elsewhere.
        """))
  var format: EventFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where the report goes; ‘-’ is standard output.",
      discussion: "A file appears when it is complete, and replaces what had its name.",
      valueName: "file"),
    completion: .file())
  var output = "-"

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
    let file = try OutputFile(path: output, visibility: isLive ? .asWritten : .whenComplete)
    let isTerminal = file.isTerminal
    let layout =
      isTerminal
      ? TextLayout(terminalColumns: Terminal.columns, isStyled: Terminal.wantsStyles)
      : TextLayout()
    return EventReport(
      format: format ?? EventFormat(endingOf: output) ?? (isTerminal ? .text : .ndjson),
      selection: events,
      output: file,
      layout: layout, flushesEachEvent: isLive)
  }

  /// Whether a progress bar has a place: not where the rows of the report go to the same terminal.
  var leavesRoomForProgress: Bool {
    output != "-" || isatty(STDOUT_FILENO) == 0
  }
}

extension RawRepresentable where RawValue == String {
  /// The form that the ending of a file's name promises, nil where it promises none of these.
  init?(endingOf path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    self.init(rawValue: path[path.index(after: dot)...].lowercased())
  }
}
