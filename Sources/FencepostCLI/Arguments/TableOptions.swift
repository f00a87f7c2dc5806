import ArgumentParser
import Glibc
import Reporting

/// The forms in which places can be written.
enum TableFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// A table for people.
  case text
  /// One JSON object a line.
  case ndjson
  /// A table for spreadsheets.
  case csv
  /// A GeoJSON feature collection.
  case geojson
}

/// The options of every command that writes places: in what form, and where to.
struct TableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The form of the output.",
      discussion: """
        The default follows from the ending of the output's name (.ndjson, .csv, .geojson), else \
        it is text on a terminal and ndjson elsewhere.
        """))
  var format: TableFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where the output goes; ‘-’ is standard output.",
      discussion: "A file appears when it is complete, and replaces what had its name.",
      valueName: "file"),
    completion: .file())
  var output = "-"

  /// The form that is meant.
  var chosenFormat: TableFormat {
    let isTerminal = output == "-" && isatty(STDOUT_FILENO) == 1
    return format ?? TableFormat(endingOf: output) ?? (isTerminal ? .text : .ndjson)
  }

  /// Number of columns of a table for people.
  var columns: Int {
    output == "-" && isatty(STDOUT_FILENO) == 1 ? max(60, Terminal.columns) : 100
  }
}
