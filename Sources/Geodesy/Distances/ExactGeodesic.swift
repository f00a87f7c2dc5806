/// The geodesic at any distance, by Karney's algorithms (2013): for distances and segments beyond the range
/// of the series from the chord.
enum ExactGeodesic {
  /// The distance in metres, within 15 nm.
  static func distanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    InverseProblem(from: a, to: b).lengthMeters
  }

  /// The distance and the azimuths at both ends.
  static func inverse(from start: Coordinate, to end: Coordinate) -> Geodesic.Course {
    let inverse = InverseProblem(from: start, to: end)
    return Geodesic.Course(
      distanceMeters: inverse.lengthMeters,
      startAzimuthDegrees: inverse.startAzimuth.degrees,
      endAzimuthDegrees: inverse.endAzimuth.degrees)
  }

  /// The point at a distance from another in a direction.
  static func direct(
    from start: Coordinate, azimuthDegrees: Double, distanceMeters: Double
  ) -> Coordinate {
    GeodesicLine(
      from: start, azimuth: SineCosine(degrees: ExactDegrees.longitude(azimuthDegrees))
    ).point(atMeters: distanceMeters).coordinate
  }
}
