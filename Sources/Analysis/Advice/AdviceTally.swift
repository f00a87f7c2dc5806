/// What happens on all tracks, as integers so that sums are exact.
package struct AdviceTally: SummedTracks, Equatable, Sendable {
  package struct Story: Equatable, Sendable {
    package var alerts = 0
    /// The number of persons it reaches; a track without a person counts as one.
    package var persons = 0

    package init(alerts: Int = 0, persons: Int = 0) {
      (self.alerts, self.persons) = (alerts, persons)
    }
  }

  package private(set) var tracks = 0
  package private(set) var persons = 0
  package var sums = TrackSums()
  /// The number of persons reached, summed over all stories.
  package private(set) var reached = 0
  /// The stories that alert, by id.
  package private(set) var stories: [String: Story] = [:]
  /// The alerts of the simulated phone, weighted for the purpose; nil if no phone was asked.
  package var simulated: SimulatedAlerts?
  private var daysByAlerts: [Int: Int] = [:]

  package init() {}

  init(_ run: PersonRun) {
    (tracks, persons, sums, reached) = (run.tracks.count, 1, run.sums, run.reached)
    stories = run.stories.filter { $0.value.alerts > 0 }
      .mapValues { Story(alerts: $0.alerts, persons: 1) }
    for alerts in run.alertsByDay.values { daysByAlerts[alerts, default: 0] += 1 }
    simulated = run.simulated
  }

  package static func += (sum: inout AdviceTally, other: AdviceTally) {
    sum.tracks += other.tracks
    sum.persons += other.persons
    sum.sums += other.sums
    sum.reached += other.reached
    sum.stories.merge(other.stories) {
      Story(alerts: $0.alerts + $1.alerts, persons: $0.persons + $1.persons)
    }
    sum.daysByAlerts.merge(other.daysByAlerts, uniquingKeysWith: +)
    if let more = other.simulated { sum.simulated = (sum.simulated ?? SimulatedAlerts()) + more }
  }

  package var fatigue: Fatigue { Fatigue(daysByAlerts: daysByAlerts) }

  /// The share of the oracle's alerts that the phone gives too; nil if the oracle gives none.
  package var recall: Double? {
    let counts = sums.counts
    return counts.oracleAlerts > 0
      ? Double(counts.foundAlerts) / Double(counts.oracleAlerts) : nil
  }
}
