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
  /// Exact to 0.01 mm. Longitudes come in −180 … 180. About 60 ns, 2 µs for a segment above 50 km.
  ///
  /// - Parameter fraction: 0 … 1, where 0 is exactly ``start`` and 1 exactly ``end``; what is below
  ///   or above counts as 0 or 1.
  /// - Returns: The position.
  public func position(atFraction fraction: Double) -> Position {
    if fraction <= 0 || lengthMeters == 0 { return start }
    if fraction >= 1 { return end }
    if lengthMeters <= ShortPath.greatestLengthMeters {
      return Position(nearSurface: start.vector + ShortPath(self).offset(fraction))
    }
    return PathSearch(self).position(atFraction: fraction)
  }

  /// The parts of the segment inside a circle, as fractions of its length.
  ///
  /// A span starts at exactly 0 if and only if ``Circle/contains(_:)`` holds for the segment's start,
  /// and ends at exactly 1 if and only if it holds for its end. A segment of no length gives 0 … 1
  /// or nothing. A segment that just touches the circle from outside has a span of (nearly) no length
  /// there, as the edge is inside; what is touch and what is miss is decided to some nanometres.
  ///
  /// The ends of the spans are where the distance from the centre is the radius to within 1 µm (0.1 m
  /// of the path at worst, where it all but touches).
  ///
  /// A convex circle, which one is up to 9,985 km, gives one span at most, one whose outside is convex two
  /// at most. A circle of about a quarter of the Earth's circumference is nearly a geodesic itself; should
  /// a segment weave along it so as to have more than two spans, the last covers all from the second on.
  ///
  /// - Complexity: A few nanoseconds for a circle out of reach, some tens for a crossing; where the segment
  ///   is above 50 km or the circle above 100 km, and one near the other, tens of microseconds.
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
    if startsInside, endsInside,
      circle.radiusMeters <= Circle.convexRadiusMeters || lengthMeters == 0
    {
      return InsideSpans(start: 0, end: 1)
    }
    // A segment of no length has equal ends, hence is all inside or all outside.
    if lengthMeters == 0 { return InsideSpans() }
    if circle.isSeries, lengthMeters <= ShortPath.greatestLengthMeters {
      return ShortCrossing(self, circle, start: fromStart, end: fromEnd)
        .spans(startsInside: startsInside, endsInside: endsInside)
    }
    return PathSearch(self).insideSpans(
      of: circle, startsInside: startsInside, endsInside: endsInside)
  }

  /// Whether the segment's chord, with the room the segment has about it, proves that none of it is inside.
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
