import FencepostGeodesy

/// What a map shows while nobody is on it: where the places are.
///
/// It is the least circle around one of some places that holds half of them, so that a place on
/// another continent does not make a city a dot.
struct HomeView: Equatable {
  /// Its southern edge in degrees.
  let south: Double
  /// Its western edge in degrees; less than `east`, perhaps beyond -180.
  let west: Double
  /// Its northern edge in degrees.
  let north: Double
  /// Its eastern edge in degrees, perhaps beyond 180.
  let east: Double

  /// Finds the view.
  ///
  /// - Parameter positions: Where the places are; nil is returned for none.
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
