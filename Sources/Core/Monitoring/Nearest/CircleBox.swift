import FencepostGeodesy

/// A circle as a ``CircleIndex`` compares it: a center in Earth-centered meters, and a radius.
struct CircleSphere: Sendable {
  /// The center in the first three components, the radius in the last, all in meters.
  let values: SIMD4<Double>

  init(_ circle: IndexedCircle) {
    values = SIMD4(Position(circle.coordinate).vector, circle.radiusMeters)
  }

  var center: SIMD3<Double> { SIMD3(values.x, values.y, values.z) }
  var radiusMeters: Double { values.w }

  /// The square of the straight line from a point to the center.
  func chordSquared(from point: SIMD3<Double>) -> Double {
    let (x, y, z) = (values.x - point.x, values.y - point.y, values.z - point.z)
    return x * x + y * y + z * z
  }
}

/// The least box, in Earth-centered meters and in radii, that holds some circles.
struct CircleBox: Sendable {
  /// The corners: three coordinates of the centers, and the radius.
  private var low: SIMD4<Double>
  private var high: SIMD4<Double>

  static let empty = CircleBox(low: .init(repeating: .infinity), high: .init(repeating: -.infinity))

  private init(low: SIMD4<Double>, high: SIMD4<Double>) {
    (self.low, self.high) = (low, high)
  }

  mutating func add(_ sphere: CircleSphere) {
    low = pointwiseMin(low, sphere.values)
    high = pointwiseMax(high, sphere.values)
  }

  /// The coordinate of the center, or, as the fourth, the radius, in which circles differ most.
  var widestAxis: Int {
    let widths = high - low
    return (1...3).reduce(0) { widths[$1] > widths[$0] ? $1 : $0 }
  }

  func union(_ other: CircleBox) -> CircleBox {
    CircleBox(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
  }

  var leastRadiusMeters: Double { low.w }
  var greatestRadiusMeters: Double { high.w }
  var middle: SIMD3<Double> {
    SIMD3((low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2)
  }

  /// The straight line from a point to the nearest point of the box, in meters; 0 inside.
  func leastChordMeters(from point: SIMD3<Double>) -> Double {
    leastChordSquared(from: point).squareRoot()
  }

  func leastChordSquared(from point: SIMD3<Double>) -> Double {
    let x = max(low.x - point.x, point.x - high.x, 0)
    let y = max(low.y - point.y, point.y - high.y, 0)
    let z = max(low.z - point.z, point.z - high.z, 0)
    return x * x + y * y + z * z
  }

  /// The straight line from a point to the farthest corner of the box, in meters.
  func greatestChordMeters(from point: SIMD3<Double>) -> Double {
    greatestChordSquared(from: point).squareRoot()
  }

  func greatestChordSquared(from point: SIMD3<Double>) -> Double {
    let x = max(point.x - low.x, high.x - point.x)
    let y = max(point.y - low.y, high.y - point.y)
    let z = max(point.z - low.z, high.z - point.z)
    return x * x + y * y + z * z
  }

  /// Bounds of the geodesic distances from a point of the surface to the centers, in meters.
  ///
  /// Far away the chord says little. There, the distance to the surface's point beneath the middle
  /// serves, less and plus the longest geodesic from that point into the box.
  func centerBoundsMeters(from point: SIMD3<Double>) -> (least: Double, greatest: Double) {
    let near = leastChordMeters(from: point)
    let far = greatestChordMeters(from: point)
    var least = Geodesic.leastMeters(ofChord: near)
    var greatest = Geodesic.greatestMeters(ofChord: far)
    if near > Geodesic.nearChordMeters, let surface = Geodesic.surfacePoint(beneath: middle) {
      let bounds = Geodesic.boundsMeters(from: point, to: surface)
      let reach = Geodesic.greatestMeters(ofChord: greatestChordMeters(from: surface))
      least = max(least, bounds.least - reach)
      greatest = min(greatest, bounds.greatest + reach)
    }
    return (least, greatest)
  }
}

extension NearestRank {
  /// Bounds of the distances by which circles rank, from bounds of their radii and distances.
  func boundsMeters(
    center: (least: Double, greatest: Double), leastRadius: Double, greatestRadius: Double
  ) -> (least: Double, greatest: Double) {
    guard case .edge(let margin) = self else { return center }
    return (
      max(0, leastRadius - center.greatest, center.least - greatestRadius - margin),
      max(0, greatestRadius - center.least, center.greatest - leastRadius - margin)
    )
  }
}
