/// A ball about the centres of some circles and the range of their radii: bounds how near or far any
/// of the circles is.
public struct CircleHull: Sendable {
  /// The ball's middle, earth-centred in metres, and its radius; −∞ where there is no circle.
  public let ball: SIMD4<Double>
  /// The least and the greatest radius of the circles, in metres.
  public let radiiMeters: SIMD2<Double>

  /// Half spans above this, in radians, give a hull that bounds nothing.
  private static let greatestHalfSpan = 0.1

  /// The hull of circles; without any it is infinitely far from everything.
  public init(of circles: [Circle]) {
    var sum = SIMD3<Double>.zero
    var radii = SIMD2(Double.infinity, 0)
    for circle in circles {
      sum += circle.center.vector
      radii = [min(radii.x, circle.radiusMeters), max(radii.y, circle.radiusMeters)]
    }
    radiiMeters = radii
    guard !circles.isEmpty else {
      ball = [0, 0, 0, -.infinity]
      return
    }
    let middle = sum / Double(circles.count)
    let reach = circles.reduce(0) { max($0, length($1.center.vector - middle)) }
    ball = SIMD4(middle, reach + 1e-6)
  }

  /// The hull of all circles that two hulls hold: the smallest ball about both of theirs.
  public init(of one: CircleHull, and other: CircleHull) {
    radiiMeters = [
      min(one.radiiMeters.x, other.radiiMeters.x), max(one.radiiMeters.y, other.radiiMeters.y),
    ]
    let (smaller, larger) =
      one.ball.w < other.ball.w ? (one.ball, other.ball) : (other.ball, one.ball)
    let middle = SIMD3(larger.x, larger.y, larger.z)
    let step = SIMD3(smaller.x, smaller.y, smaller.z) - middle
    let apart = length(step)
    // Also where the smaller has no circles or the larger bounds nothing.
    if !(apart + smaller.w > larger.w) {
      ball = larger
      return
    }
    let radius = (apart + smaller.w + larger.w) / 2
    ball = SIMD4(middle + step * ((radius - larger.w) / apart), radius + 1e-6)
  }

  /// The hull of all circles whose centres are in a box and whose radii are in a range.
  ///
  /// With half spans of x in latitude and y in longitude a point is at an angle θ from the box's
  /// middle for which sin²(θ/2) ≤ (x/2)² + c²·(y/2)², c being above the cosine of any latitude in
  /// the box; and no chord is longer than the greatest radius of curvature times θ.
  ///
  /// - Parameters:
  ///   - box: The box.
  ///   - radiiMeters: The least and the greatest radius.
  public init(of box: CompactBox, radiiMeters: SIMD2<Double>) {
    self.radiiMeters = radiiMeters
    let (y, x) = box.halfSpans
    guard x < CircleHull.greatestHalfSpan, y < CircleHull.greatestHalfSpan else {
      ball = [0, 0, 0, .infinity]
      return
    }
    let middle = box.middle
    let c = cos(radians: middle.latitudeDegrees * (.pi / 180)) + x
    let square = (x * x + c * c * y * y) / 4
    // asin h ≤ h·(1 + h²/5) for such small h.
    let angle = 2 * square.squareRoot() * (1 + square / 5)
    ball = SIMD4(
      Position(middle).vector, Ellipsoid.greatestCurvatureRadiusMeters * angle + 1e-3)
  }

  /// The square of the chord from a point to the ball's middle, in square metres.
  @inlinable @inline(__always)
  public func middleSquared(from point: SIMD3<Double>) -> Double {
    let apart = SIMD3(ball.x, ball.y, ball.z) - point
    return dot(apart, apart)
  }

  /// Bounds of the distance of any centre from a point, in metres.
  ///
  /// - Parameter point: The point as a vector from the Earth's centre, ``Position/vector``.
  /// - Returns: The bounds.
  @inlinable @inline(__always)
  public func centerBoundsMeters(
    from point: SIMD3<Double>
  ) -> (least: Double, greatest: Double) {
    let middle = middleSquared(from: point).squareRoot()
    return (
      Geodesic.leastMeters(ofChord: max(0, middle - ball.w)),
      Geodesic.greatestMeters(ofChord: middle + ball.w)
    )
  }

  /// Whether a circle can be within a distance of a point, judged by the chord alone: false proves
  /// that none is.
  ///
  /// - Parameters:
  ///   - point: The point as a vector from the Earth's centre.
  ///   - meters: The distance.
  ///   - countsRadius: Whether it is that of the nearest part of a circle, or of its centre.
  /// - Returns: Whether it can.
  @inlinable @inline(__always)
  public func mayReach(
    _ point: SIMD3<Double>, withinMeters meters: Double, countsRadius: Bool
  ) -> Bool {
    let reach = meters + ball.w + (countsRadius ? radiiMeters.y : 0) + 0.01
    return !(middleSquared(from: point) > reach * reach)
  }
}
