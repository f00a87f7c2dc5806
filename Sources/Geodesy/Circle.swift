/// The points whose geodesic distance from a centre is at most a radius.
public struct Circle: Hashable, Sendable {
  /// The radii a circle can have, in metres: above 0, at most 20,000,000.
  public static let greatestRadiusMeters = 20_000_000.0

  /// The centre.
  public let center: Position
  /// The radius in metres on the ellipsoid.
  public let radiusMeters: Double

  /// Makes a circle.
  ///
  /// - Parameters:
  ///   - center: Its centre, a valid coordinate.
  ///   - radiusMeters: Its radius in metres: above 0, at most 20,000,000. Anything else is a
  ///     programming error and ends the program.
  public init(center: Coordinate, radiusMeters: Double) {
    self.init(center: Position(center), radiusMeters: radiusMeters)
  }

  /// Makes a circle about a position; see ``init(center:radiusMeters:)-(Coordinate,_)``.
  public init(center: Position, radiusMeters: Double) {
    precondition(
      radiusMeters > 0 && radiusMeters <= Circle.greatestRadiusMeters,
      "a circle's radius must be above 0 and at most 20,000,000 m")
    self.center = center
    self.radiusMeters = radiusMeters
  }

  /// Whether a point is inside: its distance from the centre is at most the radius.
  public func contains(_ position: Position) -> Bool {
    distanceMeters(from: position) <= radiusMeters
  }

  /// The geodesic distance of a point from the centre, in metres.
  public func distanceMeters(from position: Position) -> Double {
    Geodesic.distanceMeters(center, position)
  }

  /// How far a point is from the circle's edge, inside or outside, in metres: |d − r|.
  public func edgeDistanceMeters(from position: Position) -> Double {
    abs(distanceMeters(from: position) - radiusMeters)
  }
}
