package import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

/// Writes an analysis in one format.
///
/// ``AnalysisReport`` calls ``begin(_:to:)`` once, then the others for each track, and
/// ``end(_:_:to:)`` once. Text waits for the end; the other formats keep nothing of a track.
protocol AnalysisWriter {
  /// Appends what precedes all tracks.
  mutating func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer)
  /// Writes a track, flushing a long one in parts.
  mutating func write(_ analysis: TrackAnalysis, to output: inout OutputFile) throws(OutputFailure)
  /// Appends that a track was left out because it repeats another; nothing by default.
  mutating func write(_ copy: RepeatedTracks.Copy, to output: inout OutputBuffer)
  /// Appends that a track could not be analyzed; nothing by default.
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

/// Writes an analysis track by track in one of four formats.
///
/// A track is written as soon as it is analyzed, so memory does not grow with their number.
package struct AnalysisReport: ~Copyable {
  /// The form of the report.
  ///
  /// Only NDJSON has all results; the others show what their readers can use.
  package enum Format: String, CaseIterable, Sendable {
    /// Sentences and tables for people.
    case text
    /// One JSON object per line; ``AnalysisMerger`` merges this format.
    case ndjson
    /// The verdicts as a table for spreadsheets.
    case csv
    /// Paths, entries and stories for maps.
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

  /// Writes a track, which need not be kept afterwards.
  package mutating func write(_ analysis: TrackAnalysis) throws(OutputFailure) {
    try writer.write(analysis, to: &output)
    try output.flushIfFull()
  }

  /// Writes that a track is left out because it repeats another.
  package mutating func write(_ copy: RepeatedTracks.Copy) throws(OutputFailure) {
    writer.write(copy, to: &output.buffer)
    try output.flushIfFull()
  }

  /// Writes that a track could not be analyzed.
  package mutating func write(skipped track: String, error: String) throws(OutputFailure) {
    writer.write(skipped: track, error: error, to: &output.buffer)
    try output.flushIfFull()
  }

  /// Writes out what is buffered, so that a reader of a pipe sees it at once.
  package mutating func flush() throws(OutputFailure) { try output.flush() }

  /// Writes what follows all tracks, and completes the file.
  package mutating func finish(_ totals: AnalysisTotals) throws(OutputFailure) {
    try writer.end(settings, totals, to: &output)
    try output.finish()
  }
}

/// Writes verdicts as a table for spreadsheets, with a row for each story and track.
///
/// Each simulated phone adds columns that begin with its name. A missing value is an empty field.
struct AnalysisCSVWriter: AnalysisWriter {
  private let stories: [Story]
  private let verdicts: AnalysisNDJSONWriter.Verdicts

  init(stories: [Story], verdicts: AnalysisNDJSONWriter.Verdicts) {
    (self.stories, self.verdicts) = (stories, verdicts)
  }

  func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer) {
    output.append("track,place,title,verdict,reason,nearest,entries,found,late,missed,alerts,")
    output.append("suppressed,oracle_alerts,refresh_rank,refresh_distance,refresh_last_distance,")
    output.append("entry_rank,entry_last_distance")
    for profile in settings.chance?.profiles ?? [] {
      for column in Self.chanceColumns { output.append(verbatim: ",\(profile.name)_\(column)") }
    }
    output.append("\r\n")
  }

  /// The columns of each simulated phone, which its name precedes.
  private static let chanceColumns =
    ["probability", "low", "high", "delay_median", "delay_p90", "beyond_median", "beyond_p90"]
    + StoryChance.losses.map { $0.name.replacing("-", with: "_") } + ["extra", "mean", "share"]

  func write(_ analysis: TrackAnalysis, to output: inout OutputFile) throws(OutputFailure) {
    guard verdicts != .none else { return }
    let crossed = Dictionary(uniqueKeysWithValues: analysis.crossed.map { ($0.story, $0) })
    let rows =
      verdicts == .crossed
      ? zip(analysis.crossed, analysis.crossedMeters).map { ($0.story, $1) }
      : Array(zip(stories.indices, analysis.nearestMeters))
    for (story, meters) in rows {
      write(story, crossed[story], meters, analysis, to: &output.buffer)
      try output.flushIfFull()
    }
  }

  /// Appends the row of a story on a track; without a verdict, the path was never inside.
  private func write(
    _ story: Int, _ verdict: StoryVerdict?, _ nearestMeters: Double, _ analysis: TrackAnalysis,
    to output: inout OutputBuffer
  ) {
    output.append(csv: analysis.account.track)
    output.fields(
      stories[story].id, stories[story].title, (verdict?.verdict ?? .neverCrossed).rawValue,
      verdict?.reason?.rawValue)
    output.fields(nearestMeters, decimals: 2)
    let counts = verdict?.counts ?? EntryCounts()
    output.fields(
      counts.entries, counts.found, counts.late, counts.missed, counts.alerts,
      counts.suppressed.total, counts.dueAlerts)
    let entry = verdict?.decidingEntry.map { analysis.entries[$0] }
    let (refresh, arrival) = (entry?.atRefresh, entry?.atEntry)
    output.fields(refresh?.rank)
    output.fields(refresh?.distanceMeters, refresh?.lastDistanceMeters, decimals: 2)
    output.fields(arrival?.rank)
    output.fields(arrival?.lastDistanceMeters, decimals: 2)
    for chances in analysis.chances { write(chances, story, to: &output) }
    output.append("\r\n")
  }

  /// Appends the cells of one phone; those about due alerts are empty if nobody entered.
  private func write(_ chances: TrackChances, _ story: Int, to output: inout OutputBuffer) {
    let one = chances.trials(of: story)
    let chance = one.flatMap { $0.isEntered ? $0.chance : nil }
    let interval = chance?.alertInterval
    output.fields(chance?.probability, interval?.low, interval?.high, decimals: 6)
    for sketch in [chance?.delaySeconds, chance?.fromEdgeMeters] {
      output.fields(sketch?.quantile(0.5), sketch?.quantile(0.9), decimals: 1)
    }
    for outcome in StoryChance.losses { output.fields(chance?.share(outcome), decimals: 6) }
    output.fields(
      one.map { Double($0.chance.runs.falseAlerts) / Double(chances.trials) },
      one?.chance.shown.mean, one?.chance.shown.share, decimals: 6)
  }
}

/// Writes an analysis as a GeoJSON feature collection (RFC 7946).
///
/// Tracks are simplified lines; entries and stories are points.
struct AnalysisGeoJSONWriter: AnalysisWriter {
  private let stories: [Story]
  private var isFirst = true

  init(stories: [Story]) { self.stories = stories }

  func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer) {
    output.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
  }

  mutating func write(
    _ analysis: TrackAnalysis, to output: inout OutputFile
  ) throws(OutputFailure) {
    let track = analysis.account.track
    let lines = analysis.lines.filter { $0.count > 1 }
    separate(&output.buffer)
    output.buffer.appendFeature { output in
      if lines.isEmpty { return output.append("null") }
      output.appendObject {
        $0.member("type", "MultiLineString")
        $0.array("coordinates", lines) { $0.appendArray($1) { $0.append(geoJSON: $1) } }
      }
    } properties: {
      $0.appendObject {
        $0.member("type", "track")
        $0.members(of: analysis.account, TrackAccount.fieldsOfFeature)
      }
    }
    for entry in analysis.entries {
      let story = stories[entry.story]
      separate(&output.buffer)
      output.buffer.appendFeature(at: entry.coordinate) {
        $0.appendObject {
          $0.member("type", "entry")
          $0.member("track", track)
          $0.member("place", story.id)
          $0.member("title", story.title)
          $0.members(of: entry)
        }
      }
    }
  }

  /// Appends the stories with their totals, and closes the collection.
  mutating func end(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputFile
  ) {
    for (index, (story, account)) in zip(stories, totals.stories).enumerated() {
      let odds = totals.profiles.compactMap { one in one.stories[index].map { (one.name, $0) } }
      separate(&output.buffer)
      output.buffer.appendFeature(at: story.coordinate) {
        $0.appendObject {
          $0.member("type", "story")
          $0.members(
            of: StoryLine(story: story, account: account), StoryLine.fieldsOfFeature)
          guard !odds.isEmpty else { return }
          $0.object("chances") {
            for (name, odds) in odds {
              $0.key(named: name)
              $0.appendObject { $0.members(of: odds) }
            }
          }
        }
      }
    }
    output.buffer.append("\n]}\n")
  }

  private mutating func separate(_ output: inout OutputBuffer) {
    if !isFirst { output.append(",\n") }
    isFirst = false
  }
}

/// Estimates how large the verdicts of an analysis will be, to warn before they fill a disk.
///
/// A command prints the warning before it reads the first track.
package struct VerdictVolume: Sendable {
  /// The number of lines that needs no warning, about a gigabyte.
  private static let mostLines = 10_000_000
  /// The bytes of a line about a story never crossed, without the names of track and story.
  private static let frameBytes = 75

  /// The number of lines, or the number per track if the number of tracks is unknown.
  package let lines: Int
  /// The size of the lines in bytes, estimated from the lengths of names.
  package let bytes: Int
  private let storyCount: Int
  private let trackCount: Int?

  /// Estimates the verdicts of an analysis; `tracks` is nil for a stream.
  package init(stories: [Story], tracks: [String]?) {
    storyCount = stories.count
    trackCount = tracks?.count
    let count = tracks?.count ?? 1
    let storyBytes = stories.reduce(0) { $0 + $1.id.utf8.count }
    let trackBytes = (tracks ?? []).reduce(0) { $0 + $1.utf8.count }
    let product = stories.count.multipliedReportingOverflow(by: count)
    lines = product.overflow ? .max : product.partialValue
    // In floating point, because the product may overflow.
    let total =
      Double(stories.count) * Double(count * Self.frameBytes + trackBytes)
      + Double(storyBytes) * Double(count)
    bytes = Int(exactly: total.rounded()) ?? .max
  }

  /// The warning without a final period, or nil if the size is ordinary.
  package var warning: String? {
    // A stream seldom has fewer than ten tracks.
    guard trackCount == nil ? lines > Self.mostLines / 10 - 1 : lines > Self.mostLines else {
      return nil
    }
    let stories = ReportNumber.counted(storyCount, "story")
    let size =
      bytes < 1_000_000_000
      ? "\(bytes / 1_000_000) MB" : "\(Self.rough(bytes / 1_000_000_000)) GB"
    let volume = "\(Self.rough(lines)) lines (\(size))"
    let what =
      trackCount.map {
        "\(volume), one for each of \(stories) and \(ReportNumber.counted($0, "walk"))"
      } ?? "\(volume) for each walk, one for each of \(stories)"
    return "--verdicts all writes about \(what). To write only stories that a walk entered: "
      + "--verdicts crossed"
  }

  /// A count that reads at a glance, such as 300 million.
  private static func rough(_ count: Int) -> String {
    count < 1_000_000
      ? ReportNumber.count(count) : "\(ReportNumber.count(count / 1_000_000)) million"
  }
}
