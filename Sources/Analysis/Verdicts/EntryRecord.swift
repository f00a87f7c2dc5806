package import FencepostGeodesy
package import FencepostNotifications

/// One entry into a circle, as the oracle and the device saw it.
package struct EntryRecord: Equatable, Sendable {
  /// Whether the device noticed an entry.
  package enum Cause: String, CaseIterable, Sendable {
    /// It did, because the circle was monitored.
    case found
    /// It did at a later refresh, which found it inside.
    case late
    /// It did not.
    case missed
    /// It reported an entry that the oracle does not have.
    case extra
  }

  /// Why the circle was not among the monitored ones.
  package struct Ranking: Equatable, Sendable {
    /// The place's rank among all places, from 1, by the rule's distance.
    package var rank: Int
    /// The distance by which the place was ranked, in metres.
    package var distanceMeters: Double
    /// The distance of the last monitored place (the 20th of 20), in metres.
    package var lastDistanceMeters: Double
  }

  /// Index of the story.
  package var story: Int
  /// Index of the fix that ends the path's segment, from 0.
  package var fix: Int
  /// How far along that segment, 0 … 1.
  package var fraction: Double
  /// When, in milliseconds since 1970; nil without times.
  package var timeMilliseconds: Int64?
  /// Where.
  package var coordinate: Coordinate
  /// Whether the path was broken, so that only the states at both ends are known.
  package var acrossBreak: Bool
  /// Whether the device noticed it.
  package var cause: Cause
  /// Whether it alerted.
  package var isAlert = false
  /// When its alert is shown if not at once, in milliseconds since 1970.
  package var deliveryMilliseconds: Int64?
  /// Why it did not alert although the device noticed it.
  package var suppression: SuppressionReason?
  /// Whether it alerts where every place is monitored.
  package var isOracleAlert = false
  /// For a late entry: when a refresh found the device inside, in milliseconds since 1970.
  package var foundMilliseconds: Int64?
  /// For a late entry: the fix at which, or on the way to which, a refresh found the device inside.
  package var foundFix: Int?
  /// The speed there in metres a second: the receiver's, else that on the way to the next fix; nil if unknown.
  package var speedMetersPerSecond: Double?
  /// When the path came into the circle, in milliseconds since 1970: before the confirmation, where there is one;
  /// nil without times, and where exits alert.
  package var enteredMilliseconds: Int64?
  /// When the path left the circle again, in milliseconds since 1970; nil without times, or if it did not.
  package var leftMilliseconds: Int64?
  /// If not monitored: the ranking at the refresh before, which left the place out.
  package var atRefresh: Ranking?
  /// If not monitored: the ranking where the circle was entered.
  package var atEntry: Ranking?

  init(
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
