public import FencepostGeodesy

/// A stretch, possibly with breaks, where an unmonitored edge may have been crossed unseen.
///
/// ``Engine/uncertified`` lists them. Outside them, no entry was missed.
public struct UncertifiedSpan: Hashable, Sendable {
  /// One end of a stretch.
  ///
  /// It can lie between two fixes.
  public struct End: Hashable, Sendable {
    /// The index, from 0, of the fix that ends the segment this point lies on.
    public var fix: Int
    /// The position of this end.
    public var coordinate: Coordinate
    /// The time in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?

    /// Creates an end.
    package init(fix: Int, coordinate: Coordinate, timeMilliseconds: Int64?) {
      self.fix = fix
      self.coordinate = coordinate
      self.timeMilliseconds = timeMilliseconds
    }
  }

  /// The start of the stretch.
  public var start: End
  /// The end of the stretch.
  public var end: End
  /// The length of the joined path between the ends in meters.
  public var lengthMeters: Double

  /// Creates a stretch.
  package init(start: End, end: End, lengthMeters: Double) {
    self.start = start
    self.end = end
    self.lengthMeters = lengthMeters
  }
}
