public import FencepostGeodesy

/// A source of fixes that also watches a few regions, even while the app is not running.
///
/// `FencepostApple` has `CoreLocationPhone` and `ConditionPhone` for Apple systems.
@MainActor
public protocol LocationPhone: AnyObject {
  /// Receives every event in order; set it before ``start()``.
  var onEvent: ((LocationEvent) -> Void)? { get set }
  /// What the user allows.
  var permission: LocationPermission { get }
  /// What this phone cannot do, regardless of permission.
  var missingServices: [PhoneProblem] { get }
  /// All regions monitored for the app, including those of its other parts.
  ///
  /// Nil until ``LocationEvent/regionsKnown`` if the phone needs time to list them.
  var regions: [PhoneRegion]? { get }
  /// The largest radius of a region in meters; 0 or less if the phone cannot monitor regions.
  var greatestRadiusMeters: Double { get }
  /// The phone's last known fix, which may be old.
  var latestFix: PhoneFix? { get }

  /// Starts delivering fixes and region events.
  func start()
  /// Stops delivering fixes; regions stay monitored.
  func stop()
  /// Monitors a region, replacing one with the same identifier.
  ///
  /// The phone answers with ``LocationEvent/found(identifier:isInside:timeMilliseconds:)`` or
  /// ``LocationEvent/regionFailed(identifier:reason:)``.
  func monitor(_ region: PhoneRegion)
  /// Stops monitoring a region; unknown identifiers are ignored.
  func stopMonitoring(identifier: String)
  /// Asks whether the phone is inside a region; an event brings the answer.
  func askSide(identifier: String)
  /// Asks for one fix.
  func requestFix()
}

/// An event that a phone reports.
///
/// A ``LocationPhone`` makes them, and ``StoryAlerts`` handles each in one step.
public enum LocationEvent: Hashable, Sendable {
  /// A new position.
  case fix(PhoneFix)
  /// The phone entered a region, at a time in milliseconds since 1970.
  case entered(identifier: String, timeMilliseconds: Int64)
  /// The phone left a region, at a time in milliseconds since 1970.
  case left(identifier: String, timeMilliseconds: Int64)
  /// The phone is inside or outside a region; this alone is not a crossing.
  case found(identifier: String, isInside: Bool, timeMilliseconds: Int64)
  /// A region is not monitored; `identifier` is nil if the phone does not tell which.
  case regionFailed(identifier: String?, reason: String)
  /// The phone could not determine its position.
  case locationFailed(reason: String)
  /// The user changed the permission.
  case permissionChanged(LocationPermission)
  /// ``LocationPhone/regions`` is now available.
  case regionsKnown
}

/// A position that a phone reports.
///
/// Unlike a fix of a track, it always has a time and an accuracy.
public struct PhoneFix: Hashable, Codable, Sendable {
  /// Latitude in degrees, −90 to 90.
  public var latitudeDegrees: Double
  /// Longitude in degrees, −180 to 180.
  public var longitudeDegrees: Double
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var timeMilliseconds: Int64
  /// The radius of uncertainty in meters; negative if the position is invalid.
  public var accuracyMeters: Double
  /// The speed in m/s; nil if unknown.
  public var speedMetersPerSecond: Double?

  /// Creates a fix.
  public init(
    coordinate: Coordinate, timeMilliseconds: Int64, accuracyMeters: Double,
    speedMetersPerSecond: Double? = nil
  ) {
    latitudeDegrees = coordinate.latitudeDegrees
    longitudeDegrees = coordinate.longitudeDegrees
    self.timeMilliseconds = timeMilliseconds
    self.accuracyMeters = accuracyMeters
    self.speedMetersPerSecond = speedMetersPerSecond
  }

  /// The position.
  public var coordinate: Coordinate {
    Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees)
  }

  private enum CodingKeys: String, CodingKey {
    case timeMilliseconds, accuracyMeters, speedMetersPerSecond
  }

  /// Reads a fix.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      coordinate: try Coordinate(from: decoder),
      timeMilliseconds: try values.decode(Int64.self, forKey: .timeMilliseconds),
      accuracyMeters: try values.decode(Double.self, forKey: .accuracyMeters),
      speedMetersPerSecond: try values.decodeIfPresent(Double.self, forKey: .speedMetersPerSecond))
  }

  /// Writes a fix, with its `lat` and `lon`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try coordinate.encode(to: encoder)
    try values.encode(timeMilliseconds, forKey: .timeMilliseconds)
    try values.encode(accuracyMeters, forKey: .accuracyMeters)
    try values.encodeIfPresent(speedMetersPerSecond, forKey: .speedMetersPerSecond)
  }
}

/// A region that a phone monitors.
///
/// The system wakes the app when the phone crosses its edge. An iPhone watches at most 20.
public struct PhoneRegion: Hashable, Sendable {
  /// The identifier, unique within the app.
  public var identifier: String
  /// The center; nil if the region is not a circle.
  public var center: Coordinate?
  /// The radius in meters.
  public var radiusMeters: Double

  /// Creates a region.
  public init(identifier: String, center: Coordinate?, radiusMeters: Double) {
    self.identifier = identifier
    self.center = center
    self.radiusMeters = radiusMeters
  }
}

/// The user's permission to use the phone's position.
///
/// Alerts need the position always and precisely; see ``problem``.
public struct LocationPermission: Hashable, Sendable {
  /// When the app may use the position.
  public enum Status: String, Hashable, Sendable {
    /// The user has not been asked.
    case notAsked
    /// A restriction that the user cannot change forbids it.
    case restricted
    /// The user denied it.
    case denied
    /// Only while the app is in use.
    case whenInUse
    /// Always, as alerts require.
    case always
  }

  /// When the app may use the position.
  public var status: Status
  /// Whether positions are precise, as regions require.
  public var isPrecise: Bool

  /// Creates a permission.
  public init(status: Status, isPrecise: Bool = true) {
    self.status = status
    self.isPrecise = isPrecise
  }

  /// Whether the app receives fixes, at least while it is in use.
  public var givesFixes: Bool { status == .always || status == .whenInUse }

  /// The problem that keeps some or all alerts from appearing; nil if all can appear.
  public var problem: PhoneProblem? {
    switch status {
    case .notAsked: .locationNotAsked
    case .restricted: .locationRestricted
    case .denied: .locationDenied
    case .whenInUse: .locationOnlyInUse
    case .always: isPrecise ? nil : .locationImprecise
    }
  }
}
