extension AlertPolicy {
  /// The rules of an alert policy.
  public struct Options: Hashable, Codable, Sendable {
    /// The hours without alerts; nil for none.
    public var quietHours: QuietHours?
    /// The speed in meters per second above which nothing alerts, nor for two minutes after.
    ///
    /// Nil for no limit. An unknown speed does not hold back an alert.
    public var maxAlertSpeedMetersPerSecond: Double?
    /// How long a place stays silent after it alerted; seven days by default.
    public var cooldown: Cooldown
    /// The number of alerts in one second, at least 1; others are delayed; nil for no limit.
    public var sameSecondLimit: Int?
    /// The largest distance in meters between two centers that count as the same position.
    package var spotMeters: Double
    /// The number of alerts that can wait for delivery at a time; nil for no limit.
    ///
    /// An alert without a delay needs a free slot but does not keep it. At 0, nothing alerts.
    package var pendingSlots: Int?
    /// When the dates of stories count; nil for the time of each entry.
    package var dates: StoryDates?

    /// How long nothing alerts after driving, in milliseconds.
    static let drivingMemoryMilliseconds: Int64 = 120_000

    /// Creates rules.
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
