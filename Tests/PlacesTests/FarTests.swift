import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import TestSupport
import Testing

@Suite("Nearest places, far from all of them")
struct FarTests {
  /// A town whose places are closer together than the error of a spherical distance.
  static let town: [SampleCircle] = {
    var random = SplitMix64(seed: 31)
    return (0..<3000).map { index in
      SampleCircle(
        coordinate: Coordinate(
          latitudeDegrees: 39.9 + random.double(0...0.1),
          longitudeDegrees: -75.2 + random.double(0...0.1)),
        radiusMeters: index % 50 == 0 ? 30_000 : 100)
    }
  }()

  /// Steps of 500 m, beginning so far from the town.
  static func flight(from kilometers: Double, azimuth: Double) -> [Coordinate] {
    let start = Geodesic.direct(
      from: town[0].coordinate, azimuthDegrees: azimuth, distanceMeters: kilometers * 1000)
    return (0..<25).map { step in
      Geodesic.direct(
        from: start, azimuthDegrees: azimuth + 70, distanceMeters: Double(step) * 500)
    }
  }

  static let kilometers = [150.0, 250, 1400, 1600, 5000, 9900, 10_100, 15_800, 16_000, 19_950]

  @Test("the nearest are those of least distance by PROJ", arguments: kilometers)
  func nearest(_ kilometers: Double) throws {
    let scratch = Scratch()
    let reader = try scratch.store(Self.town).makeReader()
    for azimuth in [0.0, 50, 140, 265] {
      let point = Self.flight(from: kilometers, azimuth: azimuth)[0]
      for rank in [NearestRank.center, .edge(exitMarginMeters: 0), .edge(exitMarginMeters: 150)] {
        let found = try reader.nearest(to: point, count: 20, rank: rank)
        let expected = Self.town.map { circle in
          rank.distanceMeters(
            centerDistanceMeters: NearestTests.distance(point, circle.coordinate),
            radiusMeters: circle.radiusMeters)
        }.sorted()
        #expect(found.count == 20)
        for (neighbor, distance) in zip(found, expected) {
          #expect(abs(neighbor.rankDistanceMeters - distance) < NearestTests.tolerance)
        }
      }
    }
  }

  @Test("along a flight the cache's answers are the reader's", arguments: kilometers)
  func flight(_ kilometers: Double) throws {
    let scratch = Scratch()
    let store = try scratch.store(Self.town)
    let reader = try store.makeReader()
    for rank in [NearestRank.center, .edge(exitMarginMeters: 100)] {
      let cache = NearestCache(try store.makeReader())
      for azimuth in [20.0, 200] {
        for point in Self.flight(from: kilometers, azimuth: azimuth) {
          #expect(
            try cache.nearest(to: point, count: 20, rank: rank)
              == reader.nearest(to: point, count: 20, rank: rank))
          #expect(try cache.containing(point) == reader.containing(point))
        }
      }
    }
  }
}
