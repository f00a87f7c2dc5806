import FencepostGeodesy
import FencepostMonitoring

/// The circles about a point, kept so that the next queries along a path need not read the store.
///
/// The edge of any other circle, from outside, is at least ``reachMeters`` away from ``center``. Distances change
/// no faster than a point moves, so that at d metres from there nothing within the reach less d is missing.
struct NearbyCircles {
  /// How many circles are read at once.
  static let most = 240

  let center: Position
  let reachMeters: Double
  let circles: [(key: Int64, circle: Circle)]

  /// Whether all circles are here whose edge is within a distance of a position.
  func reach(_ meters: Double, from position: Position) -> Bool {
    meters + Geodesic.distanceMeters(center, position) + Self.toleranceMeters <= reachMeters
  }

  /// The circles whose edge is within a distance of a position, or which contain it, in no order.
  func neighbors(
    of position: Position, by rank: NearestRank, edgeWithinMeters meters: Double
  ) -> [Neighbor] {
    circles.compactMap { key, circle in
      let apart = circle.center.vector - position.vector
      let most = meters + circle.radiusMeters + Self.toleranceMeters
      // No geodesic is shorter than its chord, which takes less time far away.
      guard (apart * apart).sum() <= most * most else { return nil }
      return Neighbor(key: key, circle: circle, from: position, rank: rank)
    }
  }

  /// More than the rounding errors of distances.
  private static let toleranceMeters = 0.01
}
