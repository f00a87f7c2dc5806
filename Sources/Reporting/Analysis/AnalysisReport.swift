public import FencepostAnalysis
public import FencepostMonitoring

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
public struct AnalysisReport: ~Copyable {
  /// The forms.
  public enum Format: String, CaseIterable, Sendable {
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
  public init(
    format: Format, verdicts: AnalysisNDJSONWriter.Verdicts, writesSums: Bool = false,
    settings: AnalysisSettings, stories: [Place], output: consuming OutputFile, layout: TextLayout
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
  public mutating func write(_ analysis: TrackAnalysis) throws(OutputFailure) {
    try writer.write(analysis, to: &output)
    try output.flushIfFull()
  }

  /// Writes that a track repeats another and is not counted.
  public mutating func write(_ copy: RepeatedTracks.Copy) throws(OutputFailure) {
    writer.write(copy, to: &output.buffer)
    try output.flushIfFull()
  }

  /// Writes that a track could not be analysed.
  public mutating func write(skipped track: String, error: String) throws(OutputFailure) {
    writer.write(skipped: track, error: error, to: &output.buffer)
    try output.flushIfFull()
  }

  /// Writes out what is complete, for a reader that waits for it.
  public mutating func flush() throws(OutputFailure) { try output.flush() }

  /// Writes the totals and finishes the output.
  public mutating func finish(_ totals: AnalysisTotals) throws(OutputFailure) {
    try writer.end(settings, totals, to: &output)
    try output.finish()
  }
}

/// About how much an analysis writes if it writes the verdict on every story and track.
public struct VerdictVolume: Sendable {
  /// Fewer lines need no warning; these are about a gigabyte.
  private static let mostLines = 10_000_000
  /// What a line about a story that was never crossed has besides the names of track and story.
  private static let frameBytes = 75

  /// The number of lines; of each track where the number of tracks is unknown.
  public let lines: Int
  /// About how many bytes they have.
  public let bytes: Int
  private let storyCount: Int
  private let trackCount: Int?

  /// Estimates the verdicts of an analysis.
  ///
  /// - Parameters:
  ///   - stories: The stories.
  ///   - tracks: The names of the tracks; nil if they come as a stream.
  public init(stories: [Place], tracks: [String]?) {
    storyCount = stories.count
    trackCount = tracks?.count
    let count = tracks?.count ?? 1
    let storyBytes = stories.reduce(0) { $0 + $1.id.utf8.count }
    let trackBytes = (tracks ?? []).reduce(0) { $0 + $1.utf8.count }
    let product = stories.count.multipliedReportingOverflow(by: count)
    lines = product.overflow ? .max : product.partialValue
    // In floating point, because the product need not fit.
    let total =
      Double(stories.count) * Double(count * Self.frameBytes + trackBytes)
      + Double(storyBytes) * Double(count)
    bytes = Int(exactly: total.rounded()) ?? .max
  }

  /// The warning, without a full stop; nil if the output is of ordinary size.
  public var warning: String? {
    // A stream seldom has fewer than ten tracks.
    guard trackCount == nil ? lines > Self.mostLines / 10 - 1 : lines > Self.mostLines else {
      return nil
    }
    let stories = ReportNumber.counted(storyCount, "story", "stories")
    let volume = "\(Self.rough(lines)) lines (\(size))"
    let what =
      trackCount.map {
        "\(volume), one for each of \(stories) and \(ReportNumber.counted($0, "walk"))"
      } ?? "\(volume) for each walk, one for each of \(stories)"
    return "--verdicts all writes about \(what). To write only stories that a walk entered: "
      + "--verdicts crossed"
  }

  private var size: String {
    bytes < 1_000_000_000
      ? "\(bytes / 1_000_000) MB" : "\(Self.rough(bytes / 1_000_000_000)) GB"
  }

  /// A count in words that can be read at once: 300 million.
  private static func rough(_ count: Int) -> String {
    count < 1_000_000
      ? ReportNumber.count(count) : "\(ReportNumber.count(count / 1_000_000)) million"
  }
}
