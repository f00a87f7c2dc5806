/// What a path can and cannot reach, by cheap bounds instead of exact distances.
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

  /// How far one can go from a position before the circle's edge can be met, in metres: a lower
  /// bound, short by less than a part in a million within 10 km of the centre.
  ///
  /// Never negative. From outside the straight line serves as it is, being the shorter one; from
  /// inside it is stretched by more than the surface can bend it.
  @inlinable
  public func clearanceMeters(from position: Position) -> Double {
    let apart = position.vector - center.vector
    let chordSquared = (apart * apart).sum()
    let chord = chordSquared.squareRoot()
    if chord > radiusMeters { return chord - radiusMeters }
    guard chord < Circle.gentleChordMeters else { return edgeDistanceMeters(from: position) }
    return max(0, radiusMeters - chord * (1 + chordSquared * Circle.greatestStretchPerSquare))
  }

  /// Distance from a position to the band between the edge and `marginMeters` beyond it, in
  /// metres: 0 within the band, and with no margin the distance to the edge.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - marginMeters: Width of the band outside the edge, at least 0.
  /// - Returns: The distance, at least 0.
  public func bandDistanceMeters(from position: Position, marginMeters: Double) -> Double {
    let beyond = distanceMeters(from: position) - radiusMeters
    return beyond < 0 ? -beyond : max(0, beyond - marginMeters)
  }

  /// How far one can go from a position before the edge or the one `marginMeters` beyond it can be
  /// met, in metres: a lower bound, at or below 0 where nothing is known.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - marginMeters: How far beyond this circle's edge the other one is, at least 0.
  /// - Returns: The lower bound.
  public func edgesClearanceMeters(from position: Position, marginMeters: Double) -> Double {
    let apart = position.vector - center.vector
    let chordSquared = (apart * apart).sum()
    let chord = chordSquared.squareRoot()
    // The distance is between these two.
    let most =
      chord < Circle.gentleChordMeters
      ? chord * (1 + chordSquared * Circle.greatestStretchPerSquare) : .infinity
    let own = max(chord - radiusMeters, radiusMeters - most)
    let outer = max(chord - (radiusMeters + marginMeters), radiusMeters + marginMeters - most)
    return min(own, outer) - 1e-6
  }

  /// Chords up to here, in metres, are stretched by less than ``greatestStretchPerSquare``.
  @inlinable public static var gentleChordMeters: Double { 1_000_000 }

  /// A geodesic exceeds its chord c by less than c³/24r² and a tenth more, up to 1,000 km: the bound of
  /// ``Geodesic/greatestMeters(ofChord:)``, with its next term, c²/8r² of the first, rounded up.
  @inlinable public static var greatestStretchPerSquare: Double {
    let radius = Ellipsoid.leastCurvatureRadiusMeters
    return 1.1 / (24 * radius * radius)
  }
}
