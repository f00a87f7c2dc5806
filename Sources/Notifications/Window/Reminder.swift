public import Formats

/// Something a user wants to be reminded of, as an app knows it: it may stand for many requests.
public struct Reminder: Equatable, Sendable {
  /// The identifier; its prefix tells the kind.
  public var id: String
  /// What is shown.
  public var content: NotificationContent
  /// When or where.
  public var schedule: Schedule
  /// Occurrences that are left out, by their local date and time.
  public var skipped: Set<LocalTime>

  /// When or where a reminder is due.
  public enum Schedule: Equatable, Sendable {
    /// At dates and times, on the clock of the anchor.
    case at([LocalTime], anchor: ClockAnchor)
    /// On weekdays at times, again and again.
    case weekly(Set<Weekday>, [TimeOfDay], anchor: ClockAnchor)
    /// Whenever a clock matches a pattern.
    case repeating(CalendarPattern, anchor: ClockAnchor)
    /// After a time, once or again and again, counted from when the reminders are handed over.
    case interval(IntervalTrigger)
    /// At a circle.
    case region(RegionTrigger)
  }

  /// Makes a reminder of its parts.
  public init(
    id: String, content: NotificationContent, schedule: Schedule, skipped: Set<LocalTime> = []
  ) {
    self.id = id
    self.content = content
    self.schedule = schedule
    self.skipped = skipped
  }

  /// The requests that say the same to a phone, repeating ones where it repeats: one for each time
  /// on every day, or one for each weekday and time where some weekdays are left out.
  ///
  /// A phone cannot leave out one occurrence of a repeating request, and so these do not either.
  ///
  /// - Parameter milliseconds: When they are asked for, since 1970.
  /// - Returns: One request, or several for a reminder with several times.
  public func requests(askedMilliseconds milliseconds: Int64) -> [NotificationRequest] {
    switch schedule {
    case .at(let times, let anchor):
      times.filter { !skipped.contains($0) }.map {
        request("@\($0)", .calendar($0.pattern, repeats: false, anchor: anchor), milliseconds)
      }
    case .weekly(let weekdays, let times, let anchor):
      Self.patternWeekdays(weekdays).flatMap { weekday in
        times.map { time in
          request(
            Self.suffix(weekday, time),
            .calendar(
              CalendarPattern(time: time, weekday: weekday), repeats: true, anchor: anchor),
            milliseconds)
        }
      }
    case .repeating(let pattern, let anchor):
      [request("", .calendar(pattern, repeats: true, anchor: anchor), milliseconds)]
    case .interval(let interval): [request("", .interval(interval), milliseconds)]
    case .region(let region): [request("", .region(region), milliseconds)]
    }
  }

  /// The weekdays that need a request of their own: none in particular where all seven are meant.
  private static func patternWeekdays(_ weekdays: Set<Weekday>) -> [Weekday?] {
    weekdays.count == Weekday.allCases.count ? [nil] : weekdays.sorted()
  }

  /// What the identifier of a weekly request ends with: `.mon.08:30`, or `.daily.08:30` for all
  /// weekdays.
  static func suffix(_ weekday: Weekday?, _ time: TimeOfDay) -> String {
    ".\(weekday?.name.prefix(3) ?? "daily").\(time)"
  }

  /// Whether a weekly request of a reminder would have this identifier.
  static func isWeekly(_ identifier: String, of reminderID: String) -> Bool {
    guard identifier.hasPrefix(reminderID) else { return false }
    let parts = identifier.dropFirst(reminderID.count)
      .split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0].isEmpty, let time = TimeOfDay(parts[2]) else { return false }
    return identifier == reminderID + suffix(Weekday(parts[1]), time)
  }

  func request(
    _ suffix: String, _ trigger: NotificationTrigger, _ askedMilliseconds: Int64
  ) -> NotificationRequest {
    NotificationRequest(
      identifier: id + suffix, content: content, trigger: trigger,
      askedMilliseconds: askedMilliseconds)
  }
}

/// A date and a time on a clock, without saying whose.
public struct LocalTime: Hashable, Sendable, CustomStringConvertible {
  /// The date.
  public let date: CivilDate
  /// The time of the day.
  public let time: TimeOfDay

  /// Makes a local time of its parts.
  public init(date: CivilDate, time: TimeOfDay) {
    self.date = date
    self.time = time
  }

  /// Reads `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`; nil for anything else and for days that
  /// do not exist.
  public init?(_ text: String) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = TimeOfDay(String(parts[1])), parts[0].utf8.count == 10,
      let midnight = ISO8601.milliseconds(parsing: String(parts[0]))
    else { return nil }
    self.init(
      date: CivilDate(daysSince1970: Int(midnight.dividedDown(by: 86_400_000))), time: time)
  }

  /// What a clock showed at an instant, in milliseconds since 1970.
  init(atMilliseconds milliseconds: Int64, in zone: ClockZone) {
    let (days, second) = zone.local(atMilliseconds: milliseconds)
    self.init(
      date: CivilDate(daysSince1970: days), time: TimeOfDay(secondOfDay: second) ?? .midnight)
  }

  /// `YYYY-MM-DDTHH:MM:SS`, the seconds only where they are not zero.
  public var description: String {
    let midnight = ISO8601.string(milliseconds: Int64(date.daysSince1970) * 86_400_000)
    return midnight.prefix(10) + "T\(time)"
  }

  var pattern: CalendarPattern { CalendarPattern(date: date, time: time) }

  /// The instant at which a clock shows it.
  func milliseconds(in zone: ClockZone) -> Int64 {
    zone.milliseconds(date: date, secondOfDay: time.secondOfDay)
  }
}
