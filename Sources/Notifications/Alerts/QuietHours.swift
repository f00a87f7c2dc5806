/// A daily span of local time without alerts; it may include midnight.
public struct QuietHours: Hashable, Sendable {
  /// The first quiet second.
  public let start: TimeOfDay
  /// The first second after the quiet hours.
  public let end: TimeOfDay
  /// The time zone of the clock.
  public let zone: ClockZone

  /// Creates quiet hours; nil if `start` equals `end`, which could mean never or always.
  public init?(start: TimeOfDay, end: TimeOfDay, zone: ClockZone) {
    guard start != end else { return nil }
    self.start = start
    self.end = end
    self.zone = zone
  }

  /// Whether a time in milliseconds since 1970-01-01T00:00:00Z is quiet.
  package func contains(milliseconds: Int64) -> Bool {
    let second = zone.secondOfDay(atMilliseconds: milliseconds)
    if start < end { return second >= start.secondOfDay && second < end.secondOfDay }
    return second >= start.secondOfDay || second < end.secondOfDay
  }
}
