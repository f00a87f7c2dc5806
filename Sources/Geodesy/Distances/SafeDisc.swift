/// A disc that tests without trigonometry whether a fix is inside.
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

  /// A disc that contains nothing.
  @inlinable
  public static var nothing: SafeDisc {
    SafeDisc(
      center: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0), cosine: 1, radiusMeters: 0)
  }

  /// Makes the disc about a centre.
  ///
  /// - Parameters:
  ///   - center: Its centre, a valid coordinate.
  ///   - radiusMeters: Its radius in metres; a disc of 0, less or NaN contains nothing.
  public init(center: Coordinate, radiusMeters: Double) {
    self.init(center: Position(center), radiusMeters: radiusMeters)
  }

  /// Makes the disc about a position.
  ///
  /// - Parameters:
  ///   - center: Its centre.
  ///   - radiusMeters: Its radius in metres; a disc of 0, less or NaN contains nothing.
  /// - Complexity: one square root.
  public init(center: Position, radiusMeters: Double) {
    let vector = center.vector
    // The parallel's radius is N·cos φ, and N at least a: the cosine is never above this.
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
    // Less than what rounding can do to the comparison.
    let radius = (radiusMeters - 1e-7) * SafeDisc.degreesPerMeter
    limit = radius > 0 ? radius * radius : -1
  }

  /// The least angle that a metre along the surface can be, in degrees, less all rounding.
  @inlinable
  static var degreesPerMeter: Double {
    180 / .pi / Ellipsoid.greatestCurvatureRadiusMeters * (1 - 1e-12)
  }

  /// Whether a coordinate is proved to be nearer to the centre than the radius.
  ///
  /// The path that is straight in latitude and longitude is at most R·√(Δφ² + (cos φ₀ + |Δφ|)²·Δλ²)
  /// long, R being the largest radius of curvature, and the geodesic is no longer. A coordinate
  /// beyond the antimeridian is never contained.
  @inlinable
  public func contains(_ coordinate: Coordinate) -> Bool {
    let latitude = coordinate.latitudeDegrees - latitudeDegrees
    let longitude = coordinate.longitudeDegrees - longitudeDegrees
    let narrow = (cosine + abs(latitude) * (.pi / 180)) * longitude
    return latitude * latitude + narrow * narrow < limit
  }
}
