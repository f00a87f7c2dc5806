import FencepostCProj
package import FencepostGeodesy

/// PROJ's geodesics, the reference that ours are tested against.
package enum Proj {
  package static func distanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    cproj_distance(a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees)
  }

  /// The distance, and the azimuths in degrees.
  package static func course(
    _ a: Coordinate, _ b: Coordinate
  ) -> (meters: Double, startAzimuth: Double, endAzimuth: Double) {
    let course = cproj_inverse(
      a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees)
    return (course.distance_m, course.azimuth1, course.azimuth2)
  }

  package static func point(from a: Coordinate, azimuth: Double, meters: Double) -> Coordinate {
    let point = cproj_direct(a.latitudeDegrees, a.longitudeDegrees, azimuth, meters)
    return Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon)
  }

  /// The geodesic between two points.
  package struct Line {
    private var line: geod_geodesicline
    package let lengthMeters: Double

    package init(_ a: Coordinate, _ b: Coordinate) {
      line = cproj_inverse_line(
        a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees)
      lengthMeters = Proj.distanceMeters(a, b)
    }

    /// The point at a fraction of the length, and the azimuth there in degrees.
    package mutating func point(
      _ fraction: Double
    ) -> (coordinate: Coordinate, azimuth: Double) {
      // The line is stored here and not kept by the callee.
      let point = unsafe cproj_position(&line, fraction * lengthMeters)
      return (Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon), point.azimuth)
    }
  }
}
