import FencepostSession
package import FencepostGeodesy
package import FencepostNotifications

/// Why one story did or did not alert on one track.
///
/// A position on the path is the fix that ends a segment and a fraction of that segment, 0 to 1.
/// Times are in milliseconds since 1970, and nil if the track has none.
package struct StoryExplanation: Sendable {
  /// The story's rank at one lookup of the nearest places.
  package struct Refreshing: Equatable, Sendable {
    /// The fix at which, or just before which, the lookup happened.
    package var fix: Int
    package var timeMilliseconds: Int64?
    package var coordinate: Coordinate
    /// Whether the story was watched from then on.
    package var isMonitored: Bool
    /// The story's rank; nil if the phone watches no places, or all of them.
    package var ranking: EntryRecord.Ranking?
  }

  /// A crossing of the circle's edge, or a dwell inside it.
  package struct Edge: Equatable, Sendable {
    package var fix: Int
    package var fraction: Double
    package var timeMilliseconds: Int64?
    package var coordinate: Coordinate
    package var kind: AlertTrigger
    /// Whether the path has a gap here, so that only the states before and after are known.
    package var isAcrossBreak: Bool
    /// When the path met the edge, which may be before the crossing was confirmed.
    package var crossedMilliseconds: Int64?
    /// Whether the new side was held long enough to count.
    package var isConfirmed = true
  }

  /// The point of the path nearest to the story's center.
  package struct Approach: Equatable, Sendable {
    package var distanceMeters: Double
    package var fix: Int
    package var fraction: Double
    package var timeMilliseconds: Int64?
    package var coordinate: Coordinate
  }

  package var story: Story
  package var account: TrackAccount
  package var verdict: StoryVerdict
  /// The point of the path nearest to the center; nil if there are no fixes.
  package var approach: Approach?
  package var refreshes: [Refreshing]
  /// Edge crossings and dwells, in path order.
  package var edges: [Edge]
  package var entries: [EntryRecord]
  /// The alert policy's decision for each entry; nil where the policy was not asked.
  package var explanations: [AlertPolicy.Entry?]
  /// How many places the phone watches at a time; nil for all.
  package var slots: Int?
  package var alertsOn = AlertTrigger.enter
  /// Whether lookups come just before an unwatched circle could be entered.
  package var isAdaptive = false
  /// When the dates of stories count; nil for the time of each entry.
  package var dates: StoryDates?
  /// Whether a crossing may be reported later than where it happened.
  package var showsCrossed = false
  package var predictions: [StoryPrediction] = []
  /// How far the first fix is from the center, in meters; nil without fixes.
  package var startMeters: Double?
  /// Why the story's dates would hold an alert back when the path is nearest; nil if they would not.
  package var outdated: SuppressionReason?

  package var monitorsAll: Bool { slots == nil }
}
