import FencepostTime

/// Alerts by weekday and month, and the days on which tracks have fixes.
///
/// Days are local to the analysis's time zone. A day counts once per track with a fix on it.
package struct AlertCalendar: Equatable, Sendable {
  package struct Month: Hashable, Comparable, Sendable {
    package var year: Int
    package var month: Int

    package init(year: Int, month: Int) { (self.year, self.month) = (year, month) }

    package static func < (a: Month, b: Month) -> Bool { (a.year, a.month) < (b.year, b.month) }
  }

  package struct Count: Equatable, Sendable {
    package var alerts = 0
    /// Days with a fix, summed over tracks.
    package var trackDays = 0

    package init(alerts: Int = 0, trackDays: Int = 0) {
      (self.alerts, self.trackDays) = (alerts, trackDays)
    }

    fileprivate static func += (count: inout Count, other: Count) {
      count.alerts += other.alerts
      count.trackDays += other.trackDays
    }
  }

  /// Counts by weekday, Monday first as in ISO 8601.
  package private(set) var weekdays = [Count](repeating: Count(), count: 7)
  package private(set) var months: [Month: Count] = [:]

  package init() {}

  /// Adds a track's alerts by local day, in days since 1970; days without alerts count too.
  package mutating func add(_ alertsByDay: [Int: Int]) {
    for (day, alerts) in alertsByDay {
      let date = CivilDate(daysSince1970: day)
      let count = Count(alerts: alerts, trackDays: 1)
      // January 1, 1970, was a Thursday.
      add(count, weekday: ((day % 7) + 10) % 7)
      add(count, month: Month(year: date.year, month: date.month))
    }
  }

  package mutating func add(_ count: Count, weekday: Int) { weekdays[weekday] += count }

  package mutating func add(_ count: Count, month: Month) {
    months[month, default: Count()] += count
  }
}
