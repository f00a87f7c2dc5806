#if STAND_INS || canImport(CoreLocation) && !os(tvOS)
public import FencepostGeodesy
public import FencepostNotifications
public import Foundation

#if STAND_INS
public import CoreLocationStandIn
#else
public import CoreLocation
#endif

extension NotificationScheduler.Situation {
  /// A date in a zone, at a phone's last known location.
  public init(at date: Date, zone: TimeZone = .current, location: CLLocation?) {
    self.init(at: date, zone: zone)
    self.location = location.map { Coordinate($0.coordinate) }
  }
}

extension Coordinate {
  /// The same point.
  public init(_ point: CLLocationCoordinate2D) {
    self.init(latitudeDegrees: point.latitude, longitudeDegrees: point.longitude)
  }
}

extension CLLocationCoordinate2D {
  /// The same point.
  public init(_ point: Coordinate) {
    self.init(latitude: point.latitudeDegrees, longitude: point.longitudeDegrees)
  }
}
#endif
