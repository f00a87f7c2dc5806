/// A geodesic given by its start and its azimuth there, solved once for many points on it.
///
/// Karney (2013), section 3: the direct problem. Accuracy: 15 nm once around the Earth; the error grows with further
/// turns.
struct GeodesicLine {
  /// The distance between the two points that the line was made of, in metres.
  let lengthMeters: Double
  private let startLongitudeDegrees: Double
  /// α₀, the azimuth at the equator.
  private let equator: SineCosine
  /// σ₁, the arc from the equator to the start.
  private let startArc: SineCosine
  /// ω₁, the longitude from there on the sphere, not normalized.
  private let startLongitude: SineCosine
  private let distance: EllipticIntegral
  private let longitude: EllipticIntegral
  private let arc: SineSeries
  /// τ₁, the distance from the equator to the start in units of b·A₁.
  private let startDistance: SineCosine
  /// The sums of the series of distance and longitude at the start.
  private let startDistanceSum: Double
  private let startLongitudeSum: Double

  /// Makes the geodesic between two points.
  init(from start: Coordinate, to end: Coordinate) {
    let inverse = InverseProblem(from: start, to: end)
    self.init(from: start, azimuth: inverse.startAzimuth, lengthMeters: inverse.lengthMeters)
  }

  /// Makes the geodesic that leaves a point.
  ///
  /// - Parameters:
  ///   - start: The point, its latitude in −90 … 90.
  ///   - azimuth: The azimuth there.
  ///   - lengthMeters: The distance of its other end; points beyond it can be asked for too.
  init(from start: Coordinate, azimuth: SineCosine, lengthMeters: Double = .infinity) {
    self.lengthMeters = lengthMeters
    startLongitudeDegrees = ExactDegrees.longitude(start.longitudeDegrees)
    let latitude = InversePair.reducedLatitude(degrees: start.latitudeDegrees)
    let equator = EquatorCrossing(latitude: latitude, azimuth: azimuth)
    self.equator = equator.azimuth
    (startArc, startLongitude) = equator.arc(latitude: latitude, azimuth: azimuth)
    distance = .distance(equator.parameter)
    longitude = .longitude(equator.parameter)
    arc = .arc(equator.parameter)
    startDistanceSum = distance.series.sum(at: startArc)
    startLongitudeSum = longitude.series.sum(at: startArc)
    startDistance = startArc + SineCosine(radians: startDistanceSum)
  }

  /// The point at a distance from the start, and the azimuth there.
  ///
  /// - Parameter meters: The distance; negative goes back.
  /// - Returns: The point, its longitude in −180 … 180, and the azimuth in degrees, −180 … 180.
  func point(atMeters meters: Double) -> (coordinate: Coordinate, azimuthDegrees: Double) {
    // The arc that belongs to the distance, by (20).
    let units = meters / (Ellipsoid.polarRadiusMeters * distance.factor)
    let endDistance = startDistance + SineCosine(radians: units)
    let radians = units + (arc.sum(at: endDistance) + startDistanceSum)
    var endArc = startArc + SineCosine(radians: radians)
    // So that a meridian has a direction at the pole.
    if equator.sine == 0 && endArc.cosine == 0 { endArc.cosine = InversePair.poleCosine }
    // (12) to (14), and (8).
    let endAzimuth = SineCosine(sine: equator.sine, cosine: equator.cosine * endArc.cosine)
    let endLongitude = SineCosine(sine: equator.sine * endArc.sine, cosine: endArc.cosine)
    let sum = longitude.series.sum(at: endArc) - startLongitudeSum
    let east =
      (endLongitude - startLongitude).radians
      - Ellipsoid.flattening * equator.sine * longitude.factor * (radians + sum)
    let latitude = SineCosine(
      sine: equator.cosine * endArc.sine, cosine: (1 - Ellipsoid.flattening) * endAzimuth.length)
    let coordinate = Coordinate(
      latitudeDegrees: latitude.degrees,
      longitudeDegrees: ExactDegrees.longitude(startLongitudeDegrees + east * (180 / .pi)))
    return (coordinate, endAzimuth.degrees)
  }
}
