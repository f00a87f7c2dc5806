/// Proved bounds of geodesic distances, so that a search that prunes by them stays exact.
///
/// `DistanceBoundsTests` compares them with PROJ's distances over their whole range. R = a²/b and r
/// = b²/a are the greatest and the least radius of curvature of the ellipsoid.
extension Geodesic {
  /// The most that rounding adds up to in a bound, in meters; each bound leaves this much room.
  @inlinable package static var roundingMeters: Double { 1e-5 }

  /// A lower bound of the length of a geodesic with this chord, in meters.
  ///
  /// It is c + c³/24R², the beginning of the series of 2R·asin(c/2R).
  ///
  /// Proof. Let x be a fixed point of the surface, y a point that moves along a geodesic from x at
  /// unit speed, and f = |y − x|². With G = diag(1/a², 1/a², 1/b²) the surface is y·Gy = 1. Its
  /// normal at y is Gy/|Gy|, and 1/a ≤ |Gy| ≤ 1/b. The point x lies below the tangent plane at y by
  /// h = (1 − x·Gy)/|Gy| = (y − x)·G(y − x) / 2|Gy|. With the unit tangent t, the geodesic curves
  /// by κ = t·Gt/|Gy|. Every v has |v|²/a² ≤ v·Gv ≤ |v|²/b². Hence
  ///
  ///     f/2R ≤ h ≤ f/2r  and  1/R ≤ κ ≤ 1/r,  so that  2 − f/r² ≤ f″ = 2 − 2κh ≤ 2 − f/R².
  ///
  /// For the arc of a circle, 4R²·sin²(s/2R), f″ = 2 − f/R². By Sturm's comparison theorem,
  /// 4r²·sin²(s/2r) ≤ c² up to s = πr (19,903 km), and c² ≤ 4R²·sin²(s/2R) up to s = πR, which no
  /// shortest path exceeds. The second inequality is this bound, the first
  /// ``greatestMeters(ofChord:)``.
  ///
  /// - Parameter chord: The length of the straight line in meters, at least 0.
  /// - Returns: The bound, at least 0.
  @inlinable
  package static func leastMeters(ofChord chord: Double) -> Double {
    let twice = 2 * Ellipsoid.greatestCurvatureRadiusMeters
    return max(0, chord * (1 + chord * chord * (1 / (6 * twice * twice))) - roundingMeters)
  }

  /// An upper bound of the length of a shortest path with this chord, in meters.
  ///
  /// Up to 5,000 km it is 2r·asin(c/2r), by the proof of ``leastMeters(ofChord:)``. The series is
  /// asin u ≤ u + u³/6 + u⁵/12, which holds for u up to 0.4. Beyond, it is 2a·asin(c/2b): see
  /// ``boundsMeters(from:to:)``, with |q − p| ≤ c/b.
  ///
  /// - Parameter chord: The length of the straight line in meters, at least 0.
  /// - Returns: The bound; finite even for chords longer than any on the ellipsoid.
  @inlinable
  package static func greatestMeters(ofChord chord: Double) -> Double {
    guard chord < 5_000_000 else { return greatestMeters(ofLongChord: chord) }
    let twice = 2 * Ellipsoid.leastCurvatureRadiusMeters
    let square = chord * chord * (1 / (twice * twice))
    return chord * (1 + square / 6 + square * square / 12) + roundingMeters
  }

  @usableFromInline
  static func greatestMeters(ofLongChord chord: Double) -> Double {
    2 * Ellipsoid.equatorialRadiusMeters
      * asin(sine: min(1, chord / (2 * Ellipsoid.polarRadiusMeters)))
      + roundingMeters
  }

  /// The chord up to which bounds use only the chord: cheaper, but 95 m apart at this length.
  @inlinable package static var nearChordMeters: Double { 1_500_000 }

  /// A lower and an upper bound of the distance between two points.
  ///
  /// Up to ``nearChordMeters`` they use only the chord (3 ns). Beyond, they use the sphere of
  /// reduced latitudes (30 ns) and are 0.2 m apart at 1,500 km, at most 80 m at 10,000 km, and 600
  /// m at 16,000 km.
  ///
  /// Proof. The map A = diag(a, a, b) takes the unit sphere to the ellipsoid. A curve x(u) on the
  /// sphere, 0 ≤ u ≤ σ, becomes one with the speed a·√(|x′|² − e²z′²), where z is the third
  /// component of x. Its length s satisfies s² ≤ a²·σ·∫(|x′|² − e²z′²)du, with equality if the
  /// speed is constant (Cauchy and Schwarz).
  ///
  /// Upper bound: take the great circle x₀ from p to q, where σ is the angle between them. With E =
  /// ∫z₀′²du, no shortest path is longer than a·√(σ(σ − e²E)).
  ///
  /// Lower bound: let x = x₀ + δ be the shortest path at constant speed, so that δ vanishes at both
  /// ends. From x₀″ = −x₀ and |x| = 1 follow ∫|x′|² = σ + ∫|δ′|² − ∫|δ|² and ∫z′² = E + 2∫z₀δ_z +
  /// ∫δ_z′². With ∫|δ′|² ≥ (π/σ)²·∫|δ|² (Wirtinger), N = ∫z₀²du and m = (1 − e²)(π/σ)² − 1, the
  /// last integral is at least σ − e²E − 2e²·√N·‖δ‖ + m‖δ‖² ≥ σ − e²E − e⁴N/m, as long as m > 0.
  /// Hence
  ///
  ///     a·√(σ(σ − e²E − e⁴N/m)) ≤ s ≤ a·√(σ(σ − e²E)).
  ///
  /// To first order in the flattening, this is W. D. Lambert's formula of 1942. For nearly
  /// antipodal points, where m vanishes, b·σ ≤ s ≤ a·σ serves, because b|x′| ≤ |Ax′| ≤ a|x′|.
  ///
  /// - Parameters:
  ///   - a: A point as a vector from the center of the ellipsoid in meters, ``Position/vector``.
  ///   - b: The other point, likewise.
  /// - Returns: The bounds in meters, the lower one at least 0.
  @inlinable
  package static func boundsMeters(
    from a: SIMD3<Double>, to b: SIMD3<Double>
  ) -> (least: Double, greatest: Double) {
    let chord = b - a
    let square = dot(chord, chord)
    guard square < nearChordMeters * nearChordMeters else { return sphereBoundsMeters(a, b) }
    let length = square.squareRoot()
    return (leastMeters(ofChord: length), greatestMeters(ofChord: length))
  }

  /// The bounds by the sphere of reduced latitudes; see ``boundsMeters(from:to:)``.
  @usableFromInline
  static func sphereBoundsMeters(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>
  ) -> (least: Double, greatest: Double) {
    let equatorial = Ellipsoid.equatorialRadiusMeters
    let polar = Ellipsoid.polarRadiusMeters
    let scale = SIMD3(1 / equatorial, 1 / equatorial, 1 / polar)
    let sum = (a + b) * scale
    let difference = (b - a) * scale
    // sin²(σ/2) and cos²(σ/2)
    let sineSquared = max(dot(difference, difference) / 4, .leastNormalMagnitude)
    let cosineSquared = dot(sum, sum) / 4
    let angle = 2 * atan2(y: sineSquared.squareRoot(), x: cosineSquared.squareRoot())
    guard cosineSquared > 1e-3 else {
      return (polar * angle - roundingMeters, equatorial * angle + roundingMeters)
    }
    let sine = 2 * (sineSquared * cosineSquared).squareRoot()
    // E and N, integrated over the arc from (sin(σ − u)·p + sin(u)·q)/sin σ.
    let middle = sum.z * sum.z / (8 * cosineSquared)
    let slope = difference.z * difference.z / (8 * sineSquared)
    let slopes = middle * (angle - sine) + slope * (angle + sine)
    let heights = middle * (angle + sine) + slope * (angle - sine)
    let e2 = Ellipsoid.eccentricitySquared
    let m = (1 - e2) * (.pi / angle) * (.pi / angle) - 1
    let greatest = angle * (angle - e2 * slopes)
    let least = greatest - angle * e2 * e2 * heights / m
    return (
      max(0, equatorial * max(0, least).squareRoot() - roundingMeters),
      equatorial * greatest.squareRoot() + roundingMeters
    )
  }
}
