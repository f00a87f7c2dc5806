public import ArgumentParser
import Fencepost
import Formats
import Glibc
import Places
public import Reporting

extension AnalysisReport.Format: ExpressibleByArgument {}
extension AnalysisNDJSONWriter.Verdicts: ExpressibleByArgument {}

/// What all commands over many tracks have in common.
struct ManyTracksArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How many tracks are worked on at a time.", discussion: "The default is one for each core.",
      valueName: "N"))
  var jobs: Int?

  @Flag(help: "The first bad track ends everything; otherwise it is reported and skipped.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "The form of the output.",
      discussion: """
        The default follows from the ending of the output's name (.ndjson, .csv, .geojson), else \
        it is text on a terminal and ndjson elsewhere.
        """))
  var format: AnalysisReport.Format?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where the output goes; ‘-’ is standard output.",
      discussion: "A file appears when it is complete, and replaces what had its name.",
      valueName: "file"),
    completion: .file())
  var output = "-"

  @Option(
    help: ArgumentHelp(
      "Write a page about it too: one HTML file that needs no other.", valueName: "file"),
    completion: .file())
  var report: String?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs is at least 1") }
  }

  /// How many tracks are worked on at a time.
  var jobCount: Int { jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The form that is meant.
  var chosenFormat: AnalysisReport.Format {
    let isTerminal = output == "-" && isatty(STDOUT_FILENO) == 1
    let ending = output.lastIndex(of: ".").map { String(output[output.index(after: $0)...]) }
    return format ?? ending.flatMap { AnalysisReport.Format(rawValue: $0.lowercased()) }
      ?? (isTerminal ? .text : .ndjson)
  }

  /// How wide and how plain tables are.
  var layout: TextLayout {
    output == "-" && isatty(STDOUT_FILENO) == 1
      ? TextLayout(terminalColumns: Terminal.columns, isStyled: Terminal.wantsStyles)
      : TextLayout()
  }

  /// A progress bar over tracks.
  func progress(of count: Int) -> ProgressBar {
    // Rows appear at the end or on standard output: both leave room where that is no terminal.
    ProgressBar(
      title: "analysing", unit: .things("tracks"), total: count,
      isWanted: output != "-" || isatty(STDOUT_FILENO) == 0 || chosenFormat == .text)
  }
}

/// Where a command finds the places, where it may need none.
struct OptionalPlaceArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The store of places.", valueName: "file"), completion: .file())
  var store: String?

  @Option(
    help: ArgumentHelp(
      "A file of places instead of a store: CSV, GeoJSON, GPX waypoints, GeoRSS.",
      valueName: "file"),
    completion: .file())
  var places: String?

  /// Opens the places.
  func open() throws -> PlaceStore {
    if let store { return try PlaceStore(path: store) }
    let imported = try PlaceStore.inMemory(from: [places ?? "-"])
    for refusal in imported.report.refusals { StandardError.say(refusal.description) }
    return imported.store
  }
}
