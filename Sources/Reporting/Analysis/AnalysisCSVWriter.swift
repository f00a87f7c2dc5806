import FencepostMonitoring
import FencepostAnalysis
import FencepostNotifications
import FencepostPhones

/// Writes verdicts as a table for spreadsheets, with a row for each story and track.
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
      for column in Self.chanceColumns {
        output.append(verbatim: ",\(profile.name)_\(column)")
      }
    }
    output.append("\r\n")
  }

  private static let chanceColumns =
    ["probability", "low", "high", "delay_median", "delay_p90", "beyond_median", "beyond_p90"]
    + StoryChance.losses.map { $0.name.replacing("-", with: "_") } + ["extra"]

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
    output.fields([
      counts.entries, counts.found, counts.late, counts.missed, counts.alerts,
      counts.suppressed.total, counts.oracleAlerts,
    ])
    let entry = verdict?.decidingEntry.map { analysis.entries[$0] }
    let (refresh, arrival) = (entry?.atRefresh, entry?.atEntry)
    output.field(refresh?.rank)
    output.field(refresh?.distanceMeters, decimals: 2)
    output.field(refresh?.lastDistanceMeters, decimals: 2)
    output.field(arrival?.rank)
    output.field(arrival?.lastDistanceMeters, decimals: 2)
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
