public import FencepostAnalysis
public import FencepostMonitoring
import FencepostNotifications

/// Writes an analysis as one JSON object a line.
///
/// The lines, in this order, by `type`:
///
/// | type | one for each | contains |
/// |---|---|---|
/// | `settings` | analysis | the rules; equal where parts can be joined |
/// | `copy` | track that repeats another | `of`, `share` of its fixes |
/// | `verdict` | story and track | `verdict`, `reason`, counts, `nearest` (metres from the centre), `inside` |
/// | `entry` | entry on a track | where, when, `cause`, `alert`, `reason`, `oracleAlert`, ranks |
/// | `chance` | profile, track, and story that was entered or alerted | what its trials came to |
/// | `chance-track` | profile and track | its trials in all |
/// | `track` | track | its numbers |
/// | `skipped` | track that could not be analysed | `error` |
/// | `sums` | analysis, on request | what ratios and persons' days are made of |
/// | `sums-person` | person, on request | the same of one person |
/// | `sums-story` | story that alerted, on request | what tells which places fire together |
/// | `story` | story, or story that was entered or alerted | its numbers over all tracks |
/// | `spot` | crowded spot | `circles` that overlap there, `tracks` that were in them |
/// | `together` | group of stories | the places that always fired together |
/// | `chance-story` | profile and story with such a `chance` | its odds over all tracks |
/// | `chance-doubt` | value that a profile leaves open | the probability with its low and its high value |
/// | `chance-totals` | profile | its odds over all stories and tracks |
/// | `totals` | analysis | all numbers; recall with its 95 % interval |
///
/// The lines on chances are there if phones are simulated; Formats.md says what their fields mean.
/// All numbers that ``AnalysisMerger`` adds up are integers: lengths in millimetres
/// (`lengthMillimeters`), times in milliseconds. Fields are only ever added.
public struct AnalysisNDJSONWriter: AnalysisWriter, Sendable {
  /// Which verdicts are written.
  public enum Verdicts: String, CaseIterable, Sendable {
    /// One for every story and track.
    case all
    /// One for each story whose circle the path was inside.
    case crossed
    /// None; the `story` lines still have the counts.
    case none
  }

  private let stories: [Place]
  private let verdicts: Verdicts
  private let writesSums: Bool
  private let namesOnlyCrossed: Bool

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - stories: The stories, in their order.
  ///   - verdicts: Which verdicts are written.
  ///   - writesSums: Whether the sums are written from which ``AnalysisMerger`` adds totals up.
  ///   - namesOnlyCrossed: Whether stories without an entry or alert have no `story` line.
  public init(
    stories: [Place], verdicts: Verdicts = .all, writesSums: Bool = false,
    namesOnlyCrossed: Bool = false
  ) {
    self.stories = stories
    self.verdicts = verdicts
    self.writesSums = writesSums
    self.namesOnlyCrossed = namesOnlyCrossed
  }

  /// Appends the first line.
  public func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer) {
    output.append(jsonObject: settings)
    output.append(UInt8(ascii: "\n"))
  }

  /// Appends the lines of a track: its verdicts, its entries, its numbers.
  public func write(_ analysis: TrackAnalysis, to output: inout OutputBuffer) {
    let head = Self.verdictHead(analysis)
    for line in verdicts.lines(of: analysis) { write(line, head, analysis, to: &output) }
    writeEntries(analysis, to: &output)
  }

  func write(_ analysis: TrackAnalysis, to output: inout OutputFile) throws(OutputFailure) {
    let head = Self.verdictHead(analysis)
    // A track among many places has hundreds of megabytes.
    for line in verdicts.lines(of: analysis) {
      write(line, head, analysis, to: &output.buffer)
      try output.flushIfFull()
    }
    writeEntries(analysis, to: &output.buffer)
  }

  func write(_ copy: RepeatedTracks.Copy, to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "copy")
      $0.member("track", copy.path)
      $0.member("of", copy.original)
      $0.member("share", copy.share, decimals: 4)
    }
  }

  /// Appends the line of a track that could not be analysed.
  public func write(skipped track: String, error: String, to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "skipped")
      $0.member("track", track)
      $0.member("error", error)
    }
  }

  func end(_ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputBuffer) {
    end(totals, to: &output)
  }

  /// Appends the lines about all tracks: stories, spots, companions, totals.
  public func end(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    if writesSums { output.append(jsonLinesOfSumsIn: totals, stories) }
    for index in writtenStories(totals) { writeStory(index, totals, to: &output) }
    endBesidesStories(totals, to: &output)
  }

  func end(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputFile
  ) throws(OutputFailure) {
    if writesSums { output.buffer.append(jsonLinesOfSumsIn: totals, stories) }
    for index in writtenStories(totals) {
      writeStory(index, totals, to: &output.buffer)
      try output.flushIfFull()
    }
    endBesidesStories(totals, to: &output.buffer)
  }

  /// The stories with a line of their own, ascending.
  private func writtenStories(_ totals: AnalysisTotals) -> [Int] {
    guard namesOnlyCrossed else { return Array(totals.stories.indices) }
    // A simulated phone may alert about a story that no path entered.
    let simulated = totals.profiles.flatMap(\.stories.keys)
    return Set(totals.stories.crossedStories).union(simulated).sorted()
  }

  private func writeStory(
    _ index: Int, _ totals: AnalysisTotals, to output: inout OutputBuffer
  ) {
    output.append(
      jsonLineOf: totals.stories[index], stories[index], index: namesOnlyCrossed ? index : nil)
  }

  private func endBesidesStories(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    for spot in totals.orderedSpots {
      output.appendLine {
        $0.member("type", "spot")
        var spot = spot
        $0.members(of: &spot)
      }
    }
    for group in totals.companions {
      output.appendLine {
        $0.member("type", "together")
        $0.member("moments", totals.stories[group[0]].moments)
        $0.array("places", group) { $0.append(json: stories[$1].id) }
      }
    }
    let days = totals.persons.fatigue.days
    for profile in totals.profiles {
      output.append(jsonLinesOf: profile, stories, personDays: days)
    }
    output.append(jsonLineOf: totals, stories)
  }

  private func writeEntries(_ analysis: TrackAnalysis, to output: inout OutputBuffer) {
    for entry in analysis.entries {
      output.appendLine {
        $0.member("type", "entry")
        $0.member("track", analysis.account.track)
        $0.member("place", stories[entry.story].id)
        $0.members(of: entry)
        $0.members(ofStayOf: entry)
      }
    }
    for chances in analysis.chances {
      output.append(jsonLinesOf: chances, analysis.account.track, stories)
    }
    var account = analysis.account
    output.appendLine {
      $0.member("type", "track")
      $0.member("track", analysis.account.track)
      $0.members(of: &account)
      $0.members(ofMeasuresOf: &account)
      $0.array("crowds", analysis.crowds) { array, crowd in
        array.appendObject {
          $0.member("circles", crowd.circles)
          $0.members(of: crowd.coordinate)
        }
      }
      $0.array("moments", analysis.moments) { moments, moment in
        moments.appendArray(moment) { $0.append(json: stories[$1].id) }
      }
    }
  }

  // MARK: Verdicts

  /// How the line of each verdict on a track begins.
  private static func verdictHead(_ analysis: TrackAnalysis) -> String {
    var head = OutputBuffer()
    head.append("{")
    head.member("type", "verdict")
    head.member("track", analysis.account.track)
    head.key("place")
    return head.text
  }

  private func write(
    _ line: VerdictLine, _ head: String, _ analysis: TrackAnalysis,
    to output: inout OutputBuffer
  ) {
    output.append(verbatim: head)
    output.append(json: stories[line.story].id)
    let crossed = line.crossed.map { analysis.crossed[$0] }
    output.member("verdict", (crossed?.verdict ?? .neverCrossed).rawValue)
    output.member("nearest", line.nearestMeters, decimals: 2)
    if let crossed {
      if crossed.isInsideAtStart { output.member("inside", true) }
      if let reason = crossed.reason { output.member("reason", reason.rawValue) }
      output.members(of: crossed.counts)
      if crossed.verdict == .missed || crossed.verdict == .late, let entry = crossed.decidingEntry {
        output.members(ofLossOf: analysis.entries[entry])
      }
    }
    output.append("}\n")
  }
}

/// What a form that lists verdicts says of one story on a track.
struct VerdictLine {
  var story: Int
  /// Index among the crossed stories; nil if the path was never inside.
  var crossed: Int?
  var nearestMeters: Double
}

extension AnalysisNDJSONWriter.Verdicts {
  /// The verdicts on a track that are written, ascending by story.
  func lines(of analysis: TrackAnalysis) -> some Sequence<VerdictLine> {
    var next = 0
    let count =
      switch self {
      case .all: analysis.nearestMeters.count
      case .crossed: analysis.crossed.count
      case .none: 0
      }
    return (0..<count).lazy.map { index -> VerdictLine in
      guard self == .all else {
        return VerdictLine(
          story: analysis.crossed[index].story, crossed: index,
          nearestMeters: analysis.crossedMeters[index])
      }
      let isCrossed = next < analysis.crossed.count && analysis.crossed[next].story == index
      defer { if isCrossed { next += 1 } }
      return VerdictLine(
        story: index, crossed: isCrossed ? next : nil,
        nearestMeters: analysis.nearestMeters[index])
    }
  }
}
