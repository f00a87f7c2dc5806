package import FencepostAnalysis

/// Writes an analysis in one format: settings, tracks, totals.
protocol AnalysisWriter {
  mutating func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer)
  /// Writes a track, flushing a long one in parts.
  mutating func write(_ analysis: TrackAnalysis, to output: inout OutputFile) throws(OutputFailure)
  mutating func write(_ copy: RepeatedTracks.Copy, to output: inout OutputBuffer)
  mutating func write(skipped track: String, error: String, to output: inout OutputBuffer)
  /// Writes what follows all tracks, flushing in parts if long.
  mutating func end(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputFile
  ) throws(OutputFailure)
}

extension AnalysisWriter {
  func write(_ copy: RepeatedTracks.Copy, to output: inout OutputBuffer) {}
  func write(skipped track: String, error: String, to output: inout OutputBuffer) {}
  func end(_ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputFile) {}
}

package struct AnalysisReport: ~Copyable {
  package enum Format: String, CaseIterable, Sendable {
    case text
    /// One JSON object per line; ``AnalysisMerger`` merges this format.
    case ndjson
    /// The verdicts as a table for spreadsheets.
    case csv
    case geojson
  }

  private var writer: any AnalysisWriter
  private var output: OutputFile
  private let settings: AnalysisSettings

  /// Begins a report; ``finish(_:)`` also finishes the output.
  ///
  /// `verdicts` applies to NDJSON and CSV. `writesSums` adds to NDJSON the sums that
  /// ``AnalysisMerger`` needs.
  package init(
    format: Format, verdicts: AnalysisNDJSONWriter.Verdicts, writesSums: Bool = false,
    settings: AnalysisSettings, stories: [Story], output: consuming OutputFile, layout: TextLayout
  ) {
    self.settings = settings
    self.output = output
    writer =
      switch format {
      case .text: AnalysisTextWriter(stories: stories, layout: layout)
      case .ndjson:
        AnalysisNDJSONWriter(
          stories: stories, verdicts: verdicts, writesSums: writesSums,
          namesOnlyCrossed: settings.namesOnlyCrossed)
      case .csv: AnalysisCSVWriter(stories: stories, verdicts: verdicts)
      case .geojson: AnalysisGeoJSONWriter(stories: stories)
      }
    writer.begin(settings, to: &self.output.buffer)
  }

  package mutating func write(_ analysis: TrackAnalysis) throws(OutputFailure) {
    try writer.write(analysis, to: &output)
    try output.flushIfFull()
  }

  /// Writes that a track repeats another and is not counted.
  package mutating func write(_ copy: RepeatedTracks.Copy) throws(OutputFailure) {
    writer.write(copy, to: &output.buffer)
    try output.flushIfFull()
  }

  /// Writes that a track could not be analyzed.
  package mutating func write(skipped track: String, error: String) throws(OutputFailure) {
    writer.write(skipped: track, error: error, to: &output.buffer)
    try output.flushIfFull()
  }

  /// Writes out what is buffered, for a reader that waits for it.
  package mutating func flush() throws(OutputFailure) { try output.flush() }

  package mutating func finish(_ totals: AnalysisTotals) throws(OutputFailure) {
    try writer.end(settings, totals, to: &output)
    try output.finish()
  }
}
