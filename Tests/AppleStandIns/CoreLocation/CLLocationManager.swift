// Apple documents its own names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// The methods that an Objective-C delegate may leave out are here in an extension that does nothing.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  )
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
}

extension CLLocationManagerDelegate {
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
  public func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {}
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {}
  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {}
  public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  {}
}

open class CLLocationManager: NSObject {
  open weak var delegate: (any CLLocationManagerDelegate)?
  open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
  open var distanceFilter: CLLocationDistance = -1
  open var allowsBackgroundLocationUpdates = false
  open var pausesLocationUpdatesAutomatically = true

  private var device: SimulatedDevice { SimulatedDevice.current }
  package var isUpdating = false

  public override init() {
    super.init()
    device.add(self)
  }

  open var authorizationStatus: CLAuthorizationStatus { device.authorizationStatus }
  open var accuracyAuthorization: CLAccuracyAuthorization { device.accuracyAuthorization }
  open var location: CLLocation? { device.latestDelivered }
  open var monitoredRegions: Set<CLRegion> { Set(device.regions.values.map(\.region)) }
  open var maximumRegionMonitoringDistance: CLLocationDistance {
    device.behavior.greatestRadiusMeters
  }

  open class func significantLocationChangeMonitoringAvailable() -> Bool {
    SimulatedDevice.current.behavior.hasSignificantChanges
  }
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    SimulatedDevice.current.behavior.greatestRadiusMeters > 0
  }

  open func requestAlwaysAuthorization() { device.askForPermission() }

  open func startUpdatingLocation() { isUpdating = true }
  open func stopUpdatingLocation() { isUpdating = false }
  open func requestLocation() {
    precondition(!isUpdating, "this cannot be used concurrently with startUpdatingLocation")
    device.requestLocation(for: self)
  }
  open func startMonitoringSignificantLocationChanges() { device.watchesSignificantChanges = true }
  open func stopMonitoringSignificantLocationChanges() { device.watchesSignificantChanges = false }
  open func startMonitoring(for region: CLRegion) { device.startMonitoring(region) }
  open func stopMonitoring(for region: CLRegion) { device.stopMonitoring(region) }
  open func requestState(for region: CLRegion) { device.requestState(region, for: self) }
}
