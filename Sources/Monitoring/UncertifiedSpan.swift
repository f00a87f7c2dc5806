public import Geodesy

/// A stretch of the path along which an edge that was not monitored may have been crossed unseen.
public struct UncertifiedSpan: Equatable, Sendable {
  /// One end of the stretch.
  public struct End: Equatable, Sendable {
    /// Index of the fix that ends the segment this point lies on, from 0.
    public var fix: Int
    /// Where.
    public var coordinate: Coordinate
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?
  }

  /// Where it begins.
  public var start: End
  /// Where it ends.
  public var end: End
  /// Length of the path between both, in metres.
  public var lengthMeters: Double
}
