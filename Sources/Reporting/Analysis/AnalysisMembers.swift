package import FencepostAnalysis
import Fencepost
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

// Writes the JSON members that describe an analysis. `AnalysisMerger` reads them back.
extension OutputBuffer {
  package mutating func members(of counts: EntryCounts) {
    member("entries", counts.entries)
    member("found", counts.found)
    member("late", counts.late)
    member("missed", counts.missed)
    member("extra", counts.extra)
    member("alerts", counts.alerts)
    member("delayed", counts.delayed)
    object("suppressed") {
      for (reason, count) in counts.suppressed.nonZero {
        $0.member(named: reason.rawValue, count)
      }
    }
    member("oracleAlerts", counts.oracleAlerts)
    member("foundAlerts", counts.foundAlerts)
  }

  private mutating func member(_ key: StaticString, _ counts: VerdictCounts) {
    object(key) {
      for verdict in Verdict.allCases { $0.member(named: verdict.rawValue, counts[verdict]) }
    }
  }

  /// Appends a ratio and its interval, such as `"recall":0.77,"recallInterval":[0.7,0.83]`.
  mutating func member(_ key: StaticString, intervalKey: StaticString, _ sum: RatioSum) {
    member(key, sum.ratio, decimals: 6)
    self.key(intervalKey)
    guard let interval = sum.interval else { return append("null") }
    appendArray([interval.lowerBound, interval.upperBound]) { $0.append($1, decimals: 6) }
  }

  mutating func members(of ranking: EntryRecord.Ranking) {
    member("rank", ranking.rank)
    member("distance", ranking.distanceMeters, decimals: 2)
    member("lastDistance", ranking.lastDistanceMeters, decimals: 2)
  }

  mutating func members(of entry: EntryRecord) {
    member("fix", entry.fix)
    member("fraction", entry.fraction, decimals: 6)
    member("time", jsonTime: entry.timeMilliseconds)
    members(of: entry.coordinate)
    if entry.acrossBreak { member("across", "break") }
    member("cause", entry.cause.rawValue)
    member("alert", entry.isAlert)
    if let delivery = entry.deliveryMilliseconds { member("delivery", jsonTime: delivery) }
    if let reason = entry.suppression { member("reason", reason.rawValue) }
    member("oracleAlert", entry.isOracleAlert)
    if entry.cause == .late || entry.cause == .missed { members(ofLossOf: entry) }
  }

  /// Appends why an entry was not monitored, and when the phone noticed it.
  mutating func members(ofLossOf entry: EntryRecord) {
    if let fix = entry.foundFix {
      member("foundFix", fix)
      member("foundTime", jsonTime: entry.foundMilliseconds)
    }
    if let ranking = entry.atRefresh { object("atRefresh") { $0.members(of: ranking) } }
    if let ranking = entry.atEntry { object("atEntry") { $0.members(of: ranking) } }
  }

  mutating func members(of account: TrackAccount) {
    member("fixes", account.fixes)
    member("rejected", account.rejected)
    member("rejectedByReason", counts: account.rejectedByReason)
    member("first", jsonTime: account.firstMilliseconds)
    member("last", jsonTime: account.lastMilliseconds)
    member("lengthMillimeters", account.lengthMillimeters)
    member("travelMilliseconds", account.travelMilliseconds)
    member("refreshes", account.refreshes)
    member("failedRefreshes", account.failedRefreshes)
    members(of: account.counts)
    member("stories", account.stories)
    member("oracleStories", account.oracleStories)
    member("foundStories", account.foundStories)
    member("mostCircles", account.mostCircles)
    member("certified", account.isCertified)
    array("alertsByHour", account.alertsByHour) { $0.append(decimal: $1) }
    members(ofPersonOf: account)
    if let cost = account.reminders { member(cost) }
  }

  /// Appends what the stories cost reminders.
  private mutating func member(_ cost: ReminderCost) {
    object("reminders") {
      $0.members(of: cost.withStories)
      $0.object("withoutStories") { $0.members(of: cost.withoutStories) }
    }
  }

  private mutating func members(of tally: ReminderCost.Tally) {
    member("due", tally.due)
    member("lost", tally.lost)
    member("waits", tally.waits)
  }

  /// Appends a story's name and circle, its counts, and its number of tracks by verdict.
  mutating func members(of story: Story, _ account: StoryAccount, isFeature: Bool) {
    member("type", "story")
    member("place", story.id)
    member("title", story.title)
    // A feature has its position in its geometry.
    if !isFeature {
      member("category", story.category)
      members(of: story.coordinate)
    }
    member("radius", story.radiusMeters, decimals: 3)
    member("tracks", account.tracks)
    members(of: account.counts)
  }

  mutating func append(jsonLineOf account: StoryAccount, _ story: Story, index: Int? = nil) {
    appendLine {
      $0.members(of: story, account, isFeature: false)
      if !story.url.isEmpty { $0.member("url", story.url) }
      $0.member("oracleTracks", account.oracleTracks)
      $0.member("nearestMillimeters", account.nearestMillimeters)
      $0.member("nearestTrack", account.nearestTrack)
      $0.member("moments", account.moments)
      $0.members(ofPersonsOf: account)
      if let index { $0.member("index", index) }
    }
  }

  package mutating func append(jsonLineOf totals: AnalysisTotals, _ stories: [Story]) {
    appendLine {
      $0.member("type", "totals")
      $0.member("tracks", totals.tracks)
      $0.member("skipped", totals.skipped)
      $0.member("fixes", totals.fixes)
      $0.member("rejected", totals.rejected)
      $0.member("rejectedByReason", counts: totals.rejectedByReason)
      $0.member("lengthMillimeters", totals.lengthMillimeters)
      $0.member("travelMilliseconds", totals.travelMilliseconds)
      $0.member("refreshes", totals.refreshes)
      $0.member("failedRefreshes", totals.failedRefreshes)
      $0.members(of: totals.counts)
      $0.member("verdicts", totals.verdicts)
      $0.members(ofRatesIn: totals)
      $0.member("stories", totals.stories.count)
      $0.member("silentStories", totals.silentStories)
      $0.member("spots", totals.spots.count)
      $0.member("mostCircles", totals.mostCircles)
      $0.member("certifiedTracks", totals.certifiedTracks)
      $0.member("uncertifiedTracks", totals.uncertifiedTracks)
      $0.array("alertsByHour", totals.alertsByHour) { $0.append(decimal: $1) }
      $0.members(ofPersonsIn: totals)
      $0.members(ofBreakdownsIn: totals, stories)
      if let cost = totals.reminders { $0.member(cost) }
    }
  }

  private mutating func members(ofRatesIn totals: AnalysisTotals) {
    member("recall", intervalKey: "recallInterval", totals.recall)
    member("entryRecall", intervalKey: "entryRecallInterval", totals.entryRecall)
    member("storyRecall", intervalKey: "storyRecallInterval", totals.storyRecall)
    member("alertsPerTrack", totals.alertsPerTrack, decimals: 4)
    member("alertsPerHour", totals.alertsPerHour, decimals: 4)
    member("refreshesPerKilometer", totals.refreshesPerKilometer, decimals: 4)
  }

  /// Appends the settings, the first line of an analysis, without a line end.
  package mutating func append(jsonObject settings: AnalysisSettings) {
    let rule = settings.monitoring
    appendObject {
      $0.member("type", "settings")
      $0.member("version", 1)
      $0.member("stories", settings.storyCount)
      $0.member("limit", rule.limit)
      $0.member("refresh", rule.refresh.rawValue)
      $0.member("significantChange", rule.significantChangeMeters, decimals: 3)
      $0.member("rank", rule.rank.rawValue)
      $0.member("minInterval", Int(rule.minIntervalMilliseconds))
      $0.member("tripwire", rule.hasTripwire)
      $0.member("refreshFloor", rule.refreshFloorMeters, decimals: 3)
      $0.member("initial", rule.initial.rawValue)
      $0.member("exitMargin", rule.exitMarginMeters, decimals: 3)
      $0.member("maxGap", rule.maxGapMilliseconds.map { Int($0) })
      $0.member("maxSpeed", rule.maxSpeedMetersPerSecond, decimals: 3)
      $0.member("joinSegments", rule.joinsSegments)
      $0.members(ofStagesIn: settings)
      $0.members(of: settings.alerts)
      $0.member("timeZone", settings.zoneIdentifier)
      if let chance = settings.chance { $0.members(of: chance) }
      $0.members(ofPersonsIn: settings)
      if let reach = settings.reach { $0.member(of: reach) }
      $0.members(ofSelectionIn: settings)
      if let reminders = settings.reminders { $0.member("reminders", reminders) }
      if settings.namesOnlyCrossed { $0.member("verdicts", "crossed") }
    }
  }

  private mutating func members(ofStagesIn settings: AnalysisSettings) {
    let rule = settings.monitoring
    let confirmation = rule.confirmation
    if rule.test != .path { member("test", rule.test.rawValue) }
    if rule.accuracy != .ignore { member("accuracy", rule.accuracy.rawValue) }
    if rule.trustsAccuracy { member("trustAccuracy", true) }
    if confirmation.holdMilliseconds > 0 { member("hold", Int(confirmation.holdMilliseconds)) }
    if let fixes = confirmation.fixes { member("confirmFixes", fixes) }
    if let dwell = confirmation.dwellMilliseconds { member("dwell", Int(dwell)) }
    if settings.alertsOn != .enter { member("alertOn", settings.alertsOn.rawValue) }
  }

  private mutating func members(of alerts: AlertPolicy.Options) {
    switch alerts.cooldown {
    case .none: member("cooldown", "none")
    case .forever: member("cooldown", "forever")
    case .seconds(let seconds): member("cooldown", Int(seconds))
    }
    member(
      "quietHours",
      alerts.quietHours.map {
        "\($0.start.secondOfDay)-\($0.end.secondOfDay) \($0.zone.identifier)"
      })
    member("maxAlertSpeed", alerts.maxAlertSpeedMetersPerSecond, decimals: 3)
    member("sameSecondLimit", alerts.sameSecondLimit)
    member("pendingSlots", alerts.pendingSlots)
    if let dates = alerts.dates { member("dates", dates.text) }
  }
}
