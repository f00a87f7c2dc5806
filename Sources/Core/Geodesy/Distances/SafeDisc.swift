/// A disc whose ``contains(_:)`` is fast but conservative.
///
/// True proves that a fix is nearer to the center than the radius; false proves nothing.
@usableFromInline
package struct SafeDisc: Hashable, Sendable {
  @usableFromInline
  let latitudeDegrees: Double
  @usableFromInline
  let longitudeDegrees: Double
  @usableFromInline
  let cosine: Double
  @usableFromInline
  let limit: Double

  /// A disc that contains nothing.
  @inlinable
  package static var nothing: SafeDisc {
    SafeDisc(
      center: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0), cosine: 1, radiusMeters: 0)
  }

  /// Creates a disc around a valid coordinate; empty if the radius is 0, less or NaN.
  package init(center: Coordinate, radiusMeters: Double) {
    self.init(center: Position(center), radiusMeters: radiusMeters)
  }

  /// Creates a disc around a position; empty if the radius is 0, less or NaN.
  package init(center: Position, radiusMeters: Double) {
    let vector = center.vector
    // The parallel's radius is N·cos φ, and N is at least a, so the cosine is never above this.
    let parallel = (vector.x * vector.x + vector.y * vector.y).squareRoot()
    self.init(
      center: center.coordinate,
      cosine: parallel * ((1 + 1e-12) / Ellipsoid.equatorialRadiusMeters),
      radiusMeters: radiusMeters)
  }

  @inlinable
  init(center: Coordinate, cosine: Double, radiusMeters: Double) {
    latitudeDegrees = center.latitudeDegrees
    longitudeDegrees = center.longitudeDegrees
    self.cosine = cosine
    // More than rounding can do to the comparison.
    let radius = (radiusMeters - 1e-7) * SafeDisc.degreesPerMeter
    limit = radius > 0 ? radius * radius : -1
  }

  /// The smallest angle that a meter along the surface can span, in degrees, less all rounding.
  @inlinable
  static var degreesPerMeter: Double {
    180 / .pi / Ellipsoid.greatestCurvatureRadiusMeters * (1 - 1e-12)
  }

  /// Whether a coordinate is proved to be nearer to the center than the radius.
  ///
  /// A path that is straight in latitude and longitude is at most R·√(Δφ² + (cos φ₀ + |Δφ|)²·Δλ²)
  /// long, where R is the largest radius of curvature, and the geodesic is no longer. Coordinates
  /// beyond the antimeridian are never contained.
  @inlinable
  package func contains(_ coordinate: Coordinate) -> Bool {
    let latitude = coordinate.latitudeDegrees - latitudeDegrees
    let longitude = coordinate.longitudeDegrees - longitudeDegrees
    let narrow = (cosine + abs(latitude) * (.pi / 180)) * longitude
    return latitude * latitude + narrow * narrow < limit
  }
}
