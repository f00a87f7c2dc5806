public import Monitoring
public import Notifications


/// The rules under which tracks were analysed: what must be equal where parts are joined.
public struct AnalysisSettings: Sendable {
  /// The rule of the device.
  public var monitoring: MonitoringOptions
  /// The alert policy.
  public var alerts: AlertPolicy.Options
  /// Whose clock the hours of the day are.
  public var zoneIdentifier: String
  /// How many stories the store has.
  public var storyCount: Int

  /// Makes settings of their parts.
  public init(
    monitoring: MonitoringOptions, alerts: AlertPolicy.Options, zoneIdentifier: String,
    storyCount: Int
  ) {
    self.monitoring = monitoring
    self.alerts = alerts
    self.zoneIdentifier = zoneIdentifier
    self.storyCount = storyCount
  }
}
