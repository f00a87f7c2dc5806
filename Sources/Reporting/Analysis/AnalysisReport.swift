public import Analysis

/// An analysis on its way into an output, in the form that the user chose.
public struct AnalysisReport: ~Copyable {
  /// The forms.
  public enum Format: String, CaseIterable, Sendable {
    /// Tables and sentences for people.
    case text
    /// One JSON object a line; the form that parts are joined from.
    case ndjson
    /// The verdicts as a table for spreadsheets.
    case csv
    /// A GeoJSON feature collection.
    case geojson
  }

  private let format: Format
  private var output: OutputFile
  private let settings: AnalysisSettings
  private let ndjson: AnalysisNDJSONWriter
  private let csv: AnalysisCSVWriter
  private var geojson: AnalysisGeoJSONWriter
  private var text: AnalysisTextWriter

  /// Begins a report.
  public init(
    format: Format, verdicts: AnalysisNDJSONWriter.Verdicts, settings: AnalysisSettings,
    stories: [Story], output: consuming OutputFile, layout: TextLayout
  ) {
    self.format = format
    self.settings = settings
    self.output = output
    ndjson = AnalysisNDJSONWriter(stories: stories, verdicts: verdicts)
    csv = AnalysisCSVWriter(stories: stories, verdicts: verdicts)
    geojson = AnalysisGeoJSONWriter(stories: stories)
    text = AnalysisTextWriter(stories: stories, layout: layout)
    switch format {
    case .text: break
    case .ndjson: ndjson.begin(settings, to: &self.output.buffer)
    case .csv: csv.begin(&self.output.buffer)
    case .geojson: geojson.begin(&self.output.buffer)
    }
  }

  /// Writes what was found out about a track.
  public mutating func write(_ analysis: TrackAnalysis) throws(OutputFailure) {
    switch format {
    case .text: text.note(analysis)
    case .ndjson:
      var pass = AnalysisNDJSONWriter.VerdictPass(analysis)
      while ndjson.writeVerdicts(analysis, &pass, to: &output.buffer) {
        try output.flushIfFull()
      }
      ndjson.writeEntries(analysis, to: &output.buffer)
    case .csv: csv.write(analysis, to: &output.buffer)
    case .geojson: geojson.write(analysis, to: &output.buffer)
    }
    try output.flushIfFull()
  }

  /// Writes that a track could not be analysed.
  public mutating func write(skipped track: String, error: String) throws(OutputFailure) {
    switch format {
    case .text: text.note(skipped: error)
    case .ndjson: ndjson.write(skipped: track, error: error, to: &output.buffer)
    case .csv, .geojson: break
    }
    try output.flushIfFull()
  }

  /// Writes the totals and finishes the output.
  public mutating func finish(_ totals: AnalysisTotals) throws(OutputFailure) {
    switch format {
    case .text: text.write(settings, totals, to: &output.buffer)
    case .ndjson: ndjson.end(totals, to: &output.buffer)
    case .csv: break
    case .geojson: geojson.end(totals, to: &output.buffer)
    }
    try output.finish()
  }
}
