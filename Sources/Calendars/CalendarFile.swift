package import FencepostNotifications

/// The events and tasks of an iCalendar file (RFC 5545).
package struct CalendarFile: Sendable {
  /// The zone of the calendar's owner; nil if the file names none.
  package let zone: ClockZone?
  private let entries: [CalendarEntry]
  private let zones: CalendarZones

  package static let eventKind = NotificationKind(
    name: "event", prefix: "event.", priority: NotificationKind.userSetPriority)
  package static let taskKind = NotificationKind(
    name: "task", prefix: "task.", priority: NotificationKind.userSetPriority)

  /// The most reminders of one file and period.
  private static let mostTimes = 200_000

  /// Whether a file begins like a calendar, after a byte order mark or white space.
  package static func isCalendar(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes.prefix(64), as: UTF8.self)
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }.uppercased().hasPrefix("BEGIN:VCALENDAR")
  }

  /// Reads a file in UTF-8.
  package init(parsing bytes: [UInt8]) throws(CalendarError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let root = try CalendarComponent(parsing: bytes.starts(with: mark) ? Array(bytes[3...]) : bytes)
    // Several calendars in one file come in a component without a name of its own.
    let calendars = root.name == "VCALENDAR" ? [root] : root.components
    guard calendars.contains(where: { $0.name == "VCALENDAR" }) else { throw .notCalendar }
    zones = CalendarZones(calendars)
    zone = zones.owner
    var entries: [CalendarEntry] = []
    for component in calendars.flatMap(\.components)
    where ["VEVENT", "VTODO"].contains(component.name) {
      if let entry = try CalendarEntry(component, zones) { entries.append(entry) }
    }
    self.entries = CalendarEntry.newest(entries)
  }

  /// The reminders whose time is after `start` and before `end`, in milliseconds since 1970.
  ///
  /// An event's reminders are those of its alarms. Without alarms it has one when it begins, or at
  /// nine if it lasts whole days. A task without alarms has one when it is due.
  ///
  /// Floating times follow the clock of the phone. Throws ``CalendarError`` for a rule that cannot
  /// be followed, and for more reminders than a report could show.
  package func reminders(
    after start: Int64, before end: Int64, in phone: ClockZone
  ) throws(CalendarError) -> [Reminder] {
    var reminders: [Reminder] = []
    var count = 0
    let replaced = Dictionary(grouping: entries.filter { $0.recurrence != nil }, by: \.uid)
    for entry in entries {
      let others = entry.recurrence == nil ? replaced[entry.uid] ?? [] : []
      let due = try entry.reminderTimes(
        after: start, before: end, in: phone, except: others.compactMap(\.recurrence))
      guard !due.isEmpty else { continue }
      count += due.count
      guard count <= Self.mostTimes else { throw .tooMany(Self.mostTimes) }
      reminders.append(entry.reminder(dueAtMilliseconds: due))
    }
    return reminders
  }
}

/// The reason a calendar file cannot be read.
package enum CalendarError: Error, Equatable, Sendable, CustomStringConvertible {
  case notCalendar
  case nestedTooDeep
  /// An event has no time, or one that is not a time.
  case badTime(uid: String, property: String, value: String)
  /// A recurrence rule is not a rule, or needs too many steps.
  case badRule(uid: String, rule: String)
  case tooMany(Int)

  /// libical cannot be opened; the sentence names the package to install.
  case libraryMissing(String)

  private static func event(_ uid: String) -> String {
    uid.isEmpty ? "an event without a UID" : "event \(uid)"
  }

  package var description: String {
    switch self {
    case .notCalendar: "the file has no calendar; expected BEGIN:VCALENDAR"
    case .nestedTooDeep: "components are nested too deeply"
    case .badTime(let uid, let property, ""): "\(Self.event(uid)): no \(property) that is a time"
    case .badTime(let uid, let property, let value):
      "\(Self.event(uid)): \(property) must be a time, not \"\(value)\""
    case .badRule(let uid, let rule):
      "\(Self.event(uid)): the rule \"\(rule)\" cannot be followed"
    case .tooMany(let most):
      "more than \(most) reminders fall into the period; choose a shorter one"
    case .libraryMissing(let sentence): sentence
    }
  }
}
