/// Where a path of at most 50 km crosses a circle of at most 100 km, by chords alone.
///
/// The square of the distance from the centre is nearly a quadratic of the fraction t. Its roots
/// are the first guess, which Newton's method makes exact on the true squared distance.
struct ShortCrossing {
  private let path: ShortPath
  private let center: SIMD3<Double>
  /// From the centre to the path's start.
  private let start: SIMD3<Double>
  private let radiusSquared: Double
  private let lengthMeters: Double
  // The quadratic a·t² + b·t + c, the squared chord less that of the edge.
  private let a: Double
  private let b: Double
  private let c: Double

  @inline(__always)
  init(_ segment: GeodesicSegment, _ circle: Circle, start: SIMD3<Double>, end: SIMD3<Double>) {
    path = ShortPath(segment)
    center = circle.center.vector
    self.start = start
    radiusSquared = circle.radiusMeters * circle.radiusMeters
    lengthMeters = segment.lengthMeters
    let startSquared = dot(start, start)
    let arch = path.arch
    // The arch lifts the squared distance by 2t(1 − t) times its product with the middle, and by
    // t²(1 − t)² times its square, for which t(1 − t)/5 stands.
    a = dot(path.chord, path.chord) - dot(arch, start + end) - dot(arch, arch) * 0.2
    b = dot(end, end) - startSquared - a
    c =
      startSquared - (circle.innerChordSquared + circle.outerChordMeters * circle.outerChordMeters)
      / 2
  }

  /// The spans of a path that has at most one end inside.
  func spans(startsInside: Bool, endsInside: Bool) -> InsideSpans {
    var spans = InsideSpans()
    if startsInside {
      spans.append(start: 0, end: inner(root(from: guess(leaving: true))))
    } else if endsInside {
      spans.append(start: inner(root(from: guess(leaving: false))), end: 1)
    } else if let nearest = nearest() {
      let entry = min(max(root(from: nearest.fraction - nearest.halfWidth), 0), nearest.fraction)
      let exit = max(min(root(from: nearest.fraction + nearest.halfWidth), 1), nearest.fraction)
      spans.append(start: inner(entry), end: inner(exit))
    }
    return spans
  }

  /// Only the path's own ends may be 0 and 1.
  @inline(__always)
  private func inner(_ fraction: Double) -> Double {
    // In this order of arguments NaN becomes the lower bound.
    min(1 - .ulpOfOne / 2, max(.leastNonzeroMagnitude, fraction))
  }

  /// The root of the quadratic where the path leaves the circle, or enters it.
  @inline(__always)
  private func guess(leaving: Bool) -> Double {
    let discriminant = max(b * b - 4 * a * c, 0).squareRoot()
    // The form of the solution in which nothing cancels.
    let sum = b >= 0 ? -(b + discriminant) / 2 : -(b - discriminant) / 2
    let (first, second) = b >= 0 ? (sum / a, c / sum) : (c / sum, sum / a)
    return leaving ? max(first, second) : min(first, second)
  }

  /// Newton's method on the squared distance less the squared radius.
  @inline(__always)
  private func root(from guess: Double) -> Double {
    var t = min(max(guess, 0), 1)
    for _ in 0..<8 {
      let from = start + path.offset(t)
      let slope = 2 * dot(from, path.derivative(t))
      let excess = distanceSquared(from) - radiusSquared
      let step = excess / slope
      // A touch has no slope; no step is better than the guess then.
      guard abs(step) <= 1 else { break }
      t = min(max(t - step, 0), 1)
      // What the next step would be.
      if step * step * a * lengthMeters <= 1e-7 * abs(slope) { break }
    }
    return t
  }

  /// The point of the path nearest to the centre, if it is inside and none of the path's ends; and
  /// how far on either side of it the edge is.
  @inline(__always)
  private func nearest() -> (fraction: Double, halfWidth: Double)? {
    var t = -b / (2 * a)
    guard t > -0.01, t < 1.01 else { return nil }
    for _ in 0..<2 { t -= dot(start + path.offset(t), path.derivative(t)) / a }
    guard t > 0, t < 1 else { return nil }
    let depth = radiusSquared - distanceSquared(start + path.offset(t))
    guard depth >= 0 else { return nil }
    return (t, (depth / a).squareRoot())
  }

  /// The squared geodesic distance from the centre of the point at this vector from it.
  @inline(__always)
  private func distanceSquared(_ from: SIMD3<Double>) -> Double {
    Geodesic.distanceSquared(
      chord: from, chordSquared: dot(from, from), sum: center + center + from)
  }
}
