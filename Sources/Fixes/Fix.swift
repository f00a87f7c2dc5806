public import FencepostGeodesy

/// One position report of a receiver.
public struct Fix: Sendable {
  /// Where the receiver was.
  public var coordinate: Coordinate
  /// Milliseconds since 1970-01-01T00:00:00Z, or ``noTime``.
  ///
  /// An optional would make each fix larger; read ``timeMilliseconds`` outside hot loops.
  public var rawTimeMilliseconds: Int64
  /// Index of the fix's `trk`, from 0; 0 in formats without tracks.
  public var trackIndex: Int32
  /// Index of the fix's segment (`trkseg`) in the whole source, from 0; 0 in formats without segments.
  public var segmentIndex: Int32
  /// Estimated horizontal error in metres, or NaN if unknown.
  public var accuracyMeters: Float
  /// Speed over ground in metres a second, or NaN if unknown.
  public var speedMetersPerSecond: Float
  /// Course over ground in degrees from true north, 0 ..< 360, or NaN.
  public var courseDegrees: Float
  /// The source line on which the fix ends, from 1; 0 if unknown.
  public var line: Int32

  /// What ``rawTimeMilliseconds`` holds when the source gave no time.
  @inlinable
  public static var noTime: Int64 { .min }

  /// Milliseconds since 1970-01-01T00:00:00Z, or nil if the source gave no time.
  @inlinable
  public var timeMilliseconds: Int64? {
    get { rawTimeMilliseconds == Fix.noTime ? nil : rawTimeMilliseconds }
    set { rawTimeMilliseconds = newValue ?? Fix.noTime }
  }

  /// Makes a fix; values that are left out are unknown.
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
