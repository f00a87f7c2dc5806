public import FencepostNotifications
public import Foundation

// Dates, zones and calendars as apps have them. The core counts milliseconds, and has no Foundation.

/// The system's clock.
public enum WallClock {
  /// The current time in milliseconds since 1970-01-01T00:00:00Z.
  public static var nowMilliseconds: Int64 { Date().millisecondsSince1970 }
}

extension Date {
  var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}

extension ClockZone {
  /// Foundation's zone; one that the database of time zones lacks keeps its present offset.
  public init(_ zone: TimeZone) {
    self =
      ClockZone(identifier: zone.identifier) ?? ClockZone(offsetSeconds: zone.secondsFromGMT())
  }
}

extension NotificationScheduler.Situation {
  /// The phone's clock and zone, without a position.
  public static var now: Self { Self(at: Date()) }

  /// A date in a zone, without a position.
  public init(at date: Date, zone: TimeZone = .current) {
    self.init(nowMilliseconds: date.millisecondsSince1970, zone: ClockZone(zone))
  }
}

extension LocalTime {
  /// The date and time that a clock in a zone shows.
  public init(_ date: Date, in zone: TimeZone = .current) {
    self.init(atMilliseconds: date.millisecondsSince1970, in: ClockZone(zone))
  }
}

extension TimeOfDay {
  /// The time of day that a clock in a zone shows.
  public init(_ date: Date, in zone: TimeZone = .current) { self = LocalTime(date, in: zone).time }
}

extension Weekday {
  /// Reads a name in the language of a calendar, or in English, ignoring case.
  ///
  /// Names may be whole, abbreviated, or the first three letters if no other weekday begins with
  /// them.
  public init?(_ name: String, in calendar: Calendar) {
    let whole = calendar.weekdaySymbols
    let lists = [
      whole, calendar.standaloneWeekdaySymbols, calendar.shortWeekdaySymbols,
      calendar.shortStandaloneWeekdaySymbols, whole.map { String($0.prefix(3)) },
    ]
    self.init(name, in: lists) {
      $0.lowercased(with: calendar.locale).trimmingCharacters(in: ["."])
    }
  }
}

extension Reminder {
  /// Creates a reminder for one date.
  ///
  /// - Parameters:
  ///   - id: The identifier; its prefix selects the kind.
  ///   - content: The content of its notification.
  ///   - date: When it is due on the phone's clock as it is now.
  ///   - zone: The zone whose clock it stays on; nil for the phone's, wherever it travels.
  public init(id: String, content: NotificationContent, at date: Date, zone: TimeZone? = nil) {
    self.init(
      id: id, content: content,
      schedule: .at(
        [LocalTime(date, in: zone ?? .current)],
        anchor: zone.map { .fixed(ClockZone($0)) } ?? .floating))
  }
}

extension NotificationTrigger {
  /// Fires once at a date, rounded up to a whole second.
  public static func at(_ date: Date) -> NotificationTrigger {
    .at(milliseconds: date.millisecondsSince1970)
  }
}

extension NotificationRequest {
  /// Creates a request that shows this notification once more; snoozing again replaces it.
  public func snoozed(until date: Date) -> NotificationRequest {
    snoozed(untilMilliseconds: date.millisecondsSince1970)
  }

  /// Creates a request that shows this notification once more after a duration.
  public func snoozed(for duration: Duration, at date: Date = Date()) -> NotificationRequest {
    snoozed(untilMilliseconds: date.millisecondsSince1970 + duration.roundedMilliseconds)
  }
}

extension NextFire {
  /// The date; nil unless it is known.
  public var date: Date? {
    guard case .at(let milliseconds) = self else { return nil }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}

extension StoryEntry {
  /// When the path entered the circle or the phone reported it.
  public var date: Date { Date(timeIntervalSince1970: Double(timeMilliseconds) / 1000) }
}

extension SlidingWindow {
  /// Replaces this window's own requests in the list of an update, and touches no others.
  ///
  /// - Parameters:
  ///   - reminders: All reminders of the window. Requests of any others are removed.
  ///   - requests: The list of the update.
  ///   - date: The current date.
  ///   - zone: The time zone of the phone.
  ///   - prefix: What the ids of its reminders begin with, if the app has several windows.
  public func replace(
    _ reminders: [Reminder], in requests: inout [NotificationRequest], at date: Date = Date(),
    zone: TimeZone = .current, prefix: String = ""
  ) {
    replace(
      reminders, in: &requests, nowMilliseconds: date.millisecondsSince1970,
      zone: ClockZone(zone), prefix: prefix)
  }
}

extension SecondStagger {
  /// Moves requests of one second to free seconds; repeating intervals and circles do not move.
  public func stagger(
    _ requests: inout [NotificationRequest], at date: Date = Date(), zone: TimeZone = .current
  ) {
    requests = stagger(
      requests, nowMilliseconds: date.millisecondsSince1970, zone: ClockZone(zone))
  }
}

extension WeekdayReminders {
  /// Replaces a reminder's requests in the list of an update.
  public mutating func set(
    _ reminder: Reminder, in requests: inout [NotificationRequest], at date: Date = Date()
  ) {
    set(reminder, in: &requests, askedMilliseconds: date.millisecondsSince1970)
  }
}
