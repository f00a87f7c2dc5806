import FencepostSession
package import FencepostGeodesy
package import FencepostNotifications

/// Why one story did or did not alert on one track.
///
/// A position on the path is the fix that ends a segment and a fraction of that segment, 0 to 1.
/// Times are in milliseconds since 1970, and nil if the track has none.
package struct StoryExplanation: Sendable {
  /// The story's rank at one lookup of the nearest places.
  ///
  /// From these a report shows why the phone was watching other stories when the path came by.
  package struct Refreshing: Equatable, Sendable {
    /// The fix at which, or just before which, the lookup happened.
    package var fix: Int
    /// The time of the lookup; nil if the track has none.
    package var timeMilliseconds: Int64?
    /// The point on the path from which distances were measured.
    package var coordinate: Coordinate
    /// Whether the story was watched from then on.
    package var isMonitored: Bool
    /// The story's rank; nil if the phone watches no places, or all of them.
    package var ranking: EntryRecord.Ranking?
  }

  /// A crossing of the circle's edge, or a dwell inside it.
  ///
  /// Crossings are those with every place watched, whether or not the phone noticed them.
  package struct Edge: Equatable, Sendable {
    /// The fix that ends the segment on which it happened, counted from 0.
    package var fix: Int
    /// How far along that segment it happened, 0 to 1.
    package var fraction: Double
    /// When it was confirmed, or happened if the rule confirms nothing.
    package var timeMilliseconds: Int64?
    /// The point on the path at that time.
    package var coordinate: Coordinate
    /// Whether the path entered the circle, stayed inside long enough, or left it.
    package var kind: AlertTrigger
    /// Whether the path has a gap here, so that only the states before and after are known.
    package var isAcrossBreak: Bool
    /// When the path met the edge, which may be before the crossing was confirmed.
    package var crossedMilliseconds: Int64?
    /// Whether the new side was held long enough to count.
    package var isConfirmed = true
  }

  /// The point of the path nearest to the story's center.
  ///
  /// It tells how much larger the circle would have to be to be entered.
  package struct Approach: Equatable, Sendable {
    /// The distance to the center in meters; the circle's edge is nearer by its radius.
    package var distanceMeters: Double
    /// The fix that ends the segment with the nearest point, counted from 0.
    package var fix: Int
    /// How far along that segment the point lies, 0 to 1.
    package var fraction: Double
    /// When the path was there, interpolated between the fixes; nil if one of them has no time.
    package var timeMilliseconds: Int64?
    /// The nearest point.
    package var coordinate: Coordinate
  }

  /// The story that is explained.
  package var story: Story
  /// The track's summary, over all stories.
  package var account: TrackAccount
  /// Whether the story alerted, and why not.
  package var verdict: StoryVerdict
  /// The point of the path nearest to the center; nil if there are no fixes.
  package var approach: Approach?
  /// The lookups in path order, including those that did not change whether it was watched.
  package var refreshes: [Refreshing]
  /// Edge crossings and dwells, in path order.
  package var edges: [Edge]
  /// The story's entries, in path order.
  package var entries: [EntryRecord]
  /// The alert policy's decision for each entry; nil where the policy was not asked.
  package var explanations: [AlertEntry?]
  /// How many places the phone watches at a time; nil for all.
  package var slots: Int?
  /// Which of entry, dwell and exit alerts.
  package var alertsOn = AlertTrigger.enter
  /// Whether lookups come just before an unwatched circle could be entered.
  package var isAdaptive = false
  /// When the dates of stories count; nil for the time of each entry.
  package var dates: StoryDates?
  /// Whether a crossing may be reported later than where it happened.
  package var showsCrossed = false
  /// What each simulated phone does; empty if none was asked.
  package var predictions: [StoryPrediction] = []
  /// How far the first fix is from the center, in meters; nil without fixes.
  package var startMeters: Double?
  /// Why the story's dates would hold an alert back when the path is nearest; nil if they would not.
  package var outdated: SuppressionReason?

  /// Whether the phone watches every place, so that ranks and lookups do not matter.
  package var monitorsAll: Bool { slots == nil }
}
