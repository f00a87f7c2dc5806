import FencepostGeodesy

/// The rule that an engine follows.
///
/// The defaults are those of a phone: 20 regions, refreshed after 500 m.
public struct MonitoringOptions: Hashable, Sendable {
  /// The distance by which the store ranks places.
  ///
  /// The raw value is the name in options.
  public enum Rank: String, CaseIterable, Sendable {
    /// The distance to the circle's center.
    case center
    /// The distance to the circle's edge, from inside or outside.
    case edge
  }

  /// When to refresh the monitored set.
  ///
  /// The fixed rule does what phones do. The adaptive rule misses nothing, except where more
  /// circles meet than can be monitored.
  public enum RefreshRule: String, CaseIterable, Sendable {
    /// At the first fix that is a significant change away from the last refresh.
    case fixed
    /// Where the path could first meet an unmonitored edge, even between two fixes.
    case adaptive
  }

  /// What to report when a new region already contains the device.
  ///
  /// It matters when a place near the device becomes one of the monitored places.
  public enum InitialState: String, CaseIterable, Sendable {
    /// Nothing, as on iOS.
    case silent
    /// An entry, which Android can be asked to report.
    case enter
  }

  /// The most regions to monitor at a time, at least 1; nil monitors every place.
  ///
  /// With ``hasTripwire``, one of them is not a place, so a limit of 1 monitors no places.
  public var limit: Int? = 20
  /// The distance from the last refresh that makes a fix a significant change, in meters.
  public var significantChangeMeters = 500.0
  /// The least time between two refreshes in milliseconds; ignored without times.
  public var minIntervalMilliseconds: Int64 = 0
  /// How to rank places; the adaptive rule always ranks by edge.
  public var rank = Rank.center
  /// When to refresh the monitored set.
  public var refresh = RefreshRule.fixed
  /// What to report when a new region already contains the device.
  public var initial = InitialState.silent
  /// How far beyond the circle's edge the exit is, in meters, at least 0.
  ///
  /// If radius and margin add up to more than 20,000,000 m, a path can enter but never leave.
  public var exitMarginMeters = 0.0
  /// The longest time between two joined fixes in milliseconds; nil for no limit.
  public var maxGapMilliseconds: Int64? = 600_000
  /// The highest speed between two joined fixes in meters per second; nil for no limit.
  public var maxSpeedMetersPerSecond: Double? = 340
  /// Whether to join the segments of a source into one path.
  public var joinsSegments = false
  /// Whether to use one slot for a circle around the device whose exit triggers the next refresh.
  public var hasTripwire = false
  /// The least distance between two adaptive refreshes in meters.
  ///
  /// Where more edges than regions meet, another minimum grows from 5 cm to 25 m with each refresh.
  public var refreshFloorMeters = 0.0
  /// Where to decide on which side of a circle the device is.
  public var test = SideTest.path
  /// How the accuracy of a fix affects its side; only used if sides are judged at fixes.
  public var accuracy = AccuracyRule.ignore
  /// How long a crossing must last before it is reported.
  public var confirmation = ConfirmationOptions()
  /// Whether the adaptive rule allows for the accuracy of the fixes.
  ///
  /// If so, nothing is missed wherever the device was within the accuracy of each fix.
  public var trustsAccuracy = false

  /// Creates the default rule.
  public init() {}

  /// The most places to monitor at a time; nil for all.
  package var slots: Int? {
    limit.map { max(0, hasTripwire ? $0 - 1 : $0) }
  }

  /// The circle whose edge is the exit, or nil if no point on the Earth is beyond it.
  func exitCircle(of circle: Circle) -> Circle? {
    guard exitMarginMeters > 0 else { return circle }
    let radius = circle.radiusMeters + exitMarginMeters
    guard radius <= Circle.greatestRadiusMeters else { return nil }
    return Circle(center: circle.center, radiusMeters: radius)
  }

  /// The rank that applies: that of the options, or by edge under the adaptive rule.
  package var effectiveRank: Rank { refresh == .adaptive ? .edge : rank }

  /// The question for the nearest places under these options, without regard to the exit margin.
  package func nearestQuestion(count: Int) -> CandidateRequest.Question {
    .nearest(
      count: count, rank: effectiveRank == .center ? .center : .edge(exitMarginMeters: 0))
  }

  /// Whether the engine finds out itself where the set must change, even between fixes.
  var followsReach: Bool { limit != nil && refresh == .adaptive }
}
