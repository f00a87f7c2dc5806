#if canImport(CoreLocation) && !os(watchOS) && !os(tvOS) && !os(visionOS)
  import CoreLocation
  import FencepostGeodesy
  import Foundation

  /// A phone's location by `CLLocationManager`: significant changes or continuous updates, and regions.
  ///
  /// Make it on the main thread when the app is launched. It keeps working while the app is not in front if the
  /// user allows Always, and the system launches an app that it had ended for a region or a significant change.
  @MainActor
  public final class CoreLocationPhone: LocationPhone {
    /// Which fixes are delivered.
    public enum Updates: Hashable, Sendable {
      /// After some 500 m, no more often than every five minutes; needs little power, and wakes an ended app.
      case significantChanges
      /// All the time, also in the background if the app has the background mode `location`; needs much power,
      /// and ends with the app. Significant changes come too, and wake it.
      case continuous(distanceFilterMeters: Double)
    }

    /// Receives every event.
    public var onEvent: ((LocationEvent) -> Void)?

    private let manager = CLLocationManager()
    private let updates: Updates
    private var delegate: CoreLocationDelegate?

    /// Makes a phone that delivers nothing yet.
    ///
    /// - Parameters:
    ///   - updates: Which fixes are delivered.
    ///   - now: The time in milliseconds since 1970; the system does not say when a region was crossed.
    public init(
      updates: Updates = .significantChanges,
      now: @escaping @Sendable () -> Int64 = { WallClock.nowMilliseconds }
    ) {
      self.updates = updates
      let delegate = CoreLocationDelegate(now: now) { [weak self] event in self?.onEvent?(event) }
      self.delegate = delegate
      manager.delegate = delegate
    }

    /// Asks the user for Always, or for it after While Using; the answer is an event.
    public func requestPermission() {
      manager.requestAlwaysAuthorization()
    }

    /// What the user allows.
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

    /// The greatest radius that a region may have, in metres.
    public var greatestRadiusMeters: Double { manager.maximumRegionMonitoringDistance }

    /// The last fix that the system has.
    public var latestFix: PhoneFix? { manager.location.map(PhoneFix.init) }

    /// Begins to deliver events; again after a change of the permission.
    ///
    /// Significant changes need Always. While Using, updates while the app is in front stand in for them.
    public func start() {
      manager.desiredAccuracy = kCLLocationAccuracyBest
      switch updates {
      case .significantChanges:
        manager.distanceFilter = Self.inFrontFilterMeters
        if permission.status == .whenInUse {
          manager.startUpdatingLocation()
        } else {
          manager.stopUpdatingLocation()
        }
      case .continuous(let distanceFilterMeters):
        manager.distanceFilter = distanceFilterMeters
        manager.pausesLocationUpdatesAutomatically = false
        #if !os(macOS)
          // Without the mode this would end the app.
          let modes = Bundle.main.object(forInfoDictionaryKey: "UIBackgroundModes") as? [String]
          manager.allowsBackgroundLocationUpdates = modes?.contains("location") ?? false
        #endif
        manager.startUpdatingLocation()
      }
      if CLLocationManager.significantLocationChangeMonitoringAvailable() {
        manager.startMonitoringSignificantLocationChanges()
      }
    }

    private static let inFrontFilterMeters = 20.0

    /// Stops delivering fixes; regions stay.
    public func stop() {
      manager.stopUpdatingLocation()
      manager.stopMonitoringSignificantLocationChanges()
    }

    /// Monitors a region, in place of one with the same identifier.
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

    /// Asks on which side of a region the phone is.
    public func askSide(identifier: String) {
      for region in manager.monitoredRegions where region.identifier == identifier {
        manager.requestState(for: region)
      }
    }

    /// Asks for one fix; while updates are continuous, the next one is near.
    public func requestFix() {
      guard case .significantChanges = updates else { return }
      manager.requestLocation()
    }
  }

  /// Turns the manager's callbacks into events; they come on the thread that made the manager, the main one.
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

    private func send(_ event: LocationEvent) {
      MainActor.assumeIsolated { handle(event) }
    }

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
        // The region is monitored, only later.
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
        // When in use, which macOS lacks, and statuses of later systems.
        default: .whenInUse
        }
      self.init(status: status, isPrecise: manager.accuracyAuthorization == .fullAccuracy)
    }
  }

  extension PhoneFix {
    fileprivate init(_ location: CLLocation) {
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

#if canImport(CoreLocation) && !os(tvOS)
  import CoreLocation
  import FencepostGeodesy

  extension Coordinate {
    init(_ point: CLLocationCoordinate2D) {
      self.init(latitudeDegrees: point.latitude, longitudeDegrees: point.longitude)
    }
  }

  extension CLLocationCoordinate2D {
    init(_ point: Coordinate) {
      self.init(latitude: point.latitudeDegrees, longitude: point.longitudeDegrees)
    }
  }
#endif
