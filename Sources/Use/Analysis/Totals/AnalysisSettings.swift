package import FencepostSession
package import FencepostMonitoring

/// The rules of an analysis, which must be equal in all parts to merge.
///
/// An analysis writes them at its beginning, and merging refuses parts whose settings differ,
/// because their sums would mean nothing.
package struct AnalysisSettings: Sendable {
  /// The rules of monitoring and alerts.
  package var session: TrackSessionOptions
  /// The time zone of days and hours, by its name in the tz database.
  package var zoneIdentifier: String
  /// The fixes that were followed.
  package var selection = TrackSelection()
  /// How tracks are assigned to persons; nil if each track stands alone.
  package var personRule: String?
  /// More alerts than this per person and day are too many.
  package var fatigueLimit = Fatigue.usualLimit
  /// Whether to name only stories that were entered or that alerted.
  package var namesOnlyCrossed = false
  /// The number of places in the store.
  package var storyCount: Int
  /// The simulated phones; nil for none.
  package var chance: ChanceOptions?
  /// The reminders beside the stories, by file and rules; nil in an analysis of stories alone.
  package var reminders: String?

  /// Creates settings in which each track stands alone, and all fixes are followed.
  package init(
    session: TrackSessionOptions, zoneIdentifier: String, storyCount: Int,
    chance: ChanceOptions? = nil
  ) {
    (self.session, self.zoneIdentifier) = (session, zoneIdentifier)
    (self.storyCount, self.chance) = (storyCount, chance)
  }

  /// The rules of watching and lookups.
  package var monitoring: MonitoringOptions { session.monitoring }
}
