/// A geodesic given by its start and azimuth, solved once for many points on it.
///
/// Karney (2013), section 3. Within 15 nm once around the Earth; further turns add to the error.
struct GeodesicLine {
  /// The distance between the start and the other end in meters.
  let lengthMeters: Double
  private let startLongitudeDegrees: Double
  /// α₀, the azimuth at the equator.
  private let equator: SineCosine
  /// σ₁, the arc from the equator to the start.
  private let startArc: SineCosine
  /// ω₁, the longitude of the start from there on the sphere, not normalized.
  private let startLongitude: SineCosine
  private let distance: EllipticIntegral
  private let longitude: EllipticIntegral
  private let arc: SineSeries
  /// τ₁, the distance from the equator to the start in units of b·A₁.
  private let startDistance: SineCosine
  private let startDistanceSum: Double
  private let startLongitudeSum: Double

  init(from start: Coordinate, to end: Coordinate) {
    let inverse = InverseProblem(from: start, to: end)
    self.init(from: start, azimuth: inverse.startAzimuth, lengthMeters: inverse.lengthMeters)
  }

  /// The latitude must be in −90 … 90; the line goes on beyond its length.
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

  /// The point at a distance from the start, backward if negative, and the azimuth there.
  func point(atMeters meters: Double) -> (coordinate: Coordinate, azimuthDegrees: Double) {
    // The arc for the distance, by (20).
    let units = meters / (Ellipsoid.polarRadiusMeters * distance.factor)
    let endDistance = startDistance + SineCosine(radians: units)
    let radians = units + (arc.sum(at: endDistance) + startDistanceSum)
    var endArc = startArc + SineCosine(radians: radians)
    // Gives a meridian a direction at the pole.
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
