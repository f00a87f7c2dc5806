#if STAND_INS || canImport(CoreLocation) && !os(watchOS) && !os(tvOS) && !os(visionOS)
import FencepostGeodesy
public import FencepostNotifications
import Foundation

#if STAND_INS
public import CoreLocationStandIn
#else
public import CoreLocation
#endif

/// A phone that uses `CLLocationManager` for fixes and regions.
///
/// Create it on the main thread at launch. If the user allows Always, it works in the background,
/// and the system relaunches the app for regions and significant changes.
@MainActor
public final class CoreLocationPhone: LocationPhone {
  /// Which fixes to deliver.
  public enum Updates: Hashable, Sendable {
    /// Fixes about every 500 m, at most one per 5 min; needs little power, and wakes the app.
    case significantChanges
    /// Continuous fixes, which need much power and end with the app.
    ///
    /// They continue in the background if the app has the background mode `location`. Significant
    /// changes come too, and wake the app.
    case continuous(distanceFilterMeters: Double)
  }

  /// Receives every event.
  public var onEvent: ((LocationEvent) -> Void)?

  private let manager = CLLocationManager()
  private let updates: Updates
  private var delegate: CoreLocationDelegate?

  /// Creates a phone that delivers nothing yet.
  ///
  /// - Parameters:
  ///   - updates: Which fixes to deliver.
  ///   - now: Returns the time for region events, which carry none, in milliseconds since 1970.
  public init(
    updates: Updates = .significantChanges,
    now: @escaping @Sendable () -> Int64 = { WallClock.nowMilliseconds }
  ) {
    self.updates = updates
    let delegate = CoreLocationDelegate(now: now) { [weak self] event in self?.onEvent?(event) }
    self.delegate = delegate
    manager.delegate = delegate
  }

  /// Asks the user for Always, or to upgrade from While Using; an event brings the answer.
  public func requestPermission() { manager.requestAlwaysAuthorization() }

  /// What the user allows the app to know about the phone's location.
  public var permission: LocationPermission { LocationPermission(manager) }

  /// What this phone cannot do.
  public var missingServices: [PhoneProblem] {
    var missing: [PhoneProblem] = []
    if !CLLocationManager.significantLocationChangeMonitoringAvailable() {
      missing.append(.significantChangesUnavailable)
    }
    if !CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) {
      missing.append(.regionsUnavailable)
    }
    return missing
  }

  /// All regions of the app, including those of its other parts.
  public var regions: [PhoneRegion]? { manager.monitoredRegions.map(PhoneRegion.init) }

  /// The largest radius of a region in meters.
  public var greatestRadiusMeters: Double { manager.maximumRegionMonitoringDistance }

  /// The system's last known fix.
  public var latestFix: PhoneFix? { manager.location.map(PhoneFix.init) }

  /// Whether fixes come continuously; Core Location then allows no single one to be asked for.
  private var isUpdating = false {
    didSet {
      if isUpdating { manager.startUpdatingLocation() } else { manager.stopUpdatingLocation() }
    }
  }

  /// Starts delivering events if the user allows any; call it again after the permission changes.
  ///
  /// Significant changes need Always. With While Using, fixes come while the app is in front.
  public func start() {
    guard permission.givesFixes else { return stop() }
    manager.desiredAccuracy = kCLLocationAccuracyBest
    switch updates {
    case .significantChanges:
      manager.distanceFilter = Self.inFrontFilterMeters
      isUpdating = permission.status == .whenInUse
    case .continuous(let distanceFilterMeters):
      manager.distanceFilter = distanceFilterMeters
      manager.pausesLocationUpdatesAutomatically = false
      #if !os(macOS)
      // Without the background mode, setting this would crash the app.
      let modes = Bundle.main.object(forInfoDictionaryKey: "UIBackgroundModes") as? [String]
      manager.allowsBackgroundLocationUpdates = modes?.contains("location") ?? false
      #endif
      isUpdating = true
    }
    if CLLocationManager.significantLocationChangeMonitoringAvailable() {
      manager.startMonitoringSignificantLocationChanges()
    }
  }

  private static let inFrontFilterMeters = 20.0

  /// Stops delivering fixes; regions stay monitored.
  public func stop() {
    isUpdating = false
    manager.stopMonitoringSignificantLocationChanges()
  }

  /// Monitors a region, replacing one with the same identifier.
  public func monitor(_ region: PhoneRegion) {
    guard let center = region.center else { return }
    let circle = CLCircularRegion(
      center: CLLocationCoordinate2D(center), radius: region.radiusMeters,
      identifier: region.identifier)
    circle.notifyOnEntry = true
    circle.notifyOnExit = true
    manager.startMonitoring(for: circle)
  }

  /// Stops monitoring a region.
  public func stopMonitoring(identifier: String) {
    for region in manager.monitoredRegions where region.identifier == identifier {
      manager.stopMonitoring(for: region)
    }
  }

  /// Asks whether the phone is inside a region.
  public func askSide(identifier: String) {
    for region in manager.monitoredRegions where region.identifier == identifier {
      manager.requestState(for: region)
    }
  }

  /// Asks for one fix, unless updates are continuous.
  public func requestFix() {
    if !isUpdating { manager.requestLocation() }
  }
}

/// Turns callbacks into events; they come on the main thread, which created the manager.
private final class CoreLocationDelegate: NSObject, CLLocationManagerDelegate, Sendable {
  private let now: @Sendable () -> Int64
  private let handle: @MainActor @Sendable (LocationEvent) -> Void

  init(
    now: @escaping @Sendable () -> Int64,
    handle: @escaping @MainActor @Sendable (LocationEvent) -> Void
  ) {
    self.now = now
    self.handle = handle
  }

  private func send(_ event: LocationEvent) { MainActor.assumeIsolated { handle(event) } }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    send(.permissionChanged(LocationPermission(manager)))
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations { send(.fix(PhoneFix(location))) }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    send(.locationFailed(reason: error.localizedDescription))
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    send(.entered(identifier: region.identifier, timeMilliseconds: now()))
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    send(.left(identifier: region.identifier, timeMilliseconds: now()))
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    if region.identifier.hasPrefix(RegionMirror.prefix) { manager.requestState(for: region) }
  }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    guard state != .unknown else { return }
    send(
      .found(
        identifier: region.identifier, isInside: state == .inside,
        timeMilliseconds: now()))
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
    withError error: any Error
  ) {
    let reason = error.localizedDescription
    if (error as? CLError)?.code == .regionMonitoringSetupDelayed {
      // Monitoring is only delayed.
      send(.locationFailed(reason: reason))
    } else {
      send(.regionFailed(identifier: region?.identifier, reason: reason))
    }
  }
}

extension LocationPermission {
  fileprivate init(_ manager: CLLocationManager) {
    let status: Status =
      switch manager.authorizationStatus {
      case .notDetermined: .notAsked
      case .restricted: .restricted
      case .denied: .denied
      case .authorizedAlways: .always
      // While in use, which macOS lacks, and values added by later systems.
      default: .whenInUse
      }
    self.init(status: status, isPrecise: manager.accuracyAuthorization == .fullAccuracy)
  }
}

extension PhoneFix {
  /// The fix of a location.
  public init(_ location: CLLocation) {
    self.init(
      coordinate: Coordinate(location.coordinate),
      timeMilliseconds: location.timestamp.millisecondsSince1970,
      accuracyMeters: location.horizontalAccuracy,
      speedMetersPerSecond: location.speed >= 0 ? location.speed : nil)
  }
}

extension PhoneRegion {
  fileprivate init(_ region: CLRegion) {
    let circle = region as? CLCircularRegion
    self.init(
      identifier: region.identifier, center: circle.map { Coordinate($0.center) },
      radiusMeters: circle?.radius ?? 0)
  }
}
#endif
