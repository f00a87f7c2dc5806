/// An estimate of a pair's geodesic: the great circle between the reduced latitudes on a sphere.
///
/// Karney (2013), section 5. The unknown is ω₁₂, the difference in longitude on the sphere. Away
/// from the antipode, the azimuth is off by f·σ₁₂²/10 or so up to 0.5 rad, and by f² beyond.
struct GreatCircle {
  private let pair: InversePair
  /// ω₁₂.
  private let longitude: SineCosine
  /// The azimuth α₁ times sin σ₁₂, (49).
  private let direction: SineCosine

  private init(_ pair: InversePair, longitude: SineCosine) {
    self.pair = pair
    self.longitude = longitude
    direction = Self.direction(from: pair.start, to: pair.end, longitude: longitude)
  }

  init(estimating pair: InversePair) {
    if let ratio = Self.shortRatio(pair) {
      self.init(pair, longitude: SineCosine(radians: pair.longitudeRadians / ratio))
      return
    }
    let first = GreatCircle(pair, longitude: pair.longitude)
    guard !first.isNearAntipode else {
      self = first
      return
    }
    // (8) with I₃ = σ, which is wrong by at most one part in a thousand.
    let azimuth = first.startAzimuth
    let gain = Ellipsoid.flattening * azimuth.sine * pair.start.cosine * first.arcRadians
    self.init(pair, longitude: pair.longitude + SineCosine(radians: gain))
  }

  /// w̄, the ratio of λ₁₂ to ω₁₂, (48), or nil for points more than 0.5 rad apart.
  private static func shortRatio(_ pair: InversePair) -> Double? {
    let (a, b) = (pair.start, pair.end)
    let apart = b - a
    guard apart.cosine >= 0, apart.sine < 0.5, b.cosine * pair.longitudeRadians < 0.5 else {
      return nil
    }
    let middle = SineCosine(sine: a.sine + b.sine, cosine: a.cosine + b.cosine).normalized
    return (1 - Ellipsoid.eccentricitySquared * middle.cosine * middle.cosine).squareRoot()
  }

  /// cos β₁ sin β₂ − sin β₁ cos β₂ cos ω + i cos β₂ sin ω, without cancellation.
  private static func direction(
    from a: SineCosine, to b: SineCosine, longitude: SineCosine
  ) -> SineCosine {
    // 1 − |cos ω|
    let versine = longitude.sine * longitude.sine / (1 + abs(longitude.cosine))
    let bend = a.sine * b.cosine * versine
    return SineCosine(
      sine: b.cosine * longitude.sine,
      cosine: longitude.cosine < 0 ? (b + a).sine - bend : (b - a).sine + bend)
  }

  /// α₁, in 0 … π.
  var startAzimuth: SineCosine {
    direction.sine > 0 ? direction.normalized : SineCosine(sine: 1, cosine: 0)
  }

  /// α₂, (50).
  private var endAzimuth: SineCosine {
    let back = Self.direction(from: pair.end, to: pair.start, longitude: longitude)
    return SineCosine(sine: back.sine, cosine: -back.cosine).normalized
  }

  /// cos σ₁₂.
  private var arcCosine: Double {
    pair.start.sine * pair.end.sine + pair.start.cosine * pair.end.cosine * longitude.cosine
  }

  /// σ₁₂, (51).
  private var arcRadians: Double {
    SineCosine(sine: direction.length, cosine: arcCosine).radians
  }

  /// The geodesic itself if it is so short (up to 20 cm) that only rounding makes a difference.
  var geodesic: (lengthMeters: Double, start: SineCosine, end: SineCosine)? {
    guard direction.length < 3e-8, let ratio = Self.shortRatio(pair) else { return nil }
    return (
      Ellipsoid.equatorialRadiusMeters * ratio * arcRadians, direction.normalized, endAzimuth
    )
  }

  /// Whether the second point is too near the antipode of the first for a good estimate.
  ///
  /// The limit is three times the reach of the astroid, πf·cos²β₁.
  var isNearAntipode: Bool {
    let reach = 3 * .pi * Ellipsoid.flattening * pair.start.cosine * pair.start.cosine
    return arcCosine < 0 && direction.length < reach
  }

  /// α₁ of a great circle that ends short of the antipodal meridian by π − ω₁₂, in radians.
  static func startAzimuth(_ pair: InversePair, shortfall: Double) -> SineCosine {
    let turn = SineCosine(radians: shortfall)
    return GreatCircle(pair, longitude: SineCosine(sine: turn.sine, cosine: -turn.cosine))
      .startAzimuth
  }
}
