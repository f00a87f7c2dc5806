import FencepostCProj
import FencepostGeodesy

/// PROJ's geodesics, the reference.
enum Proj {
  static func distanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    course(a, b).distance_m
  }

  static func course(_ a: Coordinate, _ b: Coordinate) -> cproj_course {
    cproj_inverse(a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees)
  }

  static func point(from a: Coordinate, azimuth: Double, meters: Double) -> Coordinate {
    let point = cproj_direct(a.latitudeDegrees, a.longitudeDegrees, azimuth, meters)
    return Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon)
  }

  /// The geodesic between two points.
  struct Line {
    private var line: geod_geodesicline
    let lengthMeters: Double

    init(_ a: Coordinate, _ b: Coordinate) {
      line = cproj_inverse_line(
        a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees)
      lengthMeters = Proj.distanceMeters(a, b)
    }

    mutating func point(_ fraction: Double) -> (coordinate: Coordinate, azimuth: Double) {
      // The line is stored here and not kept by the callee.
      let point = unsafe cproj_position(&line, fraction * lengthMeters)
      return (Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon), point.azimuth)
    }
  }
}
