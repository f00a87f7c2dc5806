package import FencepostAnalysis

/// Writes an analysis in one form: its settings, each track, its totals.
protocol AnalysisWriter {
  /// Appends what precedes all tracks.
  mutating func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer)
  /// Writes a track, flushing a long one in parts.
  mutating func write(_ analysis: TrackAnalysis, to output: inout OutputFile) throws(OutputFailure)
  /// Appends that a track repeats another.
  mutating func write(_ copy: RepeatedTracks.Copy, to output: inout OutputBuffer)
  /// Appends that a track could not be analysed.
  mutating func write(skipped track: String, error: String, to output: inout OutputBuffer)
  /// Appends what follows all tracks.
  mutating func end(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputBuffer)
  /// Writes what follows all tracks, flushing a long one in parts.
  mutating func end(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputFile
  ) throws(OutputFailure)
}

extension AnalysisWriter {
  func write(_ copy: RepeatedTracks.Copy, to output: inout OutputBuffer) {}

  mutating func end(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputFile
  ) throws(OutputFailure) {
    end(settings, totals, to: &output.buffer)
  }
}

/// Writes an analysis to an output, in the chosen form.
package struct AnalysisReport: ~Copyable {
  /// The forms.
  package enum Format: String, CaseIterable, Sendable {
    /// Tables and sentences for people.
    case text
    /// One JSON object a line; ``AnalysisMerger`` joins analyses in this form.
    case ndjson
    /// The verdicts as a table for spreadsheets.
    case csv
    /// A GeoJSON feature collection.
    case geojson
  }

  private var writer: any AnalysisWriter
  private var output: OutputFile
  private let settings: AnalysisSettings

  /// Begins a report.
  ///
  /// - Parameters:
  ///   - format: Its form.
  ///   - verdicts: Which verdicts NDJSON and CSV have.
  ///   - writesSums: Whether NDJSON has the sums from which ``AnalysisMerger`` adds totals up.
  ///   - settings: The rules.
  ///   - stories: The stories, in their order.
  ///   - output: Where it goes.
  ///   - layout: How text is laid out.
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

  /// Writes the analysis of a track.
  package mutating func write(_ analysis: TrackAnalysis) throws(OutputFailure) {
    try writer.write(analysis, to: &output)
    try output.flushIfFull()
  }

  /// Writes that a track repeats another and is not counted.
  package mutating func write(_ copy: RepeatedTracks.Copy) throws(OutputFailure) {
    writer.write(copy, to: &output.buffer)
    try output.flushIfFull()
  }

  /// Writes that a track could not be analysed.
  package mutating func write(skipped track: String, error: String) throws(OutputFailure) {
    writer.write(skipped: track, error: error, to: &output.buffer)
    try output.flushIfFull()
  }

  /// Writes out what is complete, for a reader that waits for it.
  package mutating func flush() throws(OutputFailure) { try output.flush() }

  /// Writes the totals and finishes the output.
  package mutating func finish(_ totals: AnalysisTotals) throws(OutputFailure) {
    try writer.end(settings, totals, to: &output)
    try output.finish()
  }
}
