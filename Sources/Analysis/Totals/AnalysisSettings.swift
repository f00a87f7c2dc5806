public import Fencepost
public import FencepostMonitoring
public import FencepostNotifications

/// The rules of an analysis, which must be equal in all parts to join.
public struct AnalysisSettings: Sendable {
  /// The rule of the device.
  public var monitoring: MonitoringOptions
  /// The alert policy.
  public var alerts: AlertPolicy.Options
  /// Which event alerts.
  public var alertsOn: AlertTrigger
  /// The zone of the hours of the day.
  public var zoneIdentifier: String
  /// Which fixes of the tracks count.
  public var selection = TrackSelection()
  /// What makes tracks those of one person; nil if each stays alone.
  public var personRule: String?
  /// How many alerts a person-day are too many.
  public var fatigueLimit = Fatigue.usualLimit
  /// Whether the analysis names only stories that a path entered or that alerted.
  public var namesOnlyCrossed = false
  /// How many stories the store has.
  public var storyCount: Int
  /// The phones that are simulated; nil if none is.
  public var chance: ChanceOptions?

  /// Makes settings of their parts.
  public init(
    monitoring: MonitoringOptions, alerts: AlertPolicy.Options, zoneIdentifier: String,
    storyCount: Int, alertsOn: AlertTrigger = .enter, chance: ChanceOptions? = nil
  ) {
    self.chance = chance
    self.alertsOn = alertsOn
    self.monitoring = monitoring
    self.alerts = alerts
    self.zoneIdentifier = zoneIdentifier
    self.storyCount = storyCount
  }
}
