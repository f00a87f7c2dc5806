/// A cell of the reach tree: an extent of longitudes, latitudes and radii.
///
/// The third dimension counts in units of 100 km, about a degree of latitude, so that the R*Tree
/// weighs it against the other two; and every cell has a thickness there, for the tree compares
/// volumes and would find those of equal radii all 0.
struct ReachBox {
  static let metersPerUnit = 100_000.0
  static let thickness = 0.001

  var leastLongitude: Double
  var greatestLongitude: Double
  var leastLatitude: Double
  var greatestLatitude: Double
  var leastRadiusMeters: Double
  var greatestRadiusMeters: Double

  /// Reads the six coordinates of an R*Tree cell, in whose rounding to 32 bits only the outer side
  /// is certain.
  @inline(__always)
  init(coordinates: UnsafePointer<Double>) {
    unsafe leastLongitude = coordinates[0]
    unsafe greatestLongitude = coordinates[1]
    unsafe leastLatitude = coordinates[2]
    unsafe greatestLatitude = coordinates[3]
    unsafe leastRadiusMeters = coordinates[4] * ReachBox.metersPerUnit
    unsafe greatestRadiusMeters =
      (coordinates[5] - ReachBox.thickness) * ReachBox.metersPerUnit + 1e-6
  }
}
