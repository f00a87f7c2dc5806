import FencepostNotifications

/// What happens on the tracks of one person or of several, as integers so that sums are exact.
///
/// The search compares one tally before a change with one after it.
package struct AdviceTally: SummedTracks, Equatable, Sendable {
  /// What one story brings on the tracks: how often it alerts, and whom it reaches.
  ///
  /// Stories that never alert are not listed.
  package struct Story: Equatable, Sendable {
    /// The number of alerts on all tracks, by the rule.
    package var alerts = 0
    /// The number of persons it reaches; a track without a person counts as one.
    package var persons = 0

    /// Creates the numbers of a story; by default it never alerted.
    package init(alerts: Int = 0, persons: Int = 0) {
      (self.alerts, self.persons) = (alerts, persons)
    }
  }

  /// The number of tracks, whether or not anything alerts on them.
  package internal(set) var tracks = 0
  /// The number of persons; a track without a person counts as one.
  package internal(set) var persons = 0
  /// The counts of entries, the lookups and the length of the paths; nothing else is filled in.
  package var sums = TrackSums()
  /// The stories that alert, by id.
  package internal(set) var stories: [String: Story] = [:]
  /// The alerts of the simulated phone, weighted for the purpose; nil if no phone was asked.
  package var simulated: SimulatedAlerts?

  /// Adds the numbers of other tracks, which must be those of other persons.
  package static func += (sum: inout AdviceTally, other: AdviceTally) {
    sum.tracks += other.tracks
    sum.persons += other.persons
    sum.sums += other.sums
    sum.stories.merge(other.stories) {
      Story(alerts: $0.alerts + $1.alerts, persons: $0.persons + $1.persons)
    }
    if let more = other.simulated { sum.simulated = (sum.simulated ?? SimulatedAlerts()) + more }
  }

  /// The number of persons reached, summed over all stories.
  package var reached: Int { stories.values.reduce(0) { $0 + $1.persons } }

  /// The share of due alerts that come on the phone; nil if none is due.
  package var recall: Double? {
    let counts = sums.counts
    return counts.dueAlerts > 0
      ? Double(counts.foundAlerts) / Double(counts.dueAlerts) : nil
  }
}
