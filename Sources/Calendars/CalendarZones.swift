import FencepostNotifications
import FencepostTime

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
  /// A change of the clock.
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
