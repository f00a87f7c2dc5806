import Geodesy
import Glibc

/// What bounds the distances of a node's places: a ball about their centres and their radii.
struct ReachHull {
  /// The middle of a ball about the centres, earth-centred in metres, and its radius.
  var ball: SIMD4<Double>
  /// The least and the greatest radius of the circles, in metres.
  var radii: SIMD2<Double>

  /// Boxes wider than this, half of them in radians, have no ball.
  private static let greatestHalfSpan = 0.1

  /// The hull of circles; nothing is near it where there are none.
  init(of circles: [Circle]) {
    var sum = SIMD3<Double>.zero
    radii = [.infinity, 0]
    for circle in circles {
      sum += circle.center.vector
      radii = [min(radii.x, circle.radiusMeters), max(radii.y, circle.radiusMeters)]
    }
    guard !circles.isEmpty else {
      ball = [0, 0, 0, -.infinity]
      return
    }
    let middle = SIMD4(sum / Double(circles.count), 0)
    var greatest = 0.0
    for circle in circles {
      let center = SIMD4(circle.center.vector, 0)
      greatest = max(greatest, (center - middle).lengthSquaredInSpace)
    }
    ball = middle
    ball.w = greatest.squareRoot() + 1e-6
  }

  /// The hull of all that a box can hold.
  ///
  /// With a half span of x in latitude and y in longitude, a point is at an angle θ from the box's
  /// middle of which sin²(θ/2) ≤ (x/2)² + c²·(y/2)², c being above the cosine of any latitude in it;
  /// and no chord is longer than the greatest radius of curvature times θ.
  init(of box: ReachBox) {
    let x = (box.greatestLatitude - box.leastLatitude) * (.pi / 360)
    let y = (box.greatestLongitude - box.leastLongitude) * (.pi / 360)
    let middle = Coordinate(
      latitudeDegrees: (box.leastLatitude + box.greatestLatitude) / 2,
      longitudeDegrees: (box.leastLongitude + box.greatestLongitude) / 2)
    radii = [box.leastRadiusMeters, box.greatestRadiusMeters]
    guard x < ReachHull.greatestHalfSpan, y < ReachHull.greatestHalfSpan else {
      ball = [0, 0, 0, .infinity]
      return
    }
    let c = cos(middle.latitudeDegrees * (.pi / 180)) + x
    let square = (x * x + c * c * y * y) / 4
    // asin(h) ≤ h·(1 + h²/5) for such small h.
    let angle = 2 * square.squareRoot() * (1 + square / 5)
    ball = SIMD4(Position(middle).vector, 6_399_593.7 * angle + 1e-3)
  }

  /// How near a centre can be to a point, in metres.
  @inline(__always)
  func leastCenterMeters(from here: SIMD4<Double>) -> Double {
    PlaceBounds.leastGeodesicMeters(
      chord: max(0, (ball - here).lengthSquaredInSpace.squareRoot() - ball.w))
  }

  /// Whether a place can be so near to a point, as far as a few operations tell: what is not ruled
  /// out, ``leastMeters(from:rank:)`` may rule out.
  @inline(__always)
  func mayReach(_ here: SIMD4<Double>, withinMeters meters: Double, countsRadius: Bool) -> Bool {
    // A chord is at most the rounding of the bounds longer than what they make of it.
    let reach = meters + ball.w + (countsRadius ? radii.y : 0) + 0.01
    return !((ball - here).lengthSquaredInSpace > reach * reach)
  }

  /// What the rank distance of a place cannot be below, in metres.
  @inline(__always)
  func leastMeters(from here: SIMD4<Double>, rank: Rank) -> Double {
    let middle = (ball - here).lengthSquaredInSpace.squareRoot()
    let near = PlaceBounds.leastGeodesicMeters(chord: max(0, middle - ball.w))
    guard case .edge(let margin) = rank else { return near }
    // A geodesic is at most 1.0001 chords long up to 300 km, and 1.574 to the other side of the Earth.
    let far = middle + ball.w
    let inside = radii.x - far * (far < 300_000 ? 1.001 : 1.6)
    return max(0, near - radii.y - margin, inside)
  }
}

extension SIMD4<Double> {
  /// The square of the length of the first three components.
  @inline(__always)
  var lengthSquaredInSpace: Double { x * x + y * y + z * z }
}
