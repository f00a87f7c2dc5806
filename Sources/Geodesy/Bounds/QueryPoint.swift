/// A point that bounds its distance to boxes, mostly without trigonometry.
///
/// The bounds are proved. Along a geodesic, the normal of the surface turns by between 1/R and 1/r
/// per meter, where r = b²/a and R = a²/b are the least and the greatest radius of curvature. So a
/// geodesic is at least r times as long as the angle between the normals at its ends. It is at most
/// R times as long, as the curve whose normals follow the great circle between these is no shorter.
/// Reduced latitudes give b and a (``Geodesic/boundsMeters(from:to:)``): closer but slower.
package struct QueryPoint: Sendable {
  /// Below this half angle in radians, the polynomials lose next to nothing.
  @inlinable static var nearHalfAngle: Double { 0.05 }

  /// The position of the point.
  package let position: Position
  @usableFromInline let latitudeDegrees: Double
  @usableFromInline let longitudeDegrees: Double
  @usableFromInline let absoluteLatitude: Double
  @usableFromInline let cosine: Double
  @usableFromInline let absoluteSine: Double
  private let latitude: Double
  private let longitude: Double
  private let reducedLatitude: Double
  private let reducedCosine: Double

  /// Creates a query point at a valid position.
  package init(_ position: Position) {
    self.position = position
    longitudeDegrees = position.coordinate.longitudeDegrees
    latitudeDegrees = position.coordinate.latitudeDegrees
    longitude = longitudeDegrees * (.pi / 180)
    latitude = latitudeDegrees * (.pi / 180)
    absoluteLatitude = abs(latitude)
    cosine = max(0, cos(radians: latitude))
    absoluteSine = abs(sin(radians: latitude))
    reducedLatitude = QueryPoint.reduced(latitude)
    reducedCosine = max(0, cos(radians: reducedLatitude))
  }

  // MARK: Boxes

  /// A lower bound of the distance to any point of a box, in meters, at least 0.
  ///
  /// Above `limitMeters` the bound may be poor.
  @inlinable @inline(__always)
  package func leastMeters(to box: CompactBox, limitMeters: Double) -> Double {
    let (least, isNear) = coarseLeastMeters(to: box)
    if isNear || least > limitMeters { return least }
    return refinedLeastMeters(to: box, limitMeters: limitMeters)
  }

  /// A lower bound as ``leastMeters(to:limitMeters:)``, without any trigonometry.
  ///
  /// The polynomials err on the safe side up to half a turn.
  ///
  /// - Returns: The bound, at least 0, and whether the box is near. If far, it can be a third low.
  @inlinable @inline(__always)
  package func coarseLeastMeters(to box: CompactBox) -> (meters: Double, isNear: Bool) {
    let latitudeGap = max(
      0, box.southDegrees - latitudeDegrees, latitudeDegrees - box.northDegrees)
    let longitudeGap = longitudeGapDegrees(to: box)
    if latitudeGap == 0 && longitudeGap == 0 { return (0, true) }
    let x = latitudeGap * (.pi / 360)
    let y = longitudeGap * (.pi / 360)
    let poleward =
      max(abs(box.southDegrees), abs(box.northDegrees)) * (.pi / 180) - absoluteLatitude
    let sineX = x - x * x * x / 6
    let sineY = y - y * y * y / 6
    let haversine = sineX * sineX + cosine * leastCosine(poleward) * sineY * sineY
    let least =
      2 * Ellipsoid.leastCurvatureRadiusMeters * haversine.squareRoot() - Geodesic.roundingMeters
    let isNear =
      x < QueryPoint.nearHalfAngle && y < QueryPoint.nearHalfAngle
      && abs(poleward) < 2 * QueryPoint.nearHalfAngle
    return (max(0, least), isNear)
  }

  /// A coarse upper bound of the distance to any point of a box, in meters.
  ///
  /// Proof: go along the parallel first, then along the meridian.
  package func greatestMeters(to box: CompactBox) -> Double {
    let south = box.southDegrees * (.pi / 180)
    let north = box.northDegrees * (.pi / 180)
    let latitudeSpan = max(abs(latitude - south), abs(latitude - north))
    return Ellipsoid.greatestCurvatureRadiusMeters
      * (latitudeSpan + cosine * longitudeSpan(to: box)) + Geodesic.roundingMeters
  }

  // MARK: Steps

  @usableFromInline @inline(never)
  func refinedLeastMeters(to box: CompactBox, limitMeters: Double) -> Double {
    let far = farLeastMeters(to: box)
    return far > limitMeters ? far : max(far, leastMeters(toSmall: box))
  }

  /// A bound by the sphere of reduced latitudes, with its factor b.
  private func farLeastMeters(to box: CompactBox) -> Double {
    let south = QueryPoint.reduced(box.southDegrees * (.pi / 180))
    let north = QueryPoint.reduced(box.northDegrees * (.pi / 180))
    let gap = max(0, south - reducedLatitude, reducedLatitude - north)
    let poleward = max(abs(south), abs(north))
    let sineX = sin(radians: gap / 2)
    let sineY = sin(radians: longitudeGapDegrees(to: box) * (.pi / 180) / 2)
    let haversine = sineX * sineX + reducedCosine * max(0, cos(radians: poleward)) * sineY * sineY
    let angle = 2 * asin(sine: min(1, haversine.squareRoot()))
    return max(0, Ellipsoid.polarRadiusMeters * angle - 1e-3)
  }

  /// A bound by the middle of a box; 0 for a wide box.
  ///
  /// Far away, the factor b alone costs 0.3 %, which is more than the places in a box are apart.
  private func leastMeters(toSmall box: CompactBox) -> Double {
    let (width, height) = box.halfSpans
    guard width + height < 0.1 else { return 0 }
    // Go along the meridian first, then along the parallel.
    return Geodesic.boundsMeters(from: position.vector, to: Position(box.middle).vector).least
      - Ellipsoid.greatestCurvatureRadiusMeters * (width + height)
  }

  /// The angle between this longitude and the nearest one of a box, 0 … 180 degrees.
  @inlinable @inline(__always)
  func longitudeGapDegrees(to box: CompactBox) -> Double {
    var toWest = box.westDegrees - longitudeDegrees
    var toEast = longitudeDegrees - box.eastDegrees
    if toWest <= 0 && toEast <= 0 { return 0 }
    if toWest < 0 { toWest += 360 }
    if toEast < 0 { toEast += 360 }
    return max(0, min(toWest, toEast))
  }

  /// The angle between this longitude and the farthest one of a box, 0 … π.
  private func longitudeSpan(to box: CompactBox) -> Double {
    let west = box.westDegrees * (.pi / 180)
    let east = box.eastDegrees * (.pi / 180)
    let opposite = longitude > 0 ? longitude - .pi : longitude + .pi
    if opposite >= west && opposite <= east { return .pi }
    let toWest = abs(longitude - west)
    let toEast = abs(longitude - east)
    return max(min(toWest, 2 * .pi - toWest), min(toEast, 2 * .pi - toEast))
  }

  /// A lower bound of the cosine of the latitude that is `poleward` radians nearer to the pole.
  @inlinable @inline(__always)
  func leastCosine(_ poleward: Double) -> Double {
    let size = abs(poleward)
    let change =
      poleward > 0 ? -absoluteSine * size : absoluteSine * (size - size * size * size / 6)
    return max(0, cosine * (1 - poleward * poleward / 2) + change)
  }

  private static func reduced(_ latitude: Double) -> Double {
    atan2(
      y: (1 - Ellipsoid.flattening) * sin(radians: latitude), x: max(0, cos(radians: latitude)))
  }
}
