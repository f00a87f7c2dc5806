import FencepostCProj
package import FencepostGeodesy
package import Testing

/// PROJ's geodesics, the reference that ours are tested against.
package enum Proj {
  /// Whether PROJ is there; nothing else may be called without it.
  package static let isThere = cproj_is_there()

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
    private var line: cproj_line
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

extension Trait where Self == ConditionTrait {
  /// Skips what compares with PROJ where PROJ is missing.
  package static var comparedWithPROJ: Self {
    .enabled(if: Proj.isThere, "PROJ is missing: apt-get install libproj-dev")
  }
}
