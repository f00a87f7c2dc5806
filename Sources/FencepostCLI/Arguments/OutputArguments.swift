import ArgumentParser
import Glibc
import FencepostReporting

/// Output forms with one for people and one for programs.
protocol OutputForm: RawRepresentable<String> {
  static var text: Self { get }
  static var ndjson: Self { get }
}

/// Where a command's output goes, and the defaults that follow.
struct OutputArguments: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .value(
      "file", "Write to FILE. \"-\" is standard output.",
      """
      The file appears when it is complete, and replaces an older one. A link is followed. \
      FILE must not be an input. If nothing could be read, an older file stays as it is.
      """),
    completion: .file())
  var path = "-"

  /// Whether it goes to a file, not to standard output.
  var isFile: Bool { path != "-" }

  /// Whether it goes to a terminal.
  var isTerminal: Bool { path == "-" && isatty(STDOUT_FILENO) == 1 }

  /// The width and style of text.
  var layout: TextLayout { isTerminal ? .terminal : TextLayout() }

  /// The chosen form, else that of the file name's extension, else text on a terminal and ndjson elsewhere.
  func form<Form: OutputForm>(_ chosen: Form?) -> Form {
    chosen ?? Form(endingOf: path) ?? (isTerminal ? .text : .ndjson)
  }
}

extension TextLayout {
  /// The layout for the terminal.
  static var terminal: TextLayout {
    TextLayout(terminalColumns: Terminal.columns, isStyled: Terminal.wantsStyles)
  }
}

extension RawRepresentable where RawValue == String {
  /// The form of a file name's extension, nil if there is none.
  init?(endingOf path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    self.init(rawValue: path[path.index(after: dot)...].lowercased())
  }
}

/// The forms in which places can be written.
enum TableFormat: String, CaseIterable, ExpressibleByArgument, OutputForm, Sendable {
  case text, ndjson, csv, geojson
}

/// The options of commands that write places: form and destination.
struct TableArguments: ParsableArguments {
  @Option(
    help: .value(
      "format",
      """
      text or ndjson; for places also csv and geojson. Default: text on a terminal, ndjson \
      elsewhere.
      """,
      """
      Without --format, an output file that ends in .ndjson, .csv or .geojson sets the \
      format.
      """))
  var format: TableFormat?

  @OptionGroup var output: OutputArguments

  /// The chosen or default form.
  var chosenFormat: TableFormat { output.form(format) }

  /// A writer of places in that form.
  var writer: PlaceWriter {
    var writer = PlaceWriter(chosenFormat)
    if output.isTerminal { writer.columns = max(60, Terminal.columns) }
    return writer
  }
}

/// The options of commands that write a short account.
struct AccountArguments: ParsableArguments {
  /// The forms of the account.
  enum Format: String, CaseIterable, ExpressibleByArgument, Sendable {
    case text, ndjson
  }

  @Option(
    help: .value("format", "text or ndjson. Default: text on a terminal, ndjson elsewhere."))
  var format: Format?

  /// Writes the account to standard output: lines for people, or an object.
  func write(
    _ lines: [String], _ members: (inout OutputBuffer) -> Void
  ) throws(OutputFailure) {
    try write(lines, records: [()]) { output, _ in members(&output) }
  }

  /// Writes an account of several records to standard output: lines for people, or an object for each.
  func write<Record>(
    _ lines: [String], records: [Record], _ members: (inout OutputBuffer, Record) -> Void
  ) throws(OutputFailure) {
    var output = OutputFile()
    switch format ?? (isatty(STDOUT_FILENO) == 1 ? .text : .ndjson) {
    case .text:
      for line in lines { output.buffer.append(verbatim: line + "\n") }
    case .ndjson:
      for record in records {
        output.buffer.appendObject { members(&$0, record) }
        output.buffer.append("\n")
      }
    }
    try output.finish()
  }
}
