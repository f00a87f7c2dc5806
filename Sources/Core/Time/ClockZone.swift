/// A zone of the time zone database, or a fixed offset from UTC.
///
/// The offset of a named zone can change during the year. Names need the system's time zone
/// database; offsets do not.
public struct ClockZone: Hashable, Sendable {
  /// The name, such as `Europe/Istanbul` or `+03:00`.
  public let identifier: String
  private let offsets: Offsets

  /// Where the offsets come from.
  private enum Offsets: Hashable {
    case fixed(seconds: Int64)
    /// Apart, so that what holds a zone stays small.
    indirect case file(ZoneFile)
  }

  /// UTC.
  public static let utc = ClockZone(offsetSeconds: 0)

  /// Creates a zone from a name (`Europe/London`) or an offset (`Z`, `+03:00`).
  ///
  /// - Returns: Nil for a name that the system's time zone database does not have.
  public init?(identifier: String) {
    if let offset = Self.offsetSeconds(reading: identifier) {
      self.init(offsetSeconds: offset)
      return
    }
    // Other names without a slash (`EST`, `local`) are ambiguous abbreviations.
    if ["UTC", "GMT"].contains(identifier) {
      self.init(identifier: identifier, offsets: .fixed(seconds: 0))
    } else if identifier.contains("/"), let file = ZoneFile(named: identifier) {
      self.init(identifier: identifier, offsets: .file(file))
    } else {
      return nil
    }
  }

  /// Creates a zone that is a number of seconds ahead of UTC, clamped to ±18 hours.
  public init(offsetSeconds: Int) {
    let seconds = min(max(offsetSeconds, -64_800), 64_800)
    self.init(
      identifier: Self.name(ofOffsetSeconds: seconds), offsets: .fixed(seconds: Int64(seconds)))
  }

  private init(identifier: String, offsets: Offsets) {
    self.identifier = identifier
    self.offsets = offsets
  }

  /// The seconds ahead of UTC at a time in milliseconds since 1970-01-01T00:00:00Z.
  package func offsetSeconds(atMilliseconds milliseconds: Int64) -> Int64 {
    switch offsets {
    case .fixed(let seconds): seconds
    case .file(let file): file.offsetSeconds(at: milliseconds.dividedDown(by: 1000))
    }
  }

  /// The second of the local day, 0..<86400, at a time in milliseconds since 1970-01-01T00:00:00Z.
  package func secondOfDay(atMilliseconds milliseconds: Int64) -> Int {
    local(atMilliseconds: milliseconds).secondOfDay
  }

  /// The name that people read, which is UTC for `Z`.
  package var name: String { identifier == "Z" ? "UTC" : identifier }

  /// An instant with its offset from UTC: `2026-03-04T12:11:34.908-05:00`, or `…Z` without one.
  package func text(milliseconds: Int64) -> String {
    let offset = offsetSeconds(atMilliseconds: milliseconds)
    let text = ISO8601.string(milliseconds: milliseconds + offset * 1000)
    return text.dropLast() + Self.name(ofOffsetSeconds: Int(offset))
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

  /// The time at which clocks show a date and time, in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// A skipped time moves forward by whole hours until it exists: 02:30 becomes 03:30. A time on a
  /// skipped date moves to the next date. Of a repeated time, the first counts.
  package func milliseconds(date: CivilDate, secondOfDay: Int) -> Int64 {
    milliseconds(daysSince1970: date.daysSince1970, secondOfDay: secondOfDay)
  }

  /// The time at which clocks show a time that was read as if it were in UTC; both are milliseconds
  /// since 1970-01-01T00:00:00Z.
  package func milliseconds(readInUTC time: Int64) -> Int64 {
    let rest = time.remainderDown(by: 86_400_000)
    let second = milliseconds(
      daysSince1970: Int(time.dividedDown(by: 86_400_000)), secondOfDay: Int(rest / 1000))
    return second + rest % 1000
  }

  /// The time at which clocks show a date, in days since 1970-01-01, and a second of that day.
  ///
  /// Skipped and repeated times are as in ``milliseconds(date:secondOfDay:)``.
  package func milliseconds(daysSince1970 days: Int, secondOfDay: Int) -> Int64 {
    let local = Int64(days) * 86_400 + Int64(secondOfDay)
    return seconds(ofLocalSeconds: local) * 1000
  }

  /// The date in days since 1970-01-01 and the second of the day, 0..<86400, that clocks show.
  ///
  /// The time is in milliseconds since 1970-01-01T00:00:00Z.
  package func local(atMilliseconds milliseconds: Int64) -> (daysSince1970: Int, secondOfDay: Int) {
    let local = milliseconds.dividedDown(by: 1000) + offsetSeconds(atMilliseconds: milliseconds)
    return (Int(local.dividedDown(by: 86_400)), Int(local.remainderDown(by: 86_400)))
  }

  /// The first second after `start` with a different offset; there must be one by `end`.
  ///
  /// Both are in seconds since 1970.
  ///
  /// - Complexity: O(log n) in the number of seconds between them.
  package func firstSecond(after start: Int64, until end: Int64) -> Int64 {
    let offset = offsetSeconds(atMilliseconds: start * 1000)
    return (start + 1..<end).partitioningIndex {
      offsetSeconds(atMilliseconds: $0 * 1000) != offset
    }
  }

  /// The second since 1970 at which clocks show a second counted as if in UTC.
  private func seconds(ofLocalSeconds local: Int64) -> Int64 {
    // No zone is a day away from UTC or changes its clocks twice within two days, so the offsets a
    // day before and a day after are the only candidates.
    let before = offsetSeconds(atMilliseconds: (local - 86_400) * 1000)
    let after = offsetSeconds(atMilliseconds: (local + 86_400) * 1000)
    if before == after { return local - before }
    if offsetSeconds(atMilliseconds: (local - before) * 1000) == before { return local - before }
    if offsetSeconds(atMilliseconds: (local - after) * 1000) == after { return local - after }
    // A whole date was skipped.
    if after - before >= 86_400 { return local + 86_400 - after }
    var moved = local - after + 3600
    // Every gap is shorter than a day.
    for _ in 0..<24 where offsetSeconds(atMilliseconds: moved * 1000) != after { moved += 3600 }
    return moved
  }
}
