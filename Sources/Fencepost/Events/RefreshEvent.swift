public import FencepostGeodesy
import FencepostMonitoring

/// A lookup of the nearest places, or a failed attempt at one.
public struct RefreshEvent: Codable, Equatable, Sendable {
  /// The name of the track: its file as the user wrote it, or the name of the stream.
  public var track: String
  /// The device, if the stream carries several; otherwise nil.
  public var device: String?
  /// The index of the track's segment, from 0.
  public var segment: Int
  /// The index of the accepted fix that ends this stretch of the path, from 0.
  public var fix: Int
  /// The position along the stretch, from 0 to 1 of its length; 1 if the fix itself caused the
  /// lookup.
  public var fraction: Double
  /// The time in milliseconds since 1970-01-01T00:00:00Z; nil if the track has no times.
  public var timeMilliseconds: Int64?
  /// The point of the lookup.
  public var coordinate: Coordinate
  /// The number of circles watched afterwards.
  public var monitored: Int
  /// The number of circles that were added.
  public var added: Int
  /// The number of circles that were removed.
  public var removed: Int
  /// The distance to the farthest watched center in meters; nil if no circle or every circle is
  /// watched.
  public var radiusMeters: Double?
  /// The distance to the nearest unwatched edge in meters.
  ///
  /// Infinite if every circle is watched; nil unless the refresh is adaptive.
  package var reachMeters: Double? {
    get { reach?.value }
    set { reach = newValue.map(UnboundedMeters.init) }
  }
  private var reach: UnboundedMeters?
  /// The reason the lookup failed and changed nothing; nil if it succeeded.
  public var failure: String?

  package init(
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
