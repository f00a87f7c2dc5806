import FencepostGeodesy

/// The engine's rule, as the user set it.
///
/// The defaults are those of a phone app that follows its platform's limits: 20 regions, refreshed
/// after 500 m.
public struct MonitoringOptions: Equatable, Sendable {
  /// By what the store ranks candidates.
  public enum Rank: String, CaseIterable, Sendable {
    /// Distance to the circle's centre.
    case center
    /// Distance to the circle's edge, from whichever side.
    case edge
  }

  /// When the monitored set is refreshed.
  public enum RefreshRule: String, CaseIterable, Sendable {
    /// At the first fix that is a significant change away from the last refresh.
    case fixed
    /// Where the path could first meet an edge that is not monitored, also between two fixes.
    case adaptive
  }

  /// What happens when a region is new and the device is inside it already.
  public enum InitialState: String, CaseIterable, Sendable {
    /// Nothing, as on iOS.
    case silent
    /// An enter, as Android can be asked to.
    case enter
  }

  /// Most regions monitored at a time, at least 1; nil monitors every place (the oracle).
  ///
  /// With ``hasTripwire`` one of them is no place's: a limit of 1 then monitors no place at all, and
  /// no edge is ever met.
  public var limit: Int? = 20
  /// Distance from the fix of the last refresh that makes a fix a significant change, in metres.
  public var significantChangeMeters = 500.0
  /// Least time between two refreshes, in milliseconds; without times it does not apply.
  public var minIntervalMilliseconds: Int64 = 0
  /// How candidates are ranked; the adaptive rule always ranks by edge.
  public var rank = Rank.center
  /// When the set is refreshed.
  public var refresh = RefreshRule.fixed
  /// What a new region does when the device is inside it.
  public var initial = InitialState.silent
  /// How far beyond the circle's edge the path must get before it has left it, in metres, at least 0.
  ///
  /// A circle whose radius and margin add up to more than 20,000,000 m, the greatest radius a circle
  /// can have, has no exit edge: who has entered it never leaves it.
  public var exitMarginMeters = 0.0
  /// A longer time between two fixes breaks the path; nil never does.
  ///
  /// In milliseconds.
  public var maxGapMilliseconds: Int64? = 600_000
  /// A higher implied speed breaks the path; nil never does.
  ///
  /// In metres a second.
  public var maxSpeedMetersPerSecond: Double? = 340
  /// Whether the segments of a source are joined into one path.
  public var joinsSegments = false
  /// Whether one of the slots is spent on the circle whose exit wakes the phone to refresh.
  public var hasTripwire = false
  /// The adaptive rule refreshes no closer than this to its last refresh, in metres.
  ///
  /// Where more edges than regions meet in one point it has a floor of its own, which begins at
  /// 5 cm and doubles with every refresh there, up to 25 m.
  public var refreshFloorMeters = 0.0

  /// Makes the default rule.
  public init() {}

  /// The slots left for places, or nil where there is no limit.
  var placeSlots: Int? {
    limit.map { max(0, hasTripwire ? $0 - 1 : $0) }
  }

  /// The circle that must be left for an exit from `circle`; nil where the Earth has no point beyond
  /// it.
  func exitCircle(of circle: Circle) -> Circle? {
    guard exitMarginMeters > 0 else { return circle }
    let radius = circle.radiusMeters + exitMarginMeters
    guard radius <= Circle.greatestRadiusMeters else { return nil }
    return Circle(center: circle.center, radiusMeters: radius)
  }

  /// Whether the engine itself finds where the set must change, also between two fixes.
  var followsReach: Bool { limit == nil || refresh == .adaptive }
}
