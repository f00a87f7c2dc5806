#if Command
import ArgumentParser
import FencepostAnalysis
import FencepostReporting
import FencepostStudio

/// The command `compare`: pairs two analyses by walk and shows how they differ.
///
/// It reads only ndjson that `analyze` wrote, never walks or stories. So both analyses may come
/// from other machines or earlier versions of the stories.
struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare two analyses, of the same walks if possible.",
    discussion: """
      Reads the ndjson outputs of two analyses with different rules or stories, and pairs \
      them by walk. Shows how recall, alerts per reader and day, and lookups per kilometer \
      differ, each with its 95 % interval, and which stories are gained and lost. Walks that \
      only one analysis has are named and left out.

      The intervals come from drawing pairs at random 1000 times: readers with all their \
      walks if the analyses group walks by reader, otherwise single walks. If an interval \
      contains 0, the difference may be chance.

      If no walk is in both, the readers of each analysis are drawn by themselves, and no \
      stories are listed. With fewer than 20 readers in either, a caution says so.

      Examples:
        fencepost compare before.ndjson after.ndjson
        fencepost compare before.ndjson after.ndjson --report report.html
      """)

  @Argument(
    help: .value("before", "The first analysis: ndjson output of analyze."), completion: .file())
  var first: String

  @Argument(
    help: .value("after", "The second analysis, ideally of the same walks."), completion: .file())
  var second: String

  @Option("n", "Random seed of the intervals.")
  var seed: UInt64 = 1

  @Option("file", "Also write a report page to FILE. It needs no other files.", completion: .file())
  var report: String?

  @OptionGroup var rulesFile: RulesFileArguments
  @OptionGroup(title: "Output") var table: TableArguments

  func validate() throws {
    try require([.text, .ndjson].contains(table.chosenFormat), "--format must be text or ndjson")
    try require(first != "-" || second != "-", "only one of the analyses can be standard input")
  }

  /// Reads both analyses before it writes anything.
  func run() async throws {
    try FileUse(writing: [("--output", table.output.path), ("--report", report)])
      .check(reading: [first, second])
    let comparison = AnalysisComparison(try read(first), try read(second), seed: seed)
    let writer = ComparisonWriter(comparison, names: (first, second))
    try OutputFile.write(to: table.output.path) { output in
      if table.chosenFormat == .text {
        writer.writeText(to: &output, layout: table.output.layout)
      } else {
        writer.writeNDJSON(to: &output)
      }
    }
    guard let report else { return }
    try OutputFile.write(to: report) {
      ComparisonPageWriter(comparison, names: (first, second)).write(to: &$0)
    }
  }

  /// Reads one analysis line by line; `-` is standard input.
  private func read(_ path: String) throws -> AnalysisComparison.Side {
    var analysis = ComparedAnalysis(name: path)
    try InputFile.forEachLine(of: path) { try analysis.take($0) }
    try analysis.finish()
    return analysis.side
  }
}
#endif
