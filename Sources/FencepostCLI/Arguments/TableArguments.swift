import ArgumentParser

/// The forms in which places can be written.
enum TableFormat: String, CaseIterable, ExpressibleByArgument, OutputForm, Sendable {
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
struct TableArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The form of the output.",
      discussion: """
        The default follows from the ending of the output's name (.ndjson, .csv, .geojson), else \
        it is text on a terminal and ndjson elsewhere.
        """))
  var format: TableFormat?

  @OptionGroup
  var output: OutputArguments

  /// The form that is meant.
  var chosenFormat: TableFormat { output.form(format) }

  /// Number of columns of a table for people.
  var columns: Int { output.isTerminal ? max(60, Terminal.columns) : 100 }
}
