/// Two points arranged for the inverse problem, (44).
///
/// The first is not north of the equator and no nearer to it than the second, which lies to the
/// east, 0 ≤ λ₁₂ ≤ π. Swapping and reflecting the points brings any pair into this form without
/// changing the distance; ``restored(_:_:)`` gives the azimuths.
struct InversePair {
  /// β₁ ≤ 0; its cosine is above 0.
  let start: SineCosine
  /// |β₂| ≤ −β₁; its cosine is above 0.
  let end: SineCosine
  /// λ₁₂, 0 … π.
  let longitude: SineCosine
  let longitudeRadians: Double
  /// Half a turn minus λ₁₂, in degrees.
  let shortfallDegrees: Double

  private let isSwapped: Bool
  private let eastSign: Double
  private let northSign: Double

  /// Latitudes must be in −90 … 90, longitudes finite.
  init(_ a: Coordinate, _ b: Coordinate) {
    let (turn, rest) = ExactDegrees.turn(from: a.longitudeDegrees, to: b.longitudeDegrees)
    let degrees = abs(ExactDegrees.flushed(turn))
    let east = Double(signOf: turn, magnitudeOf: 1)
    let angle = SineCosine(degrees: degrees, plus: east * rest)
    // If the sine of 180° were negative 0, it would turn an azimuth of 180° into −180°.
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

  /// The cosine of a pole's reduced latitude.
  ///
  /// Above 0, so that meridians keep their directions there; its square is a normal number.
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

  /// The reduced latitudes of both points, exactly equal or opposite if only rounding differs.
  ///
  /// Near the equator the sine tells latitudes apart, near a pole the cosine. If it is the same for
  /// both, the other function must be too, or the azimuths at the two ends would not match.
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

  var isSymmetric: Bool { end.cosine == start.cosine && abs(end.sine) == -start.sine }

  /// The azimuths of the original pair, from those of this arrangement.
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
