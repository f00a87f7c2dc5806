/// The geodesic (shortest path) from one position to another.
public struct GeodesicSegment: Hashable, Sendable {
  /// Where it starts.
  public let start: Position
  /// Where it ends.
  public let end: Position
  /// Its length in metres.
  public let lengthMeters: Double

  /// Makes the segment between two positions.
  public init(from start: Position, to end: Position) {
    self.start = start
    self.end = end
    lengthMeters = Geodesic.distanceMeters(start, end)
  }

  /// The position at a fraction of the segment's length.
  ///
  /// Within 50 nm up to 10 km and above 200 km, 0.02 mm between. About 60 ns; 2 µs for a segment
  /// above 50 km. Longitudes come in −180 … 180.
  ///
  /// - Parameter fraction: 0 … 1, where 0 is exactly ``start`` and 1 exactly ``end``; other values
  ///   are clamped.
  /// - Returns: The position.
  public func position(atFraction fraction: Double) -> Position {
    if fraction <= 0 || lengthMeters == 0 { return start }
    if fraction >= 1 { return end }
    if lengthMeters <= ShortPath.greatestLengthMeters {
      return Position(nearSurface: start.vector + ShortPath(self).offset(fraction))
    }
    return PathSearch(self).position(atFraction: fraction)
  }

  /// How many times farther apart another geodesic may be between its ends than at them.
  ///
  /// If both ends of another geodesic are within a distance of this segment's, every point of it is
  /// within that distance times this factor of the point at the same fraction. Geodesics that start
  /// side by side converge no faster than on a sphere of the greatest Gaussian curvature, 1/b²: so
  /// the factor is at most 1/cos(L/2b) ≤ 1/(1 − (L/2b)²/2) (Rauch's comparison). It is 1 up to 1e-6
  /// for 10 km, and infinite from 17,700 km on.
  public var greatestSpread: Double {
    let half = lengthMeters / 2 / Ellipsoid.polarRadiusMeters
    let cosine = 1 - half * half / 2
    return cosine > 0.02 ? 1 / cosine : .infinity
  }

  /// The parts of the segment inside a circle, as fractions of its length.
  ///
  /// A span starts at exactly 0 if and only if ``Circle/contains(_:)`` holds for the segment's
  /// start, and ends at exactly 1 if and only if it holds for its end. A segment of no length gives
  /// 0 … 1 or nothing. A segment that just touches the circle from outside has a span of (nearly)
  /// no length there, as the edge is inside.
  ///
  /// Where a span ends within the segment, the distance from the centre is the radius to within 50
  /// nm for segments up to 10 km and circles up to 10 km, 0.02 mm for all. What is a touch and what
  /// a miss is decided to the same bounds. Along the path the place is as exact where the path
  /// meets the edge squarely; where it all but touches, errors grow to 0.1 m at worst for segments
  /// up to 10 km, to 1 m for longer ones.
  ///
  /// A circle up to 9,985 km is convex and gives one span at most, a larger one, whose outside is
  /// convex, two. Near that radius the edge is all but a geodesic itself; should a segment weave
  /// along it so as to have more than two spans, the last covers all from the second on.
  ///
  /// - Parameter circle: The circle.
  /// - Returns: The spans, in order.
  /// - Complexity: 2 ns for a circle out of reach, 20 ns for a near miss, 70 ns for each crossing;
  ///   where the segment is above 50 km or the circle above 100 km, and they meet, 1 to 50 µs as a
  ///   rule, 300 µs where half a circumference runs along the edge.
  @inlinable
  public func insideSpans(of circle: Circle) -> InsideSpans {
    let fromStart = start.vector - circle.center.vector
    let startSquared = dot(fromStart, fromStart)
    // A chord from the centre grows or shrinks by no more than the path is long.
    let reach = circle.outerChordMeters + lengthMeters
    if startSquared > reach * reach { return InsideSpans() }
    return spansInReach(of: circle, fromStart: fromStart, startSquared: startSquared)
  }

  @usableFromInline
  @inline(never)
  func spansInReach(
    of circle: Circle, fromStart: SIMD3<Double>, startSquared: Double
  ) -> InsideSpans {
    let fromEnd = end.vector - circle.center.vector
    let endSquared = dot(fromEnd, fromEnd)
    if isClear(of: circle, fromStart: fromStart, startSquared, endSquared) { return InsideSpans() }
    let startsInside = circle.contains(start, chordSquared: startSquared)
    let endsInside = circle.contains(end, chordSquared: endSquared)
    if startsInside, endsInside, circle.radiusMeters <= Circle.convexRadiusMeters {
      return InsideSpans(start: 0, end: 1)
    }
    if lengthMeters == 0 {
      return startsInside ? InsideSpans(start: 0, end: 1) : InsideSpans()
    }
    if circle.isSeries, lengthMeters <= ShortPath.greatestLengthMeters {
      return ShortCrossing(self, circle, start: fromStart, end: fromEnd)
        .spans(startsInside: startsInside, endsInside: endsInside)
    }
    return PathSearch(self).insideSpans(
      of: circle, startsInside: startsInside, endsInside: endsInside)
  }

  /// The spans of a segment that is taken for short, whatever its length.
  func shortSpans(of circle: Circle) -> InsideSpans {
    let startsInside = circle.contains(start)
    let endsInside = circle.contains(end)
    if startsInside, endsInside { return InsideSpans(start: 0, end: 1) }
    let center = circle.center.vector
    return ShortCrossing(self, circle, start: start.vector - center, end: end.vector - center)
      .spans(startsInside: startsInside, endsInside: endsInside)
  }

  /// Whether the segment's chord, with the room the segment has about it, proves that none of it is
  /// inside.
  @inline(__always)
  private func isClear(
    of circle: Circle, fromStart: SIMD3<Double>, _ startSquared: Double, _ endSquared: Double
  ) -> Bool {
    // A curve strays from its chord by no more than the circle that bends most: L²/8R.
    let stray = lengthMeters * lengthMeters / (8 * Ellipsoid.leastCurvatureRadiusMeters)
    let clearance = circle.outerChordMeters + stray
    let chord = end.vector - start.vector
    let chordSquared = dot(chord, chord)
    let along = -dot(fromStart, chord)
    if along <= 0 { return startSquared > clearance * clearance }
    if along >= chordSquared { return endSquared > clearance * clearance }
    return startSquared * chordSquared - along * along > clearance * clearance * chordSquared
  }
}
