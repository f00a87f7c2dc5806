import Foundation

/// The rule by which clocks are set somewhere: a zone of the time zone database or a fixed offset.
public struct ClockZone: Hashable, Sendable {
  /// The name it was made of, such as `Europe/Istanbul` or `+03:00`.
  public let identifier: String
  let zone: TimeZone
  /// The offset of a zone that has but one.
  private let fixedSeconds: Int64?

  /// The zone without offset.
  public static let utc = ClockZone(offsetSeconds: 0)

  /// Finds a zone by its name in the time zone database (`Europe/London`), or reads a fixed
  /// offset (`Z`, `+03:00`, `-0930`); nil where no zone has that name.
  public init?(identifier: String) {
    if let offset = Self.offsetSeconds(reading: identifier) {
      self.init(offsetSeconds: offset)
    } else if identifier.contains("/") || Self.plainNames.contains(identifier),
      let zone = TimeZone(identifier: identifier)
    {
      self.init(identifier: identifier, zone: zone, fixedSeconds: nil)
    } else {
      return nil
    }
  }

  /// Makes a zone with one offset for ever.
  ///
  /// - Parameter offsetSeconds: Seconds east of Greenwich; clamped to 18 hours either way.
  public init(offsetSeconds: Int) {
    let seconds = min(max(offsetSeconds, -64_800), 64_800)
    // A fixed offset within 18 hours always exists; GMT stands in for the impossible case.
    self.init(
      identifier: Self.name(ofOffsetSeconds: seconds),
      zone: TimeZone(secondsFromGMT: seconds) ?? .gmt, fixedSeconds: Int64(seconds))
  }

  private init(identifier: String, zone: TimeZone, fixedSeconds: Int64?) {
    self.identifier = identifier
    self.zone = zone
    self.fixedSeconds = fixedSeconds
  }

  /// How far the clocks are ahead of UTC at an instant, in seconds.
  ///
  /// - Parameter milliseconds: The instant, since 1970-01-01T00:00:00Z.
  /// - Returns: Seconds, positive east of Greenwich.
  public func offsetSeconds(atMilliseconds milliseconds: Int64) -> Int64 {
    if let fixedSeconds { return fixedSeconds }
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    return Int64(zone.secondsFromGMT(for: date))
  }

  /// The seconds that have passed on the local clock since local midnight at an instant, 0..<86400.
  ///
  /// - Parameter milliseconds: The instant, since 1970-01-01T00:00:00Z.
  /// - Returns: Seconds, 0..<86400.
  public func secondOfDay(atMilliseconds milliseconds: Int64) -> Int {
    let local = milliseconds.dividedDown(by: 1000) + offsetSeconds(atMilliseconds: milliseconds)
    return Int(local.remainderDown(by: 86_400))
  }

  /// Names without a slash that are zones; others (`EST`, `local`) are abbreviations that mean
  /// different places to different people.
  private static let plainNames: Set<String> = ["UTC", "GMT"]

  private static func offsetSeconds(reading text: String) -> Int? {
    if text == "Z" { return 0 }
    var bytes = Array(text.utf8)
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    bytes.removeFirst()
    if bytes.count == 5, bytes[2] == UInt8(ascii: ":") { bytes.remove(at: 2) }
    guard bytes.count == 4, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let digits = bytes.map { Int($0) - 0x30 }
    let hours = digits[0] * 10 + digits[1]
    let minutes = digits[2] * 10 + digits[3]
    guard hours <= 18, minutes < 60, hours * 60 + minutes <= 18 * 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  private static func name(ofOffsetSeconds seconds: Int) -> String {
    if seconds == 0 { return "Z" }
    let minutes = abs(seconds) / 60
    let sign = seconds < 0 ? "-" : "+"
    return sign + twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
  }
}

extension ClockZone: Codable {
  /// Reads the identifier; fails where no zone has that name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let identifier = try container.decode(String.self)
    guard let zone = ClockZone(identifier: identifier) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "no time zone is called \(identifier)")
    }
    self = zone
  }

  /// Writes the identifier.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}
