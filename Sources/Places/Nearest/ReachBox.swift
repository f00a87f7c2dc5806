/// A cell of the reach tree: an extent of longitudes, latitudes and radii.
///
/// The third dimension counts in units of 100 km, about a degree of latitude, so that the R*Tree
/// weighs it against the other two; and every cell has a thickness there, for the tree compares
/// volumes and would find those of equal radii all 0.
struct ReachBox {
  static let metersPerUnit = 100_000.0
  static let thickness = 0.001

  /// Least and greatest longitude, latitude and reach, as the tree stores them.
  ///
  /// In their rounding to 32 bits only the outer side is certain.
  private let coordinates: (Float, Float, Float, Float, Float, Float)

  /// Makes a box of a cell's six coordinates as the tree stores them.
  @inline(__always)
  init(_ coordinates: (Float, Float, Float, Float, Float, Float)) {
    self.coordinates = coordinates
  }

  var leastLongitude: Double { Double(coordinates.0) }
  var greatestLongitude: Double { Double(coordinates.1) }
  var leastLatitude: Double { Double(coordinates.2) }
  var greatestLatitude: Double { Double(coordinates.3) }
  var leastRadiusMeters: Double { Double(coordinates.4) * ReachBox.metersPerUnit }
  var greatestRadiusMeters: Double {
    (Double(coordinates.5) - ReachBox.thickness) * ReachBox.metersPerUnit + 1e-6
  }

  /// The box of everything.
  static let world = ReachBox((-180, 180, -90, 90, 0, 201))
}
