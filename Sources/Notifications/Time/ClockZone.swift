public import FencepostTime
public import Foundation

/// A zone of the time zone database or a fixed offset.
public struct ClockZone: Hashable, Sendable {
  /// Its name, such as `Europe/Istanbul` or `+03:00`.
  public let identifier: String
  /// The same zone for calendars and systems, also if its name is an offset.
  public let timeZone: TimeZone
  /// The offset of a zone with a fixed one.
  private let fixedSeconds: Int64?

  /// The zone without offset.
  public static let utc = ClockZone(offsetSeconds: 0)

  /// Finds a zone by its name in the time zone database (`Europe/London`), or reads a fixed offset (`Z`,
  /// `+03:00`, `-0930`); nil for an unknown name.
  public init?(identifier: String) {
    if let offset = Self.offsetSeconds(reading: identifier) {
      self.init(offsetSeconds: offset)
    } else if identifier.contains("/") || ["UTC", "GMT"].contains(identifier),
      // Other names without a slash (`EST`, `local`) are ambiguous abbreviations.
      let zone = TimeZone(identifier: identifier)
    {
      self.init(identifier: identifier, timeZone: zone, fixedSeconds: nil)
    } else {
      return nil
    }
  }

  /// Makes a zone with a fixed offset.
  ///
  /// - Parameter offsetSeconds: Seconds east of Greenwich; clamped to 18 hours either way.
  public init(offsetSeconds: Int) {
    let seconds = min(max(offsetSeconds, -64_800), 64_800)
    // A zone with a fixed offset within 18 hours always exists.
    self.init(
      identifier: Self.name(ofOffsetSeconds: seconds),
      timeZone: TimeZone(secondsFromGMT: seconds) ?? .gmt, fixedSeconds: Int64(seconds))
  }

  private init(identifier: String, timeZone: TimeZone, fixedSeconds: Int64?) {
    self.identifier = identifier
    self.timeZone = timeZone
    self.fixedSeconds = fixedSeconds
  }

  /// How many seconds the clocks are ahead of UTC at an instant in milliseconds since
  /// 1970-01-01T00:00:00Z; positive east of Greenwich.
  public func offsetSeconds(atMilliseconds milliseconds: Int64) -> Int64 {
    if let fixedSeconds { return fixedSeconds }
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    return Int64(timeZone.secondsFromGMT(for: date))
  }

  /// The second of the local day, 0..<86400, at an instant in milliseconds since 1970-01-01T00:00:00Z.
  public func secondOfDay(atMilliseconds milliseconds: Int64) -> Int {
    local(atMilliseconds: milliseconds).secondOfDay
  }

  private static func offsetSeconds(reading text: String) -> Int? {
    if text == "Z" { return 0 }
    var bytes = Array(text.utf8)
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    bytes.removeFirst()
    if bytes.count == 5, bytes[2] == UInt8(ascii: ":") { bytes.remove(at: 2) }
    guard bytes.count == 4, bytes.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(decoding: bytes, as: UTF8.self)), number % 100 < 60, number <= 1800
    else { return nil }
    let seconds = number / 100 * 3600 + number % 100 * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  private static func name(ofOffsetSeconds seconds: Int) -> String {
    if seconds == 0 { return "Z" }
    let minutes = abs(seconds) / 60
    return (seconds < 0 ? "-" : "+") + twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
  }
}

extension ClockZone {
  /// The instant at which clocks show a time on a date, in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// A time that the clocks skip moves forward by whole hours until it exists: 02:30 becomes 03:30. A time
  /// on a date that was skipped altogether becomes the same time of the next date. Of a time that comes
  /// twice the first counts.
  public func milliseconds(date: CivilDate, secondOfDay: Int) -> Int64 {
    milliseconds(daysSince1970: date.daysSince1970, secondOfDay: secondOfDay)
  }

  func milliseconds(daysSince1970 days: Int, secondOfDay: Int) -> Int64 {
    let local = Int64(days) * 86_400 + Int64(secondOfDay)
    return seconds(ofLocalSeconds: local) * 1000
  }

  /// The day and the second of the day that clocks show at an instant.
  func local(atMilliseconds milliseconds: Int64) -> (daysSince1970: Int, secondOfDay: Int) {
    let local = milliseconds.dividedDown(by: 1000) + offsetSeconds(atMilliseconds: milliseconds)
    return (Int(local.dividedDown(by: 86_400)), Int(local.remainderDown(by: 86_400)))
  }

  /// The first second whose offset differs from that of `start`.
  ///
  /// There must be one until `end`.
  func firstSecond(after start: Int64, until end: Int64) -> Int64 {
    let offset = offsetSeconds(atMilliseconds: start * 1000)
    var (low, high) = (start, end)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offsetSeconds(atMilliseconds: middle * 1000) == offset {
        low = middle
      } else {
        high = middle
      }
    }
    return high
  }

  /// UTC seconds of the local seconds since 1970-01-01T00:00:00 on the clock.
  private func seconds(ofLocalSeconds local: Int64) -> Int64 {
    // No zone is a day away from UTC or changes its clocks twice within two days, so the offsets of a
    // day before and a day after are the only candidates.
    let before = offsetSeconds(atMilliseconds: (local - 86_400) * 1000)
    let after = offsetSeconds(atMilliseconds: (local + 86_400) * 1000)
    if before == after { return local - before }
    if offsetSeconds(atMilliseconds: (local - before) * 1000) == before { return local - before }
    if offsetSeconds(atMilliseconds: (local - after) * 1000) == after { return local - after }
    // A whole date was skipped.
    if after - before >= 86_400 { return local + 86_400 - after }
    var moved = local - after + 3600
    // A gap of less than a day has ended by then.
    for _ in 0..<24 where offsetSeconds(atMilliseconds: moved * 1000) != after { moved += 3600 }
    return moved
  }
}

extension ClockZone: Codable {
  /// Reads the identifier; fails if it is unknown.
  public init(from decoder: any Decoder) throws {
    let identifier = try String(from: decoder)
    self = try decoder.valid(
      ClockZone(identifier: identifier), or: "no time zone is called \(identifier)")
  }

  /// Writes the identifier.
  public func encode(to encoder: any Encoder) throws { try identifier.encode(to: encoder) }
}
