import ArgumentParser
import Glibc
import Reporting

/// A form of output of which one is for people and one for programs.
protocol OutputForm: RawRepresentable<String> {
  static var text: Self { get }
  static var ndjson: Self { get }
}

/// Where the output of a command goes, and what follows from that.
struct OutputArguments: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Where the output goes; ‘-’ is standard output.",
      discussion: """
        A file appears when it is complete, and replaces what had its name; a link is followed. It \
        is never an input, and keeps what it held where nothing could be read.
        """,
      valueName: "file"),
    completion: .file())
  var path = "-"

  /// Whether it goes to what the user named, and not to standard output.
  var isFile: Bool { path != "-" }

  /// Whether somebody reads it on a terminal.
  var isTerminal: Bool { path == "-" && isatty(STDOUT_FILENO) == 1 }

  /// How wide and how plain text is.
  var layout: TextLayout { isTerminal ? .terminal : TextLayout() }

  /// The form that is meant: the one asked for, else the one that the ending of the output's name
  /// promises, else the one for who reads it.
  func form<Form: OutputForm>(_ chosen: Form?) -> Form {
    chosen ?? Form(endingOf: path) ?? (isTerminal ? .text : .ndjson)
  }
}

extension TextLayout {
  /// For the terminal at hand.
  static var terminal: TextLayout {
    TextLayout(terminalColumns: Terminal.columns, isStyled: Terminal.wantsStyles)
  }
}

extension RawRepresentable where RawValue == String {
  /// The form that the ending of a file's name promises, nil where it promises none of these.
  init?(endingOf path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    self.init(rawValue: path[path.index(after: dot)...].lowercased())
  }
}
