public import FencepostGeodesy

/// A single position reported by a receiver.
///
/// A decoder makes it from bytes, and a ``FixFilter`` decides whether it counts.
public struct Fix: Sendable {
  /// The position of the receiver.
  public var coordinate: Coordinate
  /// Milliseconds since 1970-01-01T00:00:00Z, or ``noTime``.
  ///
  /// An optional would make each fix larger. Use ``timeMilliseconds`` outside hot loops.
  public var rawTimeMilliseconds: Int64
  /// The index of the fix's `trk`, from 0; always 0 without tracks.
  public var trackIndex: Int32
  /// The index of the fix's `trkseg` in the whole source, from 0; always 0 without segments.
  public var segmentIndex: Int32
  /// The estimated horizontal error in meters, or NaN if unknown.
  public var accuracyMeters: Float
  /// Speed over ground in meters per second, or NaN if unknown.
  public var speedMetersPerSecond: Float
  /// Course over ground in degrees clockwise from true north, 0 ..< 360, or NaN if unknown.
  public var courseDegrees: Float
  /// The line of the source on which the fix ends, from 1; 0 if unknown.
  public var line: Int32

  /// The value of ``rawTimeMilliseconds`` when the source gave no time.
  @inlinable
  public static var noTime: Int64 { .min }

  /// Milliseconds since 1970-01-01T00:00:00Z, or nil if the source gave no time.
  @inlinable
  public var timeMilliseconds: Int64? {
    get { rawTimeMilliseconds == Fix.noTime ? nil : rawTimeMilliseconds }
    set { rawTimeMilliseconds = newValue ?? Fix.noTime }
  }

  /// Creates a fix; values left out are unknown.
  @inlinable
  public init(
    coordinate: Coordinate,
    timeMilliseconds: Int64? = nil,
    trackIndex: Int32 = 0,
    segmentIndex: Int32 = 0,
    accuracyMeters: Float = .nan,
    speedMetersPerSecond: Float = .nan,
    courseDegrees: Float = .nan,
    line: Int32 = 0
  ) {
    self.coordinate = coordinate
    self.rawTimeMilliseconds = timeMilliseconds ?? Fix.noTime
    self.trackIndex = trackIndex
    self.segmentIndex = segmentIndex
    self.accuracyMeters = accuracyMeters
    self.speedMetersPerSecond = speedMetersPerSecond
    self.courseDegrees = courseDegrees
    self.line = line
  }
}
