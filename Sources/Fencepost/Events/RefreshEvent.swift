public import FencepostGeodesy

/// A renewal of the monitored set, or a failed attempt at one.
public struct RefreshEvent: Sendable {
  /// Name of the track: its file as the user wrote it, or the stream's name.
  public var track: String
  /// The device within the stream, if the stream carries several; else nil.
  public var device: String?
  /// Index of the segment of the track, from 0.
  public var segment: Int
  /// Index of the fix that ends the path's segment, counting accepted fixes from 0.
  public var fix: Int
  /// How far along that segment, 0 … 1 of its length; 1 if the fix itself caused the refresh.
  public var fraction: Double
  /// When, in milliseconds since 1970-01-01T00:00:00Z; nil if the track has no times.
  public var timeMilliseconds: Int64?
  /// Where the store was asked.
  public var coordinate: Coordinate
  /// Number of regions monitored afterwards.
  public var monitored: Int
  /// Number of regions that are new in the set.
  public var added: Int
  /// Number of regions that left the set.
  public var removed: Int
  /// Distance to the farthest monitored centre in metres; nil if nothing or everything is
  /// monitored.
  public var radiusMeters: Double?
  /// Distance to the nearest unmonitored edge in metres; infinite if there is none, nil unless the
  /// refresh is adaptive.
  public var reachMeters: Double?
  /// Why the store did not answer, which left the set as it was; nil if it did.
  public var failure: String?

  /// Makes a refresh of its parts.
  public init(
    track: String,
    device: String? = nil,
    segment: Int,
    fix: Int,
    fraction: Double,
    timeMilliseconds: Int64?,
    coordinate: Coordinate,
    monitored: Int,
    added: Int,
    removed: Int,
    radiusMeters: Double?,
    reachMeters: Double? = nil,
    failure: String? = nil
  ) {
    self.track = track
    self.device = device
    self.segment = segment
    self.fix = fix
    self.fraction = fraction
    self.timeMilliseconds = timeMilliseconds
    self.coordinate = coordinate
    self.monitored = monitored
    self.added = added
    self.removed = removed
    self.radiusMeters = radiusMeters
    self.reachMeters = reachMeters
    self.failure = failure
  }
}
