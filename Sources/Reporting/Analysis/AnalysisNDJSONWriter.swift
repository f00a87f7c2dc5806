public import Analysis
import Notifications

/// Writes an analysis as one JSON object a line.
///
/// The lines, in this order, by `type`:
///
/// | type | one for each | says |
/// |---|---|---|
/// | `settings` | analysis | the rules; equal where parts can be joined |
/// | `verdict` | story and track | `verdict`, `reason`, counts, `nearest` (metres from the centre), `inside` |
/// | `entry` | entry on a track | where, when, `cause`, `alert`, `reason`, `oracleAlert`, ranks |
/// | `track` | track | its numbers |
/// | `skipped` | track that is not analysed | `error` |
/// | `story` | story | its numbers over all tracks |
/// | `spot` | crowded spot | `circles` that overlap there, `tracks` that were in them |
/// | `together` | group of stories | the places that always fired together |
/// | `totals` | analysis | all numbers; recall with its 95 % interval |
///
/// Everything that is joined is a whole number: lengths in millimetres (`lengthMillimeters`), times in
/// milliseconds. Fields are only ever added.
public struct AnalysisNDJSONWriter: Sendable {
  /// Which verdicts are written.
  public enum Verdicts: String, CaseIterable, Sendable {
    /// One for every story and track.
    case all
    /// Those of stories whose circle the path was inside of.
    case crossed
    /// None; the stories' own lines have their counts.
    case none
  }

  private let stories: [Story]
  private let verdicts: Verdicts

  /// Makes a writer.
  public init(stories: [Story], verdicts: Verdicts = .all) {
    self.stories = stories
    self.verdicts = verdicts
  }

  /// Appends the first line.
  public func begin(_ settings: AnalysisSettings, to output: inout ByteBuffer) {
    output.append(jsonObject: settings)
    output.append(UInt8(ascii: "\n"))
  }

  /// Appends the lines of a track: its verdicts, its entries, its numbers.
  public func write(_ analysis: TrackAnalysis, to output: inout ByteBuffer) {
    var pass = VerdictPass(analysis)
    while writeVerdicts(analysis, &pass, to: &output) {}
    writeEntries(analysis, to: &output)
  }

  /// Appends the lines of a track behind its verdicts: its entries, its numbers.
  func writeEntries(_ analysis: TrackAnalysis, to output: inout ByteBuffer) {
    for entry in analysis.entries {
      output.append("{\"type\":\"entry\",\"track\":")
      output.append(json: analysis.account.track)
      output.append(",\"place\":")
      output.append(json: stories[entry.story].id)
      output.append(jsonFieldsOf: entry)
      output.append("}\n")
    }
    output.append("{\"type\":\"track\",\"track\":")
    output.append(json: analysis.account.track)
    output.append(jsonFieldsOf: analysis.account)
    output.append(jsonFieldsOf: analysis.crowds)
    output.append(",\"moments\":[")
    for (index, moment) in analysis.moments.enumerated() {
      output.append(index > 0 ? ",[" : "[")
      for (position, story) in moment.enumerated() {
        if position > 0 { output.append(",") }
        output.append(json: stories[story].id)
      }
      output.append("]")
    }
    output.append("]}\n")
  }

  /// Appends the line of a track that could not be analysed.
  public func write(skipped track: String, error: String, to output: inout ByteBuffer) {
    output.append("{\"type\":\"skipped\",\"track\":")
    output.append(json: track)
    output.append(",\"error\":")
    output.append(json: error)
    output.append("}\n")
  }

  /// Appends the lines about all tracks: stories, spots, companions, totals.
  public func end(_ totals: AnalysisTotals, to output: inout ByteBuffer) {
    for (index, account) in totals.stories.enumerated() {
      output.append(jsonLineOf: account, stories[index])
    }
    for spot in totals.orderedSpots {
      output.append("{\"type\":\"spot\",\"circles\":")
      output.append(decimal: spot.circles)
      output.append(",\"tracks\":")
      output.append(decimal: spot.tracks)
      output.append(jsonFieldsOf: spot.coordinate)
      output.append("}\n")
    }
    for group in totals.companions {
      output.append("{\"type\":\"together\",\"moments\":")
      output.append(decimal: totals.stories[group[0]].moments)
      output.append(",\"places\":[")
      for (position, story) in group.enumerated() {
        if position > 0 { output.append(",") }
        output.append(json: stories[story].id)
      }
      output.append("]}\n")
    }
    output.append(jsonLineOf: totals)
  }

  /// How far the verdicts of a track have been written, and what each of their lines begins with.
  struct VerdictPass: ~Copyable {
    fileprivate var beginning = ByteBuffer()
    fileprivate var story = 0
    fileprivate var crossed = 0

    init(_ analysis: TrackAnalysis) {
      beginning.append("{\"type\":\"verdict\",\"track\":")
      beginning.append(json: analysis.account.track)
      beginning.append(",\"place\":")
    }
  }

  /// How many verdicts are written at a time; with many places a track's are hundreds of megabytes.
  private static var passCount: Int { 512 }

  /// Appends the next verdicts of a track.
  ///
  /// - Returns: Whether there are more.
  func writeVerdicts(
    _ analysis: TrackAnalysis, _ pass: inout VerdictPass, to output: inout ByteBuffer
  ) -> Bool {
    switch verdicts {
    case .none: break
    case .crossed:
      for verdict in analysis.crossed { write(verdict, analysis, pass, to: &output) }
    case .all:
      let end = min(pass.story + Self.passCount, stories.count)
      while pass.story < end {
        let story = pass.story
        if pass.crossed < analysis.crossed.count, analysis.crossed[pass.crossed].story == story {
          write(analysis.crossed[pass.crossed], analysis, pass, to: &output)
          pass.crossed += 1
        } else {
          output.append(pass.beginning)
          output.append(json: stories[story].id)
          output.append(",\"verdict\":\"never-crossed\",\"nearest\":")
          output.append(analysis.nearestMeters[story], decimals: 2)
          output.append("}\n")
        }
        pass.story += 1
      }
      return end < stories.count
    }
    return false
  }

  private func write(
    _ verdict: StoryVerdict, _ analysis: TrackAnalysis, _ pass: borrowing VerdictPass,
    to output: inout ByteBuffer
  ) {
    output.append(pass.beginning)
    output.append(json: stories[verdict.story].id)
    output.append(",\"verdict\":")
    output.append(json: verdict.verdict.rawValue)
    output.append(",\"nearest\":")
    output.append(analysis.nearestMeters[verdict.story], decimals: 2)
    if verdict.isInsideAtStart { output.append(",\"inside\":true") }
    if let reason = verdict.reason {
      output.append(",\"reason\":")
      output.append(json: reason.rawValue)
    }
    output.append(jsonFieldsOf: verdict.counts)
    if verdict.verdict == .missed || verdict.verdict == .late, let index = verdict.decidingEntry {
      output.append(jsonRanksOf: analysis.entries[index])
    }
    output.append("}\n")
  }
}
