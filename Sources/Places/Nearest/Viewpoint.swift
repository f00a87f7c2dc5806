import Geodesy
import Glibc

/// A point from which distances to boxes of longitudes and latitudes are bounded, rigorously and
/// mostly without trigonometry.
///
/// The ellipsoid's radii of curvature lie between b²/a and a²/b, so that a geodesic is at least
/// b²/a and at most a²/b times the angle between the geodetic directions, taken on a sphere. With
/// reduced latitudes the factors are b and a: closer, but dearer.
struct Viewpoint {
  private static let polarRadius = 6_356_752.314
  private static let equatorialRadius = 6_378_137.0
  private static let leastCurvatureRadius = 6_335_439.3
  private static let greatestCurvatureRadius = 6_399_593.7
  private static let polarAxisRatio = 0.996_647_189_335_252_5
  /// More than the rounding of all the steps here amounts to, in metres.
  private static let roundingMeters = 1e-5
  /// Above this chord ``LongGeodesic`` knows more of the distance than the chord says.
  static let longChordMeters = 1_500_000.0
  /// What the polynomials below are good for, in radians: less than 0.05 for half an angle.
  private static let nearHalfAngle = 0.05

  let position: Position
  private let longitudeDegrees: Double
  private let latitudeDegrees: Double
  private let longitude: Double
  private let latitude: Double
  private let absoluteLatitude: Double
  private let cosine: Double
  private let absoluteSine: Double
  private let reducedLatitude: Double
  private let reducedCosine: Double

  init(_ position: Position) {
    self.position = position
    longitudeDegrees = position.coordinate.longitudeDegrees
    latitudeDegrees = position.coordinate.latitudeDegrees
    longitude = longitudeDegrees * (.pi / 180)
    latitude = latitudeDegrees * (.pi / 180)
    absoluteLatitude = abs(latitude)
    cosine = max(0, cos(latitude))
    absoluteSine = abs(sin(latitude))
    reducedLatitude = Viewpoint.reduced(latitude)
    reducedCosine = max(0, cos(reducedLatitude))
  }

  /// A distance that no point of a box is nearer than, in metres.
  ///
  /// The polynomials lie on the safe side up to half a turn, only ever farther off; where they
  /// suffice to rule the box out, trigonometry is not needed.
  ///
  /// - Parameters:
  ///   - box: The box.
  ///   - limitMeters: From which distance on it does not matter how far the box is.
  /// - Returns: The bound, at least 0.
  @inline(__always)
  func leastMeters(to box: ReachBox, limitMeters: Double) -> Double {
    let (least, isNear) = coarseLeastMeters(to: box)
    if isNear || least > limitMeters { return least }
    return refinedLeastMeters(to: box, limitMeters: limitMeters)
  }

  /// A window that every point within a distance lies in, without trigonometry.
  ///
  /// A circle of the angle α about latitude φ touches no meridian farther off than asin(sin α / cos φ),
  /// as long as it holds no pole; and asin x ≤ x + (π/2 - 1)·x³, as its Taylor series has no negative
  /// term and the two are equal for 1.
  ///
  /// - Parameter meters: The distance, at least 0.
  /// - Returns: The window.
  func window(withinMeters meters: Double) -> ReachWindow {
    let angle = (meters + Viewpoint.roundingMeters) / Viewpoint.leastCurvatureRadius
    let height = angle * (180 / .pi) + 1e-9
    let south = latitudeDegrees - height
    let north = latitudeDegrees + height
    let ratio = angle / cosine
    guard absoluteLatitude + angle < .pi / 2 - 1e-6, ratio < 1 else {
      return ReachWindow(west: -.infinity, east: .infinity, south: south, north: north)
    }
    let width = ratio * (1 + (.pi / 2 - 1) * ratio * ratio) * (180 / .pi) + 1e-9
    // Where it would reach round the back, all longitudes are in it.
    guard abs(longitudeDegrees) + width < 179.999 else {
      return ReachWindow(west: -.infinity, east: .infinity, south: south, north: north)
    }
    return ReachWindow(
      west: longitudeDegrees - width, east: longitudeDegrees + width, south: south, north: north)
  }

  /// A distance that no point of a box is nearer than, in metres, without trigonometry.
  ///
  /// - Returns: The bound, at least 0, and whether it is good, as it is for near boxes; it is too
  ///   small by up to a third for far ones.
  @inline(__always)
  func coarseLeastMeters(to box: ReachBox) -> (meters: Double, isNear: Bool) {
    let latitudeGap = max(
      0, box.leastLatitude - latitudeDegrees, latitudeDegrees - box.greatestLatitude)
    let longitudeGap = longitudeGapDegrees(
      west: box.leastLongitude, east: box.greatestLongitude)
    if latitudeGap == 0 && longitudeGap == 0 { return (0, true) }
    let x = latitudeGap * (.pi / 360)
    let y = longitudeGap * (.pi / 360)
    let poleward =
      max(abs(box.leastLatitude), abs(box.greatestLatitude)) * (.pi / 180) - absoluteLatitude
    let sineX = x - x * x * x / 6
    let sineY = y - y * y * y / 6
    let haversine = sineX * sineX + cosine * leastCosine(poleward) * sineY * sineY
    let least =
      2 * Viewpoint.leastCurvatureRadius * haversine.squareRoot() - Viewpoint.roundingMeters
    let isNear =
      x < Viewpoint.nearHalfAngle && y < Viewpoint.nearHalfAngle
      && abs(poleward) < 2 * Viewpoint.nearHalfAngle
    return (max(0, least), isNear)
  }

  @inline(never)
  private func refinedLeastMeters(to box: ReachBox, limitMeters: Double) -> Double {
    let far = farLeastMeters(
      south: box.leastLatitude * (.pi / 180), north: box.greatestLatitude * (.pi / 180),
      longitudeGap: longitudeGapDegrees(west: box.leastLongitude, east: box.greatestLongitude)
        * (.pi / 180))
    return far > limitMeters ? far : max(far, leastMeters(toSmall: box))
  }

  /// A distance that no point of a box is farther than, in metres; coarse.
  ///
  /// One can go along the parallel first, then along the meridian.
  func greatestMeters(to box: ReachBox) -> Double {
    let south = box.leastLatitude * (.pi / 180)
    let north = box.greatestLatitude * (.pi / 180)
    let west = box.leastLongitude * (.pi / 180)
    let east = box.greatestLongitude * (.pi / 180)
    let latitudeSpan = max(abs(latitude - south), abs(latitude - north))
    return Viewpoint.greatestCurvatureRadius
      * (latitudeSpan + cosine * longitudeSpan(west: west, east: east)) + Viewpoint.roundingMeters
  }

  /// Bounds of the distance to a point of which only a tiny box is known, in metres.
  ///
  /// Up to some 60 km they are within 1 % without trigonometry, farther off much closer with it.
  ///
  /// - Parameters:
  ///   - box: The box, a few metres wide at most.
  ///   - leastMeters: What ``leastMeters(to:limitMeters:)`` said of it.
  /// - Returns: The bounds, the lower at least 0.
  func bounds(to box: ReachBox, leastMeters: Double) -> (least: Double, greatest: Double) {
    let width =
      Viewpoint.greatestCurvatureRadius * (.pi / 180)
      * (box.greatestLongitude - box.leastLongitude + box.greatestLatitude - box.leastLatitude)
    if leastMeters < 60_000, cosine > 0.05 {
      // The haversine was computed too small by less than a part in 10⁴: x < 0.005 here, and the
      // cosine is wrong by less than poleward⁴ of a number above 0.04.
      let curvatureRatio = Viewpoint.greatestCurvatureRadius / Viewpoint.leastCurvatureRadius
      return (leastMeters, (leastMeters + width) * curvatureRatio * 1.0002 + 1e-3)
    }
    let middle = Position(
      Coordinate(
        latitudeDegrees: (box.leastLatitude + box.greatestLatitude) / 2,
        longitudeDegrees: (box.leastLongitude + box.greatestLongitude) / 2))
    let (least, greatest) = bounds(to: middle)
    return (max(0, least - width), greatest + width)
  }

  /// Bounds of the distance to a point in metres, from the chord alone up to 1,500 km.
  ///
  /// A geodesic is at least as long as its chord's arc on a sphere of the largest radius of
  /// curvature, and at most that on one of the least (Schur's comparison theorem; for the lower
  /// bound a geodesic's torsion counts against it, by less than the 1e-6 given away here).
  func bounds(to other: Position) -> (least: Double, greatest: Double) {
    let difference = other.vector - position.vector
    let square = (difference * difference).sum()
    guard square < Viewpoint.longChordMeters * Viewpoint.longChordMeters else {
      if let bounds = LongGeodesic.bounds(position.vector, other.vector) { return bounds }
      let exact = Geodesic.distanceMeters(position, other)
      return (exact - Viewpoint.roundingMeters, exact + Viewpoint.roundingMeters)
    }
    let chord = square.squareRoot()
    // asin(x)/x lies between 1 + x²/6 and 1 + x²/6 + x⁴/12 for x up to 0.5.
    let large = square / (4 * 6_400_000.0 * 6_400_000.0)
    let small = square / (4 * Viewpoint.leastCurvatureRadius * Viewpoint.leastCurvatureRadius)
    return (
      chord * (1 + large / 6) * (1 - 1e-6 * large) - Viewpoint.roundingMeters,
      chord * (1 + small / 6 + small * small / 12) + Viewpoint.roundingMeters
    )
  }

  /// The angle between this longitude and an interval of longitudes, 0 … 180 degrees.
  @inline(__always)
  private func longitudeGapDegrees(west: Double, east: Double) -> Double {
    var toWest = west - longitudeDegrees
    var toEast = longitudeDegrees - east
    if toWest <= 0 && toEast <= 0 { return 0 }
    if toWest < 0 { toWest += 360 }
    if toEast < 0 { toEast += 360 }
    return max(0, min(toWest, toEast))
  }

  /// The greatest angle between this longitude and one of an interval, 0 … π.
  private func longitudeSpan(west: Double, east: Double) -> Double {
    let opposite = longitude > 0 ? longitude - .pi : longitude + .pi
    if opposite >= west && opposite <= east { return .pi }
    let toWest = abs(longitude - west)
    let toEast = abs(longitude - east)
    return max(min(toWest, 2 * .pi - toWest), min(toEast, 2 * .pi - toEast))
  }

  /// At most the cosine of the latitude that lies `poleward` radians nearer to the pole.
  @inline(__always)
  private func leastCosine(_ poleward: Double) -> Double {
    let size = abs(poleward)
    let change =
      poleward > 0 ? -absoluteSine * size : absoluteSine * (size - size * size * size / 6)
    return max(0, cosine * (1 - poleward * poleward / 2) + change)
  }

  private func farLeastMeters(south: Double, north: Double, longitudeGap: Double) -> Double {
    let reducedSouth = Viewpoint.reduced(south)
    let reducedNorth = Viewpoint.reduced(north)
    let gap = max(0, max(reducedSouth - reducedLatitude, reducedLatitude - reducedNorth))
    let poleward = max(abs(reducedSouth), abs(reducedNorth))
    let sineX = sin(gap / 2)
    let sineY = sin(longitudeGap / 2)
    let haversine = sineX * sineX + reducedCosine * max(0, cos(poleward)) * sineY * sineY
    let angle = 2 * asin(min(1, haversine.squareRoot()))
    return max(0, Viewpoint.polarRadius * angle - 1e-3)
  }

  /// A bound by way of the middle of a box; nothing where the box is wide.
  ///
  /// The one above takes the Earth for a sphere of its least radius, which is wrong by 0.3 %: far
  /// from everything that is more than the places there are apart from each other.
  private func leastMeters(toSmall box: ReachBox) -> Double {
    let x = (box.greatestLatitude - box.leastLatitude) * (.pi / 360)
    let y = (box.greatestLongitude - box.leastLongitude) * (.pi / 360)
    guard x + y < 0.1 else { return 0 }
    let middle = Position(
      Coordinate(
        latitudeDegrees: (box.leastLatitude + box.greatestLatitude) / 2,
        longitudeDegrees: (box.leastLongitude + box.greatestLongitude) / 2))
    // One can go along the meridian first, then along the parallel.
    return bounds(to: middle).least - Viewpoint.greatestCurvatureRadius * (x + y)
  }

  private static func reduced(_ latitude: Double) -> Double {
    atan2(polarAxisRatio * sin(latitude), max(0, cos(latitude)))
  }
}
