/// Finds where a path of up to 50 km crosses a circle of up to 100 km, using only chords.
///
/// The squared distance from the center is nearly quadratic in the fraction t. Its roots are the
/// first guess, which Newton's method improves.
struct ShortCrossing {
  private let path: ShortPath
  private let center: SIMD3<Double>
  /// The vector from the center to the path's start.
  private let start: SIMD3<Double>
  private let radiusSquared: Double
  private let lengthMeters: Double
  // The quadratic a·t² + b·t + c: the squared chord less that of the edge.
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
    // The arch raises the squared distance by 2t(1 − t) times its product with the middle, and by
    // t²(1 − t)² times its square, here t(1 − t)/5.
    a = dot(path.chord, path.chord) - dot(arch, start + end) - dot(arch, arch) * 0.2
    b = dot(end, end) - startSquared - a
    c =
      startSquared - (circle.innerChordSquared + circle.outerChordMeters * circle.outerChordMeters)
      / 2
  }

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

  /// Clamps a fraction, as only the ends of the path may be 0 and 1.
  @inline(__always)
  private func inner(_ fraction: Double) -> Double {
    // With this order of arguments, NaN becomes the lower bound.
    min(1 - .ulpOfOne / 2, max(.leastNonzeroMagnitude, fraction))
  }

  /// The root of the quadratic where the path leaves or enters the circle.
  @inline(__always)
  private func guess(leaving: Bool) -> Double {
    let discriminant = max(b * b - 4 * a * c, 0).squareRoot()
    // The form of the solution without cancellation.
    let sum = b >= 0 ? -(b + discriminant) / 2 : -(b - discriminant) / 2
    let (first, second) = b >= 0 ? (sum / a, c / sum) : (c / sum, sum / a)
    return leaving ? max(first, second) : min(first, second)
  }

  /// Improves a root of the squared distance less the squared radius by Newton's method.
  @inline(__always)
  private func root(from guess: Double) -> Double {
    var t = min(max(guess, 0), 1)
    for _ in 0..<8 {
      let from = start + path.offset(t)
      let slope = 2 * dot(from, path.derivative(t))
      let excess = distanceSquared(from) - radiusSquared
      let step = excess / slope
      // A touch has no slope, so no step would be better than the guess.
      guard abs(step) <= 1 else { break }
      t = min(max(t - step, 0), 1)
      // The size of the next step.
      if step * step * a * lengthMeters <= 1e-7 * abs(slope) { break }
    }
    return t
  }

  /// The path's point nearest to the center, and half the width of the span around it.
  ///
  /// Nil if the point is outside or an end of the path.
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

  /// The squared geodesic distance from the center to the point at this vector from it.
  @inline(__always)
  private func distanceSquared(_ from: SIMD3<Double>) -> Double {
    Geodesic.distanceSquared(
      chord: from, chordSquared: dot(from, from), sum: center + center + from)
  }
}
