#if Command
import FencepostGeodesy

/// What a map shows before any device is on it: where the places are.
///
/// This is the smallest circle around one of the places that contains half of them, so that a place
/// on another continent does not shrink a city to a dot.
struct HomeView: Equatable {
  /// Its southern edge in degrees.
  let south: Double
  /// Its western edge in degrees; less than `east`, so it may be below -180.
  let west: Double
  let north: Double
  /// Its eastern edge in degrees, which may be above 180.
  let east: Double

  /// The middle of the view.
  var center: Coordinate {
    let longitude = (west + east) / 2
    return Coordinate(
      latitudeDegrees: (south + north) / 2,
      longitudeDegrees: longitude - 360 * (longitude / 360).rounded())
  }

  /// Finds the view, or returns nil without positions.
  ///
  /// - Complexity: O(n² log n).
  init?(of positions: [Coordinate]) {
    let half = (positions.count + 1) / 2
    let circles = positions.map { center in
      (center, positions.map { Geodesic.distanceMeters(center, $0) }.sorted()[half - 1])
    }
    guard let (center, radius) = circles.min(by: { $0.1 < $1.1 }) else { return nil }
    let held = positions.filter { Geodesic.distanceMeters(center, $0) <= radius }
    let latitudes = held.map(\.latitudeDegrees)
    let longitudes = held.map { position in
      let offset = position.longitudeDegrees - center.longitudeDegrees
      return center.longitudeDegrees + offset - 360 * (offset / 360).rounded()
    }
    guard let south = latitudes.min(), let north = latitudes.max(), let west = longitudes.min(),
      let east = longitudes.max()
    else { return nil }
    (self.south, self.west, self.north, self.east) = (south, west, north, east)
  }
}
#endif
