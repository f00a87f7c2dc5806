package import FencepostAnalysis
package import FencepostMonitoring
import Fencepost
import FencepostFormats
import FencepostGeodesy
import FencepostNotifications
import FencepostPhones
import FencepostTime

// The members of an analysis in JSON: those that joining reads back are listed once, as `DocumentMembers`.

// MARK: - Values

extension VerdictCounts: DocumentValue {
  package init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    for verdict in Verdict.allCases {
      self[verdict] = try node.optionalMember(verdict.rawValue)?.integer() ?? 0
    }
  }

  package func append(to output: inout OutputBuffer) {
    output.appendObject {
      for verdict in Verdict.allCases { $0.member(named: verdict.rawValue, self[verdict]) }
    }
  }
}

/// The counts that are not zero, in the order of the policy's checks.
private struct SuppressedCounts: DocumentValue {
  var counts: [SuppressionReason: Int]

  init(counts: [SuppressionReason: Int]) {
    self.counts = counts
  }

  init(_ node: JSONNode) throws(JSONPathError) {
    counts = [:]
    for reason in SuppressionReason.allCases {
      counts[reason] = try node.optionalMember(reason.rawValue)?.integer()
    }
  }

  func append(to output: inout OutputBuffer) {
    output.appendObject {
      for (reason, count) in counts.nonZero { $0.member(named: reason.rawValue, count) }
    }
  }
}

extension Ratio: DocumentValue {
  package init(_ node: JSONNode) throws(JSONPathError) {
    let terms = try [Int](node, count: 2)
    self.init(found: terms[0], all: terms[1])
  }

  package func append(to output: inout OutputBuffer) { [found, all].append(to: &output) }
}

extension RatioSum: DocumentValue {
  package init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    add(terms: try [Int](node, count: 6))
  }

  package func append(to output: inout OutputBuffer) { terms.append(to: &output) }
}

/// What a sketch keeps, so that parts can be joined.
extension QuantileSketch: DocumentValue {
  package init(_ node: JSONNode) throws(JSONPathError) {
    self.init(
      bins: try [Int](node.member("counts")), first: try node.member("first").integer(),
      thousandths: try node.member("thousandths").integer())
  }

  package func append(to output: inout OutputBuffer) {
    output.appendObject {
      $0.member("first", kept.first)
      $0.member("thousandths", kept.thousandths)
      $0.member("counts", kept.bins)
    }
  }
}

// MARK: - Both directions

extension DocumentMembers where Self: ~Copyable {
  mutating func members(of counts: inout EntryCounts) throws(Failure) {
    try property("entries", &counts.entries)
    try property("found", &counts.found)
    try property("late", &counts.late)
    try property("missed", &counts.missed)
    try property("extra", &counts.extra)
    try property("alerts", &counts.alerts)
    try property("delayed", &counts.delayed)
    var suppressed = SuppressedCounts(counts: counts.suppressed)
    try property("suppressed", &suppressed)
    counts.suppressed = suppressed.counts
    try property("oracleAlerts", &counts.oracleAlerts)
    try property("foundAlerts", &counts.foundAlerts)
  }

  mutating func members(of coordinate: inout Coordinate) throws(Failure) {
    var (latitude, longitude) = (coordinate.latitudeDegrees, coordinate.longitudeDegrees)
    try property("lat", &latitude, decimals: Decimals.degrees)
    try property("lon", &longitude, decimals: Decimals.degrees)
    coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private mutating func members(ofFixesIn numbers: inout TrackNumbers) throws(Failure) {
    try property("fixes", &numbers.fixes)
    try property("rejected", &numbers.rejected)
    try property("rejectedByReason", &numbers.rejectedByReason)
  }

  private mutating func members(ofPathsIn numbers: inout TrackNumbers) throws(Failure) {
    try property("lengthMillimeters", &numbers.lengthMillimeters)
    try property("travelMilliseconds", &numbers.travelMilliseconds)
    try property("refreshes", &numbers.refreshes)
    try property("failedRefreshes", &numbers.failedRefreshes)
    try members(of: &numbers.counts)
  }

  private mutating func members(ofFixesOutsideIn numbers: inout TrackNumbers) throws(Failure) {
    var count = numbers.fixesOutside > 0 ? numbers.fixesOutside : nil
    try property(ifAny: "fixesOutside", &count)
    numbers.fixesOutside = count ?? 0
  }

  /// The bins of measures, from which totals are joined.
  private mutating func members(of measures: inout EntryMeasures) throws(Failure) {
    try property("alertSpeedBins", &measures.alertSpeed)
    try property("latenessBins", &measures.latenessSeconds)
    try property("insideBins", &measures.insideSeconds)
    try property("dwellBins", &measures.dwellSeconds)
  }

  mutating func members(of account: inout TrackAccount) throws(Failure) {
    try members(ofFixesIn: &account.numbers)
    try property("first", time: &account.firstMilliseconds)
    try property("last", time: &account.lastMilliseconds)
    try members(ofPathsIn: &account.numbers)
    try property("stories", &account.numbers.verdicts)
    try property("oracleStories", &account.oracleStories)
    try property("foundStories", &account.foundStories)
    try property("mostCircles", &account.numbers.mostCircles)
    try property("certified", &account.isCertified)
    try property("alertsByHour", &account.numbers.alertsByHour, count: 24)
    try property(ifAny: "person", &account.person)
    var days = Dictionary(
      uniqueKeysWithValues: account.alertsByDay.map { (LocalDay(number: $0.key), $0.value) })
    try property("days", &days)
    account.alertsByDay = Dictionary(uniqueKeysWithValues: days.map { ($0.key.number, $0.value) })
  }

  /// What only the line of a track has besides.
  mutating func members(ofMeasuresOf account: inout TrackAccount) throws(Failure) {
    try members(ofFixesOutsideIn: &account.numbers)
    try members(of: &account.numbers.measures)
  }

  /// The story's name, circle and number of tracks by verdict, and its counts.
  mutating func members(
    of place: inout Place, _ account: inout StoryAccount, isFeature: Bool = false
  ) throws(Failure) {
    try property("place", &place.id)
    try property("title", &place.title)
    // A feature has its position as its geometry.
    if !isFeature {
      try property("category", &place.category)
      try members(of: &place.coordinate)
    }
    try property("radius", &place.radiusMeters, decimals: 3)
    try property("tracks", &account.tracks)
    try members(of: &account.counts)
  }

  /// What only the line of a story has besides; its moments are read from the lines of tracks.
  mutating func members(ofReachOf account: inout StoryAccount) throws(Failure) {
    try property("oracleTracks", &account.oracleTracks)
    try property("nearestMillimeters", &account.nearestMillimeters)
    try property("nearestTrack", &account.nearestTrack)
    let moments = account.moments
    derived { $0.member("moments", moments) }
    try property("persons", &account.persons)
    try property("personDays", &account.personDays)
    try property("repeats", &account.repeats)
  }

  mutating func members(of spot: inout CrowdedSpot) throws(Failure) {
    try property("circles", &spot.circles)
    try property("tracks", &spot.tracks)
    try members(of: &spot.coordinate)
  }

  /// The members of the line `totals`.
  mutating func members(of totals: inout AnalysisTotals, _ stories: [Place]) throws(Failure) {
    try property("tracks", &totals.tracks)
    try property("skipped", &totals.skipped)
    try members(ofFixesIn: &totals.numbers)
    try members(ofPathsIn: &totals.numbers)
    try property("verdicts", &totals.numbers.verdicts)
    let sums = totals
    derived {
      $0.members(ofRatesIn: sums)
      $0.member("stories", sums.stories.count)
      $0.member("silentStories", sums.silentStories)
      $0.member("spots", sums.spots.count)
    }
    try property("mostCircles", &totals.numbers.mostCircles)
    try property("certifiedTracks", &totals.certifiedTracks)
    try property("uncertifiedTracks", &totals.uncertifiedTracks)
    try property("alertsByHour", &totals.numbers.alertsByHour, count: 24)
    try property("copies", &totals.copies)
    derived { $0.members(ofPersonsIn: sums) }
    try members(ofFixesOutsideIn: &totals.numbers)
    derived { $0.members(ofBreakdownsIn: sums, stories) }
  }

  /// The members of the line `sums`, of which ratios, days and distributions are made.
  mutating func members(ofSumsIn totals: inout AnalysisTotals) throws(Failure) {
    try property("recall", &totals.recall)
    try property("entryRecall", &totals.entryRecall)
    try property("storyRecall", &totals.storyRecall)
    try property("loneTracks", &totals.persons.loneTracks)
    try property("loneDays", &totals.persons.loneDays)
    var weekdays = totals.calendar.weekdays.map { [$0.alerts, $0.trackDays] }
    try property("weekdays", &weekdays)
    var months = totals.calendar.months.sorted { $0.key < $1.key }
      .map { [$0.key.year, $0.key.month, $0.value.alerts, $0.value.trackDays] }
    try property("months", &months)
    totals.calendar = AlertCalendar(weekdays: weekdays, months: months)
    try members(of: &totals.numbers.measures)
  }

  /// The members of the line `sums-person`.
  mutating func members(of person: inout PersonTotals.Person) throws(Failure) {
    try property("days", &person.alertsByDay)
    try property("recall", &person.recall)
    try property("entryRecall", &person.entryRecall)
    try property("storyRecall", &person.storyRecall)
  }
}

// MARK: - Written only

extension OutputBuffer {
  package mutating func members(of counts: EntryCounts) {
    var counts = counts
    members(of: &counts)
  }

  /// Appends a ratio and its interval: `"recall":0.77,"recallInterval":[0.7,0.83]`.
  mutating func member(_ key: StaticString, intervalKey: StaticString, _ sum: RatioSum) {
    member(key, sum.ratio, decimals: 6)
    member(intervalKey, sum.interval)
  }

  /// Appends an interval with six decimals, or `null`.
  mutating func member(_ key: StaticString, _ interval: ClosedRange<Double>?) {
    self.key(key)
    guard let interval else { return append("null") }
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

  /// Appends why an entry was not monitored, and when the device found out about it.
  mutating func members(ofLossOf entry: EntryRecord) {
    if let fix = entry.foundFix {
      member("foundFix", fix)
      member("foundTime", jsonTime: entry.foundMilliseconds)
    }
    if let ranking = entry.atRefresh { object("atRefresh") { $0.members(of: ranking) } }
    if let ranking = entry.atEntry { object("atEntry") { $0.members(of: ranking) } }
  }

  /// Appends what is known of an entry's stay and speed.
  mutating func members(ofStayOf entry: EntryRecord) {
    if let speed = entry.speedMetersPerSecond { member("speed", speed, decimals: 2) }
    if let entered = entry.enteredMilliseconds, entered != entry.timeMilliseconds {
      member("entered", jsonTime: entered)
    }
    if let left = entry.leftMilliseconds { member("left", jsonTime: left) }
  }

  /// Appends the line of a story, with its number where other stories are left out.
  mutating func append(jsonLineOf account: StoryAccount, _ place: Place, index: Int? = nil) {
    var (account, place) = (account, place)
    appendLine {
      $0.member("type", "story")
      $0.members(of: &place, &account)
      if !place.url.isEmpty { $0.member("url", place.url) }
      $0.members(ofReachOf: &account)
      if let index { $0.member("index", index) }
    }
  }

  package mutating func append(jsonLineOf totals: AnalysisTotals, _ stories: [Place]) {
    var totals = totals
    appendLine {
      $0.member("type", "totals")
      $0.members(of: &totals, stories)
    }
  }

  fileprivate mutating func members(ofRatesIn totals: AnalysisTotals) {
    member("recall", intervalKey: "recallInterval", totals.recall)
    member("entryRecall", intervalKey: "entryRecallInterval", totals.entryRecall)
    member("storyRecall", intervalKey: "storyRecallInterval", totals.storyRecall)
    member("alertsPerTrack", totals.alertsPerTrack, decimals: 4)
    member("alertsPerHour", totals.alertsPerHour, decimals: 4)
    member("refreshesPerKilometer", totals.refreshesPerKilometer, decimals: 4)
  }

  fileprivate mutating func members(ofPersonsIn totals: AnalysisTotals) {
    let fatigue = totals.persons.fatigue
    member("persons", totals.persons.count)
    member("loneTracks", totals.persons.loneTracks)
    member("personDays", fatigue.days)
    object("alertsPerPersonDay") {
      $0.member("median", fatigue.quantile(0.5))
      $0.member("p90", fatigue.quantile(0.9))
      $0.member("most", fatigue.most)
    }
    member("fatigue", totals.fatigueLimit)
    member("personDaysOverFatigue", fatigue.days(over: totals.fatigueLimit))
  }

  /// Appends the breakdowns of all alerts, and the distributions.
  fileprivate mutating func members(ofBreakdownsIn totals: AnalysisTotals, _ stories: [Place]) {
    let calendar = totals.calendar
    array("alertsByWeekday", calendar.weekdays) { $0.append(decimal: $1.alerts) }
    array("trackDaysByWeekday", calendar.weekdays) { $0.append(decimal: $1.trackDays) }
    let months = calendar.months.sorted { $0.key < $1.key }
    object("alertsByMonth") {
      for (month, count) in months { $0.member(named: month.text, count.alerts) }
    }
    object("trackDaysByMonth") {
      for (month, count) in months { $0.member(named: month.text, count.trackDays) }
    }
    let categories = totals.alertsByCategory(of: stories)
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    object("alertsByCategory") {
      for (category, alerts) in categories { $0.member(named: category, alerts) }
    }
    member("alertSpeed", spread: totals.measures.alertSpeed)
    member("lateness", spread: totals.measures.latenessSeconds)
    member("inside", spread: totals.measures.insideSeconds)
    member("dwell", spread: totals.measures.dwellSeconds)
  }

  /// Appends a distribution: how many values, their median and 90th percentile, and their bins.
  private mutating func member(_ key: StaticString, spread sketch: QuantileSketch) {
    let kept = sketch.kept
    object(key) {
      $0.member("count", sketch.count)
      $0.member("median", sketch.quantile(0.5), decimals: 2)
      $0.member("p90", sketch.quantile(0.9), decimals: 2)
      $0.member("first", kept.first)
      $0.member("counts", kept.bins)
    }
  }

  // MARK: Sums

  /// Appends the sums: those of the whole, of each person, and of each story that alerted.
  mutating func append(jsonLinesOfSumsIn totals: AnalysisTotals, _ stories: [Place]) {
    var sums = totals
    appendLine {
      $0.member("type", "sums")
      $0.members(ofSumsIn: &sums)
      $0.array("profiles", totals.profiles) { profiles, profile in
        profiles.appendObject {
          $0.member("profile", profile.name)
          $0.member("trials", profile.trials)
          $0.member("byTrack", profile.byTrack)
          $0.member("heldBack", profile.heldBack)
          $0.member("untimedTracks", profile.untimedTracks)
        }
      }
    }
    for (name, person) in totals.persons.persons.sorted(by: { $0.key < $1.key }) {
      var person = person
      appendLine {
        $0.member("type", "sums-person")
        $0.member("person", name)
        $0.members(of: &person)
      }
    }
    for story in totals.stories.crossedStories where totals.stories[story].moments > 0 {
      let account = totals.stories[story]
      appendLine {
        $0.member("type", "sums-story")
        $0.member("place", stories[story].id)
        $0.member("moments", account.moments)
        // Too large for what other readers take a number to be.
        $0.member("signature", String(account.signature, radix: 16))
      }
    }
  }

  // MARK: Settings

  /// Appends the settings as the first line of an analysis, without its line end.
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
      if let rule = settings.personRule { $0.member("personBy", rule) }
      if settings.fatigueLimit != Fatigue.usualLimit {
        $0.member("fatigue", settings.fatigueLimit)
      }
      $0.members(of: settings.selection)
      if settings.namesOnlyCrossed { $0.member("verdicts", "crossed") }
    }
  }

  /// Appends the rules of confirmation and accuracy that are not the defaults.
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
  }

  /// Appends which fixes count, where that is not all.
  private mutating func members(of selection: TrackSelection) {
    if let from = selection.fromMilliseconds { member("from", jsonTime: from) }
    if let to = selection.toMilliseconds { member("to", jsonTime: to) }
    if let box = selection.box {
      array("bbox", [box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees]) {
        $0.append($1, decimals: 7)
      }
    }
  }
}

extension AlertCalendar.Month {
  /// The month as ISO 8601 writes it: `2026-03`.
  package var text: String { "\(year.padded(4))-\(month.padded(2))" }
}

/// A local day as ISO 8601 writes it, `2026-03-04`; its number counts from 1970.
private struct LocalDay: Hashable, Comparable, LosslessStringConvertible {
  let number: Int

  init(number: Int) {
    self.number = number
  }

  init?(_ text: String) {
    guard let milliseconds = ISO8601.milliseconds(parsing: text), text.utf8.count == 10 else {
      return nil
    }
    number = Int(milliseconds / 86_400_000)
  }

  static func < (a: LocalDay, b: LocalDay) -> Bool { a.number < b.number }

  var description: String {
    let date = CivilDate(daysSince1970: number)
    return "\(date.year.padded(4))-\(date.month.padded(2))-\(date.day.padded(2))"
  }
}
