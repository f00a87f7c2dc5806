import FencepostTime

/// Alerts by weekday and by month, with the days on which there were fixes to alert at.
///
/// Days are local to the zone of the analysis. A day counts once for each track with a fix on it.
package struct AlertCalendar: Equatable, Sendable {
  /// A month of a year.
  package struct Month: Hashable, Comparable, Sendable {
    /// The year.
    package var year: Int
    /// The month, 1 … 12.
    package var month: Int

    /// Names a month.
    package init(year: Int, month: Int) {
      self.year = year
      self.month = month
    }

    /// In time's order.
    package static func < (a: Month, b: Month) -> Bool { (a.year, a.month) < (b.year, b.month) }
  }

  /// A number of alerts and of days.
  package struct Count: Equatable, Sendable {
    /// Alerts shown on these days.
    package var alerts = 0
    /// Days of tracks with a fix.
    package var trackDays = 0

    /// Makes a count.
    package init(alerts: Int = 0, trackDays: Int = 0) {
      self.alerts = alerts
      self.trackDays = trackDays
    }
  }

  /// By weekday: Monday first, as ISO 8601 counts.
  package private(set) var weekdays = [Count](repeating: Count(), count: 7)
  /// By month.
  package private(set) var months: [Month: Count] = [:]

  /// Makes a calendar without days.
  package init() {}

  /// Adds the days of a track.
  ///
  /// - Parameter alertsByDay: Alerts by local day in days since 1970, 0 on days without.
  package mutating func add(_ alertsByDay: [Int: Int]) {
    for (day, alerts) in alertsByDay {
      let date = CivilDate(daysSince1970: day)
      // 1 January 1970 was a Thursday.
      Self.add(alerts, to: &weekdays[((day % 7) + 10) % 7])
      Self.add(alerts, to: &months[Month(year: date.year, month: date.month), default: Count()])
    }
  }

  /// Adds what another calendar has of a weekday, 0 for Monday.
  package mutating func add(_ count: Count, weekday: Int) {
    weekdays[weekday].alerts += count.alerts
    weekdays[weekday].trackDays += count.trackDays
  }

  /// Adds what another calendar has of a month.
  package mutating func add(_ count: Count, month: Month) {
    months[month, default: Count()].alerts += count.alerts
    months[month, default: Count()].trackDays += count.trackDays
  }

  private static func add(_ alerts: Int, to count: inout Count) {
    count.alerts += alerts
    count.trackDays += 1
  }
}
