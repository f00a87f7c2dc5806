#if Command
import ArgumentParser
import Glibc
public import FencepostReporting

/// A format of output, whose raw value is both its name and the ending of its files.
///
/// ``OutputArguments`` chooses one of a command's formats by where the output goes.
protocol OutputForm: RawRepresentable<String> {
  static var text: Self { get }
  static var ndjson: Self { get }
}

/// Where a command's output goes, and the defaults that follow from that.
///
/// Commands that write their result once have it. A live session has ``LiveOutputArguments``.
struct OutputArguments: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    "file", "Write to FILE. \"-\" is standard output.",
    "The file appears when it is complete, and replaces an older one. A link is followed. "
      + "FILE must not be an input. If nothing could be read, an older file stays as it is.",
    completion: .file())
  var path = "-"

  var isFile: Bool { path != "-" }

  var isTerminal: Bool { path == "-" && isatty(STDOUT_FILENO) == 1 }

  /// The width and styles of text: those of the terminal, or plain in a file or pipe.
  var layout: TextLayout { isTerminal ? .terminal : TextLayout() }

  /// The chosen format, else the file extension's, else text, or `stream` except on a terminal.
  func form<Form: OutputForm>(_ chosen: Form?, stream: Form = .text) -> Form {
    chosen ?? Form(endingOf: path) ?? (isTerminal ? .text : stream)
  }
}

extension OutputFile {
  /// Writes a whole file, which then appears, or to standard output for `-`.
  static func write(to path: String = "-", _ body: (inout OutputBuffer) throws -> Void) throws {
    var output = try OutputFile(path: path)
    try body(&output.buffer)
    try output.finish()
  }
}

extension TextLayout {
  static var terminal: TextLayout {
    TextLayout(terminalColumns: Terminal.columns, isStyled: Terminal.wantsStyles)
  }
}

extension RawRepresentable where RawValue == String {
  /// The format for a file name's extension, or nil.
  init?(endingOf path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    self.init(rawValue: path[path.index(after: dot)...].lowercased())
  }
}

extension ShownUnits: ExpressibleByArgument {}

/// The units of text and pages; commands that show lengths have the option.
struct UnitArguments: ParsableArguments {
  @Option(
    "system", "metric or imperial: the units of text and pages.",
    "Records such as ndjson and csv are always in meters.")
  var units = ShownUnits.metric
}

/// A command that shows lengths in units of the user's choice.
///
/// ``FencepostCommand`` makes the units current before it runs the command.
protocol ShowsUnits { var shownUnits: ShownUnits { get } }

/// The formats of a list of places or records.
enum TableFormat: String, CaseIterable, ExpressibleByArgument, OutputForm, Sendable {
  case text, ndjson, csv, geojson
}

/// Where a command writes a list of places or records, and in which format.
struct TableArguments: ParsableArguments {
  @Option(
    "format", "text or ndjson; for places also csv and geojson. Default: text.",
    "Without --format, an output file that ends in .ndjson, .csv or .geojson sets the format.")
  var format: TableFormat?

  @OptionGroup var output: OutputArguments

  var chosenFormat: TableFormat { output.form(format) }

  /// A writer of places in the chosen format, at the width of the output.
  var writer: PlaceWriter {
    var writer = PlaceWriter(chosenFormat)
    writer.layout = output.layout
    return writer
  }
}

/// The format of a short summary on standard output, such as how many stories were imported.
struct AccountArguments: ParsableArguments {
  enum Format: String, CaseIterable, ExpressibleByArgument, Sendable { case text, ndjson }

  @Option("format", "text or ndjson.")
  var format = Format.text

  /// Writes the summary to standard output: lines for people, or an object.
  func write(_ lines: [String], _ members: (inout OutputBuffer) -> Void) throws {
    try write(lines, records: [()]) { output, _ in members(&output) }
  }

  /// Writes a summary of several records: lines for people, or an object for each.
  func write<Record>(
    _ lines: [String], records: [Record], _ members: (inout OutputBuffer, Record) -> Void
  ) throws {
    try OutputFile.write { output in
      switch format {
      case .text: for line in lines { output.append(verbatim: line + "\n") }
      case .ndjson:
        for record in records {
          output.appendObject { members(&$0, record) }
          output.append("\n")
        }
      }
    }
  }
}
#endif
