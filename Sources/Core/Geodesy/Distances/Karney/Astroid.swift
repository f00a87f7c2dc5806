/// The plane around the antipode of a pair's first point, (53): Karney (2013), section 5.
///
/// In it, the envelope of the geodesics from that point is the astroid x^⅔ + y^⅔ = 1.
struct Astroid {
  private let pair: InversePair
  /// The unit in radians of longitude.
  private let unit: Double
  /// The second point: x ≤ 0, west of the antipode, and y ≤ 0, south of it.
  private let x: Double
  private let y: Double

  init(_ pair: InversePair) {
    self.pair = pair
    let start = pair.start
    let parameter = EquatorCrossing.parameter(cosine: start.sine)
    let factor = EllipticIntegral.longitudeFactor(parameter)
    unit = Ellipsoid.flattening * .pi * factor * start.cosine
    let fromAntipode = SineCosine(sine: -pair.longitude.sine, cosine: -pair.longitude.cosine)
    x = fromAntipode.radians / unit
    y = (pair.end + start).sine / (unit * start.cosine)
  }

  /// An estimate of α₁, the azimuth of the geodesic between the points, in 0 … π.
  var startAzimuth: SineCosine {
    // On the antipodal parallel between the cusps, two geodesics are equally short, (57).
    if y > -1e-13, x > -1 - 1e-5 {
      let sine = min(1, -x)
      return SineCosine(sine: sine, cosine: -(1 - sine * sine).squareRoot())
    }
    // The plane gives ω₁₂, with which a great circle gives a better azimuth than the plane, (58).
    let root = Astroid.root(x, y)
    return GreatCircle.startAzimuth(pair, shortfall: -unit * x * root / (1 + root))
  }

  /// The positive root μ of μ⁴ + 2μ³ + (1 − x² − y²)μ² − 2y²μ − y² = 0, (55), by appendix B.
  ///
  /// It is 0 for y = 0 and |x| ≤ 1, where no root is positive.
  static func root(_ x: Double, _ y: Double) -> Double {
    let p = x * x
    let q = y * y
    let r = (p + q - 1) / 6
    if q == 0 && r <= 0 { return 0 }
    let u = resolvent(r, p * q / 4)
    let v = (u * u + q).squareRoot()
    // u + v, without cancellation.
    let sum = u < 0 ? q / (v - u) : u + v
    let w = (sum - q) / (2 * v)
    return sum / ((sum + w * w).squareRoot() + w)
  }

  /// The greatest real root of the resolvent cubic (u − r)³ − 3r²(u − r) = 2(r³ + s).
  private static func resolvent(_ r: Double, _ s: Double) -> Double {
    let cube = r * r * r
    let discriminant = s * (s + 2 * cube)
    guard discriminant >= 0 else {
      let angle = atan2(y: (-discriminant).squareRoot(), x: -(s + cube))
      return r + 2 * r * cos(radians: angle / 3)
    }
    // The root without cancellation.
    let root = discriminant.squareRoot()
    let t = cubeRoot(s + cube < 0 ? s + cube - root : s + cube + root)
    return r + t + (t == 0 ? 0 : r * r / t)
  }
}
