import FencepostNotifications

struct PersonCourse {
  /// The alert policy's memory if every place is watched.
  var oracle = AlertPolicy.State()
  /// The alert policy's memory on the simulated phone.
  var device = AlertPolicy.State()
  /// What happened on each simulated phone; empty before the first track.
  var phones: [PhoneCourse] = []
  private var days: [Int: Set<Int>] = [:]
  private var alerts: [Int: Int] = [:]

  mutating func note(_ entries: [EntryRecord], day: (Int64) -> Int) {
    for entry in entries where entry.isAlert {
      alerts[entry.story, default: 0] += 1
      if let time = entry.shownMilliseconds { days[entry.story, default: []].insert(day(time)) }
    }
  }

  var reached: [StoryReach] {
    alerts.sorted { $0.key < $1.key }.map { story, alerts in
      StoryReach(story: story, personDays: days[story]?.count ?? 0, alerts: alerts)
    }
  }
}

package struct StoryReach: Equatable, Sendable {
  package var story: Int
  /// The number of days with an alert; alerts without a time are not counted.
  package var personDays: Int
  package var alerts: Int
}

extension EntryRecord {
  /// When the alert is shown, in milliseconds since 1970; nil if the track has no times.
  var shownMilliseconds: Int64? { deliveryMilliseconds ?? timeMilliseconds }
}
