public import FencepostGeodesy

/// A vertex of the path the engine follows: where, and when if that is known.
public struct PathPoint: Hashable, Sendable {
  /// Where.
  public var coordinate: Coordinate
  /// When, in milliseconds since 1970-01-01T00:00:00Z, or nil where the source gives no time.
  public var timeMilliseconds: Int64?
  /// Whether a new segment of the source starts here (a GPX `trk` or `trkseg`).
  public var startsSegment: Bool
  /// How far the device may have been from there, in metres, at least 0; 0 if that is unknown.
  public var accuracyMeters: Float

  /// Makes a vertex of its parts.
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
