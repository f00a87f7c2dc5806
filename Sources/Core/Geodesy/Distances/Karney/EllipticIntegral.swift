/// An integral along a geodesic, I(σ) = A·(σ + Σ Cₗ sin 2lσ), where σ is the arc from the equator.
///
/// Source: C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87, 43–55 (2013). Numbers in
/// parentheses, in all files of this folder, are its equations. The series are in powers of a
/// parameter ε of the geodesic. It is at most n = 0.0017 on WGS84, so the first power left out, ε⁷,
/// is below 1e-19.
struct EllipticIntegral {
  /// A.
  let factor: Double
  /// C₁ … C₆.
  let series: SineSeries

  /// I(σ₂) − I(σ₁), where the length of the arc tells its whole turns.
  func value(from start: SineCosine, to end: SineCosine, radians: Double) -> Double {
    factor * (radians + (series.sum(at: end) - series.sum(at: start)))
  }
}

// Polynomials in ε and the third flattening n, by Horner's rule.
extension EllipticIntegral {
  /// I₁, the distance in units of b: (15), (17), (18).
  static func distance(_ e: Double) -> EllipticIntegral {
    let q = e * e
    let factor = (1 + q * (1.0 / 4 + q * (1.0 / 64 + q * (1.0 / 256)))) / (1 - e)
    return EllipticIntegral(
      factor: factor,
      series: SineSeries(
        e * (-1.0 / 2 + q * (3.0 / 16 - q * (1.0 / 32))),
        q * (-1.0 / 16 + q * (1.0 / 32 - q * (9.0 / 2048))),
        q * e * (-1.0 / 48 + q * (3.0 / 256)),
        q * q * (-5.0 / 512 + q * (3.0 / 512)),
        q * q * e * (-7.0 / 1280),
        q * q * q * (-7.0 / 2048)))
  }

  /// I₂, for the reduced length: (41) to (43).
  static func reducedLength(_ e: Double) -> EllipticIntegral {
    let q = e * e
    let factor = (1 - e) * (1 + q * (1.0 / 4 + q * (9.0 / 64 + q * (25.0 / 256))))
    return EllipticIntegral(
      factor: factor,
      series: SineSeries(
        e * (1.0 / 2 + q * (1.0 / 16 + q * (1.0 / 32))),
        q * (3.0 / 16 + q * (1.0 / 32 + q * (35.0 / 2048))),
        q * e * (5.0 / 48 + q * (5.0 / 256)),
        q * q * (35.0 / 512 + q * (7.0 / 512)),
        q * q * e * (63.0 / 1280),
        q * q * q * (77.0 / 2048)))
  }

  /// I₃, the excess of longitudes on the sphere, in units of f·sin α₀: (23) to (25).
  static func longitude(_ e: Double) -> EllipticIntegral {
    let n = Ellipsoid.thirdFlattening
    let q = e * e
    return EllipticIntegral(
      factor: longitudeFactor(e),
      series: SineSeries(
        e
          * ((1 - n) / 4 + e
            * ((1 - n * n) / 8 + e
              * ((3 + n * (3 - n)) / 64 + e * ((5 + 2 * n) / 128 + e * (3.0 / 128))))),
        q
          * ((2 + n * (n - 3)) / 32 + e
            * ((3 - n * (2 + 3 * n)) / 64 + e * ((3 + n) / 128 + e * (5.0 / 256)))),
        q * e
          * ((5 + n * (5 * n - 9)) / 192 + e * ((9 - 10 * n) / 384 + e * (7.0 / 512))),
        q * q * ((7 - 14 * n) / 512 + e * (7.0 / 512)),
        q * q * e * (21.0 / 2560),
        0))
  }

  /// A₃ alone, (24).
  static func longitudeFactor(_ e: Double) -> Double {
    let n = Ellipsoid.thirdFlattening
    let second = (n * (3 * n - 1) - 2) / 8
    let third = -(1 + n * (3 + n)) / 16
    let fourth = -(3 + 2 * n) / 64
    return 1 + e * ((n - 1) / 2 + e * (second + e * (third + e * (fourth - e * (3.0 / 128)))))
  }
}

/// A sum Σ cₗ sin 2lσ of six terms.
struct SineSeries {
  private let c1, c2, c3, c4, c5, c6: Double

  init(_ c1: Double, _ c2: Double, _ c3: Double, _ c4: Double, _ c5: Double, _ c6: Double) {
    (self.c1, self.c2, self.c3) = (c1, c2, c3)
    (self.c4, self.c5, self.c6) = (c4, c5, c6)
  }

  static func * (factor: Double, s: SineSeries) -> SineSeries {
    SineSeries(
      factor * s.c1, factor * s.c2, factor * s.c3, factor * s.c4, factor * s.c5, factor * s.c6)
  }

  static func - (a: SineSeries, b: SineSeries) -> SineSeries {
    SineSeries(
      a.c1 - b.c1, a.c2 - b.c2, a.c3 - b.c3, a.c4 - b.c4, a.c5 - b.c5, a.c6 - b.c6)
  }

  /// The arc σ = τ + Σ C′ₗ sin 2lτ for the distance τ in units of b·A₁: (20), (21).
  static func arc(_ e: Double) -> SineSeries {
    let q = e * e
    return SineSeries(
      e * (1.0 / 2 + q * (-9.0 / 32 + q * (205.0 / 1536))),
      q * (5.0 / 16 + q * (-37.0 / 96 + q * (1335.0 / 4096))),
      q * e * (29.0 / 96 - q * (75.0 / 128)),
      q * q * (539.0 / 1536 - q * (2391.0 / 2560)),
      q * q * e * (3467.0 / 7680),
      q * q * q * (38081.0 / 61440))
  }

  /// The sum at an arc, by Clenshaw's recurrence: three operations per term, no trigonometry.
  func sum(at arc: SineCosine) -> Double {
    // 2 cos 2σ
    let twice = 2 * (arc.cosine - arc.sine) * (arc.cosine + arc.sine)
    let b5 = c5 + twice * c6
    let b4 = c4 + twice * b5 - c6
    let b3 = c3 + twice * b4 - b5
    let b2 = c2 + twice * b3 - b4
    let b1 = c1 + twice * b2 - b3
    return 2 * arc.sine * arc.cosine * b1
  }
}
