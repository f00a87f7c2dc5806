import FencepostGeodesy

/// The functions that geometry costs a fix.
enum GeodesyCases {
  static func all() -> [MicroCase] {
    let points = Array(Journey(kind: .drive, seed: 7).prefix(100_000).map(\.point.coordinate))
    let positions = points.map { Position($0) }
    let pairs = zip(positions, positions.dropFirst()).map { ($0, $1) }
    let segments = pairs.map { GeodesicSegment(from: $0, to: $1) }
    let far = Position(Coordinate(latitudeDegrees: 48.85, longitudeDegrees: 2.35))
    return [
      .each("position of a coordinate", of: points) { MicroCase.sum($0) { Position($0).vector.x } },
      .each("distance of positions", of: pairs) {
        MicroCase.sum($0) { Geodesic.distanceMeters($0, $1) }
      },
      .each("distance of positions 6,000 km apart", of: Array(positions.prefix(2_000))) {
        MicroCase.sum($0) {
          Geodesic.distanceMeters($0, far)
        }
      },
      .each("segment of two positions", of: pairs) {
        MicroCase.sum($0) {
          GeodesicSegment(from: $0, to: $1).lengthMeters
        }
      },
      ruler(points), disc(points),
    ] + crossings(segments, points)
  }

  private static func ruler(_ points: [Coordinate]) -> MicroCase {
    MicroCase(name: "LocalDistance.meters", unit: "fix") {
      var ruler = LocalDistance()
      var sum = 0.0
      for _ in 0..<10 {
        for index in 1..<points.count {
          sum += ruler.meters(from: points[index - 1], to: points[index])
        }
      }
      return (10 * (points.count - 1), sum)
    }
  }

  private static func disc(_ points: [Coordinate]) -> MicroCase {
    let disc = SafeDisc(center: points[0], radiusMeters: 5_000)
    return .each("SafeDisc.contains", of: points, times: 20) {
      MicroCase.sum($0) { disc.contains($0) ? 1 : 0 }
    }
  }

  private static func crossings(
    _ segments: [GeodesicSegment], _ points: [Coordinate]
  ) -> [MicroCase] {
    // About points of the drive: some of its segments cross the edge, most are far off.
    let circle = Circle(center: points[1_000], radiusMeters: 100)
    let hits = zip(segments.indices, segments).filter { index, segment in
      let near = Circle(center: points[index], radiusMeters: segment.lengthMeters / 2 + 1)
      return segment.lengthMeters > 2 && !segment.insideSpans(of: near).isEmpty
    }.prefix(20_000).map { index, segment in
      (segment, Circle(center: points[index], radiusMeters: segment.lengthMeters / 2 + 1))
    }
    let near = segments.filter { segment in
      segment.insideSpans(of: Circle(center: points[1_000], radiusMeters: 2_000)).count > 0
        && segment.insideSpans(of: circle).isEmpty
    }
    return [
      .each("insideSpans, circle out of reach", of: segments) {
        MicroCase.sum($0) {
          Double($0.insideSpans(of: circle).count)
        }
      },
      .each("insideSpans, miss within 2 km", of: near, times: 10) {
        MicroCase.sum($0) {
          Double($0.insideSpans(of: circle).count)
        }
      },
      .each("insideSpans, crossing", of: Array(hits)) {
        MicroCase.sum($0) { segment, circle in
          segment.insideSpans(of: circle)[0].end
        }
      },
      .each("Circle.contains", of: segments, times: 4) {
        MicroCase.sum($0) { circle.contains($0.start) ? 1 : 0 }
      },
    ]
  }
}
