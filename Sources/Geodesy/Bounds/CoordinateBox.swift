/// The points between two parallels and two meridians.
public struct CoordinateBox: Hashable, Sendable {
  /// The western meridian in degrees, −180 … 180.
  public var westDegrees: Double
  /// The southern parallel in degrees, −90 … 90.
  public var southDegrees: Double
  /// The eastern meridian in degrees, −180 … 180.
  ///
  /// Less than the western one if the box crosses the antimeridian.
  public var eastDegrees: Double
  /// The northern parallel in degrees, −90 … 90.
  public var northDegrees: Double

  /// Creates a box from its sides.
  public init(westDegrees: Double, southDegrees: Double, eastDegrees: Double, northDegrees: Double)
  {
    self.westDegrees = westDegrees
    self.southDegrees = southDegrees
    self.eastDegrees = eastDegrees
    self.northDegrees = northDegrees
  }

  /// Whether a point is inside the box or on its border.
  public func contains(_ coordinate: Coordinate) -> Bool {
    let longitude = coordinate.longitudeDegrees
    let latitude = coordinate.latitudeDegrees
    guard latitude >= southDegrees, latitude <= northDegrees else { return false }
    return westDegrees <= eastDegrees
      ? longitude >= westDegrees && longitude <= eastDegrees
      : longitude >= westDegrees || longitude <= eastDegrees
  }
}
