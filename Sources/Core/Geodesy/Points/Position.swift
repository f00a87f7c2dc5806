/// A point on the WGS84 surface in degrees, and as an Earth-centered vector within 5 nm of it.
///
/// All geometry uses vectors, which have no special cases at the poles and the antimeridian.
public struct Position: Hashable, Sendable {
  /// The point in degrees, as given.
  public let coordinate: Coordinate
  /// The point at height 0 in meters from the center of the Earth.
  ///
  /// x points to latitude 0, longitude 0, y to latitude 0, longitude 90, and z to the north pole.
  public let vector: SIMD3<Double>

  /// Creates the position of a valid coordinate; if it is not finite, the vector is NaN.
  public init(_ coordinate: Coordinate) {
    let latitude = SineCosine(degrees: coordinate.latitudeDegrees)
    let longitude = SineCosine(degrees: coordinate.longitudeDegrees)
    let e2 = Ellipsoid.eccentricitySquared
    let normal =
      Ellipsoid.equatorialRadiusMeters / (1 - e2 * latitude.sine * latitude.sine).squareRoot()
    let parallel = normal * latitude.cosine
    self.coordinate = coordinate
    vector = SIMD3(
      parallel * longitude.cosine, parallel * longitude.sine, normal * (1 - e2) * latitude.sine)
  }

  /// Creates a position again from the parts of an earlier one.
  @inlinable
  package init(coordinate: Coordinate, vector: SIMD3<Double>) {
    self.coordinate = coordinate
    self.vector = vector
  }

  /// Creates the position below or above a vector that is within meters of the surface.
  ///
  /// The latitude is off by at most 0.4 % of the height. At a pole, rounding decides the longitude.
  init(nearSurface vector: SIMD3<Double>) {
    let parallel = (vector.x * vector.x + vector.y * vector.y).squareRoot()
    let latitude = atan2(y: vector.z, x: parallel * (1 - Ellipsoid.eccentricitySquared))
    let longitude = atan2(y: vector.y, x: vector.x)
    self.init(
      Coordinate(
        latitudeDegrees: latitude * (180 / .pi), longitudeDegrees: longitude * (180 / .pi)))
  }
}
