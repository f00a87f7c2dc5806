public import FencepostGeodesy

/// A stretch of the path where an unmonitored edge may have been crossed unseen.
///
/// It may cross breaks, which have no length.
public struct UncertifiedSpan: Hashable, Sendable {
  /// One end of the stretch.
  public struct End: Hashable, Sendable {
    /// Index of the fix that ends the segment this point lies on, from 0.
    public var fix: Int
    /// Where.
    public var coordinate: Coordinate
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?

    /// Makes an end of its parts.
    public init(fix: Int, coordinate: Coordinate, timeMilliseconds: Int64?) {
      self.fix = fix
      self.coordinate = coordinate
      self.timeMilliseconds = timeMilliseconds
    }
  }

  /// Where it begins.
  public var start: End
  /// Where it ends.
  public var end: End
  /// Length of the joined path between both, in metres.
  public var lengthMeters: Double

  /// Makes a stretch of its ends and its length in metres.
  public init(start: End, end: End, lengthMeters: Double) {
    self.start = start
    self.end = end
    self.lengthMeters = lengthMeters
  }
}
