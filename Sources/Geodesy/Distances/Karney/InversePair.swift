/// Two points in the arrangement that the inverse problem is solved in, (44): the first one is not north of
/// the equator and no nearer to it than the second, which lies to the east of it, 0 ≤ λ₁₂ ≤ π.
///
/// Exchanging the points and reflecting them brings every pair into it. Neither changes the distance, and the
/// azimuths follow by ``restored(_:_:)``.
struct InversePair {
  /// The reduced latitude of the first point, β₁ ≤ 0; its cosine is above 0.
  let start: SineCosine
  /// The reduced latitude of the second, |β₂| ≤ −β₁; its cosine is above 0.
  let end: SineCosine
  /// The difference of longitude λ₁₂, 0 … π.
  let longitude: SineCosine
  /// λ₁₂ in radians.
  let longitudeRadians: Double
  /// By how much λ₁₂ falls short of half a turn, in degrees.
  let shortfallDegrees: Double

  private let isSwapped: Bool
  private let eastSign: Double
  private let northSign: Double

  /// Arranges two points with latitudes in −90 … 90 and finite longitudes.
  init(_ a: Coordinate, _ b: Coordinate) {
    let (turn, rest) = ExactDegrees.turn(from: a.longitudeDegrees, to: b.longitudeDegrees)
    let degrees = abs(ExactDegrees.flushed(turn))
    let east = Double(signOf: turn, magnitudeOf: 1)
    let angle = SineCosine(degrees: degrees, plus: east * rest)
    // The sine of 180° as the negative of 0 would turn an azimuth of 180° into one of −180°.
    longitude = SineCosine(sine: abs(angle.sine), cosine: angle.cosine)
    longitudeRadians = degrees * (.pi / 180)
    shortfallDegrees = (180 - degrees) - east * rest
    var latitudes = (a.latitudeDegrees, b.latitudeDegrees)
    isSwapped = abs(latitudes.0) < abs(latitudes.1)
    if isSwapped { latitudes = (latitudes.1, latitudes.0) }
    eastSign = east
    northSign = latitudes.0.sign == .minus ? 1 : -1
    (start, end) = Self.reduced(northSign * latitudes.0, northSign * latitudes.1)
  }

  /// The cosine of the reduced latitude of a pole.
  ///
  /// It is above 0 so that meridians keep their directions there, and its square is a normal number.
  static let poleCosine = 0x1p-200

  /// The reduced latitude of a geodetic one in degrees, tan β = (1 − f)·tan φ, (6).
  static func reducedLatitude(degrees: Double) -> SineCosine {
    let latitude = SineCosine(degrees: ExactDegrees.flushed(degrees))
    var reduced = SineCosine(
      sine: latitude.sine * (1 - Ellipsoid.flattening), cosine: latitude.cosine
    ).normalized
    reduced.cosine = max(reduced.cosine, poleCosine)
    return reduced
  }

  /// The reduced latitudes of both points, exactly ±equal where rounding leaves nothing between them.
  ///
  /// Near the equator the sine tells latitudes apart, near a pole the cosine. Where it is the same for both, the
  /// other function must be the same too, or the azimuths at both ends would contradict each other.
  private static func reduced(
    _ first: Double, _ second: Double
  ) -> (start: SineCosine, end: SineCosine) {
    let start = reducedLatitude(degrees: first)
    var end = reducedLatitude(degrees: second)
    if start.cosine < -start.sine {
      if end.cosine == start.cosine { end.sine = Double(signOf: end.sine, magnitudeOf: start.sine) }
    } else if abs(end.sine) == -start.sine {
      end.cosine = start.cosine
    }
    return (start, end)
  }

  /// Whether the points' parallels are the same or mirror images.
  var isSymmetric: Bool { end.cosine == start.cosine && abs(end.sine) == -start.sine }

  /// The azimuths of the original pair for those found in this arrangement.
  func restored(
    _ start: SineCosine, _ end: SineCosine
  ) -> (start: SineCosine, end: SineCosine) {
    func restored(_ azimuth: SineCosine) -> SineCosine {
      SineCosine(
        sine: azimuth.sine * eastSign,
        cosine: azimuth.cosine * (isSwapped ? -northSign : northSign))
    }
    return isSwapped
      ? (restored(end), restored(start)) : (restored(start), restored(end))
  }
}
