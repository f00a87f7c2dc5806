public import FencepostTime

/// A time of day to the second, from 00:00:00 to 23:59:59.
///
/// It has no date and no zone. Texts have the form `08:30` or `08:30:15`.
public struct TimeOfDay: Hashable, Comparable, Sendable {
  /// The seconds since midnight, 0..<86400.
  package let secondOfDay: Int

  /// Creates a time; nil unless `hour` is in 0...23, and `minute` and `second` are in 0...59.
  public init?(hour: Int, minute: Int = 0, second: Int = 0) {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
      return nil
    }
    secondOfDay = hour * 3600 + minute * 60 + second
  }

  /// Creates a time from the seconds since midnight; nil outside 0..<86400.
  package init?(secondOfDay: Int) {
    guard (0..<86_400).contains(secondOfDay) else { return nil }
    self.secondOfDay = secondOfDay
  }

  /// Reads `HH:MM` or `HH:MM:SS`; nil for anything else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 5 || bytes.count == 8 else { return nil }
    var parts: [Int] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      guard start == 0 || bytes[start - 1] == UInt8(ascii: ":"),
        (0x30...0x39).contains(bytes[start]), (0x30...0x39).contains(bytes[start + 1])
      else { return nil }
      parts.append(Int(bytes[start] - 0x30) * 10 + Int(bytes[start + 1] - 0x30))
    }
    self.init(hour: parts[0], minute: parts[1], second: parts.count == 3 ? parts[2] : 0)
  }

  /// 00:00:00.
  package static let midnight = TimeOfDay(wrapping: 0)

  init(wrapping second: Int) { secondOfDay = second.remainderDown(by: 86_400) }

  /// The hour, 0...23.
  package var hour: Int { secondOfDay / 3600 }
  /// The minute, 0...59.
  package var minute: Int { secondOfDay / 60 % 60 }
  /// The second, 0...59.
  package var second: Int { secondOfDay % 60 }

  /// Whether the first time is earlier in the day.
  public static func < (first: TimeOfDay, second: TimeOfDay) -> Bool {
    first.secondOfDay < second.secondOfDay
  }
}

extension TimeOfDay: CodableAsText {
  /// The time as `HH:MM`, or `HH:MM:SS` if the seconds are not zero.
  public var description: String {
    let minutes = twoDigits(hour) + ":" + twoDigits(minute)
    return second == 0 ? minutes : minutes + ":" + twoDigits(second)
  }
}

/// A date and a time on some clock.
///
/// It has no zone. When the clock of a zone shows it follows from `ClockZone`.
public struct LocalTime: Hashable, Sendable, CodableAsText {
  /// The date.
  public let date: CivilDate
  /// The time of day.
  public let time: TimeOfDay

  /// Creates a local time.
  public init(date: CivilDate, time: TimeOfDay) {
    self.date = date
    self.time = time
  }

  /// Reads `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = TimeOfDay(String(parts[1])), parts[0].utf8.count == 10,
      let midnight = ISO8601.milliseconds(parsing: String(parts[0]))
    else { return nil }
    self.init(date: CivilDate(daysSince1970: Int(midnight.dividedDown(by: 86_400_000))), time: time)
  }

  /// The local time in a zone at a time in milliseconds since 1970.
  public init(atMilliseconds milliseconds: Int64, in zone: ClockZone) {
    let (days, second) = zone.local(atMilliseconds: milliseconds)
    self.init(date: CivilDate(daysSince1970: days), time: TimeOfDay(wrapping: second))
  }

  /// The time as `YYYY-MM-DDTHH:MM:SS`, without the seconds if they are zero.
  public var description: String {
    let midnight = ISO8601.string(milliseconds: Int64(date.daysSince1970) * 86_400_000)
    return midnight.prefix(10) + "T\(time)"
  }

  var pattern: CalendarPattern { CalendarPattern(date: date, time: time) }

  /// The time at which the clock of a zone shows it, in milliseconds since 1970.
  func milliseconds(in zone: ClockZone) -> Int64 {
    zone.milliseconds(date: date, secondOfDay: time.secondOfDay)
  }
}

/// A value that is encoded as its description.
///
/// Reading fails if the text cannot be parsed.
public protocol CodableAsText: Codable, LosslessStringConvertible {}
