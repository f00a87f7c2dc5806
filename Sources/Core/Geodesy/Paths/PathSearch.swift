/// Finds where a geodesic of any length crosses a circle of any radius.
struct PathSearch {
  private let line: GeodesicLine
  private let lengthMeters: Double

  init(_ segment: GeodesicSegment) {
    line = GeodesicLine(from: segment.start.coordinate, to: segment.end.coordinate)
    // Below 200 km, this differs from the segment's length by micrometers.
    lengthMeters = line.lengthMeters
  }

  func position(atFraction fraction: Double) -> Position {
    point(atFraction: fraction).position
  }

  private func point(atFraction fraction: Double) -> (position: Position, azimuth: Double) {
    let (coordinate, azimuth) = line.point(atMeters: fraction * lengthMeters)
    return (Position(coordinate), azimuth)
  }

  func insideSpans(of circle: Circle, startsInside: Bool, endsInside: Bool) -> InsideSpans {
    var first = sample(circle, 0)
    var last = sample(circle, 1)
    first.isInside = startsInside
    last.isInside = endsInside
    var crossings = Crossings(openStart: startsInside ? 0 : nil)
    search(circle, first, last, &crossings)
    return crossings.finish()
  }
}

extension PathSearch {
  private struct Sample {
    var fraction: Double
    var position: Position
    var distance: Double
    /// How fast the distance grows along the path, −1 … 1, by the first variation of length.
    ///
    /// It is the cosine of the angle between the path and the geodesic from the center.
    var slope: Double
    var isInside: Bool
  }

  private func sample(_ circle: Circle, _ fraction: Double) -> Sample {
    let (position, azimuth) = point(atFraction: fraction)
    let course = Geodesic.inverse(from: circle.center.coordinate, to: position.coordinate)
    return Sample(
      fraction: fraction, position: position, distance: course.distanceMeters,
      slope: SineCosine(degrees: course.endAzimuthDegrees - azimuth).cosine,
      isInside: circle.contains(position))
  }

  /// The complete spans, and the start of the open one.
  private struct Crossings {
    var openStart: Double?
    var spans = InsideSpans()

    mutating func cross(at fraction: Double) {
      // Only the ends of the path may be 0 and 1.
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

  /// Collects the crossings between two samples, halving until the stretch is short or decided.
  private func search(
    _ circle: Circle, _ a: Sample, _ b: Sample, _ crossings: inout Crossings
  ) {
    let length = (b.fraction - a.fraction) * lengthMeters
    if a.isInside == b.isInside {
      // The distance changes by no more than the length of the path.
      let sign = a.isInside ? -1.0 : 1.0
      let least = sign * ((a.distance + b.distance) / 2 - circle.radiusMeters) - length / 2
      if least > 1e-6 { return }
    }
    if length > ShortPath.greatestLengthMeters {
      let middle = sample(circle, (a.fraction + b.fraction) / 2)
      search(circle, a, middle, &crossings)
      search(circle, middle, b, &crossings)
    } else if circle.isSeries {
      searchShort(circle, a, b, &crossings)
    } else if a.isInside != b.isInside {
      crossings.cross(at: root(circle, a, b))
    } else if let turn = turn(circle, a, b) {
      crossings.cross(at: root(circle, a, turn))
      crossings.cross(at: root(circle, turn, b))
    }
  }

  private func searchShort(
    _ circle: Circle, _ a: Sample, _ b: Sample, _ crossings: inout Crossings
  ) {
    let spans = GeodesicSegment(from: a.position, to: b.position).shortSpans(of: circle)
    for index in 0..<spans.count {
      let (start, end) = spans[index]
      let width = b.fraction - a.fraction
      if start > 0 { crossings.cross(at: a.fraction + start * width) }
      if end < 1 { crossings.cross(at: a.fraction + end * width) }
    }
  }

  /// The crossing between a sample inside and one outside, by Newton's method within the bracket.
  private func root(_ circle: Circle, _ a: Sample, _ b: Sample) -> Double {
    let radius = circle.radiusMeters
    var low = a
    var high = b
    var best = abs(a.distance - radius) < abs(b.distance - radius) ? a : b
    for _ in 0..<80 {
      if (high.fraction - low.fraction) * lengthMeters < 1e-6 { break }
      var fraction = best.fraction - (best.distance - radius) / (best.slope * lengthMeters)
      if !(fraction > low.fraction && fraction < high.fraction) {
        fraction = (low.fraction + high.fraction) / 2
      }
      let step = abs(fraction - best.fraction) * lengthMeters
      best = sample(circle, fraction)
      if best.isInside == low.isInside { low = best } else { high = best }
      if step < 1e-6 { break }
    }
    return best.fraction
  }

  /// A sample across the edge between two on the same side, if the path turns back there.
  private func turn(_ circle: Circle, _ a: Sample, _ b: Sample) -> Sample? {
    let sign = a.isInside ? -1.0 : 1.0
    var low = a
    var high = b
    guard low.slope * sign < 0, high.slope * sign > 0 else { return nil }
    for attempt in 0..<80 {
      let width = high.fraction - low.fraction
      // Toward a turn the distance to the edge is convex, so never below where its tangents meet.
      let share = tangentsMeet(low, high)
      let least = sign * (low.distance - circle.radiusMeters + low.slope * share * lengthMeters)
      if least > 1e-9 || width * lengthMeters < 1e-4 { return nil }
      let next = attempt % 3 == 2 ? width / 2 : share
      let middle = sample(circle, low.fraction + min(max(next, width / 100), width * 99 / 100))
      if middle.isInside != a.isInside { return middle }
      if middle.slope * sign < 0 { low = middle } else { high = middle }
    }
    return nil
  }

  /// How far beyond `low` the tangents at two samples meet, as a fraction of the path.
  private func tangentsMeet(_ low: Sample, _ high: Sample) -> Double {
    let width = high.fraction - low.fraction
    let rise = (high.distance - low.distance) / lengthMeters
    return (high.slope * width - rise) / (high.slope - low.slope)
  }
}
