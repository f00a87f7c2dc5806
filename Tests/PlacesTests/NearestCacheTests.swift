import FencepostMonitoring
import FencepostGeodesy
import Glibc
import FencepostPlaces
import TestSupport
import Testing

@Suite("The cache of nearest places")
struct NearestCacheTests {
  /// A drive with turns and a few jumps, through the places of a sample.
  static func drive(_ sample: Samples, seed: UInt64) -> [Coordinate] {
    var random = SplitMix64(seed: seed)
    let starts = sample.points
    var points: [Coordinate] = []
    for start in starts {
      var point = start
      var heading = random.double(0...360)
      for _ in 0..<30 {
        heading += random.double(-30...30)
        point = Geodesic.direct(
          from: point, azimuthDegrees: heading, distanceMeters: random.double(1...700))
        points.append(point)
      }
    }
    return points
  }

  @Test("its answers are the reader's to the last bit", arguments: Samples.allCases)
  func answers(_ sample: Samples) throws {
    let scratch = Scratch()
    let store = try scratch.store(sample.circles)
    let reader = try store.makeReader()
    for rank in [NearestRank.center, .edge(exitMarginMeters: 0), .edge(exitMarginMeters: 100)] {
      let cache = NearestCache(try store.makeReader())
      let points = Self.drive(sample, seed: 3)
      for point in points {
        let cached = try cache.nearest(to: point, count: 21, rank: rank)
        #expect(cached == (try reader.nearest(to: point, count: 21, rank: rank)))
        let inside = try cache.circles(withinMeters: 250, of: point)
        #expect(inside == (try reader.circles(withinMeters: 250, of: point)))
      }
      #expect(cache.fetchCount < points.count * 2)
    }
  }

  @Test("along a walk it seldom reads the store")
  func fetches() throws {
    let scratch = Scratch()
    let cache = NearestCache(try scratch.store(Samples.clustered.circles).makeReader())
    let start = Samples.clustered.circles[100].coordinate
    for step in 0..<300 {
      let point = Geodesic.direct(
        from: start, azimuthDegrees: 60, distanceMeters: Double(step) * 10)
      _ = try cache.nearest(to: point, count: 20, rank: .center)
    }
    #expect(cache.fetchCount < 10)
  }

  @Test("it forgets its places when the store has changed")
  func snapshot() throws {
    let scratch = Scratch()
    let store = try scratch.store([
      SampleCircle(
        coordinate: Coordinate(latitudeDegrees: 1, longitudeDegrees: 1), radiusMeters: 100)
    ])
    let cache = NearestCache(try store.makeReader())
    let point = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)
    #expect(try cache.nearest(to: point, count: 5, rank: .center).count == 1)
    #expect(try !cache.refreshSnapshot())
    try cache.reader.endSnapshot()
    let more = scratch.file("more.csv", "id,lat,lon\nnew,0,0.001\n")
    _ = try PlaceStore.importPlaces(from: [more], into: store.path)
    #expect(try cache.refreshSnapshot())
    let found = try cache.nearest(to: point, count: 5, rank: .center)
    #expect(found.count == 2)
    #expect(try cache.reader.place(forKey: found[0].key)?.id == "new")
  }
}
