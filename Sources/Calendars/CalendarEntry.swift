import FencepostNotifications
import FencepostTime

/// An event or a task, or what replaces one recurrence of it.
struct CalendarEntry: Sendable {
  let uid: String
  /// The recurrence that this entry replaces; nil for the event itself.
  let recurrence: CalendarStamp?
  private let isTask: Bool
  private let isCancelled: Bool
  private let sequence: Int
  private let content: NotificationContent
  /// When the event begins, or the task is due if it has no beginning.
  private let start: CalendarStamp
  /// From the start to the end of an event, or until a task is due.
  private let length: CalendarDuration
  private let rules: [String]
  private let added: [CalendarStamp]
  private let excluded: [CalendarStamp]
  private let alarms: [CalendarAlarm]

  /// Events are looked for this long before and after a period, because alarms can be far away.
  private static let leadDays = 400

  /// Reads an event or task; nil for a task without any time.
  init?(_ component: CalendarComponent, _ zones: CalendarZones) throws(CalendarError) {
    let uid = component.first("UID")?.value ?? ""
    for error in component.all("X-LIC-ERROR") { try Self.refuse(error.value, of: uid) }
    func stamp(_ name: String) throws(CalendarError) -> CalendarStamp? {
      guard let property = component.first(name) else { return nil }
      guard let stamp = CalendarStamp(property, zones) else {
        throw .badTime(uid: uid, property: name, value: property.value)
      }
      return stamp
    }
    isTask = component.name == "VTODO"
    let end = try stamp(isTask ? "DUE" : "DTEND")
    guard let start = try stamp("DTSTART") ?? end else {
      if isTask { return nil }
      throw .badTime(uid: uid, property: "DTSTART", value: "")
    }
    self.uid = uid
    self.start = start
    recurrence = try stamp("RECURRENCE-ID")
    let written = component.first("DURATION").flatMap { CalendarDuration($0.value) }
    length = end.map { CalendarDuration(from: start, to: $0) } ?? written ?? CalendarDuration()
    isCancelled = component.first("STATUS")?.value.uppercased() == "CANCELLED"
    sequence = component.first("SEQUENCE").flatMap { Int($0.value) } ?? 0
    content = NotificationContent(
      title: component.first("SUMMARY")?.value ?? "",
      subtitle: component.first("LOCATION")?.value ?? "",
      body: component.first("DESCRIPTION")?.value ?? "")
    rules = component.all("RRULE").map(\.value)
    added = component.all("RDATE").compactMap { CalendarStamp($0, zones) }
    excluded = component.all("EXDATE").compactMap { CalendarStamp($0, zones) }
    alarms = component.components.filter { $0.name == "VALARM" }
      .compactMap { CalendarAlarm($0, zones) }
  }

  /// Reports a rule or date that libical has replaced with a sentence, since it cannot read it.
  private static func refuse(_ sentence: String, of uid: String) throws(CalendarError) {
    let names = ["RRULE", "RDATE", "EXDATE"]
    guard let name = names.first(where: { sentence.contains(" in \($0) property. ") }),
      let value = sentence.split(separator: ": ", maxSplits: 1).last.map(String.init)
    else { return }
    throw name == "RRULE"
      ? .badRule(uid: uid, rule: value) : .badTime(uid: uid, property: name, value: value)
  }

  /// Of several versions of an entry, the one with the highest number, or else the last.
  static func newest(_ entries: [CalendarEntry]) -> [CalendarEntry] {
    struct Key: Hashable {
      var uid: String
      var milliseconds: Int64?
      /// Counted only for events without a UID, which are never versions of others.
      var index: Int?
    }
    var newest: [Key: CalendarEntry] = [:]
    var order: [Key] = []
    for (index, entry) in entries.enumerated() {
      let key = Key(
        uid: entry.uid, milliseconds: entry.recurrence?.milliseconds,
        index: entry.uid.isEmpty ? index : nil)
      if let other = newest[key] {
        if entry.sequence >= other.sequence { newest[key] = entry }
      } else {
        order.append(key)
        newest[key] = entry
      }
    }
    return order.compactMap { newest[$0] }
  }

  // MARK: Reminders

  /// A reminder at some of this entry's times, in milliseconds since 1970.
  func reminder(dueAtMilliseconds times: [Int64]) -> Reminder {
    var id = (isTask ? CalendarFile.taskKind : CalendarFile.eventKind).prefix
    id += String(
      String.UnicodeScalarView(uid.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    if let recurrence { id += "#" + recurrence.local.basicText }
    let zone: ClockZone
    let anchor: ClockAnchor
    switch start.clock {
    case .floating: (zone, anchor) = (.utc, .floating)
    case .zone(let own): (zone, anchor) = (own, .fixed(own))
    case .described: (zone, anchor) = (.utc, .fixed(.utc))
    }
    let local = times.map { LocalTime(atMilliseconds: $0, in: zone) }
    // The second of two equal times on a clock that is set back has a name in UTC only.
    let isClear = zip(local, times).allSatisfy { $0.milliseconds(in: zone) == $1 }
    return Reminder(
      id: id, content: content,
      schedule: isClear
        ? .at(local, anchor: anchor)
        : .at(times.map { LocalTime(atMilliseconds: $0, in: .utc) }, anchor: .fixed(.utc)))
  }

  /// When reminders are due, in milliseconds since 1970 and sorted; floating times as if in UTC.
  ///
  /// The clock of the phone decides whether floating times are in the period. `others` are the
  /// recurrences that other entries replace.
  func reminderTimes(
    after start: Int64, before end: Int64, in phone: ClockZone, except others: [CalendarStamp]
  ) throws(CalendarError) -> [Int64] {
    guard !isCancelled else { return [] }
    var times: Set<Int64> = []
    for begin in try starts(after: start, before: end, except: others) {
      if alarms.isEmpty {
        let due = isTask ? length.added(to: begin, on: clock) : begin
        times.insert(clock.milliseconds(of: quiet(due)))
      } else {
        for alarm in alarms {
          times.formUnion(alarm.times(from: begin, lasting: length, on: clock))
        }
      }
    }
    func instant(_ time: Int64) -> Int64 {
      guard case .floating = clock else { return time }
      return LocalTime(atMilliseconds: time, in: .utc).milliseconds(in: phone)
    }
    return times.filter { start < instant($0) && instant($0) < end }.sorted()
  }

  private var clock: CalendarClock { start.clock }

  /// Nine in the morning for whole days, as phones remind of them.
  private func quiet(_ time: LocalTime) -> LocalTime {
    guard start.isDate, let nine = TimeOfDay(hour: 9) else { return time }
    return LocalTime(date: time.date, time: nine)
  }

  /// The local times at which the event begins near a period.
  private func starts(
    after start: Int64, before end: Int64, except others: [CalendarStamp]
  ) throws(CalendarError) -> [LocalTime] {
    let earliest = clock.localTime(atMilliseconds: start).advanced(byDays: -leadDays)
    let latest = clock.localTime(atMilliseconds: end).advanced(byDays: leadDays)
    var starts: Set<LocalTime> = [self.start.local]
    for rule in rules {
      let recurrence = Recurrence(rule, isDate: self.start.isDate) {
        clock.localTime(atMilliseconds: $0)
      }
      guard
        let times = recurrence.times(
          from: self.start.local, isDate: self.start.isDate, earliest: earliest, latest: latest)
      else { throw .badRule(uid: uid, rule: rule) }
      starts.formUnion(times)
    }
    // Dates may be written on another clock than the event's.
    starts.formUnion(added.map(local))
    starts.subtract((excluded.filter { !$0.isDate || self.start.isDate } + others).map(local))
    let days = Set(excluded.filter(\.isDate).map(\.local.date))
    if !self.start.isDate, !days.isEmpty { starts = starts.filter { !days.contains($0.date) } }
    return starts.filter { earliest <= $0 && $0 <= latest }
  }

  /// Without alarms, a period needs no more than the days of the event itself.
  private var leadDays: Int { alarms.isEmpty && !isTask ? 2 : Self.leadDays }

  private func local(_ stamp: CalendarStamp) -> LocalTime {
    stamp.clock == clock || stamp.isDate
      ? stamp.local : clock.localTime(atMilliseconds: stamp.milliseconds)
  }
}

/// A duration such as `-P1DT2H`: days of the calendar, and exact seconds.
struct CalendarDuration: Sendable {
  var days = 0
  var seconds: Int64 = 0

  init() {}

  /// Reads a duration; nil if it is malformed.
  init?(_ text: String) {
    let sign = text.hasPrefix("-") ? -1 : 1
    let body = text.uppercased().drop { $0 == "-" || $0 == "+" }
    guard body.hasPrefix("P"), body.count > 1 else { return nil }
    var (number, isTime) = (0, false)
    for letter in body.dropFirst() {
      switch letter {
      case "0"..."9":
        guard number < 1_000_000, let digit = letter.wholeNumberValue else { return nil }
        number = number * 10 + digit
        continue
      case "T": isTime = true
      case "W" where !isTime: days += sign * number * 7
      case "D" where !isTime: days += sign * number
      case "H" where isTime: seconds += Int64(sign * number) * 3600
      case "M" where isTime: seconds += Int64(sign * number) * 60
      case "S" where isTime: seconds += Int64(sign * number)
      default: return nil
      }
      number = 0
    }
  }

  init(from start: CalendarStamp, to end: CalendarStamp) {
    if start.isDate && end.isDate {
      days = end.local.date.daysSince1970 - start.local.date.daysSince1970
    } else {
      seconds = (end.milliseconds - start.milliseconds) / 1000
    }
  }

  /// The time on a clock after this duration.
  func added(to time: LocalTime, on clock: CalendarClock) -> LocalTime {
    guard seconds != 0 else { return time.advanced(byDays: days) }
    return clock.localTime(
      atMilliseconds: clock.milliseconds(of: time.advanced(byDays: days)) + seconds * 1000)
  }
}

/// When an alarm of an event goes off.
struct CalendarAlarm: Sendable {
  private enum Trigger: Sendable {
    /// Relative to the start, or to the end.
    case relative(CalendarDuration, toEnd: Bool)
    /// In milliseconds since 1970.
    case at(Int64)
  }

  private let trigger: Trigger
  private let repeats: Int
  private let pause: CalendarDuration

  /// More repetitions than anyone needs.
  private static let mostRepeats = 100

  /// Reads an alarm; nil without a trigger.
  init?(_ component: CalendarComponent, _ zones: CalendarZones) {
    guard let property = component.first("TRIGGER") else { return nil }
    if let duration = CalendarDuration(property.value) {
      let related = property.parameters["RELATED"]?.uppercased()
      trigger = .relative(duration, toEnd: related == "END")
    } else if let stamp = CalendarStamp(property, zones) {
      trigger = .at(stamp.milliseconds)
    } else {
      return nil
    }
    let pause = component.first("DURATION").flatMap { CalendarDuration($0.value) }
    self.pause = pause ?? CalendarDuration()
    let count = component.first("REPEAT").flatMap { Int($0.value) } ?? 0
    repeats = pause == nil ? 0 : min(max(count, 0), Self.mostRepeats)
  }

  /// When it goes off for an event that begins at a time, in milliseconds since 1970.
  func times(
    from begin: LocalTime, lasting length: CalendarDuration, on clock: CalendarClock
  ) -> [Int64] {
    var time: Int64
    switch trigger {
    case .relative(let duration, let toEnd):
      let origin = toEnd ? length.added(to: begin, on: clock) : begin
      time = clock.milliseconds(of: origin.advanced(byDays: duration.days))
      time += duration.seconds * 1000
    case .at(let milliseconds): time = milliseconds
    }
    let pauseMilliseconds = Int64(pause.days) * 86_400_000 + pause.seconds * 1000
    return (0...repeats).map { time + Int64($0) * pauseMilliseconds }
  }
}
