import FencepostNotifications

/// The totals by person and day: how many alerts people get, and how sure the recall is.
///
/// A person-day is a local day on which a person has a fix. A track of nobody in particular counts as a person of
/// its own.
public struct PersonTotals: Equatable, Sendable {
  /// The sums of one person.
  package struct Person: Equatable, Sendable {
    package var alertsByDay: [Int: Int] = [:]
    package var recall = Ratio()
    package var entryRecall = Ratio()
    package var storyRecall = Ratio()

    package init() {}
  }

  package private(set) var persons: [String: Person] = [:]
  /// Number of tracks that belong to no person.
  public package(set) var loneTracks = 0
  /// Number of days of tracks without a person, by number of alerts.
  package var loneDays: [Int: Int] = [:]

  /// Makes totals of zero.
  public init() {}

  /// Number of persons, apart from lone tracks.
  public var count: Int { persons.count }

  /// Adds a track.
  mutating func add(_ account: TrackAccount) {
    guard let name = account.person else {
      loneTracks += 1
      for alerts in account.alertsByDay.values { loneDays[alerts, default: 0] += 1 }
      return
    }
    let counts = account.counts
    var person = Person()
    person.alertsByDay = account.alertsByDay
    person.recall = Ratio(found: counts.foundAlerts, all: counts.oracleAlerts)
    person.entryRecall = Ratio(found: counts.found, all: counts.entries)
    person.storyRecall = Ratio(found: account.foundStories, all: account.oracleStories)
    add(person, named: name)
  }

  /// Adds a person's sums over some tracks.
  package mutating func add(_ sums: Person, named name: String) {
    var person = persons.removeValue(forKey: name) ?? Person()
    person.alertsByDay.merge(sums.alertsByDay, uniquingKeysWith: +)
    person.recall += sums.recall
    person.entryRecall += sums.entryRecall
    person.storyRecall += sums.storyRecall
    persons[name] = person
  }

  /// Adds the other's persons and tracks.
  package static func += (totals: inout PersonTotals, other: PersonTotals) {
    totals.loneTracks += other.loneTracks
    totals.loneDays.merge(other.loneDays, uniquingKeysWith: +)
    for (name, person) in other.persons { totals.add(person, named: name) }
  }

  /// The alerts a person-day.
  public var fatigue: Fatigue {
    var days = loneDays
    for person in persons.values {
      for alerts in person.alertsByDay.values { days[alerts, default: 0] += 1 }
    }
    return Fatigue(daysByAlerts: days)
  }

  /// The 95 % interval of a ratio by drawing persons, each with all of its tracks; nil for fewer than two persons.
  ///
  /// Nil also where some tracks belong to nobody: the interval by tracks serves then.
  func interval(_ ratio: KeyPath<Person, Ratio>) -> ClosedRange<Double>? {
    guard loneTracks == 0 else { return nil }
    let sums = persons.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { $0.value[keyPath: ratio] }.filter { $0.all > 0 }
    guard sums.count > 1 else { return nil }
    return Bootstrap().interval(of: sums.count) { drawn in
      drawn.reduce(into: Ratio()) { $0 += sums[$1] }.value()
    }
  }
}

/// How many alerts a person gets in a day.
public struct Fatigue: Equatable, Sendable {
  /// How many alerts a day are too many, unless another number is given.
  public static let usualLimit = 5

  /// Number of person-days, by number of alerts.
  public let daysByAlerts: [Int: Int]
  /// Number of person-days.
  public let days: Int

  init(daysByAlerts: [Int: Int]) {
    self.daysByAlerts = daysByAlerts
    days = daysByAlerts.values.reduce(0, +)
  }

  /// Number of alerts on all days.
  public var alerts: Int { daysByAlerts.reduce(0) { $0 + $1.key * $1.value } }

  /// The most alerts on one day; nil without days.
  public var most: Int? { daysByAlerts.keys.max() }

  /// The least number of alerts that at least a share of the days do not exceed; nil without days.
  ///
  /// - Parameter share: 0.5 for the median, 0.9 for the 90th percentile.
  /// - Returns: The number of alerts.
  public func quantile(_ share: Double) -> Int? {
    var seen = 0
    for (alerts, count) in daysByAlerts.sorted(by: { $0.key < $1.key }) {
      seen += count
      if Double(seen) >= share * Double(days) - 1e-9 { return alerts }
    }
    return nil
  }

  /// Number of days with more alerts than a limit.
  public func days(over limit: Int) -> Int {
    daysByAlerts.reduce(0) { $1.key > limit ? $0 + $1.value : $0 }
  }
}

/// What lasts from one track of a person to the next: what the alert policies remember, and which stories
/// reached the person when.
struct PersonCourse {
  /// What the policy of the oracle remembers.
  var oracle = AlertPolicy.State()
  /// What the policy of the device remembers.
  var device = AlertPolicy.State()
  private var days: [Int: Set<Int>] = [:]
  private var alerts: [Int: Int] = [:]

  /// Takes note of a track's alerts.
  ///
  /// - Parameters:
  ///   - entries: The track's entries.
  ///   - day: The local day of an instant.
  mutating func note(_ entries: [EntryRecord], day: (Int64) -> Int) {
    for entry in entries where entry.isAlert {
      alerts[entry.story, default: 0] += 1
      if let time = entry.shownMilliseconds { days[entry.story, default: []].insert(day(time)) }
    }
  }

  /// The stories that reached the person, ascending.
  var reached: [StoryReach] {
    alerts.sorted { $0.key < $1.key }.map { story, alerts in
      StoryReach(story: story, personDays: days[story]?.count ?? 0, alerts: alerts)
    }
  }
}

/// How often a story reached one person.
public struct StoryReach: Equatable, Sendable {
  /// Index of the story.
  public var story: Int
  /// On how many days; an alert without time has none.
  public var personDays: Int
  /// By how many alerts, at least 1.
  public var alerts: Int
}

extension EntryRecord {
  /// When its alert is shown, in milliseconds since 1970; nil without times.
  var shownMilliseconds: Int64? { deliveryMilliseconds ?? timeMilliseconds }
}

/// Collects the local days on which a track has fixes.
struct DayCounter {
  private let zone: ClockZone
  private var days: Set<Int> = []
  private var quarter: Int64?

  init(zone: ClockZone) {
    self.zone = zone
  }

  /// Takes the time of the next fix.
  mutating func take(_ milliseconds: Int64?) {
    guard let milliseconds else { return }
    // Every zone's days and changes of offset begin at a quarter of an hour.
    let quarter = milliseconds / 900_000
    guard quarter != self.quarter else { return }
    self.quarter = quarter
    days.insert(Self.day(of: milliseconds, in: zone))
  }

  /// The alerts of each day, 0 on days without.
  func alerts(of entries: [EntryRecord]) -> [Int: Int] {
    var counts = Dictionary(uniqueKeysWithValues: days.map { ($0, 0) })
    for entry in entries where entry.isAlert {
      if let time = entry.shownMilliseconds {
        counts[Self.day(of: time, in: zone), default: 0] += 1
      }
    }
    return counts
  }

  /// The day that clocks show at an instant, in days since 1970.
  static func day(of milliseconds: Int64, in zone: ClockZone) -> Int {
    let local = milliseconds + zone.offsetSeconds(atMilliseconds: milliseconds) * 1000
    return Int(local >= 0 ? local / 86_400_000 : (local - 86_399_999) / 86_400_000)
  }
}
