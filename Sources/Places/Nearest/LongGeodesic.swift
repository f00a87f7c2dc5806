import Glibc

/// Bounds of distances too long for the chord's series, at a fraction of what PROJ's routine costs.
///
/// W. D. Lambert's formula of 1942 for the distance of two points: with σ the angle between them on
/// the sphere of reduced latitudes β, s = a·(σ − f/2·(X + Y)), where
/// X = (σ − sin σ)·(sin β₁ + sin β₂)² / (4·cos²(σ/2)) and
/// Y = (σ + sin σ)·(sin β₂ − sin β₁)² / (4·sin²(σ/2)).
/// What it leaves out is of the order of f², as long as the points are not nearly antipodal: against
/// `geod_inverse`, over six million pairs, −15.2 … 12.1 m up to 10,000 km and −15.2 … 80.4 m up to
/// 15,900 km. The bounds give away three times as much.
enum LongGeodesic {
  private static let equatorialRadius = 6_378_137.0
  private static let polarRadius = 6_356_752.314_245_179
  private static let flattening = 1 / 298.257_223_563

  /// The bounds of the distance between two points.
  ///
  /// - Parameters:
  ///   - a: A point of the ellipsoid as a vector from its centre, in metres.
  ///   - b: Another, at least a metre away.
  /// - Returns: The bounds in metres; nil where the points are nearly antipodal.
  /// - Complexity: O(1), some 30 ns.
  static func bounds(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>
  ) -> (least: Double, greatest: Double)? {
    // On the sphere of reduced latitudes the ellipsoid's vectors are of length 1.
    let scale = SIMD3(1 / equatorialRadius, 1 / equatorialRadius, 1 / polarRadius)
    let p = a * scale
    let q = b * scale
    let difference = q - p
    // sin²(σ/2)
    let half = (difference * difference).sum() / 4
    guard half < 0.9 else { return nil }
    let root = half.squareRoot()
    let angle = 2 * asin(root)
    let sine = 2 * (half * (1 - half)).squareRoot()
    let sum = p.z + q.z
    let x = (angle - sine) * sum * sum / (4 * (1 - half))
    let y = (angle + sine) * difference.z * difference.z / (4 * half)
    let distance = equatorialRadius * (angle - flattening / 2 * (x + y))
    let error = half < 0.5 ? 50.0 : 250
    return (distance - error, distance + error)
  }
}
