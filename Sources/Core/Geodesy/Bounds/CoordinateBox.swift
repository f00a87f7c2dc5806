/// The points between two parallels and two meridians.
///
/// Its border belongs to it, and it may cross the antimeridian. Searches use boxes to select places
/// and tracks, because comparing degrees is cheaper than measuring distances.
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

extension CoordinateBox {
  /// Creates a box with all points within a distance of a position.
  ///
  /// Its ``clearanceMeters(at:)`` is that distance there. A box with a pole has all longitudes.
  package init(around position: Position, reachMeters: Double) {
    let coordinate = position.coordinate
    let north = reachMeters / Ellipsoid.leastCurvatureRadiusMeters * (180 / .pi)
    let (least, greatest) = (coordinate.latitudeDegrees - north, coordinate.latitudeDegrees + north)
    self.init(
      westDegrees: -180, southDegrees: max(-90, least), eastDegrees: 180,
      northDegrees: min(90, greatest))
    let axisMeters = position.axisMeters
    guard least > -90, greatest < 90, reachMeters < axisMeters else { return }
    let east = asin(sine: reachMeters / axisMeters) * (180 / .pi)
    westDegrees = Self.longitude(coordinate.longitudeDegrees - east)
    eastDegrees = Self.longitude(coordinate.longitudeDegrees + east)
  }

  private static func longitude(_ degrees: Double) -> Double {
    degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
  }

  /// A proved lower bound of the distance from a position to the points outside the box, in meters.
  ///
  /// A path out of the box crosses one of its sides. To the nearer parallel it is at least as long
  /// as the difference in latitude times the least radius of curvature of a meridian. To the nearer
  /// meridian it is at least as long as the straight line to the half-plane of the meridian: that
  /// to the axis if the meridian is more than 90° away.
  ///
  /// - Parameter position: A valid position.
  /// - Returns: The bound; below 0 outside the box, and infinite for the box of all points.
  package func clearanceMeters(at position: Position) -> Double {
    let coordinate = position.coordinate
    guard contains(coordinate) else { return -1 }
    let south = southDegrees > -90 ? coordinate.latitudeDegrees - southDegrees : .infinity
    let north = northDegrees < 90 ? northDegrees - coordinate.latitudeDegrees : .infinity
    let byLatitude = Ellipsoid.leastCurvatureRadiusMeters * min(south, north) * (.pi / 180)
    guard westDegrees > -180 || eastDegrees < 180 else {
      return byLatitude - Geodesic.roundingMeters
    }
    func gap(_ degrees: Double) -> Double { degrees < 0 ? degrees + 360 : degrees }
    let nearest = min(
      gap(coordinate.longitudeDegrees - westDegrees), gap(eastDegrees - coordinate.longitudeDegrees)
    )
    let byLongitude =
      position.axisMeters * (nearest < 90 ? sin(radians: nearest * (.pi / 180)) : 1)
    return min(byLatitude, byLongitude) - Geodesic.roundingMeters
  }
}

extension Position {
  /// The distance from the axis of the Earth in meters.
  fileprivate var axisMeters: Double {
    (vector.x * vector.x + vector.y * vector.y).squareRoot()
  }
}
