package import Fencepost
package import FencepostMonitoring
package import FencepostNotifications

/// The rules of an analysis, which must be equal in all parts to join.
package struct AnalysisSettings: Sendable {
  /// The rule of the device.
  package var monitoring: MonitoringOptions
  /// The alert policy.
  package var alerts: AlertPolicy.Options
  /// Which event alerts.
  package var alertsOn: AlertTrigger
  /// The zone of the hours of the day.
  package var zoneIdentifier: String
  /// Which fixes of the tracks count.
  package var selection = TrackSelection()
  /// What makes tracks those of one person; nil if each stays alone.
  package var personRule: String?
  /// How many alerts a person-day are too many.
  package var fatigueLimit = Fatigue.usualLimit
  /// Whether the analysis names only stories that a path entered or that alerted.
  package var namesOnlyCrossed = false
  /// How many stories the store has.
  package var storyCount: Int
  /// The phones that are simulated; nil if none is.
  package var chance: ChanceOptions?

  /// Makes settings of their parts.
  package init(
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
