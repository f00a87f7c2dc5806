public import FencepostTime

/// The calendar components that an instant must have to match.
///
/// Missing components finer than every given one are at their least: with an hour alone, minute and second
/// are 0. Other missing components match anything: with a minute alone, every hour matches.
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

  /// Makes a pattern of the components that must match.
  ///
  /// - Throws: ``CalendarPatternError`` if a component is out of range, no month has that day, or there is
  ///   no component at all.
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
    self.init(
      unchecked: (year, month, day), weekday: weekday, time: (hour, minute, second))
  }

  /// A pattern that matches one date at one time.
  public init(date: CivilDate, time: TimeOfDay) {
    self.init(
      unchecked: (date.year, date.month, date.day), weekday: nil,
      time: (time.hour, time.minute, time.second))
  }

  /// A pattern that matches a time on every day, or on one weekday.
  public init(time: TimeOfDay, weekday: Weekday? = nil) {
    self.init(
      unchecked: (nil, nil, nil), weekday: weekday, time: (time.hour, time.minute, time.second))
  }

  private init(
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

  /// How often it matches on a day that does: every minute, every hour, or once; in seconds.
  var periodSeconds: Int {
    if hour == nil, minute == nil, second != nil { return 60 }
    return hour == nil && minute != nil ? 3600 : 86_400
  }

  /// The second of its period at which it matches.
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

extension CalendarPattern {
  /// Reads a pattern; fails if a component is out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let year = try container.decodeIfPresent(Int.self, forKey: .year)
    let month = try container.decodeIfPresent(Int.self, forKey: .month)
    let day = try container.decodeIfPresent(Int.self, forKey: .day)
    let weekday = try container.decodeIfPresent(Weekday.self, forKey: .weekday)
    let hour = try container.decodeIfPresent(Int.self, forKey: .hour)
    let minute = try container.decodeIfPresent(Int.self, forKey: .minute)
    let second = try container.decodeIfPresent(Int.self, forKey: .second)
    do throws(CalendarPatternError) {
      // Only a year that a user names is limited to four digits.
      let rest = try CalendarPattern(
        year: year.map { _ in 1 }, month: month, day: day, weekday: weekday, hour: hour,
        minute: minute, second: second)
      self.init(
        unchecked: (year, rest.month, rest.day), weekday: rest.weekday,
        time: (rest.hour, rest.minute, rest.second))
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.description))
    }
  }
}

/// Why components do not make a pattern.
public enum CalendarPatternError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A component's name, its value, and its range.
  case outOfRange(String, Int, ClosedRange<Int>)
  /// There is no component.
  case empty

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .outOfRange(let name, let value, let range):
      "the \(name) \(value) is not within \(range.lowerBound) and \(range.upperBound)"
    case .empty: "at least one calendar component is needed"
    }
  }
}
