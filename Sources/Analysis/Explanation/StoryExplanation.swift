public import Fencepost
public import FencepostGeodesy
public import FencepostNotifications

/// Why one story alerted on one track, or why not.
public struct StoryExplanation: Sendable {
  /// The story's rank at one refresh.
  public struct Refreshing: Equatable, Sendable {
    /// The fix at which, or on the way to which, the refresh happened.
    public var fix: Int
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?
    /// Where.
    public var coordinate: Coordinate
    /// Whether the story was monitored from then on.
    public var isMonitored: Bool
    /// Its rank; nil where nothing is monitored, or everything is.
    public var ranking: EntryRecord.Ranking?
  }

  /// A crossing of the circle's edge, or a dwell inside it.
  public struct Edge: Equatable, Sendable {
    /// Index of the fix that ends the path's segment.
    public var fix: Int
    /// How far along that segment, 0 … 1.
    public var fraction: Double
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?
    /// Where.
    public var coordinate: Coordinate
    /// Whether the path came in, left, or had stayed for a dwell.
    public var kind: AlertTrigger
    /// Whether the path was broken, so that only the states at both ends are known.
    public var acrossBreak: Bool
    /// When the path met the edge, in milliseconds since 1970; nil without times.
    public var crossedMilliseconds: Int64?
    /// Whether it lasted long enough to count.
    public var isConfirmed = true
  }

  /// Where the path came nearest to the centre.
  public struct Approach: Equatable, Sendable {
    /// The distance in metres.
    public var distanceMeters: Double
    /// Index of the fix that ends the path's segment.
    public var fix: Int
    /// How far along that segment, 0 … 1.
    public var fraction: Double
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?
    /// Where on the path.
    public var coordinate: Coordinate
  }

  /// The story.
  public var story: Story
  /// The numbers of the track.
  public var account: TrackAccount
  /// The verdict and the counts.
  public var verdict: StoryVerdict
  /// Where the path came nearest; nil without a fix.
  public var approach: Approach?
  /// The story's rank at every refresh, in order along the path.
  public var refreshes: [Refreshing]
  /// The crossings of its edge, in order along the path.
  public var edges: [Edge]
  /// Its entries, in order along the path.
  public var entries: [EntryRecord]
  /// How the policy decided on each entry; nil if it did not.
  public var explanations: [AlertPolicy.Entry?]
  /// How many places are monitored at a time; nil for all.
  public var slots: Int?
  /// Which event alerts.
  public var alertsOn = AlertTrigger.enter
  /// Whether crossings may be reported elsewhere than where they happen.
  public var showsCrossed = false
  /// What simulated phones make of it; empty if none is simulated.
  public var predictions: [StoryPrediction] = []

  /// Whether every place is monitored.
  public var monitorsAll: Bool { slots == nil }
}
