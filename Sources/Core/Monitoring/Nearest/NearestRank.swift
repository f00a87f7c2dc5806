/// The distance by which places are ranked.
///
/// Every search takes one. Equally near places are in order of id.
public enum NearestRank: Hashable, Sendable {
  /// The distance from the place, which is the center of its circle.
  case center
  /// The distance from the circle's edge, inside or outside, |d − r|.
  ///
  /// With an exit margin m > 0 in meters, the edge is the band between r (entry) and r + m (exit).
  /// The distance is 0 within the band and otherwise that to its nearer border.
  case edge(exitMarginMeters: Double)

  /// The ranking distance of a place, from the distance of its center.
  @inlinable
  package func distanceMeters(centerDistanceMeters: Double, radiusMeters: Double) -> Double {
    switch self {
    case .center:
      centerDistanceMeters
    case .edge(let margin):
      max(
        0, radiusMeters - centerDistanceMeters, centerDistanceMeters - radiusMeters - margin)
    }
  }
}

extension NearestRank {
  /// The exit margin in meters; 0 if places rank by their centers.
  package var marginMeters: Double {
    switch self {
    case .center: 0
    case .edge(let margin): margin
    }
  }
}
