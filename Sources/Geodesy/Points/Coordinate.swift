/// A position on the WGS84 ellipsoid's surface, in degrees.
public struct Coordinate: Hashable, Codable, Sendable {
  /// Geodetic latitude in degrees, −90 … 90, north positive.
  public var latitudeDegrees: Double
  /// Longitude in degrees, −180 … 180, east positive; −180 and 180 are the same meridian.
  public var longitudeDegrees: Double

  /// Makes a coordinate of a latitude and a longitude in degrees, unchecked; see ``isValid``.
  @inlinable
  public init(latitudeDegrees: Double, longitudeDegrees: Double) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }

  /// Whether both degrees are finite and within −90 … 90 and −180 … 180.
  @inlinable
  public var isValid: Bool {
    // Comparisons with NaN are false, so that NaN is invalid too.
    abs(latitudeDegrees) <= 90 && abs(longitudeDegrees) <= 180
  }

  /// The same point in the one form that counts where it can be written in several: longitude 0 at a
  /// pole, 180 instead of −180.
  public var canonical: Coordinate {
    if abs(latitudeDegrees) == 90 {
      return Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: 0)
    }
    guard longitudeDegrees == -180 else { return self }
    return Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: 180)
  }
}
