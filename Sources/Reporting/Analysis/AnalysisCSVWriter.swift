import FencepostMonitoring
import FencepostAnalysis
import FencepostNotifications
import FencepostPhones

/// Writes verdicts as a table for spreadsheets, with a row for each story and track.
struct AnalysisCSVWriter: AnalysisWriter {
  private let stories: [Story]
  private let verdicts: AnalysisNDJSONWriter.Verdicts

  init(stories: [Story], verdicts: AnalysisNDJSONWriter.Verdicts) {
    self.stories = stories
    self.verdicts = verdicts
  }

  func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer) {
    output.append("track,place,title,verdict,reason,nearest,entries,found,late,missed,alerts,")
    output.append("suppressed,oracle_alerts,refresh_rank,refresh_distance,refresh_last_distance,")
    output.append("entry_rank,entry_last_distance")
    for profile in settings.chance?.profiles ?? [] {
      for column in Self.chanceColumns {
        output.append(verbatim: ",\(profile.name)_\(column)")
      }
    }
    output.append("\r\n")
  }

  /// The columns for each simulated phone.
  private static let chanceColumns =
    ["probability", "low", "high", "delay_median", "delay_p90", "beyond_median", "beyond_p90"]
    + StoryChance.losses.map { $0.name.replacing("-", with: "_") } + ["extra"]

  func write(_ analysis: TrackAnalysis, to output: inout OutputFile) throws(OutputFailure) {
    guard verdicts != .none else { return }
    if verdicts == .crossed {
      for (verdict, meters) in zip(analysis.crossed, analysis.crossedMeters) {
        write(verdict.story, verdict, meters, analysis, to: &output.buffer)
        try output.flushIfFull()
      }
      return
    }
    var next = 0
    for story in stories.indices {
      let isCrossed = next < analysis.crossed.count && analysis.crossed[next].story == story
      let verdict = isCrossed ? analysis.crossed[next] : nil
      if isCrossed { next += 1 }
      write(story, verdict, analysis.nearestMeters[story], analysis, to: &output.buffer)
      try output.flushIfFull()
    }
  }

  func write(skipped track: String, error: String, to output: inout OutputBuffer) {}

  func end(_ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputBuffer) {}

  private func write(
    _ story: Int, _ verdict: StoryVerdict?, _ nearestMeters: Double, _ analysis: TrackAnalysis,
    to output: inout OutputBuffer
  ) {
    output.append(csv: analysis.account.track)
    output.field(stories[story].id)
    output.field(stories[story].title)
    output.field((verdict?.verdict ?? .neverCrossed).rawValue)
    output.field(verdict?.reason?.rawValue)
    output.field(nearestMeters, decimals: 2)
    let counts = verdict?.counts ?? EntryCounts()
    for count in [
      counts.entries, counts.found, counts.late, counts.missed, counts.alerts,
      counts.suppressed.total, counts.oracleAlerts,
    ] {
      output.field(count)
    }
    let entry = verdict?.decidingEntry.map { analysis.entries[$0] }
    output.field(entry?.atRefresh?.rank)
    output.field(entry?.atRefresh?.distanceMeters, decimals: 2)
    output.field(entry?.atRefresh?.lastDistanceMeters, decimals: 2)
    output.field(entry?.atEntry?.rank)
    output.field(entry?.atEntry?.lastDistanceMeters, decimals: 2)
    for chances in analysis.chances { write(chances, story, to: &output) }
    output.append("\r\n")
  }

  private func write(_ chances: TrackChances, _ story: Int, to output: inout OutputBuffer) {
    let one = chances.trials(of: story)
    let chance = one.flatMap { $0.isEntered ? $0.chance : nil }
    let interval = chance?.alertInterval
    output.field(chance?.probability, decimals: 6)
    output.field(interval?.low, decimals: 6)
    output.field(interval?.high, decimals: 6)
    for sketch in [chance?.delaySeconds, chance?.fromEdgeMeters] {
      output.field(sketch?.quantile(0.5), decimals: 1)
      output.field(sketch?.quantile(0.9), decimals: 1)
    }
    for outcome in StoryChance.losses { output.field(chance?.share(outcome), decimals: 6) }
    output.field(
      one.map { Double($0.chance.runs.falseAlerts) / Double(chances.trials) }, decimals: 6)
  }
}
