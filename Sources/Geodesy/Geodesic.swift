import CProj

/// Geodesics (shortest paths) of the WGS84 ellipsoid: distances, courses, destinations.
public enum Geodesic {
  /// The chord up to which a distance is computed here; beyond it PROJ is asked.
  static let seriesChordMeters = 200_000.0

  /// Why PROJ's geodesic routines cannot be used on this machine, or nil when they can.
  ///
  /// They are loaded when first needed, here included. Without them distances above 200 km and what
  /// builds on such, ``inverse(from:to:)`` and ``direct(from:azimuthDegrees:distanceMeters:)`` end
  /// the program with this sentence, so that a program should look here before it needs them.
  public static var unavailableReason: String? {
    guard cproj_available() == 0 else { return nil }
    // The text is a static buffer of CProj, written once before it is readable.
    let said = unsafe String(cString: cproj_failure())
    return "distances above 200 km need PROJ's geodesic routines, which cannot be loaded: \(said)"
  }

  /// The geodesic distance of two points in metres.
  public static func distanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    distanceMeters(Position(a), Position(b))
  }

  /// The geodesic distance of two points in metres.
  public static func distanceMeters(_ a: Position, _ b: Position) -> Double {
    let chord = b.vector - a.vector
    let chordSquared = dot(chord, chord)
    if chordSquared <= seriesChordMeters * seriesChordMeters {
      return seriesDistanceMeters(
        chord: chord, chordSquared: chordSquared, sum: a.vector + b.vector)
    }
    return inverse(from: a.coordinate, to: b.coordinate).distanceMeters
  }

  @inline(__always)
  static func seriesDistanceMeters(
    chord: SIMD3<Double>, chordSquared: Double, sum: SIMD3<Double>
  ) -> Double {
    guard chordSquared > 0 else { return 0 }
    let bend = dot(chord, chord * Ellipsoid.form)
    let normal = sum * Ellipsoid.form
    let x = 4 * bend * bend * (1 - bend / 4) / (dot(normal, normal) * chordSquared)
    return chordSquared.squareRoot() * (1 + x * (1.0 / 24 + x * (3.0 / 640 + x * (5.0 / 7168))))
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

  /// The geodesic from one point to another: distance and azimuths, by PROJ's `geod_inverse`.
  public static func inverse(from start: Coordinate, to end: Coordinate) -> Course {
    requireProj()
    let course = cproj_inverse(
      start.latitudeDegrees, start.longitudeDegrees, end.latitudeDegrees, end.longitudeDegrees)
    return Course(
      distanceMeters: course.distance_m, startAzimuthDegrees: course.azimuth1,
      endAzimuthDegrees: course.azimuth2)
  }

  /// The point reached from another along a geodesic, by PROJ's `geod_direct`.
  ///
  /// - Parameters:
  ///   - start: Where the geodesic starts.
  ///   - azimuthDegrees: Its azimuth there, in degrees clockwise from north.
  ///   - distanceMeters: How far to go; negative goes back.
  public static func direct(
    from start: Coordinate, azimuthDegrees: Double, distanceMeters: Double
  ) -> Coordinate {
    requireProj()
    let point = cproj_direct(
      start.latitudeDegrees, start.longitudeDegrees, azimuthDegrees, distanceMeters)
    return Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon)
  }

  static func requireProj() {
    precondition(cproj_available() != 0, unavailableReason ?? "")
  }
}
