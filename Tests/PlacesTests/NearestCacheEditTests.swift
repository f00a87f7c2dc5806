import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import TestSupport
import Testing

@Suite("The cache of nearest places over an edited store")
struct NearestCacheEditTests {
  /// The reference: every place of the store in turn.
  static func expected(
    _ reader: PlaceReader, _ point: Coordinate, count: Int, rank: NearestRank
  ) throws -> [Neighbor] {
    var all: [(id: String, neighbor: Neighbor)] = []
    let position = Position(point)
    try reader.list { place in
      let circle = Circle(center: place.coordinate, radiusMeters: place.radiusMeters)
      let distance = circle.distanceMeters(from: position)
      let rankDistance = rank.distanceMeters(
        centerDistanceMeters: distance, radiusMeters: circle.radiusMeters)
      all.append(
        (
          place.id,
          Neighbor(
            key: place.key, circle: circle, centerDistanceMeters: distance,
            rankDistanceMeters: rankDistance)
        ))
      return true
    }
    all.sort {
      ($0.neighbor.rankDistanceMeters, $0.id) < ($1.neighbor.rankDistanceMeters, $1.id)
    }
    return all.prefix(count).map(\.neighbor)
  }

  /// Compares a cache that has seen the whole drive with the reader and with every place in turn.
  static func compare(
    _ cache: NearestCache, _ store: PlaceStore, _ points: [Coordinate]
  ) throws {
    let reader = try store.makeReader()
    for (index, point) in points.enumerated() {
      for rank in [NearestRank.center, .edge(exitMarginMeters: 50)] {
        let cached = try cache.nearest(to: point, count: 20, rank: rank)
        #expect(cached == (try reader.nearest(to: point, count: 20, rank: rank)))
        if index % 40 == 0 {
          #expect(cached == (try expected(reader, point, count: 20, rank: rank)))
        }
      }
      #expect(try cache.containing(point) == reader.containing(point))
    }
    try reader.endSnapshot()
  }

  @Test(
    "its answers stay the reader's while the spatialite shell edits places",
    .enabled(if: Scratch().has("spatialite")),
    arguments: [Samples.clustered, .twenty, .empty])
  func edits(_ sample: Samples) throws {
    let scratch = Scratch()
    let store = try scratch.store(sample.circles)
    // Drives through the places that the edits below make, and elsewhere.
    let points =
      (0..<60).map { step in
        Coordinate(latitudeDegrees: 46.5, longitudeDegrees: 7.3 + 0.005 * Double(step))
      } + NearestCacheTests.drive(sample, seed: 9).prefix(90)
    let cache = NearestCache(try store.makeReader())
    let edits = [
      // More than a leaf holds, so that nodes split and the root is no longer a leaf.
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
      INSERT INTO places (id, radius, geometry)
      SELECT 'new' || i, 50 + 40 * (i % 7),
        MakePoint(7.3 + 0.001 * (i * 37 % 300), 46.4 + 0.001 * (i * 91 % 200), 4326) FROM n;
      """,
      "UPDATE places SET radius = radius * 9 WHERE key % 5 = 1;",
      """
      UPDATE places SET geometry = MakePoint(ST_X(geometry) * 0.9, ST_Y(geometry), 4326)
      WHERE key % 7 = 2;
      """,
      "UPDATE places SET key = key + 5000000 WHERE key % 11 = 3;",
      "DELETE FROM places WHERE key % 3 = 0;",
      "DELETE FROM places WHERE key % 40 <> 1;",
      "DELETE FROM places;",
    ]
    try Self.compare(cache, store, points)
    for edit in edits {
      try cache.reader.endSnapshot()
      #expect(
        scratch.run("spatialite -silent '\(store.path)' \"\(edit)\"") == "status 0\n")
      #expect(try cache.refreshSnapshot())
      try Self.compare(cache, store, points)
    }
  }

  @Test("it notices a snapshot begun through its reader")
  func unannounced() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.clustered.circles)
    let cache = NearestCache(try store.makeReader())
    let points = Array(NearestCacheTests.drive(.clustered, seed: 4).prefix(90))
    try Self.compare(cache, store, points)
    try cache.reader.endSnapshot()
    var more = "id,lat,lon,radius\n"
    for (index, point) in points.enumerated() {
      more += "more\(index),\(point.latitudeDegrees),\(point.longitudeDegrees),300\n"
    }
    _ = try PlaceStore.importPlaces(from: [scratch.file("more.csv", more)], into: store.path)
    try Self.compare(cache, store, points)
  }

  @Test(
    "its answers stay the reader's when rank, count and distance change on the way",
    arguments: [Samples.uniform, .clustered, .hugeRadii, .oneSpot, .twentyOne])
  func mixed(_ sample: Samples) throws {
    let scratch = Scratch()
    let store = try scratch.store(sample.circles)
    let reader = try store.makeReader()
    let cache = NearestCache(try store.makeReader())
    var random = SplitMix64(seed: 21)
    let ranks = [NearestRank.center, .edge(exitMarginMeters: 0), .edge(exitMarginMeters: 400)]
    var rank = NearestRank.center
    for point in NearestCacheTests.drive(sample, seed: 8).prefix(150) {
      if random.next() % 8 == 0 { rank = ranks[Int(random.next() % 3)] }
      let count = [1, 5, 20, 64][Int(random.next() % 4)]
      #expect(
        try cache.nearest(to: point, count: count, rank: rank)
          == reader.nearest(to: point, count: count, rank: rank))
      let meters = [0.0, 250, 30_000][Int(random.next() % 3)]
      #expect(
        try cache.circles(withinMeters: meters, of: point)
          == reader.circles(withinMeters: meters, of: point))
    }
  }
}
