public import Geodesy
public import Notifications

/// One entry into a circle, as the oracle and the device saw it.
public struct EntryRecord: Equatable, Sendable {
  /// What the device knew of it.
  public enum Cause: String, CaseIterable, Sendable {
    /// The circle was monitored, and the entry reported as it happened.
    case found
    /// A later refresh found the device inside.
    case late
    /// The device never knew.
    case missed
    /// The device reported an entry that is none of the oracle's.
    case extra
  }

  /// Why a circle that was entered was not among the monitored ones.
  public struct Ranking: Equatable, Sendable {
    /// The place's rank among all places, from 1, by the rule's distance.
    public var rank: Int
    /// Distance of the place by which it was ranked, in metres.
    public var distanceMeters: Double
    /// Distance of the last place that was let in (the 20th of 20), in metres.
    public var lastDistanceMeters: Double

    /// Makes a ranking of its parts.
    public init(rank: Int, distanceMeters: Double, lastDistanceMeters: Double) {
      self.rank = rank
      self.distanceMeters = distanceMeters
      self.lastDistanceMeters = lastDistanceMeters
    }
  }

  /// Index of the story.
  public var story: Int
  /// Index of the fix that ends the path's segment, from 0.
  public var fix: Int
  /// How far along that segment, 0 … 1.
  public var fraction: Double
  /// When, in milliseconds since 1970; nil without times.
  public var timeMilliseconds: Int64?
  /// Where.
  public var coordinate: Coordinate
  /// Whether the path was broken, so that only the states at both ends are known.
  public var acrossBreak: Bool
  /// What the device knew of it.
  public var cause: Cause
  /// Whether it alerted.
  public var isAlert = false
  /// When its alert is shown if that is not at once, in milliseconds since 1970.
  public var deliveryMilliseconds: Int64?
  /// Why it did not alert though the device saw it.
  public var suppression: SuppressionReason?
  /// Whether it alerts where every place is monitored.
  public var isOracleAlert = false
  /// For a late entry: when the device was found inside, in milliseconds since 1970.
  public var foundMilliseconds: Int64?
  /// For a late entry: the fix at which, or on the way to which, the device was found inside.
  public var foundFix: Int?
  /// For what was not monitored: the ranking at the last refresh before, which left it out.
  public var atRefresh: Ranking?
  /// For what was not monitored: the ranking where it was entered.
  public var atEntry: Ranking?

  /// Makes an entry of its place, its moment and its cause; the rest is absent.
  public init(
    story: Int, fix: Int, fraction: Double, timeMilliseconds: Int64?, coordinate: Coordinate,
    acrossBreak: Bool, cause: Cause
  ) {
    self.story = story
    self.fix = fix
    self.fraction = fraction
    self.timeMilliseconds = timeMilliseconds
    self.coordinate = coordinate
    self.acrossBreak = acrossBreak
    self.cause = cause
  }
}
