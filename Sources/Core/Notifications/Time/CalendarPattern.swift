public import FencepostTime

/// The calendar components that a time must match.
///
/// Missing components below the smallest given one are at their minimum: with only an hour, minute
/// and second are 0. Other missing components match anything: with only a minute, every hour
/// matches.
public struct CalendarPattern: Hashable, Codable, Sendable {
  /// The year, such as 2026.
  public let year: Int?
  /// The month, 1...12.
  public let month: Int?
  /// The day of the month, 1...31.
  public let day: Int?
  /// The day of the week.
  public let weekday: Weekday?
  /// The hour, 0...23.
  public let hour: Int?
  /// The minute, 0...59.
  public let minute: Int?
  /// The second, 0...59.
  public let second: Int?

  /// Creates a pattern; throws if a component is out of range, impossible, or all are nil.
  public init(
    year: Int? = nil, month: Int? = nil, day: Int? = nil, weekday: Weekday? = nil,
    hour: Int? = nil, minute: Int? = nil, second: Int? = nil
  ) throws(CalendarPatternError) {
    try Self.check("year", year, 1...9999)
    try Self.check("month", month, 1...12)
    // 2000 is a leap year.
    try Self.check("day", day, 1...CivilDate.days(inMonth: month ?? 1, ofYear: 2000))
    try Self.check("hour", hour, 0...23)
    try Self.check("minute", minute, 0...59)
    try Self.check("second", second, 0...59)
    let numbers = [year, month, day, hour, minute, second]
    if weekday == nil, numbers.allSatisfy({ $0 == nil }) { throw .empty }
    self.init(unchecked: (year, month, day), weekday: weekday, time: (hour, minute, second))
  }

  /// Creates a pattern that matches one date and time.
  public init(date: CivilDate, time: TimeOfDay) {
    self.init(
      unchecked: (date.year, date.month, date.day), weekday: nil,
      time: (time.hour, time.minute, time.second))
  }

  /// Creates a pattern that matches a time on every day or on one weekday.
  public init(time: TimeOfDay, weekday: Weekday? = nil) {
    self.init(
      unchecked: (nil, nil, nil), weekday: weekday, time: (time.hour, time.minute, time.second))
  }

  init(
    unchecked date: (year: Int?, month: Int?, day: Int?), weekday: Weekday?,
    time: (hour: Int?, minute: Int?, second: Int?)
  ) {
    (year, month, day) = date
    self.weekday = weekday
    (hour, minute, second) = time
  }

  private static func check(
    _ name: String, _ value: Int?, _ range: ClosedRange<Int>
  ) throws(CalendarPatternError) {
    if let value, !range.contains(value) { throw .outOfRange(name, value, range) }
  }

  /// The period of the pattern on a matching day in seconds: 60, 3600 or 86,400.
  var periodSeconds: Int {
    if hour == nil, minute == nil, second != nil { return 60 }
    return hour == nil && minute != nil ? 3600 : 86_400
  }

  var secondOfPeriod: Int { (hour ?? 0) * 3600 + (minute ?? 0) * 60 + (second ?? 0) }

  /// The same pattern with its time moved within its period.
  func delayed(bySeconds seconds: Int) -> CalendarPattern {
    let moved = min(max(secondOfPeriod + seconds, 0), periodSeconds - 1)
    let time: (Int?, Int?, Int?) =
      switch periodSeconds {
      case 60: (nil, nil, moved)
      case 3600: (nil, moved / 60, moved % 60)
      default: (moved / 3600, moved / 60 % 60, moved % 60)
      }
    return CalendarPattern(unchecked: (year, month, day), weekday: weekday, time: time)
  }
}

/// The reason components are not a valid pattern.
public enum CalendarPatternError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A component with its value and its range.
  case outOfRange(String, Int, ClosedRange<Int>)
  /// All components are nil.
  case empty

  /// The error as one sentence.
  public var description: String {
    switch self {
    case .outOfRange(let name, let value, let range):
      "the \(name) must be from \(range.lowerBound) to \(range.upperBound), not \(value)"
    case .empty: "at least one calendar component is needed"
    }
  }
}

extension CalendarPattern {
  /// The first match after a time, in milliseconds since 1970-01-01T00:00:00Z, or nil.
  ///
  /// The result does not depend on where the search starts. A day that a month lacks (February 29,
  /// day 31) moves to the first of the next month, unless a weekday must match too. Skipped and
  /// repeated times follow ``ClockZone/milliseconds(date:secondOfDay:)``. A pattern without an hour
  /// matches twice in a repeated hour.
  ///
  /// - Parameters:
  ///   - milliseconds: The time in milliseconds since 1970, exclusive.
  ///   - zone: The time zone of the clock.
  /// - Returns: The first match, or nil if there are no more matches.
  /// - Complexity: O(1), unless the next match is many days away.
  package func nextMilliseconds(after milliseconds: Int64, in zone: ClockZone) -> Int64? {
    guard let hour = hour ?? (minute == nil && second == nil ? 0 : nil) else {
      return nextReading(after: milliseconds, in: zone)
    }
    let secondOfDay = hour * 3600 + (minute ?? 0) * 60 + (second ?? 0)
    // Times can move past midnight, so the search starts a day early.
    var day = zone.local(atMilliseconds: milliseconds).daysSince1970 - 1
    while let date = nextDate(onOrAfter: day) {
      let match = zone.milliseconds(daysSince1970: date, secondOfDay: secondOfDay)
      if match > milliseconds { return match }
      day = date + 1
    }
    return nil
  }

  /// The first later time at which the clock shows the minute and second on a matching day.
  private func nextReading(after milliseconds: Int64, in zone: ClockZone) -> Int64? {
    var instant = milliseconds.dividedDown(by: 1000) + 1
    while true {
      let (day, secondOfDay) = zone.local(atMilliseconds: instant * 1000)
      guard let date = nextDate(onOrAfter: day) else { return nil }
      if date > day {
        let midnight = zone.milliseconds(daysSince1970: date, secondOfDay: 0) / 1000
        // A clock set back past midnight shows the previous day again.
        instant = max(midnight, instant + 1)
        continue
      }
      // The wait until the clock shows the reading, unless the clock changes before that.
      let wanted = (minute ?? 0) * 60 + (second ?? 0)
      let wait = Int64((wanted - secondOfDay).remainderDown(by: minute == nil ? 60 : 3600))
      if wait == 0 { return instant * 1000 }
      let offset = zone.offsetSeconds(atMilliseconds: instant * 1000)
      if zone.offsetSeconds(atMilliseconds: (instant + wait) * 1000) == offset {
        instant += wait
      } else {
        instant = zone.firstSecond(after: instant, until: instant + wait)
      }
    }
  }

  /// The first matching day on or after `start`, in days since 1970-01-01.
  private func nextDate(onOrAfter start: Int) -> Int? {
    if year == nil, month == nil, day == nil { return nextWeekday(onOrAfter: start) }
    let first = CivilDate(daysSince1970: start)
    if let year, year < first.year - 1 { return nil }
    // A day that the previous month lacks may have moved into this month.
    var index = (year.map { max($0, first.year - 1) } ?? first.year) * 12
    index = max(index, first.year * 12 + first.month - 2)
    // A leap day on a given weekday can be 40 years away, around a year such as 2100.
    for _ in 0...(12 * 41) {
      let (candidateYear, month) = (index / 12, index % 12 + 1)
      if let year, candidateYear > year { return nil }
      if let date = date(inMonth: month, ofYear: candidateYear, onOrAfter: start) { return date }
      index += 1
    }
    return nil
  }

  private func nextWeekday(onOrAfter start: Int) -> Int {
    guard let weekday else { return start }
    let distance = weekday.rawValue - Weekday(daysSince1970: start).rawValue
    return start + (distance + 7) % 7
  }

  private func date(inMonth candidate: Int, ofYear year: Int, onOrAfter start: Int) -> Int? {
    if let month, month != candidate { return nil }
    let first = CivilDate(year: year, month: candidate, day: 1).daysSince1970
    let length = CivilDate.days(inMonth: candidate, ofYear: year)
    guard let day else {
      let date = nextWeekday(onOrAfter: max(first, start))
      return date < first + length ? date : nil
    }
    if day > length, weekday != nil { return nil }
    let date = first + min(day - 1, length)
    if let weekday, Weekday(daysSince1970: date) != weekday { return nil }
    return date >= start ? date : nil
  }
}
