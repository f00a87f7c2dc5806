public import Geodesy

/// A place that a search found: its circle and how far it is.
public struct Neighbor: Equatable, Sendable {
  /// The place's key in the store.
  public let key: Int64
  /// The place's circle.
  public let circle: Circle
  /// The geodesic distance of its centre, in metres.
  public let centerDistanceMeters: Double
  /// The distance that it was ranked by, in metres; see ``Rank``.
  public let rankDistanceMeters: Double

  /// Makes a neighbour of its parts.
  public init(
    key: Int64, circle: Circle, centerDistanceMeters: Double, rankDistanceMeters: Double
  ) {
    self.key = key
    self.circle = circle
    self.centerDistanceMeters = centerDistanceMeters
    self.rankDistanceMeters = rankDistanceMeters
  }
}
