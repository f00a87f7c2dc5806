package import Analysis
import Geodesy
import Notifications

extension ByteBuffer {
  /// Appends the counts of entries, each as a field.
  package mutating func append(jsonFieldsOf counts: EntryCounts) {
    append(field: "entries", counts.entries)
    append(field: "found", counts.found)
    append(field: "late", counts.late)
    append(field: "missed", counts.missed)
    append(field: "extra", counts.extra)
    append(field: "alerts", counts.alerts)
    append(field: "delayed", counts.delayed)
    append(",\"suppressed\":{")
    for (index, (reason, count)) in counts.suppressed.nonZero.enumerated() {
      if index > 0 { append(",") }
      append(json: reason.rawValue)
      append(":")
      append(decimal: count)
    }
    append("}")
    append(field: "oracleAlerts", counts.oracleAlerts)
    append(field: "foundAlerts", counts.foundAlerts)
  }

  /// Appends the counts of verdicts as an object.
  package mutating func append(jsonFieldOf counts: VerdictCounts, named name: StaticString) {
    append(",\"")
    append(name)
    append("\":{")
    for (index, verdict) in Verdict.allCases.enumerated() {
      if index > 0 { append(",") }
      append(json: verdict.rawValue)
      append(":")
      append(decimal: counts[verdict])
    }
    append("}")
  }

  package mutating func append(jsonFieldsOf entry: EntryRecord) {
    append(field: "fix", entry.fix)
    append(",\"fraction\":")
    append(entry.fraction, decimals: 6)
    append(",\"time\":")
    append(jsonTime: entry.timeMilliseconds)
    append(jsonFieldsOf: entry.coordinate)
    if entry.acrossBreak { append(",\"across\":\"break\"") }
    append(",\"cause\":")
    append(json: entry.cause.rawValue)
    append(",\"alert\":")
    append(json: entry.isAlert)
    if let delivery = entry.deliveryMilliseconds {
      append(",\"delivery\":")
      append(jsonTime: delivery)
    }
    if let reason = entry.suppression {
      append(",\"reason\":")
      append(json: reason.rawValue)
    }
    append(",\"oracleAlert\":")
    append(json: entry.isOracleAlert)
    if entry.cause == .late || entry.cause == .missed { append(jsonRanksOf: entry) }
  }

  /// Appends why an entry was not monitored, and when it was found out about.
  package mutating func append(jsonRanksOf entry: EntryRecord) {
    if let fix = entry.foundFix {
      append(field: "foundFix", fix)
      append(",\"foundTime\":")
      append(jsonTime: entry.foundMilliseconds)
    }
    if let ranking = entry.atRefresh { append(ranking, named: "atRefresh") }
    if let ranking = entry.atEntry { append(ranking, named: "atEntry") }
  }

  private mutating func append(_ ranking: EntryRecord.Ranking, named name: StaticString) {
    append(",\"")
    append(name)
    append("\":{\"rank\":")
    append(decimal: ranking.rank)
    append(",\"distance\":")
    append(ranking.distanceMeters, decimals: 2)
    append(",\"lastDistance\":")
    append(ranking.lastDistanceMeters, decimals: 2)
    append("}")
  }

  package mutating func append(jsonFieldsOf account: TrackAccount) {
    append(field: "fixes", account.fixes)
    append(field: "rejected", account.rejected)
    append(rejections: account.rejectedByReason)
    append(",\"first\":")
    append(jsonTime: account.firstMilliseconds)
    append(",\"last\":")
    append(jsonTime: account.lastMilliseconds)
    append(field: "lengthMillimeters", account.lengthMillimeters)
    append(field: "travelMilliseconds", account.travelMilliseconds)
    append(field: "refreshes", account.refreshes)
    append(field: "failedRefreshes", account.failedRefreshes)
    append(jsonFieldsOf: account.counts)
    append(jsonFieldOf: account.stories, named: "stories")
    append(field: "oracleStories", account.oracleStories)
    append(field: "foundStories", account.foundStories)
    append(field: "mostCircles", account.mostCircles)
    append(",\"certified\":")
    append(json: account.isCertified)
    append(jsonArrayOf: account.alertsByHour, named: "alertsByHour")
  }

  /// Appends counts of rejections as an object, in the order of the reasons' names.
  private mutating func append(rejections counts: [String: Int]) {
    append(",\"rejectedByReason\":{")
    for (index, reason) in counts.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { append(",") }
      append(json: reason.key)
      append(":")
      append(decimal: reason.value)
    }
    append("}")
  }

  package mutating func append(jsonFieldsOf crowds: [TrackAnalysis.Crowd]) {
    append(",\"crowds\":[")
    for (index, crowd) in crowds.enumerated() {
      append(index > 0 ? ",{\"circles\":" : "{\"circles\":")
      append(decimal: crowd.circles)
      append(jsonFieldsOf: crowd.coordinate)
      append("}")
    }
    append("]")
  }

  package mutating func append(jsonLineOf account: StoryAccount, _ story: Story) {
    append("{\"type\":\"story\",\"place\":")
    append(json: story.id)
    append(",\"title\":")
    append(json: story.title)
    append(",\"category\":")
    append(json: story.category)
    append(jsonFieldsOf: story.coordinate)
    append(",\"radius\":")
    append(story.radiusMeters, decimals: 3)
    append(jsonFieldOf: account.tracks, named: "tracks")
    append(jsonFieldsOf: account.counts)
    append(field: "oracleTracks", account.oracleTracks)
    append(",\"nearestMillimeters\":")
    append(jsonCount: account.nearestMillimeters)
    append(",\"nearestTrack\":")
    append(json: account.nearestTrack)
    append(field: "moments", account.moments)
    append("}\n")
  }

  package mutating func append(jsonLineOf totals: AnalysisTotals) {
    append("{\"type\":\"totals\",\"tracks\":")
    append(decimal: totals.tracks)
    append(field: "skipped", totals.skipped)
    append(field: "fixes", totals.fixes)
    append(field: "rejected", totals.rejected)
    append(rejections: totals.rejectedByReason)
    append(field: "lengthMillimeters", totals.lengthMillimeters)
    append(field: "travelMilliseconds", totals.travelMilliseconds)
    append(field: "refreshes", totals.refreshes)
    append(field: "failedRefreshes", totals.failedRefreshes)
    append(jsonFieldsOf: totals.counts)
    append(jsonFieldOf: totals.verdicts, named: "verdicts")
    append(totals.recall, named: "recall")
    append(totals.entryRecall, named: "entryRecall")
    append(totals.storyRecall, named: "storyRecall")
    append(",\"alertsPerTrack\":")
    append(totals.alertsPerTrack ?? .nan, decimals: 4)
    append(",\"alertsPerHour\":")
    append(totals.alertsPerHour ?? .nan, decimals: 4)
    append(",\"refreshesPerKilometer\":")
    append(totals.refreshesPerKilometer ?? .nan, decimals: 4)
    append(field: "stories", totals.stories.count)
    append(field: "silentStories", totals.silentStories)
    append(field: "spots", totals.spots.count)
    append(field: "mostCircles", totals.mostCircles)
    append(field: "certifiedTracks", totals.certifiedTracks)
    append(field: "uncertifiedTracks", totals.uncertifiedTracks)
    append(jsonArrayOf: totals.alertsByHour, named: "alertsByHour")
    append("}\n")
  }

  /// Appends a ratio and its interval: `"recall":0.77,"recallInterval":[0.7,0.83]`.
  package mutating func append(_ sum: RatioSum, named name: StaticString) {
    append(",\"")
    append(name)
    append("\":")
    append(sum.ratio ?? .nan, decimals: 6)
    append(",\"")
    append(name)
    append("Interval\":")
    guard let interval = sum.interval else {
      append("null")
      return
    }
    append("[")
    append(interval.lowerBound, decimals: 6)
    append(",")
    append(interval.upperBound, decimals: 6)
    append("]")
  }

  package mutating func append(field name: StaticString, _ value: Int) {
    append(",\"")
    append(name)
    append("\":")
    append(decimal: value)
  }

  private mutating func append(jsonArrayOf values: [Int], named name: StaticString) {
    append(",\"")
    append(name)
    append("\":[")
    for (index, value) in values.enumerated() {
      if index > 0 { append(",") }
      append(decimal: value)
    }
    append("]")
  }
}
