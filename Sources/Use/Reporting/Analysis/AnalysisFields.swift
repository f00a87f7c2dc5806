import FencepostSession
package import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostNotifications
import FencepostPhones
import FencepostTime

// The lines of an analysis about tracks, stories and all tracks, and the objects in them, each as a
// table of its fields.

extension EntryCounts: AnalysisRecord {
  static let fields: [AnalysisField<Self>] = [
    .sums(ofPhone),
    .counts("suppressed", of: SuppressionReason.allCases, leavesOutZero: true, \.suppressed),
    .sums(ofUnlimited),
  ]
}

/// Entries that the alert rules held back, by reason; reasons without any have no member.
extension [SuppressionReason: Int]: CaseCounts {
  subscript(count reason: SuppressionReason) -> Int {
    get { self[reason] ?? 0 }
    set { self[reason] = newValue == 0 ? nil : newValue }
  }
}

/// Tracks by verdict on a story, or stories by verdict on a track.
extension VerdictCounts: CaseCounts {
  subscript(count verdict: Verdict) -> Int {
    get { self[verdict] }
    set { self[verdict] = newValue }
  }
}

/// Distributions of speeds and durations, so that merged analyses have exact bins.
extension EntryMeasures: AnalysisRecord {
  // Earlier versions did not write the bins.
  static let fields: [AnalysisField<Self>] = sketches.map {
    .value($0.name, $0.path, isLater: true)
  }
}

/// What reminders lose to stories: the counts with the stories, and an object without them.
extension ReminderCost: AnalysisRecord, AnalysisValue {
  static let fields: [AnalysisField<Self>] = [
    .part(\.withStories, [.sums(Tally.counts)]),
    .object("withoutStories", \.withoutStories, [.sums(Tally.counts)]),
  ]

  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    try add(node)
  }

  func append(to output: inout OutputBuffer) { output.appendObject { $0.members(of: self) } }
  mutating func add(_ other: ReminderCost) { self = self + other }
}

// MARK: - Tracks

/// What the lines about a track and about all tracks have in common.
extension TrackSums {
  fileprivate static let fieldsOfFixes: [AnalysisField<Self>] = [
    .sums(ofFixes), .tally("rejectedByReason", \.rejectedByReason, by: .text, isLater: true),
  ]
  fileprivate static let fieldsOfPaths: [AnalysisField<Self>] = [
    .sums(ofPaths), .part(\.counts, EntryCounts.fields),
  ]
  /// The stories of each verdict, under the name that the line gives them.
  fileprivate static func verdicts(_ name: StaticString) -> AnalysisField<Self> {
    .counts(name, of: Verdict.allCases, \.verdicts)
  }
  fileprivate static let circles: AnalysisField<Self> = .greatest("mostCircles", \.mostCircles)
  fileprivate static let hours: AnalysisField<Self> = .value("alertsByHour", \.alertsByHour)
  fileprivate static let breaks: AnalysisField<Self> = .sums(ofBreaks, leavesOutZero: true)
  fileprivate static let cost: AnalysisField<Self> = .optional("reminders", \.reminders)
}

/// The `track` line, and with fewer fields the track's feature in GeoJSON.
extension TrackAccount: AnalysisRecord {
  static let fields: [AnalysisField<Self>] =
    fieldsOfFeature + [
      .part(\.sums, [TrackSums.breaks]), .part(\.sums.measures, EntryMeasures.fields),
    ]

  /// The fields that GeoJSON has too.
  static let fieldsOfFeature: [AnalysisField<Self>] = [
    .value("track", \.track),
    .part(\.sums, TrackSums.fieldsOfFixes),
    .optional("first", \.firstMilliseconds, writesNull: true),
    .optional("last", \.lastMilliseconds, writesNull: true),
    .part(\.sums, TrackSums.fieldsOfPaths + [TrackSums.verdicts("stories")]),
    .value("oracleStories", \.dueStories),
    .value("foundStories", \.foundStories),
    .part(\.sums, [TrackSums.circles]),
    .optional("certified", \.isCertified, writesNull: true),
    .part(\.sums, [TrackSums.hours]),
    .optional("title", \.title),
    .optional("person", \.person),
    // Earlier versions did not write the days.
    .tally("days", \.alertsByDay, by: .date, isLater: true),
    .part(\.sums, [TrackSums.cost]),
  ]
}

/// A point where more circles overlap than a phone can watch.
extension CrowdedSpot: AnalysisRecord {
  /// The fields of a spot on all tracks.
  static let fields: [AnalysisField<Self>] = [
    circleCount, .value("tracks", \.tracks), .coordinate(\.coordinate),
  ]
  /// The fields of a spot on one track.
  static let fieldsOnTrack: [AnalysisField<Self>] = [circleCount, .coordinate(\.coordinate)]

  private static let circleCount: AnalysisField<Self> = .greatest("circles", \.circles)

  /// Reads a spot from a table of its fields.
  init(_ node: JSONNode, _ fields: [AnalysisField<Self>]) throws(JSONPathError) {
    let origin = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)
    self.init(coordinate: origin, circles: 0, tracks: 0)
    for field in fields { try field.add(node, &self) }
  }
}

// MARK: - Stories

/// A line about a story over all tracks.
///
/// A story that is in several parts of an analysis has a line in each. Reading them one after the
/// other into the same account adds up their numbers.
struct StoryLine: AnalysisRecord {
  var story = Story(
    id: "", title: "", coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0),
    radiusMeters: 0)
  var account = StoryAccount()
  /// The story's number; nil if the analysis names all stories.
  var index: Int?

  private var url: String? {
    get { story.url.isEmpty ? nil : story.url }
    set { story.url = newValue ?? "" }
  }

  /// The fields that GeoJSON has too, which has the position in the geometry.
  static let fieldsOfFeature = names + numbers

  static let fields: [AnalysisField<Self>] =
    names + [.value("category", \.story.category), .coordinate(\.story.coordinate)] + numbers + [
      .optional("url", \.url),
      .value("oracleTracks", \.account.dueTracks),
      .optional("nearestMillimeters", \.account.nearestMillimeters, writesNull: true),
      .value("nearestTrack", \.account.nearestTrack),
      // The lines about tracks have the moments, which must not count twice.
      .derived { $0.member("moments", $1.account.moments) },
      .part(\.account, StoryAccount.ofPersons.map { .value($0.name, $0.path, isLater: true) }),
      .optional("index", \.index),
    ]

  private static let names: [AnalysisField<Self>] = [
    .value("place", \.story.id), .value("title", \.story.title),
  ]
  private static let numbers: [AnalysisField<Self>] = [
    .number("radius", \.story.radiusMeters, decimals: 3),
    .counts("tracks", of: Verdict.allCases, \.account.tracks),
    .part(\.account.counts, EntryCounts.fields),
  ]
}

// MARK: - All tracks

/// The line about all tracks.
///
/// Ratios, rates and distributions follow from other numbers. They are written for readers, and
/// computed again when parts are merged.
struct TotalsLine: AnalysisRecord {
  var totals: AnalysisTotals
  var stories: [Story]

  static let fields: [AnalysisField<Self>] = [
    .value("tracks", \.totals.tracks),
    .value("skipped", \.totals.skipped),
    .part(
      \.totals.sums,
      TrackSums.fieldsOfFixes + TrackSums.fieldsOfPaths + [TrackSums.verdicts("verdicts")]),
    .derived { output, line in
      let totals = line.totals
      for (name, interval, path) in AnalysisTotals.ratios {
        output.member(name, intervalKey: interval, totals[keyPath: path])
      }
      output.member("alertsPerTrack", totals.alertsPerTrack, decimals: 4)
      output.member("alertsPerHour", totals.alertsPerHour, decimals: 4)
      output.member("refreshesPerKilometer", totals.refreshesPerKilometer, decimals: 4)
      output.member("stories", totals.stories.count)
      output.member("silentStories", totals.silentStories)
      let headline = StoryHeadline(totals, line.stories)
      output.object("storyFates") {
        for fate in StoryFate.allCases { $0.member(named: fate.name, headline.count(fate)) }
      }
      output.member("spots", totals.spots.count)
    },
    .part(\.totals.sums, [TrackSums.circles]),
    .value("certifiedTracks", \.totals.certifiedTracks),
    .value("uncertifiedTracks", \.totals.uncertifiedTracks),
    .part(\.totals.sums, [TrackSums.hours]),
    .value("copies", \.totals.copies),
    .derived { $0.members(ofPersonsIn: $1.totals) },
    .part(\.totals.sums, [TrackSums.breaks]),
    .derived { $0.members(ofAlertsIn: $1.totals, $1.stories) },
    .part(\.totals.sums, [TrackSums.cost]),
  ]
}

extension OutputBuffer {
  /// Appends the line with all numbers.
  package mutating func append(jsonLineOf totals: AnalysisTotals, _ stories: [Story]) {
    appendLine {
      $0.member("type", "totals")
      $0.members(of: TotalsLine(totals: totals, stories: stories))
    }
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

  /// Appends alerts by weekday, month and category, and distributions.
  fileprivate mutating func members(ofAlertsIn totals: AnalysisTotals, _ stories: [Story]) {
    let calendar = totals.calendar
    member("alertsByWeekday", integers: calendar.weekdays.map(\.alerts))
    member("trackDaysByWeekday", integers: calendar.weekdays.map(\.trackDays))
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
    let measures = totals.sums.measures
    member("alertSpeed", spread: measures.alertSpeed)
    member("lateness", spread: measures.latenessSeconds)
    member("inside", spread: measures.insideSeconds)
    member("dwell", spread: measures.dwellSeconds)
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

extension AlertCalendar.Month {
  /// The month in ISO 8601, such as `2026-03`.
  package var text: String { String(CivilDate(year: year, month: month, day: 1).text.dropLast(3)) }
}

// MARK: - Sums

// The sums behind the totals. With them, totals can be added without the lines about tracks.

/// The terms behind ratios, which cannot be recovered from the ratios themselves.
extension AnalysisTotals: AnalysisRecord {
  /// The ratios of the `totals` line, with the names of their intervals.
  fileprivate static let ratios:
    [(
      name: StaticString, interval: StaticString,
      path: any WritableKeyPath<Self, RatioSum> & Sendable
    )] = [
      ("recall", "recallInterval", \.recall),
      ("entryRecall", "entryRecallInterval", \.entryRecall),
      ("storyRecall", "storyRecallInterval", \.storyRecall),
    ]

  /// The fields of the line of sums.
  static let fields: [AnalysisField<Self>] =
    ratios.map { .value($0.name, $0.path) } + [
      .value("loneTracks", \.persons.loneTracks),
      .tally("loneDays", \.persons.loneDays, by: .number),
      .part(\.calendar, AlertCalendar.fields),
      .part(\.sums.measures, EntryMeasures.fields),
      AnalysisField {
        $0.array("profiles", $1.profiles) { array, profile in
          array.appendObject { $0.members(of: profile) }
        }
      } add: { (node, totals) throws(JSONPathError) in
        for profile in try node.member("profiles").elements() {
          let number = try totals.profile(profile)
          try totals.profiles[number].add(profile)
        }
      },
    ]

  /// The index of the profile that an object names.
  mutating func profile(_ node: JSONNode) throws(JSONPathError) -> Int {
    profile(named: try node.string("profile"), trials: try node.integer("trials"))
  }
}

extension AlertCalendar: AnalysisRecord {
  /// Alerts and days for each weekday and month.
  static let fields: [AnalysisField<Self>] = [
    AnalysisField {
      $0.array("weekdays", $1.weekdays) { [$1.alerts, $1.trackDays].append(to: &$0) }
      $0.array("months", $1.months.sorted { $0.key < $1.key }) {
        [$1.key.year, $1.key.month, $1.value.alerts, $1.value.trackDays].append(to: &$0)
      }
    } add: { (node, calendar) throws(JSONPathError) in
      for (weekday, count) in try node.member("weekdays").elements().prefix(7).enumerated() {
        let numbers = try count.integers(count: 2)
        calendar.add(Count(alerts: numbers[0], trackDays: numbers[1]), weekday: weekday)
      }
      for month in try node.member("months").elements() {
        let numbers = try month.integers(count: 4)
        calendar.add(
          Count(alerts: numbers[2], trackDays: numbers[3]),
          month: Month(year: numbers[0], month: numbers[1]))
      }
    }
  ]
}

/// The `sums-person` line: alerts by day, as days since 1970, and the terms of the ratios.
extension PersonTotals.Person: AnalysisRecord {
  static let fields: [AnalysisField<Self>] = [
    .tally("days", \.alertsByDay, by: .number), .value("recall", \.recall),
    .value("entryRecall", \.entryRecall), .value("storyRecall", \.storyRecall),
  ]
}

extension StoryAccount: AnalysisRecord {
  /// The fields that tell which stories alert together.
  static let fields: [AnalysisField<Self>] = [
    .value("moments", \.moments),
    AnalysisField {
      // Text, because other readers would round so large a number.
      $0.member("signature", String($1.signature, radix: 16))
    } add: { (node, account) throws(JSONPathError) in
      let member = try node.member("signature")
      guard let signature = UInt64(try member.string(), radix: 16) else {
        throw member.error("expected up to sixteen hexadecimal digits")
      }
      account.signature &+= signature
    },
  ]
}
