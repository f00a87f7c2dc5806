public import Geodesy
public import Notifications

/// The story of one story on one track: why it alerted, or why not.
public struct StoryExplanation: Sendable {
  /// How the story stood at one refresh.
  public struct Refreshing: Equatable, Sendable {
    /// The fix at which, or on the way to which, the store was asked.
    public var fix: Int
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?
    /// Where.
    public var coordinate: Coordinate
    /// Whether the story was monitored from then on.
    public var isMonitored: Bool
    /// Its rank; nil where nothing is monitored, or everything is.
    public var ranking: EntryRecord.Ranking?

    /// Makes the refresh of its parts.
    public init(
      fix: Int, timeMilliseconds: Int64?, coordinate: Coordinate, isMonitored: Bool,
      ranking: EntryRecord.Ranking?
    ) {
      self.fix = fix
      self.timeMilliseconds = timeMilliseconds
      self.coordinate = coordinate
      self.isMonitored = isMonitored
      self.ranking = ranking
    }
  }

  /// A meeting of the path with the circle's edge.
  public struct Edge: Equatable, Sendable {
    /// Index of the fix that ends the path's segment.
    public var fix: Int
    /// How far along that segment, 0 … 1.
    public var fraction: Double
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?
    /// Where.
    public var coordinate: Coordinate
    /// Whether the path came in.
    public var isEnter: Bool
    /// Whether the path was broken, so that only the states at both ends are known.
    public var acrossBreak: Bool

    /// Makes the edge of its parts.
    public init(
      fix: Int, fraction: Double, timeMilliseconds: Int64?, coordinate: Coordinate,
      isEnter: Bool, acrossBreak: Bool
    ) {
      self.fix = fix
      self.fraction = fraction
      self.timeMilliseconds = timeMilliseconds
      self.coordinate = coordinate
      self.isEnter = isEnter
      self.acrossBreak = acrossBreak
    }
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

    /// Makes the approach of its parts.
    public init(
      distanceMeters: Double, fix: Int, fraction: Double, timeMilliseconds: Int64?,
      coordinate: Coordinate
    ) {
      self.distanceMeters = distanceMeters
      self.fix = fix
      self.fraction = fraction
      self.timeMilliseconds = timeMilliseconds
      self.coordinate = coordinate
    }
  }

  /// The story.
  public var story: Story
  /// The numbers of the track.
  public var account: TrackAccount
  /// The verdict and the counts.
  public var verdict: StoryVerdict
  /// Where the path came nearest; nil without a fix.
  public var approach: Approach?
  /// How the story stood at every refresh, in order along the path.
  public var refreshes: [Refreshing]
  /// Its edges, as the path met them.
  public var edges: [Edge]
  /// Its entries, in order along the path.
  public var entries: [EntryRecord]
  /// How the policy came to its decision on each entry; nil where it was not asked.
  public var explanations: [AlertExplanation?]
  /// Whether every place is monitored.
  public var monitorsAll: Bool
  /// How many places are monitored at a time; nil for all.
  public var slots: Int?

  /// Makes an explanation of its parts.
  public init(
    story: Story, account: TrackAccount, verdict: StoryVerdict, approach: Approach?,
    refreshes: [Refreshing], edges: [Edge], entries: [EntryRecord],
    explanations: [AlertExplanation?], slots: Int?
  ) {
    self.story = story
    self.account = account
    self.verdict = verdict
    self.approach = approach
    self.refreshes = refreshes
    self.edges = edges
    self.entries = entries
    self.explanations = explanations
    self.slots = slots
    monitorsAll = slots == nil
  }
}
