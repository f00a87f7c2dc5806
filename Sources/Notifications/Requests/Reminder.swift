public import FencepostTime

/// A reminder as an app knows it; it may need several requests.
public struct Reminder: Hashable, Codable, Sendable {
  /// The identifier, whose prefix names the kind.
  public var id: String
  /// What is shown.
  public var content: NotificationContent
  /// When or where.
  public var schedule: Schedule
  /// Skipped occurrences, by their local date and time.
  public var skipped: Set<LocalTime>

  /// When or where a reminder is due.
  public enum Schedule: Hashable, Codable, Sendable {
    /// At dates and times on the anchor's clock.
    case at([LocalTime], anchor: ClockAnchor)
    /// At times on weekdays, every week.
    case weekly(Set<Weekday>, [TimeOfDay], anchor: ClockAnchor)
    /// Whenever a clock matches a pattern.
    case repeating(CalendarPattern, anchor: ClockAnchor)
    /// After a time, once or repeatedly, counted from when the reminders are handed over.
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

  /// The requests for this reminder: repeating ones if it repeats, one for each time, and for each weekday
  /// unless it is due on all seven.
  ///
  /// A phone cannot skip an occurrence of a repeating request, so ``skipped`` only applies to single ones.
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

  /// The weekdays that need a request of their own; nil stands for all seven.
  private static func patternWeekdays(_ weekdays: Set<Weekday>) -> [Weekday?] {
    weekdays.count == Weekday.allCases.count ? [nil] : weekdays.sorted()
  }

  /// The end of a weekly request's identifier: `.mon.08:30`, or `.daily.08:30` for all weekdays.
  static func suffix(_ weekday: Weekday?, _ time: TimeOfDay) -> String {
    ".\(weekday?.name.prefix(3) ?? "daily").\(time)"
  }

  /// Whether an identifier is that of a weekly request of a reminder.
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

/// A date and a time on some clock.
public struct LocalTime: Hashable, Sendable, CodableAsText {
  /// The date.
  public let date: CivilDate
  /// The time of the day.
  public let time: TimeOfDay

  /// Makes a local time of its parts.
  public init(date: CivilDate, time: TimeOfDay) {
    self.date = date
    self.time = time
  }

  /// Reads `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`; nil for anything else and for days that do not
  /// exist.
  public init?(_ text: String) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = TimeOfDay(String(parts[1])), parts[0].utf8.count == 10,
      let midnight = ISO8601.milliseconds(parsing: String(parts[0]))
    else { return nil }
    self.init(
      date: CivilDate(daysSince1970: Int(midnight.dividedDown(by: 86_400_000))), time: time)
  }

  /// The local time in a zone at an instant in milliseconds since 1970.
  public init(atMilliseconds milliseconds: Int64, in zone: ClockZone) {
    let (days, second) = zone.local(atMilliseconds: milliseconds)
    self.init(
      date: CivilDate(daysSince1970: days), time: TimeOfDay(secondOfDay: second) ?? .midnight)
  }

  /// `YYYY-MM-DDTHH:MM:SS`, without the seconds if they are zero.
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
