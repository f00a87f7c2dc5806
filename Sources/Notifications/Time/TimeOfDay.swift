/// A time of day to the second: 00:00:00 to 23:59:59.
public struct TimeOfDay: Hashable, Comparable, Sendable {
  /// Seconds since midnight, 0..<86400.
  public let secondOfDay: Int

  /// Makes a time of hours 0...23, minutes 0...59 and seconds 0...59; nil outside those ranges.
  public init?(hour: Int, minute: Int = 0, second: Int = 0) {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
      return nil
    }
    secondOfDay = hour * 3600 + minute * 60 + second
  }

  /// Makes a time from the seconds since midnight; nil outside 0..<86400.
  public init?(secondOfDay: Int) {
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
  public static let midnight = TimeOfDay(uncheckedSecondOfDay: 0)

  private init(uncheckedSecondOfDay: Int) {
    secondOfDay = uncheckedSecondOfDay
  }

  /// The hour, 0...23.
  public var hour: Int { secondOfDay / 3600 }
  /// The minute of the hour, 0...59.
  public var minute: Int { secondOfDay / 60 % 60 }
  /// The second of the minute, 0...59.
  public var second: Int { secondOfDay % 60 }

  /// Whether the first is earlier in the day.
  public static func < (first: TimeOfDay, second: TimeOfDay) -> Bool {
    first.secondOfDay < second.secondOfDay
  }
}

extension TimeOfDay: CodableAsText {
  /// `HH:MM`, or `HH:MM:SS` if the seconds are not zero.
  public var description: String {
    let minutes = twoDigits(hour) + ":" + twoDigits(minute)
    return second == 0 ? minutes : minutes + ":" + twoDigits(second)
  }
}

/// A number 0...99 with its leading zero.
func twoDigits(_ number: Int) -> String {
  number < 10 ? "0\(number)" : "\(number)"
}
