/// The sphere with the ellipsoid's areas: points keep their longitude but not their latitude.
///
/// The series in the third flattening are from C. F. F. Karney, On auxiliary latitudes, Survey
/// Review 2024, up to the third power; they are within 0.1 mm.
enum AuthalicSphere {
  static func direction(of coordinate: Coordinate) -> SIMD3<Double> {
    let n = Ellipsoid.thirdFlattening
    let latitude = SineCosine(
      radians: shifted(
        coordinate.latitudeDegrees * (.pi / 180),
        by: (
          n * (-4 / 3.0 + n * (-4 / 45.0 + n * 88 / 315)), n * n * (34 / 45.0 + n * 8 / 105),
          n * n * n * -1532 / 2835
        )))
    let longitude = SineCosine(degrees: coordinate.longitudeDegrees)
    return SIMD3(
      latitude.cosine * longitude.cosine, latitude.cosine * longitude.sine, latitude.sine)
  }

  /// The point in the direction of a vector of any length, or nil if that is zero or not finite.
  static func coordinate(along vector: SIMD3<Double>) -> Coordinate? {
    let n = Ellipsoid.thirdFlattening
    let parallel = (vector.x * vector.x + vector.y * vector.y).squareRoot()
    guard length(vector) > 0, length(vector).isFinite else { return nil }
    let latitude = shifted(
      atan2(y: vector.z, x: parallel),
      by: (
        n * (4 / 3.0 + n * (4 / 45.0 - n * 16 / 35)), n * n * (46 / 45.0 + n * 152 / 945),
        n * n * n * 3044 / 2835
      ))
    return Coordinate(
      latitudeDegrees: latitude * (180 / .pi),
      longitudeDegrees: SineCosine(sine: vector.y, cosine: vector.x).degrees)
  }

  /// An angle plus multiples of the sines of two, four and six times itself.
  private static func shifted(
    _ angle: Double, by factors: (Double, Double, Double)
  ) -> Double {
    angle + factors.0 * sin(radians: 2 * angle) + factors.1 * sin(radians: 4 * angle)
      + factors.2 * sin(radians: 6 * angle)
  }
}
