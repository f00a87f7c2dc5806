package import FencepostNotifications

/// What one person's earlier tracks left behind, which later ones start from.
///
/// A story that alerted yesterday may be quiet today, on the phone and with every place watched. So
/// a person's tracks are followed one after the other.
struct PersonCourse {
  /// The alert policy's memory if every place is watched.
  var unlimited = AlertPolicy.State()
  /// The alert policy's memory on the simulated phone.
  var limited = AlertPolicy.State()
  /// What happened on each simulated phone; empty before the first track.
  var phones: [PhoneCourse] = []
  /// The local days with an alert of each story, in days since 1970, and the number of its alerts.
  private var days: [Int: Set<Int>] = [:]
  private var alerts: [Int: Int] = [:]

  /// Notes the alerts of a track; `day` finds the local day of an instant.
  mutating func note(_ entries: [EntryRecord], day: (Int64) -> Int) {
    for entry in entries where entry.isAlert {
      alerts[entry.story, default: 0] += 1
      if let time = entry.shownMilliseconds { days[entry.story, default: []].insert(day(time)) }
    }
  }

  /// The stories that alerted, ascending.
  var reached: [StoryReach] {
    alerts.sorted { $0.key < $1.key }.map { story, alerts in
      StoryReach(story: story, personDays: days[story]?.count ?? 0, alerts: alerts)
    }
  }
}

/// How often a story alerted one person, on all of the person's tracks.
///
/// It tells a story that reaches many readers once from a story that alerts the same few every day.
package struct StoryReach: Equatable, Sendable {
  /// The story's index in the analysis.
  package var story: Int
  /// The number of days with an alert; alerts without a time are not counted.
  package var personDays: Int
  /// The number of alerts, at least 1.
  package var alerts: Int
}

extension EntryRecord {
  /// When the alert is shown, in milliseconds since 1970; nil if the track has no times.
  var shownMilliseconds: Int64? { deliveryMilliseconds ?? timeMilliseconds }
}

/// Finds the local days on which a track has fixes, and counts alerts by day.
///
/// Use one for each track. The days are those of the clock in one time zone, so a walk past
/// midnight has two.
package struct DayCounter {
  private let zone: ClockZone
  private(set) var days: Set<Int> = []
  private var quarter: Int64?

  /// Counts the days of one track by the clock of a zone.
  package init(zone: ClockZone) { self.zone = zone }

  /// Notes the day of a fix; nil, for a fix without a time, is ignored.
  package mutating func take(_ milliseconds: Int64?) {
    guard let milliseconds else { return }
    // In every time zone, days begin and offsets change on a quarter of an hour.
    let quarter = milliseconds / 900_000
    guard quarter != self.quarter else { return }
    self.quarter = quarter
    days.insert(Self.day(of: milliseconds, in: zone))
  }

  /// Returns the number of alerts per day, including days with none.
  package func alerts(of entries: [EntryRecord]) -> [Int: Int] {
    var counts = Dictionary(uniqueKeysWithValues: days.map { ($0, 0) })
    for entry in entries where entry.isAlert {
      if let time = entry.shownMilliseconds {
        counts[Self.day(of: time, in: zone), default: 0] += 1
      }
    }
    return counts
  }

  /// Returns the local day at an instant, in days since 1970.
  package static func day(of milliseconds: Int64, in zone: ClockZone) -> Int {
    let local = milliseconds + zone.offsetSeconds(atMilliseconds: milliseconds) * 1000
    return Int(local >= 0 ? local / 86_400_000 : (local - 86_399_999) / 86_400_000)
  }
}
