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

  static let kilometers = [150.0, 250, 1400, 1600, 5000, 9900, 10_100, 15_800, 16_000, 19_950]

  @Test("the nearest are those of least distance by PROJ", arguments: kilometers)
  func nearest(_ kilometers: Double) throws {
    let scratch = Scratch()
    let reader = try scratch.store(Self.town).makeReader()
    for azimuth in [0.0, 50, 140, 265] {
      let point = Geodesic.direct(
        from: Self.town[0].coordinate, azimuthDegrees: azimuth, distanceMeters: kilometers * 1000)
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
}
