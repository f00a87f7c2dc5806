/// A position on the surface of the WGS84 ellipsoid, in degrees.
///
/// It is what files and places contain. Geometry uses ``Position``, which adds the vector from the
/// center of the Earth.
public struct Coordinate: Hashable, Codable, Sendable {
  /// Geodetic latitude in degrees, −90 … 90, positive in the north.
  public var latitudeDegrees: Double
  /// Longitude in degrees, −180 … 180, positive in the east; −180 and 180 are the same meridian.
  public var longitudeDegrees: Double

  /// Creates a coordinate without checking it; see ``isValid``.
  @inlinable
  public init(latitudeDegrees: Double, longitudeDegrees: Double) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }

  /// Whether the latitude is within −90 … 90 and the longitude within −180 … 180; NaN is not.
  @inlinable
  public var isValid: Bool {
    // Comparisons with NaN are false.
    abs(latitudeDegrees) <= 90 && abs(longitudeDegrees) <= 180
  }

  /// The preferred form of the same point: longitude 0 at a pole, 180 instead of −180.
  package var canonical: Coordinate {
    if abs(latitudeDegrees) == 90 {
      return Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: 0)
    }
    guard longitudeDegrees == -180 else { return self }
    return Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: 180)
  }
}
