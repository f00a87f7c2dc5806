/// The totals by person and day: how many alerts people get, and how sure the recall is.
///
/// A person-day is a local day on which a person has a fix. A track of nobody in particular counts as a person of
/// its own.
package struct PersonTotals: Equatable, Sendable {
  /// The sums of one person.
  package struct Person: Equatable, Sendable {
    package var alertsByDay: [Int: Int] = [:]
    package var recall = Ratio()
    package var entryRecall = Ratio()
    package var storyRecall = Ratio()

    package init() {}
  }

  /// A ratio's sums.
  package struct Ratio: Equatable, Sendable {
    package var found = 0
    package var all = 0

    package init(found: Int = 0, all: Int = 0) {
      (self.found, self.all) = (found, all)
    }
  }

  package private(set) var persons: [String: Person] = [:]
  /// Number of tracks that belong to no person.
  package private(set) var loneTracks = 0
  /// Number of days of tracks without a person, by number of alerts.
  package private(set) var loneDays: [Int: Int] = [:]

  /// Makes totals of zero.
  package init() {}

  /// Number of persons, apart from lone tracks.
  package var count: Int { persons.count }

  /// Adds a track.
  mutating func add(_ account: TrackAccount) {
    guard let name = account.person else {
      loneTracks += 1
      for alerts in account.alertsByDay.values { loneDays[alerts, default: 0] += 1 }
      return
    }
    var person = Person()
    person.alertsByDay = account.alertsByDay
    person.recall.add(account.counts.foundAlerts, account.counts.oracleAlerts)
    person.entryRecall.add(account.counts.found, account.counts.entries)
    person.storyRecall.add(account.foundStories, account.oracleStories)
    add(person, named: name)
  }

  /// Adds a person's sums over some tracks.
  package mutating func add(_ sums: Person, named name: String) {
    var person = persons.removeValue(forKey: name) ?? Person()
    person.alertsByDay.merge(sums.alertsByDay, uniquingKeysWith: +)
    person.recall.add(sums.recall.found, sums.recall.all)
    person.entryRecall.add(sums.entryRecall.found, sums.entryRecall.all)
    person.storyRecall.add(sums.storyRecall.found, sums.storyRecall.all)
    persons[name] = person
  }

  /// Adds tracks that belong to no person.
  ///
  /// - Parameters:
  ///   - loneTracks: How many.
  ///   - days: The number of their days, by number of alerts.
  package mutating func add(loneTracks: Int, days: [Int: Int]) {
    self.loneTracks += loneTracks
    loneDays.merge(days, uniquingKeysWith: +)
  }

  /// The alerts a person-day.
  package var fatigue: Fatigue {
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
      var sum = Ratio()
      for index in drawn { sum.add(sums[index].found, sums[index].all) }
      return Double(sum.found) / Double(sum.all)
    }
  }
}

extension PersonTotals.Ratio {
  mutating func add(_ found: Int, _ all: Int) {
    self.found += found
    self.all += all
  }
}

/// How many alerts a person gets in a day.
package struct Fatigue: Equatable, Sendable {
  /// How many alerts a day are too many, unless another number is given.
  package static let usualLimit = 5

  /// Number of person-days, by number of alerts.
  package let daysByAlerts: [Int: Int]
  /// Number of person-days.
  package let days: Int

  init(daysByAlerts: [Int: Int]) {
    self.daysByAlerts = daysByAlerts
    days = daysByAlerts.values.reduce(0, +)
  }

  /// Number of alerts on all days.
  package var alerts: Int { daysByAlerts.reduce(0) { $0 + $1.key * $1.value } }

  /// The most alerts on one day; nil without days.
  package var most: Int? { daysByAlerts.keys.max() }

  /// The least number of alerts that at least a share of the days do not exceed; nil without days.
  ///
  /// - Parameter share: 0.5 for the median, 0.9 for the 90th percentile.
  /// - Returns: The number of alerts.
  package func quantile(_ share: Double) -> Int? {
    var seen = 0
    for (alerts, count) in daysByAlerts.sorted(by: { $0.key < $1.key }) {
      seen += count
      if Double(seen) >= share * Double(days) - 1e-9 { return alerts }
    }
    return nil
  }

  /// Number of days with more alerts than a limit.
  package func days(over limit: Int) -> Int {
    daysByAlerts.reduce(0) { $1.key > limit ? $0 + $1.value : $0 }
  }
}
