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

extension CoordinateBox {
  /// Proved bounds of the distances from a point to the points of a box, in meters.
  ///
  /// They are the bounds for the middle of the box, less and plus the way from there to a corner. On
  /// a way that is straight in latitude and longitude, the radius of a parallel is at most that in
  /// the middle plus the way north, because it changes by no more than one meter for each meter.
  ///
  /// For wide boxes the difference in latitude gives a better lower bound. Along a geodesic, the
  /// normal of the surface turns by at most 1/r per meter, where r is the least radius of curvature.
  ///
  /// - Parameter position: A valid position.
  /// - Returns: The bounds, the lower one at least 0.
  /// - Precondition: The box does not cross the antimeridian.
  package func boundsMeters(from position: Position) -> (least: Double, greatest: Double) {
    let middle = Position(
      Coordinate(
        latitudeDegrees: (southDegrees + northDegrees) / 2,
        longitudeDegrees: (westDegrees + eastDegrees) / 2)
    ).vector
    let radius = Ellipsoid.greatestCurvatureRadiusMeters
    let north = radius * (northDegrees - southDegrees) * (.pi / 360)
    let parallel = (middle.x * middle.x + middle.y * middle.y).squareRoot() + north
    let east = parallel * (eastDegrees - westDegrees) * (.pi / 360)
    let reach = (north * north + east * east).squareRoot() + Geodesic.roundingMeters
    let (least, greatest) = Geodesic.boundsMeters(from: position.vector, to: middle)
    let latitude = position.coordinate.latitudeDegrees
    let gap = max(southDegrees - latitude, latitude - northDegrees) * (.pi / 180)
    let leastByLatitude = Ellipsoid.leastCurvatureRadiusMeters * gap - Geodesic.roundingMeters
    return (max(0, least - reach, leastByLatitude), greatest + reach)
  }
}
