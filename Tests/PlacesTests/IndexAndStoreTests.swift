import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import Glibc
import ProjGeodesics
import TestSupport
import Testing

@Suite("An index in memory and a store of the same places", .comparedWithPROJ)
struct IndexAndStoreTests {
  private static let ranks = [
    NearestRank.center, .edge(exitMarginMeters: 0), .edge(exitMarginMeters: 150),
    .edge(exitMarginMeters: 20_000_000),
  ]

  /// A neighbor without its key, which each of the two numbers in its own way.
  private struct Answer: Equatable {
    var id: String
    var circle: Circle
    var centerDistanceMeters: Double
    var rankDistanceMeters: Double

    init(_ neighbor: Neighbor, id: String) {
      self.id = id
      circle = neighbor.circle
      centerDistanceMeters = neighbor.centerDistanceMeters
      rankDistanceMeters = neighbor.rankDistanceMeters
    }
  }

  /// The same places both ways.
  private struct Pair {
    let scratch = Scratch()
    let places: [Place]
    let index: PlaceIndex
    let reader: PlaceReader
    private let ids: [Int64: String]

    init(_ places: [Place]) throws {
      self.places = places
      index = try PlaceIndex(places)
      var text = "id,lat,lon,radius\n"
      for place in places {
        text += "\(place.id),\(place.coordinate.latitudeDegrees),"
        text += "\(place.coordinate.longitudeDegrees),\(place.radiusMeters)\n"
      }
      let path = scratch.path("places.db")
      _ = try PlaceStore.importPlaces(from: [scratch.file("places.csv", text)], into: path)
      reader = try PlaceStore(path: path).makeReader()
      var ids: [Int64: String] = [:]
      try reader.list { place in
        ids[place.key] = place.id
        return true
      }
      self.ids = ids
    }

    func fromStore(_ neighbors: [Neighbor]) -> [Answer] {
      neighbors.map { Answer($0, id: ids[$0.key] ?? "") }
    }

    func fromIndex(_ neighbors: [Neighbor]) -> [Answer] {
      neighbors.map { Answer($0, id: index.place(forKey: $0.key)?.id ?? "") }
    }
  }

  @Test(
    "answer every query alike, to the last bit and in the same order", arguments: PairedWorld.all)
  private func alike(_ world: PairedWorld) throws {
    let pair = try Pair(world.places)
    #expect(try pair.index.placeCount == pair.reader.count())
    for point in world.points {
      for count in [0, 1, 20, world.places.count] {
        for rank in Self.ranks {
          let expected = pair.fromStore(
            try pair.reader.nearest(to: point, count: count, rank: rank))
          let found = pair.fromIndex(pair.index.nearest(to: point, count: count, rank: rank))
          #expect(found == expected, "\(count) from \(point) by \(rank)")
        }
      }
      for meters in [0.0, 700, 40_000, 3_000_000] {
        let expected = pair.fromStore(try pair.reader.circles(withinMeters: meters, of: point))
        #expect(
          pair.fromIndex(pair.index.circles(withinMeters: meters, of: point)) == expected,
          "within \(meters) m of \(point)")
      }
      let expected = pair.fromStore(try pair.reader.containing(point))
      #expect(pair.fromIndex(pair.index.containing(point)) == expected, "\(point)")
    }
  }

  @Test("answer as measuring every place with PROJ does", arguments: PairedWorld.own)
  private func bruteForce(_ world: PairedWorld) throws {
    let index = try PlaceIndex(world.places)
    let tolerance = NearestTests.tolerance
    for point in world.points {
      let distances = index.places.map { Proj.distanceMeters(point, $0.coordinate) }
      for rank in Self.ranks {
        let expected = zip(distances, index.places).map {
          rank.distanceMeters(centerDistanceMeters: $0, radiusMeters: $1.radiusMeters)
        }
        let found = index.nearest(to: point, count: index.placeCount, rank: rank)
        #expect(Set(found.map(\.key)).count == index.placeCount)
        for (neighbor, distance) in zip(found, expected.sorted()) {
          #expect(abs(neighbor.rankDistanceMeters - distance) < tolerance)
          #expect(
            abs(neighbor.rankDistanceMeters - expected[Int(neighbor.key) - 1]) < tolerance)
        }
      }
      let containing = Set(index.containing(point).map(\.key))
      for (place, distance) in zip(index.places, distances) {
        let slack = distance - place.radiusMeters
        guard abs(slack) > tolerance else { continue }
        #expect(containing.contains(place.key) == (slack < 0), "\(place.id) at \(slack) m")
      }
    }
  }

  @Test("put equally near places in the order of their ids, whatever their alphabet")
  func ties() throws {
    let spot = Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1652)
    let ids = ["Z", "a", "é", "z", "ä", "日本", "🔔", "10", "9", "ß", "A", "é2", "_", "Ω"]
    let pair = try Pair(ids.map { Place(id: $0, coordinate: spot) })
    let point = Coordinate(latitudeDegrees: 40, longitudeDegrees: -75)
    for count in 1...ids.count {
      let expected = pair.fromStore(try pair.reader.nearest(to: point, count: count, rank: .center))
      #expect(pair.fromIndex(pair.index.nearest(to: point, count: count)) == expected)
      #expect(expected.map(\.id) == Array(ids.sorted().prefix(count)))
    }
  }
}

/// A world and points to ask from.
private struct PairedWorld: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var places: [Place]
  var points: [Coordinate]

  static let own = [mirrored, everyRadius] + (0..<4).map(random)

  static let all: [PairedWorld] =
    Samples.allCases.map { sample in
      PairedWorld(
        testDescription: sample.rawValue,
        places: sample.circles.prefix(700).enumerated().map { number, circle in
          Place(
            id: "\(number)", coordinate: circle.coordinate, radiusMeters: circle.radiusMeters)
        }, points: sample.points)
    } + own

  /// Places opposite each other, so that many are equally far from the points between, and twins.
  private static var mirrored: PairedWorld {
    var places: [Place] = []
    for latitude in [0.0, 60, -60, 89.99] {
      for step in 1...10 {
        for longitude in [Double(step) / 100, -Double(step) / 100, 180, -180, 0] {
          for radius in [100.0, 400] {
            places.append(
              Place(
                id: "\((places.count * 37) % 401)",
                coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
                radiusMeters: radius))
          }
        }
      }
    }
    let points = [0.0, 60, -60, 89.99, 90, -90].flatMap { latitude in
      [0.0, 180, -180, 90].map { Coordinate(latitudeDegrees: latitude, longitudeDegrees: $0) }
    }
    return PairedWorld(testDescription: "mirrored", places: places, points: points)
  }

  /// Every order of magnitude of radius, up to the greatest.
  private static var everyRadius: PairedWorld {
    var random = SplitMix64(seed: 77)
    let radii = [1e-3, 0.5, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 9_985_000, 1e7, 1.5e7, 2e7]
    let places = (0..<650).map { number in
      Place(
        id: "\(number)", coordinate: anywhere(&random), radiusMeters: radii[number % radii.count])
    }
    let points = (0..<12).map { _ in anywhere(&random) } + places.prefix(13).map(\.coordinate)
    return PairedWorld(testDescription: "every radius", places: places, points: points)
  }

  /// A town near one of the map's seams, and some places anywhere.
  private static func random(_ seed: Int) -> PairedWorld {
    var random = SplitMix64(seed: UInt64(1000 + seed))
    let centers = [(0.0, 180.0), (89.99, 0), (-89.995, 120), (64, -179.999)]
    let (latitude, longitude) = centers[seed % centers.count]
    func near() -> Coordinate {
      let east = longitude + random.double(-0.05...0.05)
      return Coordinate(
        latitudeDegrees: min(90, max(-90, latitude + random.double(-0.05...0.05))),
        longitudeDegrees: east > 180 ? east - 360 : east < -180 ? east + 360 : east)
    }
    let places = (0..<700).map { number in
      Place(
        id: "\(number)", coordinate: number % 5 == 0 ? anywhere(&random) : near(),
        radiusMeters: min(2e7, pow(10, random.double(0...(number % 20 == 0 ? 7.3 : 3.5)))))
    }
    let points = (0..<12).map { _ in near() } + (0..<6).map { _ in anywhere(&random) }
    return PairedWorld(testDescription: "random \(seed)", places: places, points: points)
  }

  private static func anywhere(_ random: inout SplitMix64) -> Coordinate {
    Coordinate(
      latitudeDegrees: asin(random.double(-1...1)) * 180 / .pi,
      longitudeDegrees: random.double(-180...180))
  }
}
