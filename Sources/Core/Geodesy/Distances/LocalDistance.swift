/// Measures distances between successive fixes without trigonometry for each fix.
///
/// It keeps the radii of the meridian and of the parallels as power series around an anchor
/// latitude, which moves when fixes leave its range. Steps that are too long, near a pole or across
/// the antimeridian go to ``Geodesic/distanceMeters(_:_:)-(Coordinate,_)``.
package struct LocalDistance: Sendable {
  /// The longest step, and the farthest its middle may be from the anchor, in degrees of latitude.
  @inlinable static var latitudeRangeDegrees: Double { 0.05 }
  /// The longest step in degrees of longitude.
  @inlinable static var longitudeRangeDegrees: Double { 0.5 }
  /// The square of the longest step in meters: a mean radius serves up to 8 km.
  @inlinable static var chordRangeSquared: Double { 8_000 * 8_000 }

  @usableFromInline var anchorDegrees = Double.infinity
  // Coefficients for powers of the latitude from the anchor: 0 … 2 of M², 0 … 4 of p², p = N·cos φ.
  @usableFromInline var meridian = (0.0, 0.0, 0.0)
  @usableFromInline var parallel = (0.0, 0.0, 0.0, 0.0, 0.0)
  // The amount taken off the product of two parallels; see chordSquared.
  @usableFromInline var bow = 0.0

  /// Creates a ruler without an anchor.
  package init() {}

  /// The geodesic distance between two successive fixes in meters, within 5 nm + 1e-9 of itself.
  ///
  /// Both coordinates must be valid.
  @inlinable @inline(__always)
  package mutating func meters(from a: Coordinate, to b: Coordinate) -> Double {
    let latitude = b.latitudeDegrees - a.latitudeDegrees
    let longitude = b.longitudeDegrees - a.longitudeDegrees
    let middle = a.latitudeDegrees + latitude / 2
    guard
      abs(latitude) <= LocalDistance.latitudeRangeDegrees,
      abs(longitude) <= LocalDistance.longitudeRangeDegrees
    else { return Geodesic.distanceMeters(a, b) }
    if !(abs(middle - anchorDegrees) <= LocalDistance.latitudeRangeDegrees) { anchor(at: middle) }
    let chordSquared = chordSquared(
      latitude: latitude * (.pi / 180), longitude: longitude * (.pi / 180),
      middle: (middle - anchorDegrees) * (.pi / 180))
    if chordSquared > LocalDistance.chordRangeSquared { return Geodesic.distanceMeters(a, b) }
    // The arc as in Geodesic, with a mean radius of curvature.
    let perSquare = 1 / (12 * 6_367_000.0 * 6_367_000.0)
    return (chordSquared + chordSquared * chordSquared * perSquare).squareRoot()
  }

  /// The square of a step's chord, from radians.
  ///
  /// It adds the squares of the part along the meridian, 2M·sin(Δφ/2), and of the part along the
  /// parallels, 2√(p₁p₂)·sin(Δλ/2), where p = N·cos φ at either end. With p at the middle, p₁p₂ =
  /// p² − (p′² − p·p″)·Δφ²/4; up to e⁴, the bracket is MN·(1 + 2e²·sin²φ·cos²φ).
  @inlinable @inline(__always)
  func chordSquared(latitude: Double, longitude: Double, middle x: Double) -> Double {
    let north = latitude * latitude
    let east = longitude * longitude
    let m = meridian.0 + x * (meridian.1 + x * meridian.2)
    var p = parallel.3 + x * parallel.4
    p = parallel.0 + x * (parallel.1 + x * (parallel.2 + x * p))
    return (north - north * north * (1.0 / 12)) * m
      + (east - east * east * (1.0 / 12)) * (p - bow * north)
  }

  @usableFromInline @inline(never)
  mutating func anchor(at degrees: Double) {
    let angle = SineCosine(degrees: degrees)
    let square = Ellipsoid.equatorialRadiusMeters * Ellipsoid.equatorialRadiusMeters
    let e2 = Ellipsoid.eccentricitySquared
    let s2 = 2 * angle.sine * angle.cosine
    let c2 = 1 - 2 * angle.sine * angle.sine
    // The series of v = 1/(1 − e²·sin²φ), where M² = a²(1 − e²)²·v³ and p² = a²·cos²φ·v.
    let v = 1 / (1 - e2 * angle.sine * angle.sine)
    let v1 = e2 * s2 * v * v
    let v2 = e2 * c2 * v * v + v1 * v1 / v
    let scale = square * (1 - e2) * (1 - e2)
    anchorDegrees = degrees
    meridian = (
      scale * v * v * v, scale * 3 * v * v * v1, scale * 3 * v * (v1 * v1 + v * v2)
    )
    // The series of cos²φ is cos²φ₀ − s₂x − c₂x² + s₂x³·2/3 + c₂x⁴/3.
    let cosineSquared = angle.cosine * angle.cosine
    parallel = (
      square * cosineSquared * v,
      square * (cosineSquared * v1 - s2 * v),
      square * (cosineSquared * v2 - s2 * v1 - c2 * v),
      square * (s2 * v * (2.0 / 3) - c2 * v1 - s2 * v2),
      square * (c2 * v * (1.0 / 3) + s2 * v1 * (2.0 / 3) - c2 * v2)
    )
    bow = square * (1 - e2) * v * v * (1 + e2 * s2 * s2 / 2) / 4
  }
}
