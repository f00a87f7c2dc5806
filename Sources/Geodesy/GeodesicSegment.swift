import Glibc

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

  /// The position at a fraction of the segment's length, 0 … 1; 0 is exactly the start, 1 exactly
  /// the end, and what is below or above counts as 0 or 1.
  public func position(atFraction fraction: Double) -> Position {
    if fraction <= 0 || lengthMeters == 0 { return start }
    if fraction >= 1 { return end }
    return PathSearch(segment: self).position(atFraction: fraction)
  }

  /// The parts of the segment inside a circle, as fractions of its length.
  ///
  /// A span starts at exactly 0 if and only if ``Circle/contains(_:)`` holds for the segment's start,
  /// and ends at exactly 1 if and only if it holds for its end. A segment of no length gives 0 … 1
  /// or nothing.
  public func insideSpans(of circle: Circle) -> InsideSpans {
    var spans = InsideSpans()
    if lengthMeters == 0 {
      if circle.contains(start) { spans.append(start: 0, end: 1) }
      return spans
    }
    return PathSearch(segment: self).insideSpans(of: circle)
  }
}
