/// A point of the WGS84 surface, ready for geometry: its degrees and its earth-centred vector.
///
/// The vector belongs to the coordinate to within 5 nm. Vectors have no special cases at the poles and the
/// antimeridian, so all geometry is done with them.
public struct Position: Hashable, Sendable {
  /// The point in degrees, as given.
  public let coordinate: Coordinate
  /// The point in metres from the Earth's centre, at height 0: x towards latitude 0, longitude 0;
  /// y towards latitude 0, longitude 90; z towards the north pole.
  public let vector: SIMD3<Double>

  /// Makes the position of a coordinate, which should be valid (``Coordinate/isValid``); one that
  /// is not finite gives a vector that is not a number.
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

  /// Makes the position of the surface below or above a vector that is within some metres of it.
  ///
  /// The latitude is off by at most 0.4 % of the vector's height. At a pole the longitude is
  /// whatever the vector's rounding says.
  init(nearSurface vector: SIMD3<Double>) {
    let parallel = (vector.x * vector.x + vector.y * vector.y).squareRoot()
    let latitude = atan2(y: vector.z, x: parallel * (1 - Ellipsoid.eccentricitySquared))
    let longitude = atan2(y: vector.y, x: vector.x)
    self.init(
      Coordinate(
        latitudeDegrees: latitude * (180 / .pi), longitudeDegrees: longitude * (180 / .pi)))
  }
}
