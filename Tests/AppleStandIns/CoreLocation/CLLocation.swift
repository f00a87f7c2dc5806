// Apple documents its own names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Stands in for a part of Apple's Core Location on Linux, with the same names and signatures. Addresses of the
// documentation of each: Sources/Faces/Apple/Documentation.docc/Apple.md.
public import Foundation

public typealias CLLocationDegrees = Double
public typealias CLLocationDistance = Double
public typealias CLLocationAccuracy = Double
public typealias CLLocationSpeed = Double
public typealias CLLocationDirection = Double

public let kCLLocationAccuracyBest: CLLocationAccuracy = -1

public struct CLLocationCoordinate2D: Sendable {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

open class CLLocation: NSObject {
  public let coordinate: CLLocationCoordinate2D
  public let horizontalAccuracy: CLLocationAccuracy
  public let speed: CLLocationSpeed
  public let timestamp: Date

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    self.coordinate = coordinate
    horizontalAccuracy = hAccuracy
    self.speed = speed
    self.timestamp = timestamp
  }

  open func distance(from location: CLLocation) -> CLLocationDistance {
    coordinate.distanceMeters(to: location.coordinate)
  }
}

extension CLLocationCoordinate2D {
  /// The distance on a sphere, which is good enough for a phone's regions.
  package func distanceMeters(to other: CLLocationCoordinate2D) -> Double {
    let (one, two) = (latitude * .pi / 180, other.latitude * .pi / 180)
    let half = (sin((two - one) / 2), sin((other.longitude - longitude) * .pi / 360))
    let square = half.0 * half.0 + cos(one) * cos(two) * half.1 * half.1
    return 2 * 6_371_009 * asin(min(1, square.squareRoot()))
  }
}

public enum CLRegionState: Int, Sendable {
  case unknown = 0
  case inside = 1
  case outside = 2
}

open class CLRegion: NSObject {
  public let identifier: String
  open var notifyOnEntry = true
  open var notifyOnExit = true

  package init(named identifier: String) {
    self.identifier = identifier
  }

  open override var hash: Int { identifier.hashValue }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLRegion)?.identifier == identifier
  }
}

open class CLCircularRegion: CLRegion {
  public let center: CLLocationCoordinate2D
  public let radius: CLLocationDistance

  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(named: identifier)
  }
}

/// A region that is no circle.
open class CLBeaconRegion: CLRegion {
  public init(uuid: UUID, identifier: String) {
    super.init(named: identifier)
  }
}

public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorizedAlways = 3
  case authorizedWhenInUse = 4
}

public enum CLAccuracyAuthorization: Int, Sendable {
  case fullAccuracy = 0
  case reducedAccuracy = 1
}

public struct CLError: LocalizedError, Equatable, Sendable {
  public enum Code: Int, Sendable {
    case locationUnknown = 0
    case denied = 1
    case network = 2
    case regionMonitoringDenied = 4
    case regionMonitoringFailure = 5
    case regionMonitoringSetupDelayed = 6
  }

  public let code: Code

  public init(_ code: Code) {
    self.code = code
  }

  public var errorDescription: String? {
    "The operation couldn’t be completed. (kCLErrorDomain error \(code.rawValue).)"
  }
}
