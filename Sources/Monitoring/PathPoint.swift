public import FencepostGeodesy

/// A vertex of the path the engine follows: where, and when if that is known.
public struct PathPoint: Hashable, Sendable {
  /// Where.
  public var coordinate: Coordinate
  /// When, in milliseconds since 1970-01-01T00:00:00Z, or nil where the source gives no time.
  public var timeMilliseconds: Int64?
  /// Whether a new segment of the source starts here (a GPX `trk` or `trkseg`).
  public var startsSegment: Bool

  /// Makes a vertex of its parts.
  @inlinable
  public init(coordinate: Coordinate, timeMilliseconds: Int64?, startsSegment: Bool = false) {
    self.coordinate = coordinate
    self.timeMilliseconds = timeMilliseconds
    self.startsSegment = startsSegment
  }
}
