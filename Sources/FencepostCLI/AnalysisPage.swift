import FencepostAnalysis
import FencepostMonitoring
import FencepostFormats
import FencepostReporting
import FencepostStudio

/// A command's HTML page; its library is loaded before the work begins.
struct AnalysisPage {
  private let path: String
  private let library: PageWriter.MapLibrary
  private let sweepLines: [String]
  private let studio: StudioLink?
  private var settings: AnalysisSettings?
  private var data = PageData(stories: [])

  /// Loads everything that the page needs.
  ///
  /// - Parameters:
  ///   - path: Where the page goes.
  ///   - sweep: The ndjson output of a sweep to show as well.
  ///   - studio: Where its contents open in a studio.
  /// - Throws: ``CommandFailure`` if something is missing.
  init(path: String, sweep: String?, studio: StudioLink? = nil) throws {
    (self.path, self.studio) = (path, studio)
    library = try LeafletFiles.read()
    sweepLines = try sweep.map { try Self.settings(in: $0) } ?? []
  }

  mutating func begin(_ settings: AnalysisSettings, _ stories: [Place]) {
    self.settings = settings
    data = PageData(stories: stories)
  }

  mutating func note(_ analysis: TrackAnalysis) {
    data.note(analysis)
  }

  mutating func note(skipped sentence: String) {
    data.note(skipped: sentence)
  }

  /// Writes the page of an analysis.
  func write(_ totals: AnalysisTotals) throws {
    guard let settings else { return }
    var output = try OutputFile(path: path)
    var writer = PageWriter(library: library, sweepLines: sweepLines)
    writer.studio = studio
    writer.write(data, settings, totals, to: &output.buffer)
    try output.finish()
  }

  /// Writes the page of a sweep.
  func write(sweep rows: [SweepRow], profile: String?) throws {
    var buffer = OutputBuffer()
    SweepWriter(rows, profile: profile).writeNDJSON(to: &buffer)
    let lines = buffer.text.split(separator: "\n").map(String.init)
    var output = try OutputFile(path: path)
    PageWriter(library: library, sweepLines: lines).write(sweepTo: &output.buffer)
    try output.finish()
  }

  private static func settings(in path: String) throws -> [String] {
    let lines = try LeafletFiles.text(of: path).split(separator: "\n").map(String.init)
    for (number, line) in lines.enumerated() {
      guard let value = try? JSONValue(parsing: line), value["type"]?.string == "setting" else {
        throw CommandFailure(
          .inputBad, "\(path): line \(number + 1): no line of a sweep's ndjson output")
      }
    }
    return lines
  }
}
