/// A daily span of local time in which nothing alerts; it may run over midnight.
public struct QuietHours: Hashable, Codable, Sendable {
  /// The first quiet second of the day.
  public let start: TimeOfDay
  /// The first second that is not quiet any more.
  public let end: TimeOfDay
  /// Whose clock counts.
  public let zone: ClockZone

  /// Makes quiet hours from `start` up to, not including, `end`; nil where both are
  /// the same time, which could mean never as well as always.
  public init?(start: TimeOfDay, end: TimeOfDay, zone: ClockZone) {
    guard start != end else { return nil }
    self.start = start
    self.end = end
    self.zone = zone
  }

  /// Reads quiet hours; fails if ``init(start:end:zone:)`` does.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let hours = QuietHours(
      start: try values.decode(TimeOfDay.self, forKey: .start),
      end: try values.decode(TimeOfDay.self, forKey: .end),
      zone: try values.decode(ClockZone.self, forKey: .zone))
    guard let hours else {
      throw DecodingError.dataCorruptedError(
        forKey: .end, in: values,
        debugDescription: "quiet hours end at another time than they start")
    }
    self = hours
  }

  /// Whether an instant, in milliseconds since 1970-01-01T00:00:00Z, is quiet.
  public func contains(milliseconds: Int64) -> Bool {
    let second = zone.secondOfDay(atMilliseconds: milliseconds)
    if start < end { return second >= start.secondOfDay && second < end.secondOfDay }
    return second >= start.secondOfDay || second < end.secondOfDay
  }
}
