public import Fencepost
public import Geodesy
public import Monitoring

/// What somebody who watches a live session is told, in the order in which it happens.
public enum LiveUpdate: Sendable {
  /// A fix was accepted; its events follow.
  case position(LivePosition)
  /// Something that a report shows.
  case event(Event)
  /// The monitored set has changed.
  case monitored(LiveMonitored)
  /// The source's state changed: a sentence such as `connected to gpsd://localhost:2947`.
  case source(String)
}

/// Where a device is.
public struct LivePosition: Sendable {
  /// The device within the stream, nil where the stream carries only one.
  public var device: String?
  /// Where.
  public var coordinate: Coordinate
  /// When, in milliseconds since 1970-01-01T00:00:00Z; nil without time.
  public var timeMilliseconds: Int64?
  /// Estimated horizontal error in metres; NaN where the receiver said nothing.
  public var accuracyMeters: Float
  /// Speed over ground in metres a second; NaN where the receiver said nothing.
  public var speedMetersPerSecond: Float
  /// Course over ground in degrees from true north; NaN where the receiver said nothing.
  public var courseDegrees: Float

  /// Makes a position of its parts.
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

/// What is monitored for a device.
public struct LiveMonitored: Sendable {
  /// One monitored region and the device's side of it.
  public struct Member: Sendable {
    /// The region.
    public var region: Region
    /// Whether the device is inside.
    public var isInside: Bool

    /// Makes a member of its parts.
    public init(region: Region, isInside: Bool) {
      self.region = region
      self.isInside = isInside
    }
  }

  /// The device within the stream, nil where the stream carries only one.
  public var device: String?
  /// The regions, ascending by key.
  public var members: [Member]

  /// Makes what is monitored of its parts.
  public init(device: String?, members: [Member]) {
    self.device = device
    self.members = members
  }
}

/// Hears what happens in a live session, for a map or the like.
///
/// Called on the session's own thread, between two fixes: it must return at once and keep what takes
/// longer for a thread of its own. A store's reader must not be shared with that thread.
public struct LiveObserver: Sendable {
  /// Takes an update.
  public var take: @Sendable (LiveUpdate) -> Void

  /// Makes an observer of a closure that returns at once.
  public init(take: @escaping @Sendable (LiveUpdate) -> Void) {
    self.take = take
  }
}
