import ArgumentParser
import FencepostAnalysis
import FencepostReporting
import FencepostStudio

struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two analyses of the same tracks.",
    discussion: """
      Takes the ndjson outputs of two analyses, with other rules or other places, and pairs them by \
      track: how much recall, alerts a person-day and refreshes a kilometre differ, each with its 95 % \
      interval, and which stories are gained and lost. Tracks that only one analysis has are named and \
      left out.

      The interval comes from drawing pairs a thousand times, with a fixed seed: persons with all of \
      their tracks where the analyses know persons (--person-by), else tracks. Where it holds 0 the \
      difference may be chance.

      Example:
        fencepost analyze tracks/ --store stories.sqlite -o now.ndjson
        fencepost analyze tracks/ --store stories.sqlite --refresh adaptive -o then.ndjson
        fencepost compare now.ndjson then.ndjson
      """)

  @Argument(
    help: .value("A", "The ndjson output of an analysis."), completion: .file())
  var first: String

  @Argument(
    help: .value("B", "That of another analysis of the same tracks."),
    completion: .file())
  var second: String

  @Option(help: .value("N", "The seed of the random numbers of the intervals."))
  var seed: UInt64 = 1

  @Option(
    help: .value("file", "Write a page about it too: one HTML file that needs no other."),
    completion: .file())
  var report: String?

  @OptionGroup(title: "Report")
  var table: TableArguments

  func validate() throws {
    if table.chosenFormat == .csv || table.chosenFormat == .geojson {
      throw ValidationError("a comparison is text or ndjson")
    }
    if first == "-", second == "-" {
      throw ValidationError("only one of the analyses can be standard input")
    }
  }

  func run() async throws {
    try FileUse(writing: [("--output", table.output.path), ("--report", report)])
      .check(reading: [first, second])
    let comparison = AnalysisComparison(try read(first), try read(second), seed: seed)
    guard comparison.pairs > 0 else {
      throw CommandFailure(.inputBad, "\(first) and \(second) have no track in common")
    }
    var output = try OutputFile(path: table.output.path)
    let writer = ComparisonWriter(comparison, names: (first, second))
    if table.chosenFormat == .text {
      writer.writeText(to: &output.buffer, layout: table.output.layout)
    } else {
      writer.writeNDJSON(to: &output.buffer)
    }
    try output.finish()
    if let report {
      var page = try OutputFile(path: report)
      ComparisonPageWriter(comparison, names: (first, second)).write(to: &page.buffer)
      try page.finish()
    }
  }

  private func read(_ path: String) throws -> AnalysisComparison.Side {
    var analysis = ComparedAnalysis(name: path)
    try InputFile.forEachLine(of: path) { try analysis.take($0) }
    try analysis.finish()
    return analysis.side
  }
}
