import FencepostNotifications
import FencepostTime

/// A date, or a date and time on some clock.
struct CalendarStamp: Hashable, Sendable {
  var local: LocalTime
  var clock: CalendarClock
  /// Whether it is a date; its time is then midnight.
  var isDate = false

  /// Reads a property's value such as `20260304`, `20260304T090000` or `20260304T090000Z`.
  init?(_ property: CalendarComponent.Property, _ zones: CalendarZones) {
    self.init(property.value, zoneName: property.parameters["TZID"], zones)
  }

  init?(_ text: some StringProtocol, zoneName: String?, _ zones: CalendarZones) {
    // A period begins with its start.
    let text = text.prefix { $0 != "/" }
    let isUTC = text.hasSuffix("Z")
    guard let local = Self.localTime(isUTC ? text.dropLast() : text) else { return nil }
    self.local = local
    isDate = text.utf8.count == 8
    clock = isUTC ? .zone(.utc) : isDate ? .floating : zones.clock(named: zoneName)
  }

  init(local: LocalTime, clock: CalendarClock, isDate: Bool) {
    (self.local, self.clock, self.isDate) = (local, clock, isDate)
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

  static func <= (one: LocalTime, other: LocalTime) -> Bool {
    one.localSeconds <= other.localSeconds
  }

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
