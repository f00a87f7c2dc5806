import FencepostTime

/// Alerts by weekday and month, and the days on which tracks have fixes.
///
/// Days are local to the analysis's time zone. A day counts once per track with a fix on it.
package struct AlertCalendar: Equatable, Sendable {
  package struct Month: Hashable, Comparable, Sendable {
    package var year: Int
    /// The month, 1 to 12.
    package var month: Int

    package init(year: Int, month: Int) {
      self.year = year
      self.month = month
    }

    package static func < (a: Month, b: Month) -> Bool { (a.year, a.month) < (b.year, b.month) }
  }

  package struct Count: Equatable, Sendable {
    package var alerts = 0
    /// Days with a fix, summed over tracks.
    package var trackDays = 0

    package init(alerts: Int = 0, trackDays: Int = 0) {
      self.alerts = alerts
      self.trackDays = trackDays
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
      // January 1, 1970, was a Thursday.
      Self.add(alerts, to: &weekdays[((day % 7) + 10) % 7])
      Self.add(alerts, to: &months[Month(year: date.year, month: date.month), default: Count()])
    }
  }

  /// Adds the counts of a weekday, 0 for Monday.
  package mutating func add(_ count: Count, weekday: Int) {
    weekdays[weekday].alerts += count.alerts
    weekdays[weekday].trackDays += count.trackDays
  }

  package mutating func add(_ count: Count, month: Month) {
    months[month, default: Count()].alerts += count.alerts
    months[month, default: Count()].trackDays += count.trackDays
  }

  private static func add(_ alerts: Int, to count: inout Count) {
    count.alerts += alerts
    count.trackDays += 1
  }
}
