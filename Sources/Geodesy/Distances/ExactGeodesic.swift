import FencepostCProj
import Synchronization

/// The geodesic at any distance, by Karney's algorithms (2013) as PROJ has them.
///
/// All calls of PROJ are in this file.
enum ExactGeodesic {
  /// PROJ's `geod_inverse`, the distance alone.
  static func distanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    require()
    return cproj_distance(
      a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees)
  }

  /// PROJ's `geod_inverse`.
  static func inverse(from start: Coordinate, to end: Coordinate) -> Geodesic.Course {
    require()
    let course = cproj_inverse(
      start.latitudeDegrees, start.longitudeDegrees, end.latitudeDegrees, end.longitudeDegrees)
    return Geodesic.Course(
      distanceMeters: course.distance_m, startAzimuthDegrees: course.azimuth1,
      endAzimuthDegrees: course.azimuth2)
  }

  /// PROJ's `geod_direct`.
  static func direct(
    from start: Coordinate, azimuthDegrees: Double, distanceMeters: Double
  ) -> Coordinate {
    require()
    let point = cproj_direct(
      start.latitudeDegrees, start.longitudeDegrees, azimuthDegrees, distanceMeters)
    return Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon)
  }

  /// The geodesic between two points, solved once for many points on it.
  struct Line {
    private let line: geod_geodesicline

    init(from start: Coordinate, to end: Coordinate) {
      require()
      line = cproj_inverse_line(
        start.latitudeDegrees, start.longitudeDegrees, end.latitudeDegrees, end.longitudeDegrees)
    }

    /// Its length.
    var lengthMeters: Double { line.s13 }

    /// The point at a distance from the start, and the azimuth there in degrees.
    func point(atMeters meters: Double) -> (coordinate: Coordinate, azimuthDegrees: Double) {
      var line = line
      // The line is a local value that outlives the call.
      let point = unsafe cproj_position(&line, meters)
      return (Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon), point.azimuth)
    }
  }

  fileprivate static let end = Mutex<(@Sendable (String) -> Never)?>(nil)

  /// Ends the program with ``Geodesic/unavailableReason`` if there is one.
  private static func require() {
    guard let reason = Geodesic.unavailableReason else { return }
    if let end = end.withLock({ $0 }) { end(reason) }
    // A missing library is no programming error: unlike a failed precondition a fatal error prints
    // its reason in release builds too.
    fatalError(reason)
  }
}

extension Geodesic {
  /// Why PROJ's geodesic routines cannot be used on this machine, or nil when they can.
  ///
  /// They are loaded when first needed, here included. Without them distances above 200 km and what
  /// builds on such (segments above 50 km, circles above 100 km), ``inverse(from:to:)`` and
  /// ``direct(from:azimuthDegrees:distanceMeters:)`` end the program with this sentence; see
  /// ``endUnavailable(_:)``.
  public static var unavailableReason: String? {
    guard cproj_available() == 0 else { return nil }
    // The text is a static buffer of CProj, written once before it is readable.
    let said = unsafe String(cString: cproj_failure())
    return "distances above 200 km need PROJ's geodesic routines, which cannot be loaded: \(said)"
  }

  /// Sets how the program ends where PROJ's routines are needed and cannot be loaded.
  ///
  /// Loading them takes longer than many programs run, so few want to look at ``unavailableReason``
  /// beforehand.
  ///
  /// - Parameter end: Takes the reason and ends the program; without one it ends by a fatal error.
  public static func endUnavailable(_ end: @escaping @Sendable (String) -> Never) {
    ExactGeodesic.end.withLock { $0 = end }
  }
}
