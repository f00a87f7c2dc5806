/// Geodesics (shortest paths) of the WGS84 ellipsoid: distances, courses, destinations.
public enum Geodesic {
  /// The geodesic distance of two points in metres.
  public static func distanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    distanceMeters(Position(a), Position(b))
  }

  /// The geodesic distance of two points in metres.
  ///
  /// Up to 200 km it is computed from the chord, in about 4 ns: within 5 nm up to 10 km, 0.5 µm up to
  /// 100 km and 0.01 mm at 200 km. Beyond, it is the length of ``inverse(from:to:)``, in about 0.6 µs.
  @inlinable
  public static func distanceMeters(_ a: Position, _ b: Position) -> Double {
    let chord = b.vector - a.vector
    let chordSquared = dot(chord, chord)
    // NaN takes the other branch, and comes back as NaN.
    if chordSquared <= seriesChordMeters * seriesChordMeters {
      let x = angleSquared(chord: chord, chordSquared: chordSquared, sum: a.vector + b.vector)
      return chordSquared.squareRoot() * (1 + x * (1.0 / 24 + x * (3.0 / 640 + x * (5.0 / 7168))))
    }
    return farDistanceMeters(a.coordinate, b.coordinate)
  }

  @usableFromInline
  @inline(never)
  static func farDistanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    InverseProblem(from: a, to: b).lengthMeters
  }

  /// A geodesic as seen from its ends.
  public struct Course: Hashable, Sendable {
    /// Its length in metres.
    public var distanceMeters: Double
    /// Its azimuth at the first point, in degrees clockwise from north, −180 … 180.
    public var startAzimuthDegrees: Double
    /// Its azimuth at the second point (onward, not back), in degrees, −180 … 180.
    public var endAzimuthDegrees: Double
  }

  /// The geodesic from one point to another: its length and its azimuths at both ends.
  ///
  /// Solved by Karney's algorithm (J. Geodesy 87, 2013), within 15 nm at any distance, in about 0.6 µs.
  /// Coincident points have the azimuths of a meridian; from a pole the azimuth is that towards the other
  /// point's meridian, seen from the longitude given for the pole. Where several geodesics are equally
  /// short, the result is one of them.
  ///
  /// - Parameters:
  ///   - start: Where the geodesic starts, its latitude in −90 … 90; its longitude may be in any range.
  ///   - end: Where it ends, likewise.
  /// - Returns: The geodesic, all of it not a number where a latitude is out of range or a coordinate is not
  ///   finite.
  public static func inverse(from start: Coordinate, to end: Coordinate) -> Course {
    let inverse = InverseProblem(from: start, to: end)
    return Course(
      distanceMeters: inverse.lengthMeters,
      startAzimuthDegrees: inverse.startAzimuth.degrees,
      endAzimuthDegrees: inverse.endAzimuth.degrees)
  }

  /// The point reached from another along a geodesic.
  ///
  /// Solved by Karney's algorithm (J. Geodesy 87, 2013), within 15 nm once around the Earth, in about 0.2 µs.
  ///
  /// - Parameters:
  ///   - start: Where the geodesic starts.
  ///   - azimuthDegrees: Its azimuth there, in degrees clockwise from north.
  ///   - distanceMeters: How far to go; negative goes back.
  /// - Returns: The point, its longitude in −180 … 180; not valid where an argument is not finite.
  public static func direct(
    from start: Coordinate, azimuthDegrees: Double, distanceMeters: Double
  ) -> Coordinate {
    let azimuth = SineCosine(degrees: ExactDegrees.longitude(azimuthDegrees))
    return GeodesicLine(from: start, azimuth: azimuth).point(atMeters: distanceMeters).coordinate
  }
}

// Inlined into other modules: passing vectors would take a quarter of the time of a distance.
extension Geodesic {
  /// The chord up to which distances are computed from it.
  @inlinable
  static var seriesChordMeters: Double { 200_000 }

  /// The square of the chord measured in radii of curvature, x = c²/R².
  ///
  /// On a circle of radius R an arc is 2R·asin(c/2R) = c·(1 + x/24 + 3x²/640 + …), and its square
  /// c²·(1 + x/12 + x²/90 + …). A geodesic is as good as such an arc if R is its radius of curvature
  /// in its middle: what is left grows with the fifth power of the chord. The surface's normal in
  /// the middle is that of the chord's midpoint m = sum/2, which lies on a smaller ellipsoid,
  /// m·Hm = a² − D·HD/4; hence the last factor.
  @inlinable @inline(__always)
  static func angleSquared(
    chord: SIMD3<Double>, chordSquared: Double, sum: SIMD3<Double>
  ) -> Double {
    let bend = chordSquared + Ellipsoid.stretch * chord.z * chord.z
    let normal = Ellipsoid.form(sum)
    // The least positive term keeps a chord of no length from being 0/0.
    let scale = dot(normal, normal) * chordSquared + .leastNormalMagnitude
    return bend * bend * (4 - bend * Ellipsoid.perEquatorialSquare) / scale
  }

  /// The square of the distance that belongs to a chord of at most ``seriesChordMeters``.
  @inline(__always)
  static func distanceSquared(
    chord: SIMD3<Double>, chordSquared: Double, sum: SIMD3<Double>
  ) -> Double {
    let x = angleSquared(chord: chord, chordSquared: chordSquared, sum: sum)
    return chordSquared * (1 + x * (1.0 / 12 + x * (1.0 / 90 + x * (1.0 / 560))))
  }
}
