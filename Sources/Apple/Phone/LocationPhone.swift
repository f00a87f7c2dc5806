public import FencepostGeodesy

/// The part of a phone that knows where it is: it delivers fixes and watches a few circles, also for an app
/// that is not running.
///
/// ``CoreLocationPhone`` and ``ConditionPhone`` are Apple's. All calls and events are on the main actor.
@MainActor
public protocol LocationPhone: AnyObject {
  /// Receives every event, in order; set it before ``start()``.
  var onEvent: ((LocationEvent) -> Void)? { get set }
  /// What the user allows.
  var permission: LocationPermission { get }
  /// What this phone cannot do, whatever the user allows.
  var missingServices: [PhoneProblem] { get }
  /// All regions that the phone monitors for the app, including those of other parts of the app; nil until
  /// ``LocationEvent/regionsKnown`` where the phone needs time to list them.
  var regions: [PhoneRegion]? { get }
  /// The greatest radius that a region may have, in metres; not above 0 where regions cannot be monitored.
  var greatestRadiusMeters: Double { get }
  /// The last fix that the phone has, which may be old.
  var latestFix: PhoneFix? { get }

  /// Begins to deliver fixes and the events of regions.
  func start()
  /// Stops delivering fixes; regions stay.
  func stop()
  /// Monitors a region, in place of one with the same identifier.
  ///
  /// The phone then reports where it is by ``LocationEvent/found(identifier:isInside:timeMilliseconds:)``, or
  /// fails by ``LocationEvent/regionFailed(identifier:reason:)``.
  func monitor(_ region: PhoneRegion)
  /// Stops monitoring a region; an unknown identifier is ignored.
  func stopMonitoring(identifier: String)
  /// Asks on which side of a region the phone is, to be answered by an event.
  func askSide(identifier: String)
  /// Asks for one fix.
  func requestFix()
}

/// What a phone reports.
public enum LocationEvent: Hashable, Sendable {
  /// Where the phone is.
  case fix(PhoneFix)
  /// The phone came into a region, at a time in milliseconds since 1970.
  case entered(identifier: String, timeMilliseconds: Int64)
  /// The phone left a region.
  case left(identifier: String, timeMilliseconds: Int64)
  /// The phone is inside a region or outside, which is no crossing by itself.
  case found(identifier: String, isInside: Bool, timeMilliseconds: Int64)
  /// A region is not monitored; nil if the phone does not say which.
  case regionFailed(identifier: String?, reason: String)
  /// The phone could not find where it is.
  case locationFailed(reason: String)
  /// The user changed what the app may do.
  case permissionChanged(LocationPermission)
  /// ``LocationPhone/regions`` can be read now.
  case regionsKnown
}

/// One position that a phone reports.
public struct PhoneFix: Hashable, Codable, Sendable {
  /// Latitude in degrees, −90 … 90.
  public var latitudeDegrees: Double
  /// Longitude in degrees, −180 … 180.
  public var longitudeDegrees: Double
  /// When, in milliseconds since 1970-01-01T00:00:00Z.
  public var timeMilliseconds: Int64
  /// The radius of uncertainty in metres; negative if the position is not valid.
  public var accuracyMeters: Double
  /// The speed in metres a second, nil if unknown.
  public var speedMetersPerSecond: Double?

  /// Makes a fix of its parts.
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
}

/// A region that a phone monitors.
public struct PhoneRegion: Hashable, Sendable {
  /// The identifier, unique in the app.
  public var identifier: String
  /// The centre; nil for a region of the app that is not a circle.
  public var center: Coordinate?
  /// The radius in metres.
  public var radiusMeters: Double

  /// Makes a region of its parts.
  public init(identifier: String, center: Coordinate?, radiusMeters: Double) {
    self.identifier = identifier
    self.center = center
    self.radiusMeters = radiusMeters
  }
}

/// What the user lets the app know about the phone's position.
public struct LocationPermission: Hashable, Sendable {
  /// When the app may know it.
  public enum Status: String, Hashable, Sendable {
    /// The user has not been asked.
    case notAsked
    /// A restriction that the user cannot change forbids it.
    case restricted
    /// The user has forbidden it.
    case denied
    /// Only while the app is used.
    case whenInUse
    /// Always: what alerts need.
    case always
  }

  /// When the app may know it.
  public var status: Status
  /// Whether positions are exact; regions work only then.
  public var isPrecise: Bool

  /// Makes a permission of its parts.
  public init(status: Status, isPrecise: Bool = true) {
    self.status = status
    self.isPrecise = isPrecise
  }

  /// Whether the app gets fixes, if only while it is used: those alert, too.
  public var givesFixes: Bool { status == .always || status == .whenInUse }

  /// The problem that it causes, nil if it allows alerts.
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
