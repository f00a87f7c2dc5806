/// The metropolitan area that all tracks pass through.
///
/// As full of places as a newsroom's city: some 40 a square kilometre in the middle, which is how
/// near to each other the densest tenth of the sample stories is, and a few in the suburbs. A dense one
/// has three times as many, as a centre has named points of interest.
enum Metro {
  static let plane = LocalPlane(latitudeDegrees: 39.952, longitudeDegrees: -75.164)
  static let radiusMeters = 30_000.0
  static let coreMeters = 5_000.0
  /// Standard deviation of the core's places along each axis.
  static let coreSpreadMeters = 2_500.0
  /// How many places it has; fewer where that would be more than a quarter of all.
  static let placeCount = 4_000
  /// How many it has where it is dense.
  static let densePlaceCount = 12_000

  /// A spot of the core, metres east and north of the middle.
  static func coreSpot(_ random: inout SplitMix64) -> (east: Double, north: Double) {
    (random.bell() * coreSpreadMeters, random.bell() * coreSpreadMeters)
  }

  /// A spot anywhere in the area, the suburbs thinning out towards the edge.
  static func spot(
    _ random: inout SplitMix64, coreShare: Double
  ) -> (east: Double, north: Double) {
    if random.unit() < coreShare { return coreSpot(&random) }
    let direction = random.direction()
    let radius = radiusMeters * random.unit()
    return (direction.x * radius, direction.y * radius)
  }
}
