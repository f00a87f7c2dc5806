package import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications
import FencepostTime

/// Writes an analysis as one JSON object per line.
///
/// The lines, in this order, by `type`:
///
/// | type | one for each | contains |
/// |---|---|---|
/// | `settings` | analysis | the rules, which must be equal to merge parts |
/// | `copy` | track that repeats another | `of`, `share` of its fixes |
/// | `verdict` | story and track | `verdict`, `reason`, counts, `nearest` (meters), `inside` |
/// | `entry` | entry on a track | where, when, `cause`, `alert`, `reason`, `oracleAlert`, ranks |
/// | `chance` | profile, track, and story entered or alerted | results of its trials |
/// | `chance-track` | profile and track | results of its trials |
/// | `track` | track | its numbers |
/// | `skipped` | track that could not be analyzed | `error` |
/// | `sums` | analysis, on request | the terms of ratios and of days |
/// | `sums-person` | person, on request | the same for one person |
/// | `sums-story` | story that alerted, on request | which stories alert together |
/// | `story` | story, or story entered or alerted | its numbers over all tracks |
/// | `spot` | crowded spot | `circles` that overlap there, `tracks` inside them |
/// | `together` | group of stories | stories that always alerted together |
/// | `chance-story` | profile and story with a `chance` | its odds over all tracks |
/// | `chance-doubt` | value that a profile leaves open | probability for its low and high value |
/// | `chance-totals` | profile | its odds over all stories and tracks |
/// | `totals` | analysis | all numbers, and recall with its 95 % interval |
///
/// The `chance` lines require simulated phones; Formats.md explains their fields. Numbers that
/// ``AnalysisMerger`` adds up are integers: lengths in millimeters, times in milliseconds. New
/// versions add fields but never change them.
package struct AnalysisNDJSONWriter: AnalysisWriter, Sendable {
  /// Which `verdict` lines an analysis has; there can be very many.
  ///
  /// An analysis of a thousand walks and a million stories would have a billion of them, nearly all
  /// about stories that the walk never came near.
  package enum Verdicts: String, CaseIterable, Sendable {
    /// One for each story and track.
    case all
    /// One for each story whose circle the path was inside.
    case crossed
    /// None; `story` lines still have the counts.
    case none
  }

  private let stories: [Story]
  private let verdicts: Verdicts
  private let writesSums: Bool
  private let namesOnlyCrossed: Bool

  /// Creates a writer.
  ///
  /// `writesSums` adds the sums that ``AnalysisMerger`` needs. `namesOnlyCrossed` leaves out
  /// stories without an entry or alert.
  package init(
    stories: [Story], verdicts: Verdicts = .all, writesSums: Bool = false,
    namesOnlyCrossed: Bool = false
  ) {
    (self.stories, self.verdicts) = (stories, verdicts)
    (self.writesSums, self.namesOnlyCrossed) = (writesSums, namesOnlyCrossed)
  }

  /// Appends the line with the settings.
  package func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer) {
    output.append(jsonObject: settings)
    output.append(UInt8(ascii: "\n"))
  }

  /// Appends the lines about one track.
  package func write(_ analysis: TrackAnalysis, to output: inout OutputBuffer) {
    writeVerdicts(on: stories.indices, of: analysis, to: &output)
    writeEntries(analysis, to: &output)
  }

  /// Writes the lines about one track, flushing after each 512 verdicts.
  func write(_ analysis: TrackAnalysis, to output: inout OutputFile) throws(OutputFailure) {
    // A track among many stories has hundreds of megabytes of verdicts.
    for start in stride(from: 0, to: stories.count, by: 512) {
      let batch = start..<min(start + 512, stories.count)
      writeVerdicts(on: batch, of: analysis, to: &output.buffer)
      try output.flushIfFull()
    }
    writeEntries(analysis, to: &output.buffer)
  }

  /// Appends the line about a track that was left out because it repeats another.
  func write(_ copy: RepeatedTracks.Copy, to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "copy")
      $0.member("track", copy.path)
      $0.member("of", copy.original)
      $0.member("share", copy.share, decimals: 4)
    }
  }

  /// Appends the line about a track that could not be analyzed.
  package func write(skipped track: String, error: String, to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "skipped")
      $0.member("track", track)
      $0.member("error", error)
    }
  }

  /// Appends the lines about all tracks, and the sums if the writer writes them.
  package func end(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    if writesSums { writeSums(totals, to: &output) }
    for index in writtenStories(totals) { writeStory(index, totals, to: &output) }
    endBesidesStories(totals, to: &output)
  }

  /// Writes the lines about all tracks, flushing after each story.
  func end(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputFile
  ) throws(OutputFailure) {
    if writesSums { writeSums(totals, to: &output.buffer) }
    for index in writtenStories(totals) {
      writeStory(index, totals, to: &output.buffer)
      try output.flushIfFull()
    }
    endBesidesStories(totals, to: &output.buffer)
  }

  /// The stories that have a line, as ascending indices.
  private func writtenStories(_ totals: AnalysisTotals) -> [Int] {
    guard namesOnlyCrossed else { return Array(totals.stories.indices) }
    // A simulated phone may alert for a story that no path entered.
    let simulated = totals.profiles.flatMap(\.stories.keys)
    return Set(totals.stories.crossedStories).union(simulated).sorted()
  }

  /// Appends a story's line, with its number in the store if other stories are left out.
  private func writeStory(_ index: Int, _ totals: AnalysisTotals, to output: inout OutputBuffer) {
    let line = StoryLine(
      story: stories[index], account: totals.stories[index], index: namesOnlyCrossed ? index : nil)
    output.appendLine {
      $0.member("type", "story")
      $0.members(of: line)
    }
  }

  /// Appends the sums of the whole, of each person, and of each story that alerted.
  private func writeSums(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "sums")
      $0.members(of: totals)
    }
    for (name, person) in totals.persons.persons.sorted(by: { $0.key < $1.key }) {
      output.appendLine {
        $0.member("type", "sums-person")
        $0.member("person", name)
        $0.members(of: person)
      }
    }
    for story in totals.stories.crossedStories where totals.stories[story].moments > 0 {
      output.appendLine {
        $0.member("type", "sums-story")
        $0.member("place", stories[story].id)
        $0.members(of: totals.stories[story])
      }
    }
  }

  /// Appends spots, groups, phones and, as the last line, the totals.
  private func endBesidesStories(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    for spot in totals.orderedSpots {
      output.appendLine {
        $0.member("type", "spot")
        $0.members(of: spot)
      }
    }
    for group in totals.companions {
      output.appendLine {
        $0.member("type", "together")
        $0.member("moments", totals.stories[group[0]].moments)
        $0.array("places", group) { $0.append(json: stories[$1].id) }
      }
    }
    for profile in totals.profiles { output.append(jsonLinesOf: profile, stories) }
    output.append(jsonLineOf: totals, stories)
  }

  /// Appends the entries and trials on a track, and then the line about the track itself.
  private func writeEntries(_ analysis: TrackAnalysis, to output: inout OutputBuffer) {
    for entry in analysis.entries {
      output.appendLine {
        $0.member("type", "entry")
        $0.member("track", analysis.account.track)
        $0.member("place", stories[entry.story].id)
        $0.members(of: entry)
        if let speed = entry.speedMetersPerSecond { $0.member("speed", speed, decimals: 2) }
        if let entered = entry.enteredMilliseconds, entered != entry.timeMilliseconds {
          $0.member("entered", jsonTime: entered)
        }
        if let left = entry.leftMilliseconds { $0.member("left", jsonTime: left) }
      }
    }
    for chances in analysis.chances {
      output.append(jsonLinesOf: chances, analysis.account.track, stories)
    }
    output.appendLine {
      $0.member("type", "track")
      $0.members(of: analysis.account)
      $0.array("crowds", analysis.crowds) { array, crowd in
        array.appendObject { $0.members(of: crowd, CrowdedSpot.fieldsOnTrack) }
      }
      $0.array("moments", analysis.moments) { moments, moment in
        moments.appendArray(moment) { $0.append(json: stories[$1].id) }
      }
    }
  }

  /// Appends the verdicts on a range of the stories.
  private func writeVerdicts(
    on range: Range<Int>, of analysis: TrackAnalysis, to output: inout OutputBuffer
  ) {
    guard verdicts != .none else { return }
    var beginning = OutputBuffer()
    beginning.append("{")
    beginning.member("type", "verdict")
    beginning.member("track", analysis.account.track)
    beginning.key("place")
    let crossed = analysis.crossed
    var next = crossed.partitioningIndex { $0.story >= range.lowerBound }
    var story = range.lowerBound
    while story < range.upperBound {
      let isCrossed = next < crossed.count && crossed[next].story == story
      if verdicts == .crossed, !isCrossed {
        story = next < crossed.count ? crossed[next].story : range.upperBound
        continue
      }
      output.append(beginning)
      output.append(json: stories[story].id)
      if isCrossed {
        let isMeasured = verdicts == .all
        let meters = isMeasured ? analysis.nearestMeters[story] : analysis.crossedMeters[next]
        write(crossed[next], nearestMeters: meters, analysis, to: &output)
        next += 1
      } else {
        output.append(",\"verdict\":\"never-crossed\"")
        output.member("nearest", analysis.nearestMeters[story], decimals: 2)
      }
      output.append("}\n")
      story += 1
    }
  }

  /// Appends the rest of a line about a story whose circle the path was inside.
  private func write(
    _ verdict: StoryVerdict, nearestMeters: Double, _ analysis: TrackAnalysis,
    to output: inout OutputBuffer
  ) {
    output.member("verdict", verdict.verdict.rawValue)
    output.member("nearest", nearestMeters, decimals: 2)
    if verdict.isInsideAtStart { output.member("inside", true) }
    if let reason = verdict.reason { output.member("reason", reason.rawValue) }
    output.members(of: verdict.counts)
    if verdict.verdict == .missed || verdict.verdict == .late, let index = verdict.decidingEntry {
      output.members(ofLossOf: analysis.entries[index])
    }
  }
}
