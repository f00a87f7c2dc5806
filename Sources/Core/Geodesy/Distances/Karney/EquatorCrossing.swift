/// The point where a geodesic crosses the equator northward.
///
/// On the auxiliary sphere, where it is a great circle, its arcs σ and longitudes ω start here.
struct EquatorCrossing {
  /// The azimuth α₀ there, −π/2 … π/2, by Clairaut's relation, (5), and (10).
  let azimuth: SineCosine
  /// The parameter ε of ``EllipticIntegral``, 0 … n, (9) and (16).
  let parameter: Double

  init(latitude: SineCosine, azimuth: SineCosine) {
    self.azimuth = SineCosine(
      sine: azimuth.sine * latitude.cosine,
      cosine: SineCosine(sine: azimuth.sine * latitude.sine, cosine: azimuth.cosine).length)
    parameter = Self.parameter(cosine: self.azimuth.cosine)
  }

  /// ε of a geodesic, from the cosine of its azimuth at the equator.
  static func parameter(cosine: Double) -> Double {
    let k2 = Ellipsoid.stretch * cosine * cosine
    return k2 / (2 * (1 + (1 + k2).squareRoot()) + k2)
  }

  /// σ, (11), and ω, (12), not normalized; 0 on the equator, where any point may be the origin.
  func arc(
    latitude: SineCosine, azimuth: SineCosine
  ) -> (arc: SineCosine, longitude: SineCosine) {
    let isEquator = latitude.sine == 0 && azimuth.cosine == 0
    let north = isEquator ? 1 : azimuth.cosine * latitude.cosine
    return (
      SineCosine(sine: latitude.sine, cosine: north).normalized,
      SineCosine(sine: self.azimuth.sine * latitude.sine, cosine: north)
    )
  }
}
