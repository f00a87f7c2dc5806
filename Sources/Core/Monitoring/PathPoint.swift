public import FencepostGeodesy

/// A vertex of the path that an engine follows.
///
/// It is what the engine needs of a fix. Create it from filtered fixes, in path order.
public struct PathPoint: Hashable, Sendable {
  /// The position of the vertex.
  public var coordinate: Coordinate
  /// Milliseconds since 1970-01-01T00:00:00Z, or nil if the source gives no time.
  public var timeMilliseconds: Int64?
  /// Whether a new segment of the source starts here (a GPX `trk` or `trkseg`).
  public var startsSegment: Bool
  /// How far the device may have been from the position in meters; 0 if unknown.
  public var accuracyMeters: Float

  /// Creates a vertex.
  @inlinable
  public init(
    coordinate: Coordinate, timeMilliseconds: Int64?, startsSegment: Bool = false,
    accuracyMeters: Float = 0
  ) {
    self.coordinate = coordinate
    self.timeMilliseconds = timeMilliseconds
    self.startsSegment = startsSegment
    self.accuracyMeters = accuracyMeters
  }
}
