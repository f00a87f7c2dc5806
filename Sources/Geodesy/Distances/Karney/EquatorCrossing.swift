/// Where a geodesic crosses the equator northwards: the origin of the arcs σ and longitudes ω of its points
/// on the auxiliary sphere, on which it is a great circle.
struct EquatorCrossing {
  /// The azimuth α₀ there, −π/2 … π/2, by Clairaut's relation, (5), and (10).
  let azimuth: SineCosine
  /// The parameter ε of ``EllipticIntegral``, 0 … n, (9) and (16).
  let parameter: Double

  /// Makes the crossing of a geodesic with an azimuth at a reduced latitude.
  init(latitude: SineCosine, azimuth: SineCosine) {
    self.azimuth = SineCosine(
      sine: azimuth.sine * latitude.cosine,
      cosine: SineCosine(sine: azimuth.sine * latitude.sine, cosine: azimuth.cosine).length)
    parameter = Self.parameter(cosine: self.azimuth.cosine)
  }

  /// ε of a geodesic whose azimuth at the equator has this cosine.
  static func parameter(cosine: Double) -> Double {
    let k2 = Ellipsoid.stretch * cosine * cosine
    return k2 / (2 * (1 + (1 + k2).squareRoot()) + k2)
  }

  /// σ of a point of the geodesic, (11), and ω, (12), which has yet to be normalized.
  ///
  /// - Parameters:
  ///   - latitude: The point's reduced latitude.
  ///   - azimuth: The geodesic's azimuth there.
  /// - Returns: Both; 0 on the equator itself, where every point may be the origin.
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
