public import FencepostGeodesy

/// Reminders with what they need to be planned.
public struct ReminderDocument: Hashable, Codable, Sendable {
  /// The zone the phone is in at first; UTC by default.
  public var zone: ClockZone
  /// Where the phone is, if known.
  public var location: Coordinate?
  /// The kinds.
  public var kinds: KindRegistry
  /// How often notifications of each kind were shown and tapped so far.
  public var tapRates: TapRates
  /// The slots of each kind, for the ranking by quotas.
  public var quotas: [String: Int]
  /// The reminders in their order.
  public var reminders: [Reminder]

  /// Makes a document of its parts.
  public init(
    reminders: [Reminder], kinds: KindRegistry = KindRegistry(), quotas: [String: Int] = [:],
    zone: ClockZone = .utc, location: Coordinate? = nil, tapRates: TapRates = TapRates()
  ) {
    self.zone = zone
    self.location = location
    self.kinds = kinds
    self.tapRates = tapRates
    self.quotas = quotas
    self.reminders = reminders
  }
}
