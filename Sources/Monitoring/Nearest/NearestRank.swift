/// By what distance places are nearest.
public enum NearestRank: Hashable, Sendable {
  /// By the distance of the place itself, the centre of its circle.
  case center
  /// By the distance of the circle's edge from whichever side, |d − r|.
  ///
  /// With an exit margin m > 0, in metres, the edge is the band between r, where one enters, and
  /// r + m, where one leaves: the distance is 0 within it and else that to its nearer border.
  case edge(exitMarginMeters: Double)

  /// The distance that counts, of a place `distanceMeters` away.
  @inlinable
  public func distanceMeters(centerDistanceMeters: Double, radiusMeters: Double) -> Double {
    switch self {
    case .center:
      centerDistanceMeters
    case .edge(let margin):
      max(
        0, radiusMeters - centerDistanceMeters, centerDistanceMeters - radiusMeters - margin)
    }
  }
}

extension NearestRank {
  /// The exit margin, 0 without one.
  package var marginMeters: Double {
    switch self {
    case .center: 0
    case .edge(let margin): margin
    }
  }
}
