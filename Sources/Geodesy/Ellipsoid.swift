/// The WGS84 ellipsoid, in metres.
@usableFromInline
enum Ellipsoid {
  /// Semi-major axis (equatorial radius).
  @inlinable
  static var equatorialRadiusMeters: Double { 6_378_137 }
  /// Flattening.
  @inlinable
  static var flattening: Double { 1 / 298.257223563 }
  /// Semi-minor axis (polar radius).
  @inlinable
  static var polarRadiusMeters: Double { equatorialRadiusMeters * (1 - flattening) }
  /// First eccentricity squared.
  static let eccentricitySquared = flattening * (2 - flattening)

  /// The smallest radius of curvature of any geodesic, b²/a: along the meridian at the equator.
  static let leastCurvatureRadiusMeters =
    polarRadiusMeters * polarRadiusMeters / equatorialRadiusMeters
  /// The largest radius of curvature of any geodesic, a²/b: at the poles.
  @inlinable
  static var greatestCurvatureRadiusMeters: Double {
    equatorialRadiusMeters * equatorialRadiusMeters / polarRadiusMeters
  }

  /// What the squared z counts more than the other two on the surface, a²/b² − 1 (the second
  /// eccentricity squared).
  @inlinable
  static var stretch: Double {
    let square = equatorialRadiusMeters * equatorialRadiusMeters
    return square / (polarRadiusMeters * polarRadiusMeters) - 1
  }
  /// 1/a².
  @inlinable
  static var perEquatorialSquare: Double { 1 / (equatorialRadiusMeters * equatorialRadiusMeters) }

  /// Hx, where x·Hx = a² is the surface: x with its z counted (1 + ``stretch``) times.
  ///
  /// With it curvature needs no angles. At a point x of the surface the normal is g = Hx, and a
  /// path there in the direction of the tangent t curves by (t·Ht / t·t) / |g|: Euler's formula.
  @inlinable @inline(__always)
  static func form(_ x: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(x.x, x.y, x.z * (1 + stretch))
  }
}

/// The scalar product.
@inlinable @inline(__always)
func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  a.x * b.x + a.y * b.y + a.z * b.z
}
