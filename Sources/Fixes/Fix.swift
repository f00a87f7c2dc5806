public import FencepostGeodesy

/// One position report of a receiver.
public struct Fix: Sendable {
  /// Where the receiver was.
  public var coordinate: Coordinate
  /// Milliseconds since 1970-01-01T00:00:00Z, or ``noTime``.
  ///
  /// Stored bare, so that a batch stays dense; read ``timeMilliseconds`` unless every nanosecond
  /// counts.
  public var rawTimeMilliseconds: Int64
  /// Index of the `trk` this fix belongs to, from 0; 0 in formats that have none.
  public var trackIndex: Int32
  /// Index of the segment (`trkseg`) over the whole source, from 0; 0 in formats that have none.
  public var segmentIndex: Int32
  /// Estimated horizontal error in metres, or NaN if unknown.
  public var accuracyMeters: Float
  /// Speed over ground in metres a second, or NaN if unknown.
  public var speedMetersPerSecond: Float
  /// Course over ground in degrees from true north, 0 ..< 360, or NaN.
  public var courseDegrees: Float
  /// The line of the source it ended on, from 1; 0 if unknown.
  public var line: Int32

  /// What ``rawTimeMilliseconds`` holds when the source gave no time.
  @inlinable
  public static var noTime: Int64 { .min }

  /// The moment of a number of milliseconds since 1970-01-01T00:00:00Z, or nil if no fix can have it.
  ///
  /// A number outside the years 0 … 9999 has another unit or is nonsense.
  ///
  /// - Parameter number: Milliseconds, rounded to whole ones; NaN and infinity are no moment.
  /// - Returns: Whole milliseconds, or nil.
  static func timeMilliseconds(of number: Double) -> Int64? {
    guard -62_167_219_200_000...253_402_300_799_999 ~= number else { return nil }
    return Int64(number.rounded())
  }

  /// The moment of a number since 1970-01-01T00:00:00Z whose unit follows from its size: seconds below
  /// 10^11, milliseconds below 10^14, microseconds below 10^17, else nanoseconds.
  ///
  /// - Parameter number: The number; NaN and infinity are no moment.
  /// - Returns: Whole milliseconds, or nil.
  static func timeMilliseconds(sinceEpoch number: Double) -> Int64? {
    let milliseconds: Double =
      switch abs(number) {
      case ..<1e11: number * 1000
      case ..<1e14: number
      case ..<1e17: number / 1e3
      default: number / 1e6
      }
    return timeMilliseconds(of: milliseconds)
  }

  /// Milliseconds since 1970-01-01T00:00:00Z, or nil when the source gave no time.
  @inlinable
  public var timeMilliseconds: Int64? {
    get { rawTimeMilliseconds == Fix.noTime ? nil : rawTimeMilliseconds }
    set { rawTimeMilliseconds = newValue ?? Fix.noTime }
  }

  /// Makes a fix of its parts; what is left out is unknown.
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
