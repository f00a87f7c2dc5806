import FencepostNotifications
import FencepostTime

/// A date, or a date and time on some clock.
struct CalendarStamp: Hashable, Sendable {
  var local: LocalTime
  var clock: CalendarClock
  /// Whether it is a date; its time is then midnight.
  var isDate: Bool

  /// Reads a property's value such as `20260304`, `20260304T090000` or `20260304T090000Z`.
  init?(_ property: CalendarComponent.Property, _ zones: CalendarZones) {
    // A period begins with its start.
    let text = property.value.prefix { $0 != "/" }
    let isUTC = text.hasSuffix("Z")
    guard let local = Self.localTime(isUTC ? text.dropLast() : text) else { return nil }
    self.local = local
    isDate = text.utf8.count == 8
    clock =
      isUTC ? .zone(.utc) : isDate ? .floating : zones.clock(named: property.parameters["TZID"])
  }

  /// Reads `20260304` or `20260304T090000`.
  static func localTime(_ text: some StringProtocol) -> LocalTime? {
    let bytes = Array(text.utf8)
    guard bytes.count == 8 || bytes.count == 15 && bytes[8] == UInt8(ascii: "T") else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int? {
      range.reduce(0 as Int?) { value, index in
        guard let value, (0x30...0x39).contains(bytes[index]) else { return nil }
        return value * 10 + Int(bytes[index] - 0x30)
      }
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8) else {
      return nil
    }
    let date = CivilDate(year: year, month: month, day: day)
    guard date.isValid else { return nil }
    guard bytes.count == 15 else { return LocalTime(date: date, time: .midnight) }
    guard let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
      // A leap second counts as the one before it.
      let time = TimeOfDay(hour: hour, minute: minute, second: min(second, 59))
    else { return nil }
    return LocalTime(date: date, time: time)
  }

  /// In milliseconds since 1970; floating times are read as UTC.
  var milliseconds: Int64 { clock.milliseconds(of: local) }
}

/// The clock that a local time refers to.
enum CalendarClock: Hashable, Sendable {
  /// The clock of wherever the phone is.
  case floating
  case zone(ClockZone)
  /// A zone that only the file describes.
  case described(DescribedZone)

  /// When the clock shows a time, in milliseconds since 1970; a floating clock is read as UTC.
  ///
  /// Of a repeated time the first counts, and a skipped one is read with the offset before the gap.
  func milliseconds(of local: LocalTime) -> Int64 {
    switch self {
    case .floating: local.milliseconds(in: .utc)
    case .zone(let zone): local.milliseconds(in: zone)
    case .described(let zone): zone.milliseconds(of: local)
    }
  }

  func localTime(atMilliseconds milliseconds: Int64) -> LocalTime {
    switch self {
    case .floating: LocalTime(atMilliseconds: milliseconds, in: .utc)
    case .zone(let zone): LocalTime(atMilliseconds: milliseconds, in: zone)
    case .described(let zone): zone.localTime(atMilliseconds: milliseconds)
    }
  }
}

extension LocalTime {
  static func < (one: LocalTime, other: LocalTime) -> Bool {
    one.localSeconds < other.localSeconds
  }

  static func <= (one: LocalTime, other: LocalTime) -> Bool { !(other < one) }

  /// The seconds since 1970-01-01T00:00:00 on the clock that shows it.
  var localSeconds: Int64 { Int64(date.daysSince1970) * 86_400 + Int64(time.secondOfDay) }

  func milliseconds(in zone: ClockZone) -> Int64 {
    zone.milliseconds(date: date, secondOfDay: time.secondOfDay)
  }

  /// The same clock some days later.
  func advanced(byDays days: Int) -> LocalTime {
    LocalTime(date: CivilDate(daysSince1970: date.daysSince1970 + days), time: time)
  }

  /// Whether libical can count from it.
  var isOnCalendar: Bool { (1...9999).contains(date.year) }

  /// The time as `20260304T090000`.
  var basicText: String {
    let (day, clock) = (description.prefix(10), description.dropFirst(11))
    let seconds = clock.utf8.count == 5 ? "00" : ""
    return day.filter { $0 != "-" } + "T" + clock.filter { $0 != ":" } + seconds
  }
}

/// Finds the zones of a calendar file by the names that its times use.
struct CalendarZones {
  private var clocks: [String: CalendarClock] = [:]
  /// The zone of the calendar's owner; nil if the file names none.
  let owner: ClockZone?

  init(_ calendars: [CalendarComponent]) {
    owner =
      calendars.lazy.compactMap { $0.first("X-WR-TIMEZONE") }
      .compactMap { ClockZone(identifier: $0.value) }.first
    for zone in calendars.flatMap(\.components) where zone.name == "VTIMEZONE" {
      guard let name = zone.first("TZID")?.value else { continue }
      // A known name is better than a description, which seldom has the whole history.
      let known =
        Self.known(name) ?? zone.first("X-LIC-LOCATION").flatMap { Self.known($0.value) }
      clocks[name] = known.map { .zone($0) } ?? DescribedZone(zone).map { .described($0) }
    }
  }

  /// The clock of a name; floating without a name, or if nobody knows it.
  func clock(named name: String?) -> CalendarClock {
    guard let name else { return .floating }
    return clocks[name] ?? Self.known(name).map { .zone($0) } ?? .floating
  }

  /// The zone of a name such as `Europe/Berlin` or `/freeassociation.net/Europe/Berlin`.
  private static func known(_ name: String) -> ClockZone? {
    if let zone = ClockZone(identifier: name) { return zone }
    let parts = name.split(separator: "/")
    for count in [2, 3] where parts.count > count {
      let end = parts.suffix(count).joined(separator: "/")
      if let zone = ClockZone(identifier: end) { return zone }
    }
    return nil
  }
}

/// A time zone that a file describes by the rules of its changes (`VTIMEZONE`).
struct DescribedZone: Hashable, Sendable {
  private struct Change: Hashable {
    /// On the clock before the change.
    var local: LocalTime
    var offsetBefore: Int64
    var offsetAfter: Int64

    /// In seconds since 1970.
    var seconds: Int64 { local.localSeconds - offsetBefore }
  }

  /// Sorted by time.
  private let changes: [Change]

  /// Calendars reach from 1970 into the near future.
  private static let years = 1970...2100

  /// Reads a description; nil without a change that has offsets.
  init?(_ component: CalendarComponent) {
    var changes: [Change] = []
    for part in component.components {
      guard let before = part.first("TZOFFSETFROM").flatMap({ Self.seconds($0.value) }),
        let after = part.first("TZOFFSETTO").flatMap({ Self.seconds($0.value) }),
        let start = part.first("DTSTART").flatMap({ CalendarStamp.localTime($0.value) })
      else { continue }
      var times: Set<LocalTime> = [start]
      times.formUnion(part.all("RDATE").compactMap { CalendarStamp.localTime($0.value) })
      for rule in part.all("RRULE") {
        let recurrence = Recurrence(rule.value, isDate: false) {
          LocalTime(atMilliseconds: $0 + before * 1000, in: .utc)
        }
        times.formUnion(
          recurrence.times(
            from: start, isDate: false, earliest: Self.newYear(Self.years.lowerBound),
            latest: Self.newYear(Self.years.upperBound)) ?? [])
      }
      changes += times.map { Change(local: $0, offsetBefore: before, offsetAfter: after) }
    }
    guard !changes.isEmpty else { return nil }
    self.changes = changes.sorted { $0.seconds < $1.seconds }
  }

  private static func newYear(_ year: Int) -> LocalTime {
    LocalTime(date: .init(year: year, month: 1, day: 1), time: .midnight)
  }

  /// Reads an offset such as `+0100` or `-043000`.
  private static func seconds(_ text: String) -> Int64? {
    let sign: Int64 = text.hasPrefix("-") ? -1 : 1
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard digits.utf8.count == 4 || digits.utf8.count == 6, let number = Int64(digits) else {
      return nil
    }
    let whole = digits.utf8.count == 4 ? number * 100 : number
    return sign * (whole / 10_000 * 3600 + whole / 100 % 100 * 60 + whole % 100)
  }

  func milliseconds(of local: LocalTime) -> Int64 {
    // A skipped time is read with the offset before the gap, and of a repeated one the first counts.
    let seconds = local.localSeconds
    let last = changes.last { change in
      let gap = max(0, change.offsetAfter - change.offsetBefore)
      return seconds >= change.local.localSeconds + gap
    }
    let offset = last?.offsetAfter ?? changes.first?.offsetBefore ?? 0
    return (seconds - offset) * 1000
  }

  func localTime(atMilliseconds milliseconds: Int64) -> LocalTime {
    let last = changes.last { $0.seconds * 1000 <= milliseconds }
    let offset = last?.offsetAfter ?? changes.first?.offsetBefore ?? 0
    return LocalTime(atMilliseconds: milliseconds + offset * 1000, in: .utc)
  }
}
