/// A geodesic from a pair's first point, at a trial azimuth, to the parallel of the second.
///
/// Karney (2013), section 4, calls this the hybrid problem: β₁, α₁ and β₂ are given. The azimuth is
/// the one sought if the geodesic ends at the second point.
struct TrialGeodesic {
  private let pair: InversePair
  /// α₁.
  let startAzimuth: SineCosine
  /// α₂, in 0 … π/2.
  let endAzimuth: SineCosine
  /// σ₁ and σ₂.
  private let startArc: SineCosine
  private let endArc: SineCosine
  /// σ₁₂ in radians.
  private let arcRadians: Double
  /// ε.
  private let parameter: Double
  /// λ₁₂(α₁) − λ₁₂: how far east of the second point the geodesic ends, in radians.
  let excess: Double

  init(_ pair: InversePair, azimuth: SineCosine) {
    self.pair = pair
    var azimuth = azimuth
    let start = pair.start
    // On the equator every point is on the parallel. Just south of it, the geodesic returns once.
    if start.sine == 0 && azimuth.cosine == 0 { azimuth.cosine = -InversePair.poleCosine }
    startAzimuth = azimuth
    let equator = EquatorCrossing(latitude: start, azimuth: azimuth)
    endAzimuth = Self.endAzimuth(pair, azimuth, equator.azimuth)
    let (startArc, startLongitude) = equator.arc(latitude: start, azimuth: azimuth)
    let (endArc, endLongitude) = equator.arc(latitude: pair.end, azimuth: endAzimuth)
    (self.startArc, self.endArc) = (startArc, endArc)
    arcRadians = Self.forward(endArc - startArc).radians
    parameter = equator.parameter
    // (8). Subtracting λ₁₂ from ω₁₂ as an angle rounds least.
    let ahead = Self.forward(endLongitude - startLongitude) - pair.longitude
    let integral = EllipticIntegral.longitude(parameter)
      .value(from: startArc, to: endArc, radians: arcRadians)
    excess = ahead.radians - Ellipsoid.flattening * equator.azimuth.sine * integral
  }

  /// α₂ by Clairaut's relation, (5), heading north, (45).
  private static func endAzimuth(
    _ pair: InversePair, _ azimuth: SineCosine, _ equator: SineCosine
  ) -> SineCosine {
    let start = pair.start
    let end = pair.end
    if pair.isSymmetric { return SineCosine(sine: azimuth.sine, cosine: abs(azimuth.cosine)) }
    // cos²β₂ − cos²β₁, by the function that tells the latitudes apart.
    let difference =
      start.cosine < -start.sine
      ? (end.cosine - start.cosine) * (end.cosine + start.cosine)
      : (start.sine - end.sine) * (start.sine + end.sine)
    let north = azimuth.cosine * start.cosine
    return SineCosine(
      sine: end.cosine == start.cosine ? azimuth.sine : equator.sine / end.cosine,
      cosine: (north * north + difference).squareRoot() / end.cosine)
  }

  /// An angle in 0 … π that rounding may have made negative.
  private static func forward(_ angle: SineCosine) -> SineCosine {
    // Not `max`: it may return a negative zero, whose arc is −π if the cosine is negative.
    SineCosine(sine: angle.sine > 0 ? angle.sine : 0, cosine: angle.cosine)
  }

  /// The length in meters, (7).
  var lengthMeters: Double {
    let integral = EllipticIntegral.distance(parameter)
      .value(from: startArc, to: endArc, radians: arcRadians)
    return max(0, Ellipsoid.polarRadiusMeters * integral)
  }

  /// dλ₁₂/dα₁, (46), or (47) if the geodesic is perpendicular to both meridians.
  var slope: Double {
    let ratio = 1 - Ellipsoid.flattening
    guard endAzimuth.cosine != 0 else {
      return -2 * ratio * Self.bulge(pair.start) / pair.start.sine
    }
    return reducedLength * ratio / (endAzimuth.cosine * pair.end.cosine)
  }

  /// The reduced length m₁₂, the spread of neighboring geodesics at the end, in units of b, (38).
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
