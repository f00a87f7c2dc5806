extension AlertPolicy {
  /// The rules of an alert policy.
  public struct Options: Hashable, Codable, Sendable {
    /// When nothing alerts; none by default.
    public var quietHours: QuietHours?
    /// The speed in metres a second above which nothing alerts, nor for two minutes after.
    ///
    /// Off by default. An unknown speed is no reason to stay silent.
    public var maxAlertSpeedMetersPerSecond: Double?
    /// How long a place that has alerted stays silent; seven days by default.
    public var cooldown: Cooldown
    /// How many alerts one second may have, further ones being shown whole seconds later; nil
    /// for no limit, and 1 where it is less.
    public var sameSecondLimit: Int?
    /// How far apart in metres two centres may be and still be one spot.
    public var spotMeters: Double
    /// How many alerts may wait for their delivery at a time, nil for no limit; 0 or less refuses
    /// all.
    ///
    /// An alert that is shown at once needs a free slot but does not keep it.
    public var pendingSlots: Int?

    /// How long after driving nothing alerts.
    public static let drivingMemoryMilliseconds: Int64 = 120_000

    /// Makes rules; whatever is left out has the default described at the property.
    public init(
      quietHours: QuietHours? = nil, maxAlertSpeedMetersPerSecond: Double? = nil,
      cooldown: Cooldown = .days(7), sameSecondLimit: Int? = 2, spotMeters: Double = 1,
      pendingSlots: Int? = nil
    ) {
      self.quietHours = quietHours
      self.maxAlertSpeedMetersPerSecond = maxAlertSpeedMetersPerSecond
      self.cooldown = cooldown
      self.sameSecondLimit = sameSecondLimit
      self.spotMeters = spotMeters
      self.pendingSlots = pendingSlots
    }
  }
}
