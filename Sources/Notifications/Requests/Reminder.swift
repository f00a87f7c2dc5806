public import FencepostGeodesy
import FencepostTime

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

  /// Whether it is due at a circle, not at a time.
  var isAtCircle: Bool { if case .region = schedule { true } else { false } }

  /// The clock that it follows; nil if it follows only the passing of time, or a circle.
  var anchor: ClockAnchor? {
    switch schedule {
    case .at(_, let anchor), .weekly(_, _, let anchor), .repeating(_, let anchor): anchor
    case .interval, .region: nil
    }
  }

  // MARK: Requests

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
          let pattern = CalendarPattern(time: time, weekday: weekday)
          return request(
            Self.suffix(weekday, time), .calendar(pattern, repeats: true, anchor: anchor),
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

  /// The request for one occurrence, on the anchor's clock or at the instant of an interval.
  func request(for occurrence: Occurrence, askedMilliseconds: Int64) -> NotificationRequest {
    request(
      "@\(occurrence.local)",
      anchor.map { .calendar(occurrence.local.pattern, repeats: false, anchor: $0) }
        ?? .at(milliseconds: occurrence.dueMilliseconds), askedMilliseconds)
  }

  /// The identifier of the request for one occurrence.
  func identifier(for occurrence: Occurrence) -> String { "\(id)@\(occurrence.local)" }

  private func request(
    _ suffix: String, _ trigger: NotificationTrigger, _ askedMilliseconds: Int64
  ) -> NotificationRequest {
    NotificationRequest(
      identifier: id + suffix, content: content, trigger: trigger,
      askedMilliseconds: askedMilliseconds)
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

  // MARK: Occurrences

  /// The occurrences strictly between two instants, the soonest first; empty for circles.
  ///
  /// - Parameters:
  ///   - start: The lower bound in milliseconds since 1970.
  ///   - end: The upper bound in milliseconds since 1970.
  ///   - zone: The zone the phone is in.
  ///   - askedMilliseconds: When intervals begin to count.
  /// - Returns: Each instant once, without skipped ones.
  public func occurrences(
    after start: Int64, before end: Int64, in zone: ClockZone, askedMilliseconds: Int64
  ) -> [Occurrence] {
    let clock = anchor?.zone(onDeviceIn: zone) ?? zone
    func occurrence(_ local: LocalTime) -> Occurrence {
      Occurrence(local: local, dueMilliseconds: local.milliseconds(in: clock))
    }
    func each(_ next: (Int64) -> Int64?) -> [Occurrence] {
      var due: [Occurrence] = []
      var instant = start
      while let following = next(instant), following > instant, following < end {
        let local = LocalTime(atMilliseconds: following, in: clock)
        due.append(Occurrence(local: local, dueMilliseconds: following))
        instant = following
      }
      return due
    }
    let due: [Occurrence]
    switch schedule {
    case .at(let times, _): due = times.map(occurrence)
    case .weekly(let weekdays, let times, _):
      let first = clock.local(atMilliseconds: start).daysSince1970 - 1
      let last = clock.local(atMilliseconds: end).daysSince1970 + 1
      due = (first...max(first, last)).filter { weekdays.contains(Weekday(daysSince1970: $0)) }
        .flatMap { day in
          times.map { occurrence(LocalTime(date: .init(daysSince1970: day), time: $0)) }
        }
    case .repeating(let pattern, _):
      due = each { pattern.nextMilliseconds(after: $0, in: clock) }
    case .interval(let interval):
      due = each { interval.nextMilliseconds(after: $0, askedMilliseconds: askedMilliseconds) }
    case .region: due = []
    }
    var seen: Set<Int64> = []
    return due.filter {
      $0.dueMilliseconds > start && $0.dueMilliseconds < end && !skipped.contains($0.local)
        && seen.insert($0.dueMilliseconds).inserted
    }.sorted { $0.dueMilliseconds < $1.dueMilliseconds }
  }
}

/// One time at which a reminder is due.
public struct Occurrence: Hashable, Sendable {
  /// The local time on the anchor's clock.
  public let local: LocalTime
  /// The instant, in milliseconds since 1970.
  public let dueMilliseconds: Int64
}

/// Reminders with what they need to be planned.
public struct ReminderDocument: Hashable, Codable, Sendable {
  /// The zone the phone is in at first; UTC by default.
  public var zone: ClockZone
  /// Where the phone is, if known.
  public var location: Coordinate?
  /// The kinds.
  public var kinds: KindRegistry
  /// How often notifications of each kind were shown and tapped so far.
  public var tapRates: TapRates
  /// The slots of each kind, for the ranking by quotas.
  public var quotas: [String: Int]
  /// The reminders in their order.
  public var reminders: [Reminder]

  /// Makes a document of its parts.
  public init(
    reminders: [Reminder], kinds: KindRegistry = KindRegistry(), quotas: [String: Int] = [:],
    zone: ClockZone = .utc, location: Coordinate? = nil, tapRates: TapRates = TapRates()
  ) {
    self.zone = zone
    self.location = location
    self.kinds = kinds
    self.tapRates = tapRates
    self.quotas = quotas
    self.reminders = reminders
  }
}

/// The identifiers of each weekday reminder's requests, so that they can be replaced and deleted together.
///
/// Change it together with the requests, inside ``NotificationScheduler/update(_:)``:
///
/// ```swift
/// try await scheduler.update { requests in
///   habits.set(habit, in: &requests, askedMilliseconds: now)
/// }
/// ```
///
/// Requests that do not fit into the phone are stored, so no part of a reminder is lost. Requests can also
/// be recognised by their identifiers, so they can be deleted even after an update that failed or an app
/// that ended before it saved this value.
public struct WeekdayReminders: Codable, Hashable, Sendable {
  private var identifiers: [String: [String]] = [:]

  /// Without reminders.
  public init() {}

  /// The identifiers of a reminder's requests; empty for an unknown reminder.
  public func identifiers(of reminderID: String) -> [String] {
    identifiers[reminderID] ?? []
  }

  /// Replaces a reminder's requests in the list of an update.
  public mutating func set(
    _ reminder: Reminder, in requests: inout [NotificationRequest], askedMilliseconds: Int64
  ) {
    delete(reminder.id, in: &requests)
    let own = reminder.requests(askedMilliseconds: askedMilliseconds)
    identifiers[reminder.id] = own.map(\.identifier)
    requests += own
  }

  /// Removes all requests of a reminder from the list of an update, also unknown ones.
  public mutating func delete(_ reminderID: String, in requests: inout [NotificationRequest]) {
    let gone = Set(identifiers.removeValue(forKey: reminderID) ?? [])
    requests.removeAll {
      gone.contains($0.identifier) || Reminder.isWeekly($0.identifier, of: reminderID)
    }
  }
}
