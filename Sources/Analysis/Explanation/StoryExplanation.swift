package import Fencepost
package import FencepostGeodesy
package import FencepostNotifications

/// Why one story alerted on one track, or why not.
package struct StoryExplanation: Sendable {
  /// The story's rank at one refresh.
  package struct Refreshing: Equatable, Sendable {
    /// The fix at which, or on the way to which, the refresh happened.
    package var fix: Int
    /// When, in milliseconds since 1970; nil without times.
    package var timeMilliseconds: Int64?
    /// Where.
    package var coordinate: Coordinate
    /// Whether the story was monitored from then on.
    package var isMonitored: Bool
    /// Its rank; nil where nothing is monitored, or everything is.
    package var ranking: EntryRecord.Ranking?
  }

  /// A crossing of the circle's edge, or a dwell inside it.
  package struct Edge: Equatable, Sendable {
    /// Index of the fix that ends the path's segment.
    package var fix: Int
    /// How far along that segment, 0 … 1.
    package var fraction: Double
    /// When, in milliseconds since 1970; nil without times.
    package var timeMilliseconds: Int64?
    /// Where.
    package var coordinate: Coordinate
    /// Whether the path came in, left, or had stayed for a dwell.
    package var kind: AlertTrigger
    /// Whether the path was broken, so that only the states at both ends are known.
    package var acrossBreak: Bool
    /// When the path met the edge, in milliseconds since 1970; nil without times.
    package var crossedMilliseconds: Int64?
    /// Whether it lasted long enough to count.
    package var isConfirmed = true
  }

  /// Where the path came nearest to the centre.
  package struct Approach: Equatable, Sendable {
    /// The distance in metres.
    package var distanceMeters: Double
    /// Index of the fix that ends the path's segment.
    package var fix: Int
    /// How far along that segment, 0 … 1.
    package var fraction: Double
    /// When, in milliseconds since 1970; nil without times.
    package var timeMilliseconds: Int64?
    /// Where on the path.
    package var coordinate: Coordinate
  }

  /// The story.
  package var story: Story
  /// The numbers of the track.
  package var account: TrackAccount
  /// The verdict and the counts.
  package var verdict: StoryVerdict
  /// Where the path came nearest; nil without a fix.
  package var approach: Approach?
  /// The story's rank at every refresh, in order along the path.
  package var refreshes: [Refreshing]
  /// The crossings of its edge, in order along the path.
  package var edges: [Edge]
  /// Its entries, in order along the path.
  package var entries: [EntryRecord]
  /// How the policy decided on each entry; nil if it did not.
  package var explanations: [AlertPolicy.Entry?]
  /// How many places are monitored at a time; nil for all.
  package var slots: Int?
  /// Which event alerts.
  package var alertsOn = AlertTrigger.enter
  /// Whether crossings may be reported elsewhere than where they happen.
  package var showsCrossed = false
  /// What simulated phones make of it; empty if none is simulated.
  package var predictions: [StoryPrediction] = []

  /// Whether every place is monitored.
  package var monitorsAll: Bool { slots == nil }
}
