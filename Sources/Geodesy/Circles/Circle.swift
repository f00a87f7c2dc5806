/// The points whose geodesic distance from a centre is at most a radius.
public struct Circle: Hashable, Sendable {
  /// The greatest radius a circle can have, in metres.
  public static let greatestRadiusMeters = 20_000_000.0

  /// The centre.
  public let center: Position
  /// The radius in metres on the ellipsoid, above 0.
  public let radiusMeters: Double

  /// The square of a chord from the centre below which a point is surely inside, or −1.
  @usableFromInline
  let innerChordSquared: Double
  /// A chord from the centre above which a point is surely outside.
  @usableFromInline
  let outerChordMeters: Double

  /// Makes a circle.
  ///
  /// - Parameters:
  ///   - center: Its centre, a valid coordinate.
  ///   - radiusMeters: Its radius in metres.
  /// - Precondition: The radius is above 0 and at most ``greatestRadiusMeters``.
  public init(center: Coordinate, radiusMeters: Double) {
    self.init(center: Position(center), radiusMeters: radiusMeters)
  }

  /// Makes a circle about a position.
  ///
  /// - Precondition: The radius is above 0 and at most ``greatestRadiusMeters``.
  public init(center: Position, radiusMeters: Double) {
    precondition(
      radiusMeters > 0 && radiusMeters <= Circle.greatestRadiusMeters,
      "a circle's radius is above 0 and at most 20,000,000 m")
    self.center = center
    self.radiusMeters = radiusMeters
    let inner = Circle.innerChordMeters(radiusMeters)
    innerChordSquared = inner > 0 ? inner * inner : -1
    outerChordMeters = Circle.outerChordMeters(radiusMeters)
  }

  /// Whether a point is inside: its ``distanceMeters(from:)`` is at most the radius.
  ///
  /// About 2 ns, unless the point is so near the edge that the chord does not decide.
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

  /// The geodesic distance of a point from the centre, in metres; see
  /// ``Geodesic/distanceMeters(_:_:)-(Position,_)`` for its cost.
  @inlinable
  public func distanceMeters(from position: Position) -> Double {
    Geodesic.distanceMeters(center, position)
  }

  /// How far a point is from the circle's edge, inside or outside, in metres: |d − r|.
  @inlinable
  public func edgeDistanceMeters(from position: Position) -> Double {
    abs(distanceMeters(from: position) - radiusMeters)
  }
}

// How long the chord of a geodesic can be. The margins are above all rounding.
extension Circle {
  /// The radius up to which distances near the edge come from the chord.
  static let seriesRadiusMeters = 100_000.0
  /// The radius up to which a circle is convex: a geodesic between two points inside stays inside.
  ///
  /// A disc is convex up to a quarter turn at the surface's greatest Gaussian curvature, which is
  /// 1/b² at the equator: π/2·b = 9,985 km.
  static let convexRadiusMeters = 9_985_000.0

  /// Whether everything about the edge can be computed from chords.
  @inline(__always)
  var isSeries: Bool { radiusMeters <= Circle.seriesRadiusMeters }

  /// No geodesic that is longer than `radius` has a chord below this.
  ///
  /// A curve that bends nowhere more than a circle of radius R has at least the chord of an arc of
  /// its own length (Schur's theorem), as long as that arc is no more than half the circle; hence
  /// the 19,800 km, above which geodesics are left to the exact test.
  private static func innerChordMeters(_ radius: Double) -> Double {
    let diameter = 2 * Ellipsoid.leastCurvatureRadiusMeters * (1 - 1e-5)
    return diameter * sin(radians: min(radius, 19_800_000) / diameter) * (1 - 1e-12) - 1e-7
  }

  /// No geodesic of at most `radius` has a chord above this.
  ///
  /// Up to 100 km the geodesic is the arc of a circle of at most the greatest radius of curvature.
  /// In general: seen from the Earth's centre the geodesic spans an angle of at most θ = radius/b,
  /// as nothing on it is nearer to the centre than b; the chord between two points at that angle is
  /// at most √(4a²·sin²(θ/2) + δ²), where δ, the difference of their distances from the centre, is
  /// at most 21,600 m a radian.
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
