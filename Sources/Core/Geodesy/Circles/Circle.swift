/// All points whose geodesic distance from a center is at most a radius.
///
/// Its edge belongs to it. An engine monitors such a circle around each place.
public struct Circle: Hashable, Sendable {
  /// The largest radius of a circle in meters.
  public static let greatestRadiusMeters = 20_000_000.0

  /// The center of the circle.
  public let center: Position
  /// The radius in meters on the ellipsoid, above 0.
  public let radiusMeters: Double

  /// Points with a smaller squared chord from the center are surely inside; −1 if none are.
  @usableFromInline
  let innerChordSquared: Double
  /// Points with a longer chord from the center are surely outside.
  @usableFromInline
  let outerChordMeters: Double

  /// Creates a circle around a valid coordinate.
  ///
  /// - Precondition: The radius is above 0 and at most ``greatestRadiusMeters``.
  public init(center: Coordinate, radiusMeters: Double) {
    self.init(center: Position(center), radiusMeters: radiusMeters)
  }

  /// Creates a circle around a position.
  ///
  /// - Precondition: The radius is above 0 and at most ``greatestRadiusMeters``.
  public init(center: Position, radiusMeters: Double) {
    precondition(
      radiusMeters > 0 && radiusMeters <= Circle.greatestRadiusMeters,
      "a circle's radius must be above 0 and at most 20,000,000 m")
    self.center = center
    self.radiusMeters = radiusMeters
    let inner = Circle.innerChordMeters(radiusMeters)
    innerChordSquared = inner > 0 ? inner * inner : -1
    outerChordMeters = Circle.outerChordMeters(radiusMeters)
  }

  /// Whether a point is inside: its ``distanceMeters(from:)`` is at most the radius.
  ///
  /// Takes about 2 ns, unless the point is so near the edge that its chord does not decide.
  @inlinable
  public func contains(_ position: Position) -> Bool {
    let chord = position.vector - center.vector
    return contains(position, chordSquared: dot(chord, chord))
  }

  @inlinable @inline(__always)
  func contains(_ position: Position, chordSquared: Double) -> Bool {
    if chordSquared < innerChordSquared { return true }
    if chordSquared > outerChordMeters * outerChordMeters { return false }
    return distanceMeters(from: position) <= radiusMeters
  }

  /// The geodesic distance from the center, ``Geodesic/distanceMeters(_:_:)-(Position,_)``.
  @inlinable
  public func distanceMeters(from position: Position) -> Double {
    Geodesic.distanceMeters(center, position)
  }

  /// The distance from a point inside or outside to the edge in meters, |d − r|.
  @inlinable
  package func edgeDistanceMeters(from position: Position) -> Double {
    abs(distanceMeters(from: position) - radiusMeters)
  }
}

// How long the chord of a geodesic can be. The margins exceed all rounding.
extension Circle {
  static let seriesRadiusMeters = 100_000.0
  /// The largest radius of a convex circle, in which every geodesic between two points stays.
  ///
  /// A disc is convex up to a quarter turn at the greatest Gaussian curvature, which is 1/b² at the
  /// equator: π/2·b = 9,985 km.
  static let convexRadiusMeters = 9_985_000.0

  @inline(__always)
  var isSeries: Bool { radiusMeters <= Circle.seriesRadiusMeters }

  /// A lower bound of the chord of a geodesic longer than `radius`.
  ///
  /// By Schur's theorem, a curve that bends nowhere more than a circle has at least the chord of an
  /// arc of the same length, up to half the circle; hence the limit of 19,800 km.
  private static func innerChordMeters(_ radius: Double) -> Double {
    let diameter = 2 * Ellipsoid.leastCurvatureRadiusMeters * (1 - 1e-5)
    return diameter * sin(radians: min(radius, 19_800_000) / diameter) * (1 - 1e-12) - 1e-7
  }

  /// An upper bound of the chord of a geodesic no longer than `radius`.
  ///
  /// Up to 100 km, it is the arc of a circle of at most the greatest radius of curvature. In
  /// general, the geodesic spans at most θ = radius/b at the Earth's center, from which all of it
  /// is at least b away. The chord between two points at that angle is at most √(4a²·sin²(θ/2) +
  /// δ²), where their distances from the center differ by δ, at most 21,600 m per radian.
  private static func outerChordMeters(_ radius: Double) -> Double {
    if radius <= seriesRadiusMeters {
      let diameter = 2 * Ellipsoid.greatestCurvatureRadiusMeters * (1 + 1e-5)
      return diameter * sin(radians: radius / diameter) * (1 + 1e-12) + 1e-7
    }
    let angle = radius / Ellipsoid.polarRadiusMeters
    if angle >= .pi { return .infinity }
    let across = 2 * Ellipsoid.equatorialRadiusMeters * sin(radians: angle / 2)
    let difference = 21_600 * angle
    return (across * across + difference * difference).squareRoot() + 1e-6
  }
}
