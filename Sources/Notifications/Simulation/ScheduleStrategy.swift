/// How an app hands its reminders to a phone.
public enum ScheduleStrategy: String, CaseIterable, Sendable {
  /// Everything at once, in the order of the file, whatever the phone does with it.
  case naive
  /// In the order of the file until the phone is full; the rest is left out.
  case firstCome = "first-come"
  /// By the budget: what does not fit is stored, and promoted at each refresh.
  case budget
  /// Single occurrences of the next seven days by the budget, moved on at each refresh.
  case window
}

/// A move to another time zone.
public struct ZoneChange: Equatable, Sendable {
  /// When, in milliseconds since 1970.
  public let timeMilliseconds: Int64
  /// The zone from then on.
  public let zone: ClockZone

  /// Makes a change of its parts.
  public init(timeMilliseconds: Int64, zone: ClockZone) {
    self.timeMilliseconds = timeMilliseconds
    self.zone = zone
  }
}
