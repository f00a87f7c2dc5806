import FencepostGeodesy

/// The engine's rule.
///
/// The defaults are a phone's: 20 regions, refreshed after 500 m.
public struct MonitoringOptions: Hashable, Sendable {
  /// The distance by which the store ranks candidates.
  public enum Rank: String, CaseIterable, Sendable {
    /// Distance to the circle's centre.
    case center
    /// Distance to the circle's edge, from either side.
    case edge
  }

  /// When the monitored set is refreshed.
  public enum RefreshRule: String, CaseIterable, Sendable {
    /// At the first fix that is a significant change away from the last refresh.
    case fixed
    /// Where the path could first meet an unmonitored edge, also between two fixes.
    case adaptive
  }

  /// What happens when a new region already contains the device.
  public enum InitialState: String, CaseIterable, Sendable {
    /// Nothing, as on iOS.
    case silent
    /// An enter, as Android can be asked to.
    case enter
  }

  /// Most regions monitored at a time, at least 1; nil monitors every place (the oracle).
  ///
  /// With ``hasTripwire`` one of them belongs to no place: a limit of 1 then monitors no place at
  /// all.
  public var limit: Int? = 20
  /// Distance from the fix of the last refresh that makes a fix a significant change, in metres.
  public var significantChangeMeters = 500.0
  /// Least time between two refreshes, in milliseconds; ignored without times.
  public var minIntervalMilliseconds: Int64 = 0
  /// How candidates are ranked; the adaptive rule always ranks by edge.
  public var rank = Rank.center
  /// When the set is refreshed.
  public var refresh = RefreshRule.fixed
  /// What happens when a new region already contains the device.
  public var initial = InitialState.silent
  /// How far beyond the circle's edge the exit is, in metres, at least 0.
  ///
  /// A circle whose radius and margin add up to more than 20,000,000 m, the greatest radius a circle
  /// can have, has no exit: a path that enters it never leaves it.
  public var exitMarginMeters = 0.0
  /// The longest time between two joined fixes, in milliseconds; nil for no limit.
  public var maxGapMilliseconds: Int64? = 600_000
  /// The highest implied speed between two joined fixes, in metres a second; nil for no limit.
  public var maxSpeedMetersPerSecond: Double? = 340
  /// Whether the segments of a source are joined into one path.
  public var joinsSegments = false
  /// Whether one of the slots is spent on the circle whose exit wakes the phone to refresh.
  public var hasTripwire = false
  /// The least distance between two adaptive refreshes, in metres.
  ///
  /// Where more edges than regions meet in one point there is also a floor that begins at 5 cm and
  /// doubles with every refresh, up to 25 m.
  public var refreshFloorMeters = 0.0
  /// Where the side of a circle is judged.
  public var test = SideTest.path
  /// What the accuracy of a fix means for its side; only if sides are judged at fixes.
  public var accuracy = AccuracyRule.ignore
  /// How long a crossing must last before it is reported.
  public var confirmation = ConfirmationOptions()
  /// Whether the adaptive rule allows for the accuracy of the fixes.
  ///
  /// Its certificate then holds wherever within the accuracy of each fix the device truly was.
  public var trustsAccuracy = false

  /// Makes the default rule.
  public init() {}

  /// How many places can be monitored at a time; nil for all.
  package var slots: Int? {
    limit.map { max(0, hasTripwire ? $0 - 1 : $0) }
  }

  /// The circle whose edge is the exit from `circle`; nil if no point of the Earth is beyond it.
  func exitCircle(of circle: Circle) -> Circle? {
    guard exitMarginMeters > 0 else { return circle }
    let radius = circle.radiusMeters + exitMarginMeters
    guard radius <= Circle.greatestRadiusMeters else { return nil }
    return Circle(center: circle.center, radiusMeters: radius)
  }

  /// What the store ranks by under this rule.
  package var effectiveRank: Rank { refresh == .adaptive ? .edge : rank }

  /// The question for the nearest places under this rule, without a margin.
  package func nearestQuestion(count: Int) -> CandidateRequest.Question {
    effectiveRank == .center
      ? .nearestCenters(count: count) : .nearestEdges(count: count, exitMarginMeters: 0)
  }

  /// Whether the engine itself finds where the set must change, also between fixes.
  var followsReach: Bool { limit == nil || refresh == .adaptive }
}
