/// Geodesics (shortest paths) on the WGS84 ellipsoid: distances, azimuths and destinations.
///
/// Short distances are computed from chords, long ones by Karney's algorithm.
public enum Geodesic {
  /// The geodesic distance between two points in meters.
  public static func distanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    distanceMeters(Position(a), Position(b))
  }

  /// The geodesic distance between two points in meters.
  ///
  /// Up to 200 km it is computed from the chord in about 4 ns: within 5 nm up to 10 km, 0.5 µm up
  /// to 100 km, and 0.01 mm at 200 km. Beyond, ``inverse(from:to:)`` takes about 0.6 µs.
  @inlinable
  public static func distanceMeters(_ a: Position, _ b: Position) -> Double {
    nearDistanceMeters(a.vector, b.vector) ?? farDistanceMeters(a.coordinate, b.coordinate)
  }

  /// The geodesic distance between two points up to 200 km apart in meters, by
  /// ``Position/vector``; nil if they are farther apart.
  @inlinable @inline(__always)
  package static func nearDistanceMeters(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double? {
    let chord = b - a
    let chordSquared = dot(chord, chord)
    // NaN is not near, and the far distance is NaN.
    guard chordSquared <= seriesChordMeters * seriesChordMeters else { return nil }
    let x = angleSquared(chord: chord, chordSquared: chordSquared, sum: a + b)
    return chordSquared.squareRoot() * (1 + x * (1.0 / 24 + x * (3.0 / 640 + x * (5.0 / 7168))))
  }

  @usableFromInline
  @inline(never)
  static func farDistanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    InverseProblem(from: a, to: b).lengthMeters
  }

  /// The length of a geodesic and its directions at both ends.
  ///
  /// ``Geodesic/inverse(from:to:)`` returns it.
  public struct Course: Hashable, Sendable {
    /// The length in meters.
    public var distanceMeters: Double
    /// The azimuth at the first point, in degrees clockwise from north, −180 … 180.
    public var startAzimuthDegrees: Double
    /// The azimuth at the second point (onward, not back), in degrees, −180 … 180.
    public var endAzimuthDegrees: Double
  }

  /// The length of the geodesic between two points, and its azimuths at both ends.
  ///
  /// Uses Karney's algorithm (J. Geodesy 87, 2013): within 15 nm at any distance, in about 0.6 µs.
  /// For coincident points, the azimuths are those of a meridian. From a pole, the azimuth leads to
  /// the other point's meridian, as seen from the longitude given for the pole. If several
  /// geodesics are equally short, the result is one of them.
  ///
  /// Longitudes may be in any range. If a latitude is out of range or a coordinate is not finite,
  /// the result is all NaN.
  public static func inverse(from start: Coordinate, to end: Coordinate) -> Course {
    let inverse = InverseProblem(from: start, to: end)
    return Course(
      distanceMeters: inverse.lengthMeters,
      startAzimuthDegrees: inverse.startAzimuth.degrees,
      endAzimuthDegrees: inverse.endAzimuth.degrees)
  }

  /// The point reached by following a geodesic.
  ///
  /// Uses Karney's algorithm (J. Geodesy 87, 2013): within 15 nm once around the Earth, in 0.2 µs.
  ///
  /// - Parameters:
  ///   - start: The start of the geodesic.
  ///   - azimuthDegrees: Its azimuth there, in degrees clockwise from north.
  ///   - distanceMeters: The distance to go; backward if negative.
  /// - Returns: The point, its longitude in −180 … 180; invalid if an argument is not finite.
  public static func direct(
    from start: Coordinate, azimuthDegrees: Double, distanceMeters: Double
  ) -> Coordinate {
    let azimuth = SineCosine(degrees: ExactDegrees.longitude(azimuthDegrees))
    return GeodesicLine(from: start, azimuth: azimuth).point(atMeters: distanceMeters).coordinate
  }
}

// Inlined into other modules, as passing vectors would take a quarter of the time.
extension Geodesic {
  @inlinable
  static var seriesChordMeters: Double { 200_000 }

  /// The square of the chord measured in radii of curvature, x = c²/R².
  ///
  /// On a circle of radius R an arc is 2R·asin(c/2R) = c·(1 + x/24 + 3x²/640 + …), and its square
  /// c²·(1 + x/12 + x²/90 + …). A geodesic nearly equals such an arc if R is its radius of
  /// curvature in its middle: the error grows with the fifth power of the chord. The normal of the
  /// surface in the middle is that of the chord's midpoint m = sum/2, which lies on a smaller
  /// ellipsoid, m·Hm = a² − D·HD/4; hence the last factor.
  @inlinable @inline(__always)
  static func angleSquared(
    chord: SIMD3<Double>, chordSquared: Double, sum: SIMD3<Double>
  ) -> Double {
    let bend = chordSquared + Ellipsoid.stretch * chord.z * chord.z
    let normal = Ellipsoid.form(sum)
    // The tiny term turns 0/0 into 0 for a chord of length 0.
    let scale = dot(normal, normal) * chordSquared + .leastNormalMagnitude
    return bend * bend * (4 - bend * Ellipsoid.perEquatorialSquare) / scale
  }

  @inline(__always)
  static func distanceSquared(
    chord: SIMD3<Double>, chordSquared: Double, sum: SIMD3<Double>
  ) -> Double {
    let x = angleSquared(chord: chord, chordSquared: chordSquared, sum: sum)
    return chordSquared * (1 + x * (1.0 / 12 + x * (1.0 / 90 + x * (1.0 / 560))))
  }
}
