import Glibc

/// A disc inside which a fix is known to be without any trigonometry.
///
/// ``contains(_:)`` is conservative: true proves that the geodesic distance from the centre is
/// below the radius, false proves nothing.
public struct SafeDisc: Hashable, Sendable {
  @usableFromInline
  let latitudeDegrees: Double
  @usableFromInline
  let longitudeDegrees: Double
  @usableFromInline
  let cosine: Double
  @usableFromInline
  let limit: Double

  /// Makes the disc about a centre.
  ///
  /// - Parameters:
  ///   - center: Its centre, a valid coordinate.
  ///   - radiusMeters: Its radius in metres; a disc of 0, less or NaN contains nothing.
  public init(center: Coordinate, radiusMeters: Double) {
    latitudeDegrees = center.latitudeDegrees
    longitudeDegrees = center.longitudeDegrees
    cosine = cos(center.latitudeDegrees * (.pi / 180))
    let metersPerDegree = Ellipsoid.greatestCurvatureRadiusMeters * (.pi / 180)
    // Less than what rounding can do to the comparison.
    let radius = (radiusMeters - 1e-7) * (1 - 1e-12) / metersPerDegree
    limit = radius > 0 ? radius * radius : -1
  }

  /// Whether a coordinate is proved to be nearer to the centre than the radius.
  ///
  /// The path that is straight in latitude and longitude is at most R·√(Δφ² + (cos φ₀ + |Δφ|)²·Δλ²)
  /// long, R being the largest radius of curvature, and the geodesic is no longer. A coordinate
  /// beyond the antimeridian just fails.
  @inlinable
  public func contains(_ coordinate: Coordinate) -> Bool {
    let latitude = coordinate.latitudeDegrees - latitudeDegrees
    let longitude = coordinate.longitudeDegrees - longitudeDegrees
    let narrow = (cosine + abs(latitude) * (.pi / 180)) * longitude
    return latitude * latitude + narrow * narrow < limit
  }
}
