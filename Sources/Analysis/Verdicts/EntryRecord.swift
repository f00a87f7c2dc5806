package import FencepostGeodesy
package import FencepostNotifications

/// One entry into a circle, as the oracle and the simulated phone saw it.
///
/// The oracle is a run that watches every place.
package struct EntryRecord: Equatable, Sendable {
  package enum Cause: String, CaseIterable, Sendable {
    case found
    /// A later lookup found the phone already inside.
    case late
    case missed
    /// The phone reported an entry that the oracle does not have.
    case extra
  }

  /// A place's rank among all places, seen from one point.
  package struct Ranking: Equatable, Sendable {
    /// The rank among all places by the rule's distance, starting at 1.
    package var rank: Int
    /// The distance that decided the rank, in meters.
    package var distanceMeters: Double
    /// The distance of the farthest watched place (the 20th of 20), in meters.
    package var lastDistanceMeters: Double
  }

  package var story: Int
  /// The fix that ends the path segment, counted from 0.
  package var fix: Int
  /// Position along that segment, 0 to 1.
  package var fraction: Double
  /// Milliseconds since 1970; nil if the track has no times.
  package var timeMilliseconds: Int64?
  package var coordinate: Coordinate
  /// Whether the path has a gap here, so that only the states before and after are known.
  package var acrossBreak: Bool
  package var cause: Cause
  package var isAlert = false
  /// When a delayed alert is shown, in milliseconds since 1970; nil if it is shown at once.
  package var deliveryMilliseconds: Int64?
  package var suppression: SuppressionReason?
  package var isOracleAlert = false
  /// For a late entry: when a lookup found the phone inside, in milliseconds since 1970.
  package var foundMilliseconds: Int64?
  /// For a late entry: the fix at which, or just before which, a lookup found the phone inside.
  package var foundFix: Int?
  /// Speed in m/s, from the receiver or else computed up to the next fix; nil if unknown.
  package var speedMetersPerSecond: Double?
  /// When the path entered, before any confirmation delay, in milliseconds since 1970.
  ///
  /// Nil if the track has no times, or if exits alert.
  package var enteredMilliseconds: Int64?
  /// When the path left the circle, in milliseconds since 1970; nil if unknown or still inside.
  package var leftMilliseconds: Int64?
  /// For an unwatched circle: its ranking at the last lookup, which left it out.
  package var atRefresh: Ranking?
  /// For an unwatched circle: its ranking at the point of entry.
  package var atEntry: Ranking?

  init(
    story: Int, fix: Int, fraction: Double, timeMilliseconds: Int64?, coordinate: Coordinate,
    acrossBreak: Bool, cause: Cause
  ) {
    (self.story, self.fix, self.fraction) = (story, fix, fraction)
    (self.timeMilliseconds, self.coordinate) = (timeMilliseconds, coordinate)
    (self.acrossBreak, self.cause) = (acrossBreak, cause)
  }
}
