/// The geodesic that leaves the first point of a pair at a trial azimuth, as far as the parallel of the
/// second.
///
/// This is the hybrid problem, from β₁, α₁ and β₂ to all the rest, by which the inverse problem is solved: the
/// azimuth is right once the geodesic meets the parallel at the second point.
struct TrialGeodesic {
  private let pair: InversePair
  /// α₁.
  let startAzimuth: SineCosine
  /// α₂, eastwards and towards the north.
  let endAzimuth: SineCosine
  /// σ₁ and σ₂, the arcs from the equator on the auxiliary sphere.
  private let startArc: SineCosine
  private let endArc: SineCosine
  /// σ₁₂ in radians.
  private let arcRadians: Double
  /// ε.
  private let parameter: Double
  /// λ₁₂(α₁) − λ₁₂: how much farther east than the second point the geodesic meets the parallel, in radians.
  let excess: Double

  /// Follows the geodesic with an azimuth in 0 … π.
  init(_ pair: InversePair, azimuth: SineCosine) {
    self.pair = pair
    var azimuth = azimuth
    let start = pair.start
    // The equator itself meets its parallel everywhere: a direction below it meets it once.
    if start.sine == 0 && azimuth.cosine == 0 { azimuth.cosine = -InversePair.poleCosine }
    startAzimuth = azimuth
    let equator = EquatorCrossing(latitude: start, azimuth: azimuth)
    endAzimuth = Self.endAzimuth(pair, azimuth, equator.azimuth)
    let (startArc, startLongitude) = equator.arc(latitude: start, azimuth: azimuth)
    let (endArc, endLongitude) = equator.arc(latitude: pair.end, azimuth: endAzimuth)
    (self.startArc, self.endArc) = (startArc, endArc)
    arcRadians = Self.forward(endArc - startArc).radians
    parameter = equator.parameter
    // (8), less λ₁₂ while both are angles, so that little is rounded.
    let ahead = Self.forward(endLongitude - startLongitude) - pair.longitude
    let integral = EllipticIntegral.longitude(parameter)
      .value(from: startArc, to: endArc, radians: arcRadians)
    excess = ahead.radians - Ellipsoid.flattening * equator.azimuth.sine * integral
  }

  /// α₂ from Clairaut's relation, (5), with a cosine of at least 0, (45).
  private static func endAzimuth(
    _ pair: InversePair, _ azimuth: SineCosine, _ equator: SineCosine
  ) -> SineCosine {
    let start = pair.start
    let end = pair.end
    if pair.isSymmetric { return SineCosine(sine: azimuth.sine, cosine: abs(azimuth.cosine)) }
    // cos²β₂ − cos²β₁ from whichever function tells the latitudes apart.
    let difference =
      start.cosine < -start.sine
      ? (end.cosine - start.cosine) * (end.cosine + start.cosine)
      : (start.sine - end.sine) * (start.sine + end.sine)
    let north = azimuth.cosine * start.cosine
    return SineCosine(
      sine: end.cosine == start.cosine ? azimuth.sine : equator.sine / end.cosine,
      cosine: (north * north + difference).squareRoot() / end.cosine)
  }

  /// An angle of 0 … π that rounding may have put just below 0.
  private static func forward(_ angle: SineCosine) -> SineCosine {
    // Not `max`, which may return a negative zero, whose arc is −π where the cosine is negative.
    SineCosine(sine: angle.sine > 0 ? angle.sine : 0, cosine: angle.cosine)
  }

  /// The length in metres, (7).
  var lengthMeters: Double {
    let integral = EllipticIntegral.distance(parameter)
      .value(from: startArc, to: endArc, radians: arcRadians)
    return max(0, Ellipsoid.polarRadiusMeters * integral)
  }

  /// dλ₁₂/dα₁, (46); (47) where the geodesic is perpendicular to both meridians.
  var slope: Double {
    let ratio = 1 - Ellipsoid.flattening
    guard endAzimuth.cosine != 0 else {
      return -2 * ratio * Self.bulge(pair.start) / pair.start.sine
    }
    return reducedLength * ratio / (endAzimuth.cosine * pair.end.cosine)
  }

  /// m₁₂, by how much neighbouring geodesics from the start spread at the end, in units of b, (38).
  private var reducedLength: Double {
    // J(σ₂) − J(σ₁), (40).
    let first = EllipticIntegral.distance(parameter)
    let second = EllipticIntegral.reducedLength(parameter)
    let series = first.factor * first.series - second.factor * second.series
    let difference =
      (first.factor - second.factor) * arcRadians
      + (series.sum(at: endArc) - series.sum(at: startArc))
    return Self.bulge(pair.end) * startArc.cosine * endArc.sine
      - Self.bulge(pair.start) * startArc.sine * endArc.cosine
      - startArc.cosine * endArc.cosine * difference
  }

  /// √(1 + k² sin²σ), which at the reduced latitude β is √(1 + e′² sin²β).
  private static func bulge(_ latitude: SineCosine) -> Double {
    (1 + Ellipsoid.stretch * latitude.sine * latitude.sine).squareRoot()
  }
}
