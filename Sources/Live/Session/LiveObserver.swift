public import Fencepost
public import FencepostGeodesy
public import FencepostMonitoring

/// An update about a live session; updates come in the order of the events.
public enum LiveUpdate: Sendable {
  /// A fix was accepted; its events follow.
  case position(LivePosition)
  /// An event, as in a report.
  case event(Event)
  /// The monitored set has changed.
  case monitored(LiveMonitored)
  /// The source's state changed: a sentence such as `connected to gpsd://localhost:2947`.
  case source(String)
}

/// A device's position.
public struct LivePosition: Sendable {
  /// The device within the stream, nil in a stream of one device.
  public var device: String?
  /// The coordinate.
  public var coordinate: Coordinate
  /// The time in milliseconds since 1970-01-01T00:00:00Z; nil without time.
  public var timeMilliseconds: Int64?
  /// Estimated horizontal error in metres; NaN if unknown.
  public var accuracyMeters: Float
  /// Speed over ground in metres a second; NaN if unknown.
  public var speedMetersPerSecond: Float
  /// Course over ground in degrees from true north; NaN if unknown.
  public var courseDegrees: Float

  /// Makes a position.
  public init(
    device: String?, coordinate: Coordinate, timeMilliseconds: Int64?, accuracyMeters: Float,
    speedMetersPerSecond: Float, courseDegrees: Float
  ) {
    self.device = device
    self.coordinate = coordinate
    self.timeMilliseconds = timeMilliseconds
    self.accuracyMeters = accuracyMeters
    self.speedMetersPerSecond = speedMetersPerSecond
    self.courseDegrees = courseDegrees
  }
}

/// A device's monitored set.
public struct LiveMonitored: Sendable {
  /// A monitored region and whether the device is inside.
  public struct Member: Sendable {
    /// The region.
    public var region: Region
    /// Whether the device is inside.
    public var isInside: Bool

    /// Makes a member.
    public init(region: Region, isInside: Bool) {
      self.region = region
      self.isInside = isInside
    }
  }

  /// The device within the stream, nil in a stream of one device.
  public var device: String?
  /// The regions, ascending by key.
  public var members: [Member]

  /// Makes a monitored set.
  public init(device: String?, members: [Member]) {
    self.device = device
    self.members = members
  }
}

/// Receives updates about a live session, for a map or the like.
///
/// Called on the session's thread between fixes: it must return at once and leave longer work to another
/// thread, which must not share the session's `PlaceReader`.
public struct LiveObserver: Sendable {
  /// Receives an update.
  public var take: @Sendable (LiveUpdate) -> Void

  /// Makes an observer from a closure that returns at once.
  public init(take: @escaping @Sendable (LiveUpdate) -> Void) {
    self.take = take
  }
}
