import FencepostCProj
import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import TestSupport
import Testing

@Suite("An index of circles, against PROJ and every circle in turn", .comparedWithPROJ)
struct CircleIndexTests {
  private static let ranks = [
    NearestRank.center, .edge(exitMarginMeters: 0), .edge(exitMarginMeters: 150),
  ]

  private func entries(of world: World) -> [IndexedCircle] {
    world.places.enumerated().map { number, place in
      IndexedCircle(
        coordinate: place.coordinate.canonical, radiusMeters: place.radiusMeters,
        key: Int64(number))
    }
  }

  /// A segment, and 17 points of it by PROJ.
  private struct Way {
    var segment: GeodesicSegment
    var points: [Coordinate] = []

    init(from start: Coordinate, azimuth: Double, meters: Double) {
      for part in 0...16 {
        let point = cproj_direct(
          start.latitudeDegrees, start.longitudeDegrees, azimuth, meters * Double(part) / 16)
        points.append(Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon))
      }
      segment = GeodesicSegment(from: Position(start), to: Position(points[16]))
    }
  }

  /// Ways that start at the world's points, from no length to a third of the way round.
  private func ways(in world: World) -> [Way] {
    var random = SplitMix64(seed: 3)
    return world.points.flatMap { start in
      [0.0, 15, 900, 60_000, 1_200_000, 12_000_000].map { meters in
        Way(from: start, azimuth: random.double(-180...180), meters: meters)
      }
    }
  }

  @Test("every circle with an edge near a segment is found", arguments: World.allCases)
  func edges(_ world: World) {
    let entries = entries(of: world)
    let index = CircleIndex(entries)
    for way in ways(in: world) {
      for meters in [0.0, 40, 3_000] {
        let found = Set(index.edges(withinMeters: meters, of: way.segment).map(\.key))
        for entry in entries where !found.contains(entry.key) {
          let distances = way.points.map { Reference.distanceMeters($0, entry.coordinate) }
          let nearest = distances.min() ?? 0
          let farthest = distances.max() ?? 0
          let isCrossed = nearest <= entry.radiusMeters && farthest >= entry.radiusMeters
          let isNear = distances.contains { abs($0 - entry.radiusMeters) <= meters - 0.001 }
          #expect(!isCrossed && !isNear, "\(entry) near \(way.segment)")
        }
      }
    }
  }

  @Test("few circles without an edge near a short segment are found")
  func tightEdges() {
    let entries = entries(of: .cities)
    let index = CircleIndex(entries)
    for segment in ways(in: .cities).map(\.segment) where segment.lengthMeters < 1_000 {
      for region in index.edges(withinMeters: 40, of: segment) {
        let entry = entries[Int(region.key)]
        let distance = Reference.distanceMeters(segment.start.coordinate, entry.coordinate)
        let most = 41 + segment.lengthMeters
        #expect(abs(distance - entry.radiusMeters) <= most)
      }
    }
  }

  @Test("the number of nearer circles is that of a look at each", arguments: World.allCases)
  func nearer(_ world: World) {
    let entries = entries(of: world)
    let index = CircleIndex(entries)
    for point in world.points {
      let position = Position(point)
      for rank in Self.ranks {
        let meters = entries.map { entry in
          rank.distanceMeters(
            centerDistanceMeters: Geodesic.distanceMeters(Position(entry.coordinate), position),
            radiusMeters: entry.radiusMeters)
        }
        for asked in entries.indices where asked % 97 == 0 {
          let count = index.count(nearerThan: meters[asked], to: position, rank: rank) {
            $0 < asked
          }
          let expected = entries.indices.count { (meters[$0], $0) < (meters[asked], asked) }
          #expect(count == expected)
        }
      }
    }
  }

  @Test("twenty thousand circles in one spot come in the order of their owner")
  func oneSpot() {
    let spot = Coordinate(latitudeDegrees: -16.8, longitudeDegrees: 180)
    let entries = (0..<20_000).map {
      IndexedCircle(coordinate: spot, radiusMeters: 100, key: Int64($0 * 7_919 % 20_000))
    }
    let index = CircleIndex(entries)
    for rank in Self.ranks {
      let found = index.nearest(
        to: Position(spot), count: 25, rank: rank, precedes: { $0 > $1 })
      #expect(found.map(\.key) == (0..<25).map { Int64(19_999 - $0) })
    }
  }
}
