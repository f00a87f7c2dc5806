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
    // The tree has three dimensions, and so a box six numbers.
    unsafe leastLongitude = coordinates[0]
    unsafe greatestLongitude = coordinates[1]
    unsafe leastLatitude = coordinates[2]
    unsafe greatestLatitude = coordinates[3]
    unsafe leastRadiusMeters = coordinates[4] * ReachBox.metersPerUnit
    unsafe greatestRadiusMeters =
      (coordinates[5] - ReachBox.thickness) * ReachBox.metersPerUnit + 1e-6
  }

  /// Makes a box of a cell's six coordinates as the tree stores them.
  @inline(__always)
  init(_ coordinates: (Float, Float, Float, Float, Float, Float)) {
    leastLongitude = Double(coordinates.0)
    greatestLongitude = Double(coordinates.1)
    leastLatitude = Double(coordinates.2)
    greatestLatitude = Double(coordinates.3)
    leastRadiusMeters = Double(coordinates.4) * ReachBox.metersPerUnit
    greatestRadiusMeters =
      (Double(coordinates.5) - ReachBox.thickness) * ReachBox.metersPerUnit + 1e-6
  }

  /// The box of everything.
  static let world = ReachBox((-180, 180, -90, 90, 0, 201))
}
