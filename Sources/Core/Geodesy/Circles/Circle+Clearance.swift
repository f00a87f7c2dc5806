/// Cheap bounds of how near a path can come, in place of exact distances.
extension Circle {
  /// Whether a segment may enter the circle; false proves that no point of it is inside.
  ///
  /// The straight line through the Earth is never longer than the geodesic.
  @inlinable
  package func mayTouch(_ segment: GeodesicSegment) -> Bool {
    let reach = radiusMeters + segment.lengthMeters
    let apart = segment.start.vector - center.vector
    return (apart * apart).sum() <= reach * reach
  }

  /// A lower bound of the distance to the circle's edge in meters, at least 0.
  ///
  /// Within 10 km of the center, it is too small by less than one part in a million. From outside,
  /// the straight line serves as it is, because it is shorter than the geodesic. From inside, it is
  /// stretched by more than the surface can bend.
  ///
  /// - Parameters:
  ///   - position: A valid position.
  ///   - limit: The greatest bound of interest in meters.
  /// - Returns: The bound, or the limit if that is less.
  @inlinable
  package func clearanceMeters(
    from position: Position, upTo limit: Double = .infinity
  ) -> Double {
    let apart = position.vector - center.vector
    let chordSquared = (apart * apart).sum()
    // Most circles of a set are farther than the nearest, and need no root.
    let reach = radiusMeters + limit
    if chordSquared >= reach * reach { return limit }
    let chord = chordSquared.squareRoot()
    if chord > radiusMeters { return min(limit, chord - radiusMeters) }
    guard chord < Circle.gentleChordMeters else {
      return min(limit, edgeDistanceMeters(from: position))
    }
    let inside = radiusMeters - chord * (1 + chordSquared * Circle.greatestStretchPerSquare)
    return min(limit, max(0, inside))
  }

  /// The distance to the band between the edge and `marginMeters` beyond it, in meters.
  ///
  /// It is 0 within the band. The margin must be at least 0.
  package func bandDistanceMeters(from position: Position, marginMeters: Double) -> Double {
    let beyond = distanceMeters(from: position) - radiusMeters
    return beyond < 0 ? -beyond : max(0, beyond - marginMeters)
  }

  /// A lower bound of the distance to the nearer of two edges in meters; 0 or less if unknown.
  ///
  /// The second edge is `marginMeters` outside the circle's own.
  package func edgesClearanceMeters(from position: Position, marginMeters: Double) -> Double {
    let apart = position.vector - center.vector
    let chordSquared = (apart * apart).sum()
    let chord = chordSquared.squareRoot()
    // The distance lies between these two.
    let most =
      chord < Circle.gentleChordMeters
      ? chord * (1 + chordSquared * Circle.greatestStretchPerSquare) : .infinity
    let own = max(chord - radiusMeters, radiusMeters - most)
    let outer = max(chord - (radiusMeters + marginMeters), radiusMeters + marginMeters - most)
    return min(own, outer) - 1e-6
  }

  /// The longest chord, in meters, that is stretched by less than ``greatestStretchPerSquare``.
  @inlinable package static var gentleChordMeters: Double { 1_000_000 }

  /// A bound of (s − c)/c³ for a geodesic s with a chord c of up to 1,000 km: 1/24r² plus a tenth.
  ///
  /// As ``Geodesic/greatestMeters(ofChord:)``, with the next term, c²/8r² of the first, rounded up.
  @inlinable package static var greatestStretchPerSquare: Double {
    let radius = Ellipsoid.leastCurvatureRadiusMeters
    return 1.1 / (24 * radius * radius)
  }
}
