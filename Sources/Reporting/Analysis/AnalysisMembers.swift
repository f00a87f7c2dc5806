import Fencepost
package import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostTime

// Writes the lines of an analysis about entries, tracks, stories and all tracks.
extension OutputBuffer {
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
    let sums = account.sums
    members(of: sums, TrackSums.ofFixes)
    member("rejectedByReason", counts: sums.rejectedByReason)
    member("first", jsonTime: account.firstMilliseconds)
    member("last", jsonTime: account.lastMilliseconds)
    members(of: sums, TrackSums.ofPaths)
    members(of: sums.counts)
    member("stories", sums.verdicts)
    member("oracleStories", account.oracleStories)
    member("foundStories", account.foundStories)
    member("mostCircles", sums.mostCircles)
    member("certified", account.isCertified)
    member("alertsByHour", integers: sums.alertsByHour)
    if let title = account.title { member("title", title) }
    if let person = account.person { member("person", person) }
    member("days", keyed: account.alertsByDay) { CivilDate(daysSince1970: $0).text }
    if let cost = sums.reminders { member(cost) }
  }

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
      $0.members(of: account, StoryAccount.ofPersons)
      if let index { $0.member("index", index) }
    }
  }

  package mutating func append(jsonLineOf totals: AnalysisTotals, _ stories: [Story]) {
    let sums = totals.sums
    appendLine {
      $0.member("type", "totals")
      $0.member("tracks", totals.tracks)
      $0.member("skipped", totals.skipped)
      $0.members(of: sums, TrackSums.ofFixes)
      $0.member("rejectedByReason", counts: sums.rejectedByReason)
      $0.members(of: sums, TrackSums.ofPaths)
      $0.members(of: sums.counts)
      $0.member("verdicts", sums.verdicts)
      $0.member("recall", intervalKey: "recallInterval", totals.recall)
      $0.member("entryRecall", intervalKey: "entryRecallInterval", totals.entryRecall)
      $0.member("storyRecall", intervalKey: "storyRecallInterval", totals.storyRecall)
      $0.member("alertsPerTrack", totals.alertsPerTrack, decimals: 4)
      $0.member("alertsPerHour", totals.alertsPerHour, decimals: 4)
      $0.member("refreshesPerKilometer", totals.refreshesPerKilometer, decimals: 4)
      $0.member("stories", totals.stories.count)
      $0.member("silentStories", totals.silentStories)
      let headline = StoryHeadline(totals, stories)
      $0.object("storyFates") {
        for fate in StoryFate.allCases { $0.member(named: fate.name, headline.count(fate)) }
      }
      $0.member("spots", totals.spots.count)
      $0.member("mostCircles", sums.mostCircles)
      $0.member("certifiedTracks", totals.certifiedTracks)
      $0.member("uncertifiedTracks", totals.uncertifiedTracks)
      $0.member("alertsByHour", integers: sums.alertsByHour)
      let fatigue = totals.persons.fatigue
      $0.member("copies", totals.copies)
      $0.member("persons", totals.persons.count)
      $0.member("loneTracks", totals.persons.loneTracks)
      $0.member("personDays", fatigue.days)
      $0.object("alertsPerPersonDay") {
        $0.member("median", fatigue.quantile(0.5))
        $0.member("p90", fatigue.quantile(0.9))
        $0.member("most", fatigue.most)
      }
      $0.member("fatigue", totals.fatigueLimit)
      $0.member("personDaysOverFatigue", fatigue.days(over: totals.fatigueLimit))
      $0.append(membersOfBreaksIn: sums)
      $0.members(ofAlertsIn: totals.calendar)
      let categories = totals.alertsByCategory(of: stories)
        .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      $0.object("alertsByCategory") {
        for (category, alerts) in categories { $0.member(named: category, alerts) }
      }
      $0.member("alertSpeed", spread: sums.measures.alertSpeed)
      $0.member("lateness", spread: sums.measures.latenessSeconds)
      $0.member("inside", spread: sums.measures.insideSeconds)
      $0.member("dwell", spread: sums.measures.dwellSeconds)
      if let cost = sums.reminders { $0.member(cost) }
    }
  }

  private mutating func members(ofAlertsIn calendar: AlertCalendar) {
    member("alertsByWeekday", integers: calendar.weekdays.map(\.alerts))
    member("trackDaysByWeekday", integers: calendar.weekdays.map(\.trackDays))
    let months = calendar.months.sorted { $0.key < $1.key }
    object("alertsByMonth") {
      for (month, count) in months { $0.member(named: month.text, count.alerts) }
    }
    object("trackDaysByMonth") {
      for (month, count) in months { $0.member(named: month.text, count.trackDays) }
    }
  }

  /// Appends a distribution: count, median, 90th percentile and bins.
  private mutating func member(_ key: StaticString, spread sketch: QuantileSketch) {
    let kept = sketch.kept
    object(key) {
      $0.member("count", sketch.count)
      $0.member("median", sketch.quantile(0.5), decimals: 2)
      $0.member("p90", sketch.quantile(0.9), decimals: 2)
      $0.member("first", kept.first)
      $0.member("counts", integers: kept.bins)
    }
  }
}

// MARK: - Reading

extension TrackAccount {
  /// Reads a `track` line; earlier versions did not write the person and the days.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(track: try node.string("track"))
    try sums.add(node)
    try sums.verdicts.add(node.member("stories"))
    firstMilliseconds = try node.optional("first", JSONNode.instantMilliseconds)
    lastMilliseconds = try node.optional("last", JSONNode.instantMilliseconds)
    oracleStories = try node.integer("oracleStories")
    foundStories = try node.integer("foundStories")
    isCertified = try node.optional("certified", JSONNode.boolean)
    title = try node.optional("title", JSONNode.string)
    person = try node.optional("person", JSONNode.string)
    guard let days = try node.optionalMember("days") else { return }
    for key in try days.keys() {
      guard let date = CivilDate(text: key) else { throw days.error("“\(key)” must be a date") }
      alertsByDay[date.daysSince1970] = try days.integer(key)
    }
  }
}

extension Story {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(
      id: try node.string("place"), title: try node.string("title"),
      category: try node.string("category"), url: try node.optional("url", JSONNode.string) ?? "",
      coordinate: try Coordinate(node), radiusMeters: try node.double("radius"))
  }
}

extension StoryAccount {
  /// Reads the numbers of a `story` line; moments come from the lines of tracks.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    try tracks.add(node.member("tracks"))
    try counts.add(node)
    oracleTracks = try node.integer("oracleTracks")
    nearestMillimeters = try node.optional("nearestMillimeters", JSONNode.integer)
    nearestTrack = try node.string("nearestTrack")
    // Earlier versions did not write these.
    for (name, path) in Self.ofPersons {
      self[keyPath: path] = try node.optional("\(name)", JSONNode.integer) ?? 0
    }
  }
}

extension AnalysisTotals {
  /// Adds the numbers of a `totals` line that are sums themselves.
  mutating func add(totals node: JSONNode) throws(JSONPathError) {
    tracks += try node.integer("tracks")
    stories.trackCount = tracks
    skipped += try node.integer("skipped")
    copies += try node.integer("copies")
    try sums.add(node)
    try sums.verdicts.add(node.member("verdicts"))
    certifiedTracks += try node.integer("certifiedTracks")
    uncertifiedTracks += try node.integer("uncertifiedTracks")
  }

  mutating func add(spot node: JSONNode) throws(JSONPathError) {
    add(
      CrowdedSpot(
        coordinate: try Coordinate(node), circles: try node.integer("circles"),
        tracks: try node.integer("tracks")))
  }
}

extension AlertCalendar.Month {
  /// The month in ISO 8601, such as `2026-03`.
  package var text: String { String(CivilDate(year: year, month: month, day: 1).text.dropLast(3)) }
}

extension OutputBuffer {
  /// Appends the settings, the first line of an analysis, without a line end.
  package mutating func append(jsonObject settings: AnalysisSettings) {
    appendObject {
      $0.member("type", "settings")
      $0.member("version", 1)
      $0.member("stories", settings.storyCount)
      for rule in Rules.table { $0.member(rule, in: settings.session) }
      $0.member("sameSecondLimit", settings.session.alerts.sameSecondLimit)
      $0.member("pendingSlots", settings.session.alerts.pendingSlots)
      $0.member("timeZone", settings.zoneIdentifier)
      if let chance = settings.chance { $0.members(of: chance) }
      if let rule = settings.personRule { $0.member("personBy", rule) }
      if settings.fatigueLimit != Fatigue.usualLimit { $0.member("fatigue", settings.fatigueLimit) }
      $0.members(ofSelectionIn: settings)
      if let reminders = settings.reminders { $0.member("reminders", reminders) }
      if settings.namesOnlyCrossed { $0.member("verdicts", "crossed") }
    }
  }

  private mutating func member(_ rule: Rule, in session: TrackSession.Options) {
    let value = rule.value(session)
    if rule.isLater, value == rule.usual { return }
    key(named: rule.memberName)
    switch value {
    case .nothing: append("null")
    case .whole(let number), .cooldown(.seconds(let number)): append(decimal: number)
    case .number(let number): append(number, decimals: 3)
    case .flag(let flag): append(verbatim: "\(flag)")
    case .quietHours(let hours):
      append(
        json: "\(hours.start.secondOfDay)-\(hours.end.secondOfDay) \(hours.zone.identifier)")
    case .word, .cooldown, .dates: append(json: rule.argument(for: value))
    }
  }

  /// Appends which fixes count, unless all do.
  mutating func members(ofSelectionIn settings: AnalysisSettings) {
    let selection = settings.selection
    if let from = selection.fromMilliseconds { member("from", jsonTime: from) }
    if let to = selection.toMilliseconds { member("to", jsonTime: to) }
    if let box = selection.box {
      array("bbox", [box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees]) {
        $0.append($1, decimals: 7)
      }
    }
  }

  mutating func members(of chance: ChanceOptions) {
    array("profiles", chance.profiles) { array, profile in
      array.appendObject {
        $0.member("name", profile.name)
        $0.member("regions", profile.limits.regions.value.value)
        $0.member("refreshDistance", profile.refresh.distanceMeters.value, decimals: 3)
        // Profiles of the same name may differ.
        $0.member("digest", Self.digest(of: profile))
      }
    }
    member("trials", chance.simulation.trials)
    member("seed", Int(clamping: chance.simulation.seed))
    member("surroundings", chance.simulation.surroundings.rawValue)
    member("phoneState", chance.simulation.state.rawValue)
  }

  private static func digest(of profile: PhoneProfile) -> String {
    let digits = String(subjectKey(profile.json), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
