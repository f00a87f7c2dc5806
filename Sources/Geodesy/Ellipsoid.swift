/// The WGS84 ellipsoid, in metres.
enum Ellipsoid {
  /// Semi-major axis (equatorial radius).
  static let equatorialRadiusMeters = 6_378_137.0
  /// Flattening.
  static let flattening = 1 / 298.257223563
  /// Semi-minor axis (polar radius).
  static let polarRadiusMeters = equatorialRadiusMeters * (1 - flattening)
  /// First eccentricity squared.
  static let eccentricitySquared = flattening * (2 - flattening)

  /// The smallest radius of curvature of any path on the surface, b²/a: along the meridian at the
  /// equator.
  static let leastCurvatureRadiusMeters =
    polarRadiusMeters * polarRadiusMeters / equatorialRadiusMeters
  /// The largest radius of curvature of any path on the surface, a²/b: at the poles.
  static let greatestCurvatureRadiusMeters =
    equatorialRadiusMeters * equatorialRadiusMeters / polarRadiusMeters

  /// The diagonal of the quadratic form whose value is 1 on the surface: (1/a², 1/a², 1/b²).
  static let form = SIMD3(
    1 / (equatorialRadiusMeters * equatorialRadiusMeters),
    1 / (equatorialRadiusMeters * equatorialRadiusMeters),
    1 / (polarRadiusMeters * polarRadiusMeters))
}

/// The scalar product.
@inline(__always)
func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  a.x * b.x + a.y * b.y + a.z * b.z
}
