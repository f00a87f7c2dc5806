/// Finds the azimuth at which a geodesic from a pair's first point meets the second.
///
/// Karney (2013), section 4. The excess of ``TrialGeodesic`` has one root in 0 … π, negative below
/// it and positive above, so its signs bracket the root. If Newton's method does not converge, the
/// bracket is halved.
struct AzimuthSearch {
  /// The rounding error of an excess of 0, in radians.
  private static let tolerance = Double.ulpOfOne
  /// Newton's method usually takes 2 to 4 steps.
  private static let newtonSteps = 20
  /// More halvings than an azimuth has bits.
  private static let halvings = 64

  private var low = SineCosine(sine: 0, cosine: 1)
  private var high = SineCosine(sine: 0, cosine: -1)

  /// The geodesic between two points on different meridians, the first of them not a pole.
  ///
  /// The estimate must be above 0 and below π.
  static func geodesic(_ pair: InversePair, from start: SineCosine) -> TrialGeodesic {
    var search = AzimuthSearch()
    var trial = TrialGeodesic(pair, azimuth: start)
    var before = 0.0
    for step in 0..<newtonSteps + halvings {
      let excess = abs(trial.excess)
      guard excess > tolerance else { break }
      search.narrow(trial)
      let newton = step < newtonSteps ? search.newton(trial) : nil
      trial = TrialGeodesic(pair, azimuth: newton ?? search.middle)
      // Newton's method squares the error, with a factor seen in the last step. If the square is
      // less than rounding, another step would only follow the rounding.
      let next = excess * excess * max(1, excess / (before * before))
      if newton != nil, next < tolerance || excess < 16 * tolerance { break }
      before = newton == nil ? 0 : excess
    }
    return trial
  }

  private mutating func narrow(_ trial: TrialGeodesic) {
    if trial.excess > 0 { high = trial.startAzimuth } else { low = trial.startAzimuth }
  }

  private var middle: SineCosine {
    SineCosine(sine: low.sine + high.sine, cosine: low.cosine + high.cosine).normalized
  }

  /// Nil if the step leaves 0 … π.
  private func newton(_ trial: TrialGeodesic) -> SineCosine? {
    let step = -trial.excess / trial.slope
    guard abs(step) < .pi else { return nil }
    let azimuth = trial.startAzimuth + SineCosine(radians: step)
    return azimuth.sine > 0 ? azimuth.normalized : nil
  }
}
