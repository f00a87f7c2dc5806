import CProj
import Glibc

/// Finds where a geodesic of any length crosses a circle of any radius, with PROJ's routines.
struct PathSearch {
  let segment: GeodesicSegment
  private let line: geod_geodesicline

  init(segment: GeodesicSegment) {
    Geodesic.requireProj()
    self.segment = segment
    let start = segment.start.coordinate
    let end = segment.end.coordinate
    line = cproj_inverse_line(
      start.latitudeDegrees, start.longitudeDegrees, end.latitudeDegrees, end.longitudeDegrees)
  }

  func position(atFraction fraction: Double) -> Position {
    let point = point(atFraction: fraction)
    return Position(Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon))
  }

  private func point(atFraction fraction: Double) -> cproj_point {
    var line = line
    // The line is a local value, alive for the call.
    return unsafe cproj_position(&line, fraction * segment.lengthMeters)
  }

  /// What is known of the path at one fraction of it.
  private struct Sample {
    var fraction: Double
    var distance: Double
    /// How fast the distance grows along the path, −1 … 1: minus the cosine of the angle between the
    /// path's azimuth and the azimuth towards the centre (first variation of length).
    var slope: Double
    var isInside: Bool
  }

  private func sample(_ circle: Circle, _ fraction: Double) -> Sample {
    let point = point(atFraction: fraction)
    let center = circle.center.coordinate
    let course = cproj_inverse(
      point.lat, point.lon, center.latitudeDegrees, center.longitudeDegrees)
    let angle = (course.azimuth1 - point.azimuth) * (.pi / 180)
    return Sample(
      fraction: fraction, distance: course.distance_m, slope: -cos(angle),
      isInside: course.distance_m <= circle.radiusMeters)
  }

  /// The longest stretch that is examined at once.
  private static let stretchMeters = 50_000.0

  func insideSpans(of circle: Circle) -> InsideSpans {
    var first = sample(circle, 0)
    var last = sample(circle, 1)
    first.isInside = circle.contains(segment.start)
    last.isInside = circle.contains(segment.end)
    var crossings = Crossings(openStart: first.isInside ? 0 : nil)
    search(circle, first, last, &crossings)
    return crossings.finish()
  }

  /// The spans so far, and where the one begins that has no end yet.
  private struct Crossings {
    var openStart: Double?
    var spans = InsideSpans()

    mutating func cross(at fraction: Double) {
      // Only the ends themselves may be 0 and 1.
      let inner = min(max(fraction, .leastNonzeroMagnitude), 1 - .ulpOfOne / 2)
      if let start = openStart {
        spans.append(start: start, end: inner)
        openStart = nil
      } else {
        openStart = inner
      }
    }

    mutating func finish() -> InsideSpans {
      if let start = openStart { spans.append(start: start, end: 1) }
      return spans
    }
  }

  private func search(
    _ circle: Circle, _ a: Sample, _ b: Sample, _ crossings: inout Crossings
  ) {
    let length = (b.fraction - a.fraction) * segment.lengthMeters
    let radius = circle.radiusMeters
    if a.isInside == b.isInside {
      // Nothing moves away from a centre, or towards it, faster than the path is long.
      if a.isInside
        ? a.distance + b.distance + length < 2 * radius
        : a.distance + b.distance - length > 2 * radius
      {
        return
      }
    }
    if length > PathSearch.stretchMeters {
      let middle = sample(circle, (a.fraction + b.fraction) / 2)
      search(circle, a, middle, &crossings)
      search(circle, middle, b, &crossings)
    } else if a.isInside != b.isInside {
      crossings.cross(at: root(circle, a, b))
    } else if let turn = turn(circle, a, b) {
      crossings.cross(at: root(circle, a, turn))
      crossings.cross(at: root(circle, turn, b))
    }
  }

  /// Where the path crosses the edge between two samples of which one is inside.
  private func root(_ circle: Circle, _ a: Sample, _ b: Sample) -> Double {
    var low = a
    var high = b
    var best = abs(a.distance - circle.radiusMeters) < abs(b.distance - circle.radiusMeters) ? a : b
    for _ in 0..<80 {
      let width = (high.fraction - low.fraction) * segment.lengthMeters
      if width < 1e-6 { break }
      var fraction =
        best.fraction - (best.distance - circle.radiusMeters) / (best.slope * segment.lengthMeters)
      if !(fraction > low.fraction && fraction < high.fraction) {
        fraction = (low.fraction + high.fraction) / 2
      }
      let step = abs(fraction - best.fraction) * segment.lengthMeters
      best = sample(circle, fraction)
      if best.isInside == low.isInside { low = best } else { high = best }
      if step < 1e-6 { break }
    }
    return best.fraction
  }

  /// A sample on the other side of the edge between two samples on the same side, if there is one.
  private func turn(_ circle: Circle, _ a: Sample, _ b: Sample) -> Sample? {
    let sign = a.isInside ? -1.0 : 1.0
    guard a.slope * sign < 0, b.slope * sign > 0 else { return nil }
    var low = a
    var high = b
    while (high.fraction - low.fraction) * segment.lengthMeters > 1e-3 {
      let middle = sample(circle, (low.fraction + high.fraction) / 2)
      if middle.isInside != a.isInside { return middle }
      if middle.slope * sign < 0 { low = middle } else { high = middle }
    }
    return nil
  }
}
