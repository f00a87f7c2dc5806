import FencepostGeodesy
import FencepostMonitoring

/// The circles near a point, kept so that the next queries along a path need not read the store.
///
/// From outside, the edge of any other circle is at least ``reachMeters`` from ``center``. So after
/// moving by d meters, this still has every circle within the reach minus d.
struct NearbyCircles {
  /// How many circles to read at once.
  static let most = 240

  let center: Position
  let reachMeters: Double
  let circles: [(key: Int64, circle: Circle)]
  /// Whether these are all circles of the store.
  var isWhole: Bool { reachMeters == .infinity }

  /// Whether this has all circles whose edge is within a distance of a position.
  func reaches(_ meters: Double, from position: Position) -> Bool {
    meters + Geodesic.distanceMeters(center, position) + Self.toleranceMeters <= reachMeters
  }

  /// The circles that contain a position or whose edge is within a distance, in no order.
  func neighbors(
    of position: Position, by rank: NearestRank, edgeWithinMeters meters: Double
  ) -> [Neighbor] {
    circles.compactMap { key, circle in
      let apart = circle.center.vector - position.vector
      let most = meters + circle.radiusMeters + Self.toleranceMeters
      // No geodesic is shorter than its chord, which is faster to compute.
      guard (apart * apart).sum() <= most * most else { return nil }
      return Neighbor(key: key, circle: circle, from: position, rank: rank)
    }
  }

  private static let toleranceMeters = 0.01
}

extension NearbyCircles {
  /// Keeps all circles of a store with few places.
  init(whole neighbors: [Neighbor], from position: Position) {
    self.init(
      center: position, reachMeters: .infinity, circles: neighbors.map { ($0.key, $0.circle) })
  }
}
