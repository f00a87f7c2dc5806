/// The geodesic (shortest path) from one position to another.
///
/// The path between two joined fixes is one. A position on it is given as a fraction of its length.
public struct GeodesicSegment: Hashable, Sendable {
  /// The start of the segment.
  public let start: Position
  /// The end of the segment.
  public let end: Position
  /// The length in meters.
  public let lengthMeters: Double

  /// Creates the segment between two positions.
  public init(from start: Position, to end: Position) {
    self.start = start
    self.end = end
    lengthMeters = Geodesic.distanceMeters(start, end)
  }

  /// The position at a fraction of the segment's length; fractions are clamped to 0 … 1.
  ///
  /// It is exactly ``start`` at 0 and ``end`` at 1, and otherwise within 50 nm for lengths up to 10
  /// km and above 200 km, and 0.02 mm between. Takes 60 ns; 2 µs for a segment above 50 km.
  public func position(atFraction fraction: Double) -> Position {
    if fraction <= 0 || lengthMeters == 0 { return start }
    if fraction >= 1 { return end }
    if lengthMeters <= ShortPath.greatestLengthMeters {
      return Position(nearSurface: start.vector + ShortPath(self).offset(fraction))
    }
    return PathSearch(self).position(atFraction: fraction)
  }

  /// How many times farther from this geodesic another can be between its ends than at them.
  ///
  /// If the ends of another geodesic are within a distance of this one's, all of it is within that
  /// distance times this factor of the point at the same fraction. Geodesics that start side by
  /// side converge no faster than on a sphere of the greatest Gaussian curvature, 1/b². So the
  /// factor is at most 1/cos(L/2b) ≤ 1/(1 − (L/2b)²/2) (Rauch's comparison). It is 1 up to 1e-6 for
  /// 10 km, and infinite from 17,700 km on.
  package var greatestSpread: Double {
    let half = lengthMeters / 2 / Ellipsoid.polarRadiusMeters
    let cosine = 1 - half * half / 2
    return cosine > 0.02 ? 1 / cosine : .infinity
  }

  /// The parts of the segment inside a circle, in order, as fractions of its length.
  ///
  /// A span starts at exactly 0 if and only if ``Circle/contains(_:)`` holds for the start, and
  /// ends at exactly 1 if and only if it holds for the end. A segment of length 0 gives 0 … 1 or
  /// nothing. Where a segment touches the circle from outside, its span is almost empty, as the
  /// edge is inside.
  ///
  /// Where a span ends within the segment, the distance from the center is the radius, within 50 nm
  /// for segments and circles up to 10 km, and 0.02 mm for all. The same tolerance decides between
  /// a touch and a miss. Along the path, the error is as small where the path crosses the edge
  /// squarely. Where it barely touches, it grows to 0.1 m for segments up to 10 km, and 1 m beyond.
  ///
  /// A circle up to 9,985 km is convex and gives at most one span, a larger one two. Near that
  /// radius, a segment could weave along the edge; its last span then covers the rest.
  ///
  /// - Complexity: 2 ns for a circle out of reach, 20 ns for a near miss, 70 ns for each crossing.
  ///   If the segment is above 50 km or the circle above 100 km, and they meet, usually 1 to 50 µs.
  @inlinable
  public func insideSpans(of circle: Circle) -> InsideSpans {
    let fromStart = start.vector - circle.center.vector
    let startSquared = dot(fromStart, fromStart)
    // A chord from the center changes by no more than the length of the path.
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

  /// The spans of a segment that is treated as short, whatever its length.
  func shortSpans(of circle: Circle) -> InsideSpans {
    let startsInside = circle.contains(start)
    let endsInside = circle.contains(end)
    if startsInside, endsInside { return InsideSpans(start: 0, end: 1) }
    let center = circle.center.vector
    return ShortCrossing(self, circle, start: start.vector - center, end: end.vector - center)
      .spans(startsInside: startsInside, endsInside: endsInside)
  }

  /// Whether the segment's chord, and how far it can stray from it, prove that it stays outside.
  @inline(__always)
  private func isClear(
    of circle: Circle, fromStart: SIMD3<Double>, _ startSquared: Double, _ endSquared: Double
  ) -> Bool {
    // A curve strays from its chord by no more than the arc of a circle that bends most: L²/8R.
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
