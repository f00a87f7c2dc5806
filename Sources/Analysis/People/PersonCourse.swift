import FencepostNotifications

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
package struct StoryReach: Equatable, Sendable {
  /// Index of the story.
  package var story: Int
  /// On how many days; an alert without time has none.
  package var personDays: Int
  /// By how many alerts, at least 1.
  package var alerts: Int
}

extension EntryRecord {
  /// When its alert is shown, in milliseconds since 1970; nil without times.
  var shownMilliseconds: Int64? { deliveryMilliseconds ?? timeMilliseconds }
}
