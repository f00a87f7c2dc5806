/// Measures the distances between successive fixes without trigonometry for each fix.
///
/// It keeps the radii of the meridian and of the parallels as power series about a latitude, its
/// anchor, which moves along when the fixes leave its range. A step too long for that, near a pole
/// or across the antimeridian is left to ``Geodesic/distanceMeters(_:_:)-(Coordinate,_)``.
public struct LocalDistance: Sendable {
  /// How far from the anchor the middle of a step may be, and how long a step, in degrees of
  /// latitude.
  @inlinable static var latitudeRangeDegrees: Double { 0.05 }
  /// How long a step may be in degrees of longitude.
  @inlinable static var longitudeRangeDegrees: Double { 0.5 }
  /// The square of how long it may be in metres: a mean radius serves up to 8 km.
  @inlinable static var chordRangeSquared: Double { 8_000 * 8_000 }

  @usableFromInline var anchorDegrees = Double.infinity
  // Powers 0 … 2 of the latitude from the anchor in M², powers 0 … 4 in p², p = N·cos φ.
  @usableFromInline var meridian = (0.0, 0.0, 0.0)
  @usableFromInline var parallel = (0.0, 0.0, 0.0, 0.0, 0.0)
  // What is taken off the product of two parallels; see chordSquared.
  @usableFromInline var bow = 0.0

  /// Makes a ruler that has seen no fix yet.
  public init() {}

  /// The geodesic distance of two successive fixes in metres.
  ///
  /// Within 5 nm and 1e-9 of the distance.
  ///
  /// - Parameters:
  ///   - a: The fix where the step starts, a valid coordinate.
  ///   - b: The fix where it ends.
  /// - Returns: The distance.
  @inlinable @inline(__always)
  public mutating func meters(from a: Coordinate, to b: Coordinate) -> Double {
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
    // The arc, as Geodesic has it, with a mean radius of curvature.
    let perSquare = 1 / (12 * 6_367_000.0 * 6_367_000.0)
    return (chordSquared + chordSquared * chordSquared * perSquare).squareRoot()
  }

  /// The square of a step's chord, from radians.
  ///
  /// It is that of its meridional part, 2M·sin(Δφ/2), and that of its part along the parallels,
  /// 2√(p₁p₂)·sin(Δλ/2), with p = N·cos φ at either end, for which p₁p₂ = p² − (p′² − p·p″)·Δφ²/4
  /// in the middle; the bracket is MN·(1 + 2e²·sin²φ·cos²φ) but for e⁴.
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
    // The series of v = 1/(1 − e²·sin²φ), in which M² = a²(1 − e²)²·v³ and p² = a²·cos²φ·v.
    let v = 1 / (1 - e2 * angle.sine * angle.sine)
    let v1 = e2 * s2 * v * v
    let v2 = e2 * c2 * v * v + v1 * v1 / v
    let scale = square * (1 - e2) * (1 - e2)
    anchorDegrees = degrees
    meridian = (
      scale * v * v * v, scale * 3 * v * v * v1, scale * 3 * v * (v1 * v1 + v * v2)
    )
    // That of cos²φ is cos²φ₀ − s₂x − c₂x² + s₂x³·2/3 + c₂x⁴/3.
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
