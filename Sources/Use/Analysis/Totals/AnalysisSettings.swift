package import FencepostSession
package import FencepostMonitoring

/// The rules of an analysis, which must be equal in all parts to merge.
package struct AnalysisSettings: Sendable {
  package var session: TrackSession.Options
  package var zoneIdentifier: String
  package var selection = TrackSelection()
  /// How tracks are assigned to persons; nil if each track stands alone.
  package var personRule: String?
  /// More alerts than this per person and day are too many.
  package var fatigueLimit = Fatigue.usualLimit
  /// Whether to name only stories that were entered or that alerted.
  package var namesOnlyCrossed = false
  package var storyCount: Int
  package var chance: ChanceOptions?
  /// The reminders beside the stories, by file and rules; nil in an analysis of stories alone.
  package var reminders: String?

  package init(
    session: TrackSession.Options, zoneIdentifier: String, storyCount: Int,
    chance: ChanceOptions? = nil
  ) {
    (self.session, self.zoneIdentifier) = (session, zoneIdentifier)
    (self.storyCount, self.chance) = (storyCount, chance)
  }

  package var monitoring: MonitoringOptions { session.monitoring }
}
