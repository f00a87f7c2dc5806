/// Totals per person and day: the number of alerts, and the confidence interval of the recall.
///
/// Only local days on which a person has a fix count. A track without a person counts as a person
/// of its own.
package struct PersonTotals: Equatable, Sendable {
  /// What is known of one person: alerts by day, and the ratios over the person's tracks.
  ///
  /// The recall's interval resamples these ratios, because entries of one person are not
  /// independent.
  package struct Person: Equatable, Sendable {
    /// Alerts by local day, in days since 1970; a day with fixes but no alerts has 0.
    package var alertsByDay: [Int: Int] = [:]
    /// Due alerts that came on the phone.
    package var recall = Ratio()
    /// Entries that the phone noticed as they happened.
    package var entryRecall = Ratio()
    /// Stories due on a track that alerted on it.
    package var storyRecall = Ratio()

    /// Creates a person without tracks.
    package init() {}
  }

  /// A ratio over the tracks of one person, as two sums.
  ///
  /// Sums add up exactly where quotients would not.
  package struct Ratio: Equatable, Sendable {
    /// The numerator.
    package var found = 0
    /// The denominator; 0 if there was nothing to find.
    package var all = 0

    /// Creates a ratio from its two sums.
    package init(found: Int = 0, all: Int = 0) { (self.found, self.all) = (found, all) }

    fileprivate static func += (ratio: inout Ratio, other: Ratio) {
      ratio.found += other.found
      ratio.all += other.all
    }
  }

  /// The persons by name.
  package private(set) var persons: [String: Person] = [:]
  /// The number of tracks without a person.
  package var loneTracks = 0
  /// Days of tracks without a person, by number of alerts.
  package var loneDays: [Int: Int] = [:]

  /// The number of named persons.
  package var count: Int { persons.count }

  mutating func add(_ account: TrackAccount) {
    guard let name = account.person else {
      loneTracks += 1
      for alerts in account.alertsByDay.values { loneDays[alerts, default: 0] += 1 }
      return
    }
    let counts = account.counts
    var person = Person()
    person.alertsByDay = account.alertsByDay
    person.recall = Ratio(found: counts.foundAlerts, all: counts.dueAlerts)
    person.entryRecall = Ratio(found: counts.found, all: counts.entries)
    person.storyRecall = Ratio(found: account.foundStories, all: account.dueStories)
    add(person, named: name)
  }

  /// Adds tracks of a person, who may be known already.
  package mutating func add(_ sums: Person, named name: String) {
    var person = persons.removeValue(forKey: name) ?? Person()
    person.alertsByDay.merge(sums.alertsByDay, uniquingKeysWith: +)
    person.recall += sums.recall
    person.entryRecall += sums.entryRecall
    person.storyRecall += sums.storyRecall
    persons[name] = person
  }

  /// The days of all persons by number of alerts; each day of a track without a person is one too.
  package var fatigue: Fatigue {
    var days = loneDays
    for person in persons.values {
      for alerts in person.alertsByDay.values { days[alerts, default: 0] += 1 }
    }
    return Fatigue(daysByAlerts: days)
  }

  /// Returns the 95 % bootstrap interval of a ratio, resampling persons with all of their tracks.
  ///
  /// Nil for fewer than two persons, or if any track has no person.
  func interval(_ ratio: KeyPath<Person, Ratio>) -> ClosedRange<Double>? {
    guard loneTracks == 0 else { return nil }
    let sums = persons.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { $0.value[keyPath: ratio] }.filter { $0.all > 0 }
    guard sums.count > 1 else { return nil }
    return Bootstrap().interval(of: sums.count) { drawn in
      var sum = Ratio()
      for index in drawn { sum += sums[index] }
      return Double(sum.found) / Double(sum.all)
    }
  }
}

/// How many alerts people get in a day, as the number of days with each number of alerts.
///
/// It tells whether a rule alerts so often that people turn it off.
package struct Fatigue: Equatable, Sendable {
  /// The default limit: more alerts per day than this are too many.
  package static let usualLimit = 5

  /// Days with each number of alerts.
  package let daysByAlerts: [Int: Int]
  /// The number of days, with or without alerts.
  package let days: Int

  init(daysByAlerts: [Int: Int]) {
    self.daysByAlerts = daysByAlerts
    days = daysByAlerts.values.reduce(0, +)
  }

  /// The number of alerts on all days.
  package var alerts: Int { daysByAlerts.reduce(0) { $0 + $1.key * $1.value } }

  /// The most alerts on any day; nil if there are no days.
  package var most: Int? { daysByAlerts.keys.max() }

  /// The average number of alerts per day; nil if there are no days.
  package var mean: Double? { days > 0 ? Double(alerts) / Double(days) : nil }

  /// Returns the smallest number of alerts that a share of days, such as 0.9, stays within.
  ///
  /// Nil if there are no days.
  package func quantile(_ share: Double) -> Int? {
    var seen = 0
    for (alerts, count) in daysByAlerts.sorted(by: { $0.key < $1.key }) {
      seen += count
      if Double(seen) >= share * Double(days) - 1e-9 { return alerts }
    }
    return nil
  }

  /// The number of days with more alerts than this.
  package func days(over limit: Int) -> Int {
    daysByAlerts.reduce(0) { $1.key > limit ? $0 + $1.value : $0 }
  }
}
