public import ArgumentParser
import FencepostFormats
import Glibc
import FencepostPlaces
public import FencepostReporting

extension AnalysisReport.Format: ExpressibleByArgument, OutputForm {}
extension AnalysisNDJSONWriter.Verdicts: ExpressibleByArgument {}

/// The options of commands over many tracks.
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

  @OptionGroup
  var output: OutputArguments

  @Option(
    help: ArgumentHelp(
      "Write a page about it too: one HTML file that needs no other.", valueName: "file"),
    completion: .file())
  var report: String?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs is at least 1") }
  }

  /// The number of tracks processed at a time.
  var jobCount: Int { jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The output files.
  var outputs: [(option: String, path: String?)] {
    [("--output", output.path), ("--report", report)]
  }

  /// The chosen or default form.
  var chosenFormat: AnalysisReport.Format { output.form(format) }

  /// A progress bar over tracks.
  func progress(of count: Int, title: String = "analysing") -> ProgressBar {
    // Only text, which appears at the end, leaves room for a bar on the same terminal.
    ProgressBar(
      title: title, unit: .things("tracks"), total: count,
      isWanted: !output.isTerminal || chosenFormat == .text)
  }
}
