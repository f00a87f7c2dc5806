import Glibc

/// A point of the WGS84 surface, ready for geometry: its degrees and its earth-centred vector.
///
/// The vector belongs to the coordinate to within 5 nm. Geometry on vectors knows no poles and no
/// antimeridian, which is why everything beyond this type is done with them.
public struct Position: Hashable, Sendable {
  /// The point in degrees, as given.
  public let coordinate: Coordinate
  /// The point in metres from the Earth's centre, at height 0: x towards latitude 0, longitude 0;
  /// y towards latitude 0, longitude 90; z towards the north pole.
  public let vector: SIMD3<Double>

  /// Makes the position of a coordinate, which should be valid (``Coordinate/isValid``); one that
  /// is not finite gives a vector that is not a number.
  public init(_ coordinate: Coordinate) {
    let latitude = coordinate.latitudeDegrees * (.pi / 180)
    let longitude = coordinate.longitudeDegrees * (.pi / 180)
    let sine = sin(latitude)
    let cosine = cos(latitude)
    let e2 = Ellipsoid.eccentricitySquared
    let normal = Ellipsoid.equatorialRadiusMeters / (1 - e2 * sine * sine).squareRoot()
    self.coordinate = coordinate
    vector = SIMD3(
      normal * cosine * cos(longitude), normal * cosine * sin(longitude),
      normal * (1 - e2) * sine)
  }
}
