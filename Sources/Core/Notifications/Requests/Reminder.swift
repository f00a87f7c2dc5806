package import FencepostGeodesy
import FencepostTime

/// A reminder of an app; it can need several requests.
///
/// ``requests(askedMilliseconds:)`` makes requests that repeat, and ``SlidingWindow`` makes single
/// ones for the near future.
public struct Reminder: Hashable, Codable, Sendable {
  /// The identifier; its prefix selects the kind.
  public var id: String
  /// The content of its notifications.
  public var content: NotificationContent
  /// When or where it is due.
  public var schedule: Schedule
  /// The occurrences to skip, by their local date and time.
  public var skipped: Set<LocalTime>
  /// The first day of a repetition on the anchor's clock, as days since 1970-01-01; nil if any.
  ///
  /// A phone's repeating request knows neither this day nor the last, so it also fires on others.
  package var firstDay: Int?
  /// The last day of a repetition, like ``firstDay``.
  package var lastDay: Int?

  /// When or where a reminder is due.
  public enum Schedule: Hashable, Sendable {
    /// At dates and times on the anchor's clock.
    case at([LocalTime], anchor: ClockAnchor)
    /// At times on weekdays, every week.
    case weekly(Set<Weekday>, [TimeOfDay], anchor: ClockAnchor)
    /// Whenever the anchor's clock matches a pattern.
    case repeating(CalendarPattern, anchor: ClockAnchor)
    /// After a duration, once or repeatedly, from when the reminders are handed over.
    case interval(IntervalTrigger)
    /// At a circle.
    case region(RegionTrigger)
  }

  /// Creates a reminder.
  public init(
    id: String, content: NotificationContent, schedule: Schedule, skipped: Set<LocalTime> = []
  ) {
    self.id = id
    self.content = content
    self.schedule = schedule
    self.skipped = skipped
  }

  var isAtCircle: Bool { if case .region = schedule { true } else { false } }

  /// The clock that the reminder follows; nil for intervals and circles, which have none.
  public var anchor: ClockAnchor? {
    get {
      switch schedule {
      case .at(_, let anchor), .weekly(_, _, let anchor), .repeating(_, let anchor): anchor
      case .interval, .region: nil
      }
    }
    set {
      guard let newValue else { return }
      switch schedule {
      case .at(let times, _): schedule = .at(times, anchor: newValue)
      case .weekly(let weekdays, let times, _):
        schedule = .weekly(weekdays, times, anchor: newValue)
      case .repeating(let pattern, _): schedule = .repeating(pattern, anchor: newValue)
      case .interval, .region: break
      }
    }
  }

  /// When single times can be due on any clock, in milliseconds since 1970; nil for other schedules.
  var reachMilliseconds: ClosedRange<Int64>? {
    guard case .at(let times, _) = schedule else { return nil }
    let instants = times.map { $0.milliseconds(in: .utc) }
    guard let first = instants.min(), let last = instants.max() else { return nil }
    // No clock is a day from UTC, and a skipped time moves by less than another.
    let margin: Int64 = 2 * 86_400_000
    return first - margin...last + margin
  }

  // MARK: Requests

  /// The requests for this reminder: one per time, and per weekday unless it is due on all seven.
  ///
  /// A phone cannot skip one occurrence of a repeating request, so ``skipped`` applies only to
  /// ``Schedule/at(_:anchor:)``.
  public func requests(askedMilliseconds milliseconds: Int64) -> [NotificationRequest] {
    switch schedule {
    case .at(let times, let anchor):
      times.filter { !skipped.contains($0) }.map {
        request("@\($0)", .calendar($0.pattern, repeats: false, anchor: anchor), milliseconds)
      }
    case .weekly(let weekdays, let times, let anchor):
      // Nil stands for all seven weekdays.
      (weekdays.count == 7 ? [nil] : weekdays.sorted().map(Optional.some)).flatMap { weekday in
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

  /// A request for each occurrence between two times, or for the circle.
  func singleRequests(
    after start: Int64, before end: Int64, in zone: ClockZone, askedMilliseconds: Int64
  ) -> [NotificationRequest] {
    if isAtCircle { return requests(askedMilliseconds: askedMilliseconds) }
    return occurrences(after: start, before: end, in: zone, askedMilliseconds: askedMilliseconds)
      .map { occurrence in
        request(
          "@\(occurrence.local)",
          anchor.map { .calendar(occurrence.local.pattern, repeats: false, anchor: $0) }
            ?? .at(milliseconds: occurrence.dueMilliseconds), askedMilliseconds)
      }
  }

  func identifier(for occurrence: Occurrence) -> String { "\(id)@\(occurrence.local)" }

  /// The identifiers that the request for an occurrence can have.
  func identifiers(ofOccurrenceAt local: LocalTime) -> [String] {
    let single = "\(id)@\(local)"
    switch schedule {
    case .at, .region: return [single]
    case .repeating, .interval: return [single, id]
    case .weekly:
      let weekday = Weekday(daysSince1970: local.date.daysSince1970)
      return [single, id + Self.suffix(weekday, local.time), id + Self.suffix(nil, local.time)]
    }
  }

  private func request(
    _ suffix: String, _ trigger: NotificationTrigger, _ askedMilliseconds: Int64
  ) -> NotificationRequest {
    NotificationRequest(
      identifier: id + suffix, content: content, trigger: trigger,
      askedMilliseconds: askedMilliseconds)
  }

  /// The end of a weekly identifier: `.mon.08:30`, or `.daily.08:30` for all weekdays.
  static func suffix(_ weekday: Weekday?, _ time: TimeOfDay) -> String {
    ".\(weekday?.name.prefix(3) ?? "daily").\(time)"
  }

  /// Whether an identifier belongs to a weekly request of a reminder.
  static func isWeekly(_ identifier: String, of reminderID: String) -> Bool {
    guard identifier.hasPrefix(reminderID) else { return false }
    let parts = identifier.dropFirst(reminderID.count)
      .split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0].isEmpty, let time = TimeOfDay(parts[2]) else { return false }
    return identifier == reminderID + suffix(Weekday(parts[1]), time)
  }

  // MARK: Occurrences

  /// The occurrences between two times, both exclusive, sorted, without skipped ones.
  ///
  /// Times are in milliseconds since 1970. Intervals count from `askedMilliseconds`. Circles have
  /// none.
  ///
  /// - Parameters:
  ///   - start: The time after which occurrences count.
  ///   - end: The time before which occurrences count.
  ///   - zone: The time zone of the phone, for floating times.
  ///   - askedMilliseconds: When the reminder was handed over.
  /// - Returns: The occurrences in order of time.
  /// - Complexity: O(n log n) for n occurrences; a weekly reminder also looks at each day between.
  package func occurrences(
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
    if case .at(let times, _) = schedule, times.count == 1 {
      return times.filter { !skipped.contains($0) }.map(occurrence)
        .filter { $0.dueMilliseconds > start && $0.dueMilliseconds < end }
    }
    switch schedule {
    case .at(let times, _): due = times.map(occurrence)
    case .weekly(let weekdays, let times, _):
      let first = clock.local(atMilliseconds: start).daysSince1970 - 1
      let last = clock.local(atMilliseconds: end).daysSince1970 + 1
      due = (first...max(first, last)).filter { weekdays.contains(Weekday(daysSince1970: $0)) }
        .flatMap { day in
          times.map { occurrence(LocalTime(date: .init(daysSince1970: day), time: $0)) }
        }
    case .repeating(let pattern, _): due = each { pattern.nextMilliseconds(after: $0, in: clock) }
    case .interval(let interval):
      due = each { interval.nextMilliseconds(after: $0, askedMilliseconds: askedMilliseconds) }
    case .region: due = []
    }
    var seen: Set<Int64> = []
    return due.filter {
      $0.dueMilliseconds > start && $0.dueMilliseconds < end && !skipped.contains($0.local)
        && isWithinDays($0.local.date) && seen.insert($0.dueMilliseconds).inserted
    }.sorted { $0.dueMilliseconds < $1.dueMilliseconds }
  }

  /// The last time of a reminder that is over at a time in milliseconds since 1970; nil if it is not.
  ///
  /// Skipped times do not count. Of a repetition that never fired, its last midnight stands for it.
  func lastTime(before start: Int64, in zone: ClockZone) -> LocalTime? {
    let clock = anchor?.zone(onDeviceIn: zone) ?? zone
    let last: LocalTime?
    if case .at(let times, _) = schedule {
      last = times.filter { !skipped.contains($0) }.max {
        $0.milliseconds(in: clock) < $1.milliseconds(in: clock)
      }
    } else {
      last = lastDay.map { lastTime(upToDay: $0, in: clock) }
    }
    guard let last, last.milliseconds(in: clock) <= start else { return nil }
    return last
  }

  /// The last time of a repetition on or before a day.
  private func lastTime(upToDay day: Int, in clock: ClockZone) -> LocalTime {
    let end = clock.milliseconds(daysSince1970: day + 1, secondOfDay: 0)
    // A week has most repetitions, a year nearly all, and eight years February 29.
    for days in [8, 367, 2923] {
      let found = occurrences(
        after: end - Int64(days) * 86_400_000, before: end, in: clock, askedMilliseconds: 0)
      if let last = found.last { return last.local }
    }
    return LocalTime(
      date: CivilDate(daysSince1970: day + 1), time: TimeOfDay(wrapping: 0))
  }

  private func isWithinDays(_ date: CivilDate) -> Bool {
    let day = date.daysSince1970
    return day >= firstDay ?? .min && day <= lastDay ?? .max
  }
}

/// One time at which a reminder is due.
///
/// A reminder that repeats has many. The local time identifies it within its reminder.
package struct Occurrence: Hashable, Sendable {
  /// The local time on the anchor's clock.
  package let local: LocalTime
  /// The time in milliseconds since 1970.
  package let dueMilliseconds: Int64
}

/// Reminders with everything needed to plan them.
///
/// Files of reminders are read into it. A ``ScheduleSimulation`` or ``ReminderRun`` plans them.
package struct ReminderDocument: Hashable, Codable, Sendable {
  /// The time zone of the phone at the start.
  package var zone: ClockZone
  /// The position of the phone; nil if unknown.
  package var location: Coordinate?
  /// The kinds of the reminders, by the prefix of their ids.
  package var kinds: KindRegistry
  /// How often notifications of each kind were shown and tapped so far.
  package var tapRates: TapRates
  /// The slots of each kind, for ``RankingPolicy/quotas(_:)``.
  package var quotas: [String: Int]
  /// The reminders, in file order; their ids are unique.
  package var reminders: [Reminder]

  /// Creates a document; by default, the phone is in UTC and nothing is known about taps.
  package init(
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

/// Keeps track of the requests of weekday reminders, to replace and delete them together.
///
/// Change this value and the requests together, inside ``NotificationScheduler/update(_:)``:
///
/// ```swift
/// try await scheduler.update { requests in
///   habits.set(habit, in: &requests, askedMilliseconds: now)
/// }
/// ```
///
/// Requests are also recognized by their identifiers. They can be deleted even if an update failed
/// or the app ended before it saved this value.
public struct WeekdayReminders: Codable, Hashable, Sendable {
  private var identifiers: [String: [String]] = [:]

  /// Creates an empty value.
  public init() {}

  /// The identifiers of a reminder's requests; empty for an unknown reminder.
  public func identifiers(of reminderID: String) -> [String] { identifiers[reminderID] ?? [] }

  /// Replaces a reminder's requests in the list of an update.
  public mutating func set(
    _ reminder: Reminder, in requests: inout [NotificationRequest], askedMilliseconds: Int64
  ) {
    delete(reminder.id, in: &requests)
    let own = reminder.requests(askedMilliseconds: askedMilliseconds)
    identifiers[reminder.id] = own.map(\.identifier)
    requests += own
  }

  /// Deletes a reminder's requests from the list of an update, even for an unknown reminder.
  public mutating func delete(_ reminderID: String, in requests: inout [NotificationRequest]) {
    let gone = Set(identifiers.removeValue(forKey: reminderID) ?? [])
    requests.removeAll {
      gone.contains($0.identifier) || Reminder.isWeekly($0.identifier, of: reminderID)
    }
  }
}
