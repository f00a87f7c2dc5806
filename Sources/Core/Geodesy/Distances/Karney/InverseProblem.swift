/// The shortest path between two points: its length, and its azimuths at both ends.
///
/// Karney (2013), section 4. Within 15 nm; NaN if a coordinate is not on the Earth.
struct InverseProblem {
  let lengthMeters: Double
  let startAzimuth: SineCosine
  /// The azimuth at the second point, onward.
  let endAzimuth: SineCosine

  init(from start: Coordinate, to end: Coordinate) {
    guard start.isPlace, end.isPlace else {
      let nowhere = SineCosine(sine: .nan, cosine: .nan)
      (lengthMeters, startAzimuth, endAzimuth) = (.nan, nowhere, nowhere)
      return
    }
    let pair = InversePair(start, end)
    let found = Self.meridian(pair) ?? Self.equator(pair) ?? Self.general(pair)
    lengthMeters = found.lengthMeters
    (startAzimuth, endAzimuth) = pair.restored(found.start, found.end)
  }

  private typealias Solution = (lengthMeters: Double, start: SineCosine, end: SineCosine)

  /// The path along a meridian, even over a pole, if both points lie on one or the first is a pole.
  private static func meridian(_ pair: InversePair) -> Solution? {
    guard pair.longitude.sine == 0 || pair.start.cosine == InversePair.poleCosine else {
      return nil
    }
    let north = SineCosine(sine: 0, cosine: 1)
    let start = SineCosine(
      sine: pair.start.sine, cosine: pair.longitude.cosine * pair.start.cosine)
    let arc = pair.end - start
    let integral = EllipticIntegral.distance(EquatorCrossing.parameter(cosine: 1))
      .value(
        from: start, to: pair.end,
        radians: atan2(y: arc.sine > 0 ? arc.sine : 0, x: arc.cosine))
    return (max(0, Ellipsoid.polarRadiusMeters * integral), pair.longitude, north)
  }

  /// The path along the equator, if both points lie on it and no path nearer to a pole is shorter.
  private static func equator(_ pair: InversePair) -> Solution? {
    guard pair.start.sine == 0, pair.shortfallDegrees >= Ellipsoid.flattening * 180 else {
      return nil
    }
    let east = SineCosine(sine: 1, cosine: 0)
    return (Ellipsoid.equatorialRadiusMeters * pair.longitudeRadians, east, east)
  }

  private static func general(_ pair: InversePair) -> Solution {
    let circle = GreatCircle(estimating: pair)
    if let geodesic = circle.geodesic { return geodesic }
    let start = circle.isNearAntipode ? Astroid(pair).startAzimuth : circle.startAzimuth
    let geodesic = AzimuthSearch.geodesic(pair, from: start)
    return (geodesic.lengthMeters, geodesic.startAzimuth, geodesic.endAzimuth)
  }
}

extension Coordinate {
  /// Whether this is a point on the Earth, with its longitude in any range.
  fileprivate var isPlace: Bool { abs(latitudeDegrees) <= 90 && longitudeDegrees.isFinite }
}
