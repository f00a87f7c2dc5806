/// Cheap bounds: what a path can and cannot reach, without the exact distance where it is costly.
extension Circle {
  /// Whether a segment may come into the circle: false proves that no point of it is inside.
  ///
  /// The straight line through the Earth is never longer than the way along its surface.
  @inlinable
  public func mayTouch(_ segment: GeodesicSegment) -> Bool {
    let reach = radiusMeters + segment.lengthMeters
    let apart = segment.start.vector - center.vector
    return (apart * apart).sum() <= reach * reach
  }

  /// How far one can go from a position before the circle's edge can be met, in metres: exact where
  /// that is cheap, else a lower bound.
  ///
  /// Never negative.
  public func clearanceMeters(from position: Position) -> Double {
    let apart = position.vector - center.vector
    let chord = (apart * apart).sum().squareRoot()
    if chord > Circle.cheapChordMeters && chord > radiusMeters { return chord - radiusMeters }
    return edgeDistanceMeters(from: position)
  }

  /// Distance from a position to the band between the edge and `marginMeters` beyond it, in
  /// metres: 0 within the band, and with no margin the distance to the edge.
  ///
  /// - Parameters:
  ///   - position: Where.
  ///   - marginMeters: Width of the band outside the edge, at least 0.
  /// - Returns: The distance, at least 0.
  public func bandDistanceMeters(from position: Position, marginMeters: Double) -> Double {
    let beyond = distanceMeters(from: position) - radiusMeters
    return beyond < 0 ? -beyond : max(0, beyond - marginMeters)
  }

  /// Chords up to here are turned into distances without PROJ.
  private static var cheapChordMeters: Double { 9_000 }
}
