/// The constants of the WGS84 ellipsoid in meters, defined nowhere else.
@usableFromInline
enum Ellipsoid {
  /// Semi-major axis a (equatorial radius).
  @inlinable static var equatorialRadiusMeters: Double { 6_378_137 }
  /// Flattening f.
  @inlinable static var flattening: Double { 1 / 298.257223563 }
  /// Third flattening n, (a − b)/(a + b).
  static var thirdFlattening: Double { flattening / (2 - flattening) }
  /// Semi-minor axis b (polar radius), a·(1 − f).
  @inlinable static var polarRadiusMeters: Double { equatorialRadiusMeters * (1 - flattening) }
  /// First eccentricity squared, e² = 1 − b²/a².
  @inlinable static var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// Second eccentricity squared, e′² = a²/b² − 1: how much more z² counts than x² and y².
  @inlinable static var stretch: Double {
    let square = equatorialRadiusMeters * equatorialRadiusMeters
    return square / (polarRadiusMeters * polarRadiusMeters) - 1
  }
  /// 1/a².
  @inlinable static var perEquatorialSquare: Double {
    1 / (equatorialRadiusMeters * equatorialRadiusMeters)
  }

  /// The least radius of curvature of any geodesic, b²/a: along the meridian at the equator.
  @inlinable static var leastCurvatureRadiusMeters: Double {
    polarRadiusMeters * polarRadiusMeters / equatorialRadiusMeters
  }
  /// The greatest radius of curvature of any geodesic, a²/b: at the poles.
  @inlinable static var greatestCurvatureRadiusMeters: Double {
    equatorialRadiusMeters * equatorialRadiusMeters / polarRadiusMeters
  }
  /// The mean radius (2a + b)/3, for estimates only.
  static var meanRadiusMeters: Double { (2 * equatorialRadiusMeters + polarRadiusMeters) / 3 }

  /// Hx, where x·Hx = a² is the surface: x with its z counted (1 + ``stretch``) times.
  ///
  /// It gives curvature without angles. At a point x of the surface the normal is g = Hx. A path in
  /// the direction of the tangent t curves by (t·Ht / t·t) / |g|: Euler's formula.
  @inlinable @inline(__always)
  static func form(_ x: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(x.x, x.y, x.z * (1 + stretch))
  }

  /// The point of the surface in the direction of a vector from the center, or nil for the center.
  static func surface(along vector: SIMD3<Double>) -> SIMD3<Double>? {
    let square = dot(vector, form(vector)) * perEquatorialSquare
    return square > 0 ? vector / square.squareRoot() : nil
  }
}

extension Geodesic {
  /// The point of the surface in the direction of a vector from the center, or nil for the center.
  package static func surfacePoint(beneath vector: SIMD3<Double>) -> SIMD3<Double>? {
    Ellipsoid.surface(along: vector)
  }
}

@inlinable @inline(__always)
func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  a.x * b.x + a.y * b.y + a.z * b.z
}

@inlinable @inline(__always)
func length(_ vector: SIMD3<Double>) -> Double { dot(vector, vector).squareRoot() }
