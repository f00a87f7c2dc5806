/// What happens on all tracks: integers, so that those of persons add up exactly.
package struct AdviceTally: Equatable, Sendable {
  /// How often one story alerts.
  package struct Story: Equatable, Sendable {
    /// Number of its alerts.
    package var alerts = 0
    /// Number of persons whom it reaches; a track of nobody in particular counts as one.
    package var persons = 0

    /// Makes a story's numbers.
    package init(alerts: Int = 0, persons: Int = 0) {
      self.alerts = alerts
      self.persons = persons
    }
  }

  /// Number of tracks.
  package private(set) var tracks = 0
  /// Number of persons; a track of nobody in particular counts as one.
  package private(set) var persons = 0
  /// The counts of the entries.
  package private(set) var counts = EntryCounts()
  /// Number of refreshes.
  package private(set) var refreshes = 0
  /// Length of all paths in millimetres.
  package private(set) var lengthMillimeters = 0
  /// Number of persons that stories reach, summed over the stories: a person counts once for each story.
  package private(set) var reached = 0
  /// The stories that alert, by id.
  package private(set) var stories: [String: Story] = [:]
  private var daysByAlerts: [Int: Int] = [:]

  /// Makes a tally of nothing.
  package init() {}

  /// Adds a person.
  mutating func add(_ run: PersonRun) {
    tracks += run.tracks.count
    persons += 1
    counts += run.counts
    refreshes += run.refreshes
    lengthMillimeters += run.lengthMillimeters
    reached += run.reached
    for (id, story) in run.stories where story.alerts > 0 {
      stories[id, default: Story()].alerts += story.alerts
      stories[id, default: Story()].persons += 1
    }
    for alerts in run.alertsByDay.values { daysByAlerts[alerts, default: 0] += 1 }
  }

  /// The tally with another's tracks.
  package func adding(_ other: AdviceTally) -> AdviceTally {
    var sum = self
    sum.tracks += other.tracks
    sum.persons += other.persons
    sum.counts += other.counts
    sum.refreshes += other.refreshes
    sum.lengthMillimeters += other.lengthMillimeters
    sum.reached += other.reached
    for (id, story) in other.stories {
      sum.stories[id, default: Story()].alerts += story.alerts
      sum.stories[id, default: Story()].persons += story.persons
    }
    sum.daysByAlerts.merge(other.daysByAlerts, uniquingKeysWith: +)
    return sum
  }

  /// The alerts a person-day.
  package var fatigue: Fatigue { Fatigue(daysByAlerts: daysByAlerts) }

  /// The share of the alerts with every place monitored whose entry alerts on the device too; nil without any.
  package var recall: Double? {
    counts.oracleAlerts > 0 ? Double(counts.foundAlerts) / Double(counts.oracleAlerts) : nil
  }

  /// Refreshes a kilometre; nil without a path.
  package var refreshesPerKilometer: Double? {
    lengthMillimeters > 0 ? Double(refreshes) * 1_000_000 / Double(lengthMillimeters) : nil
  }
}
