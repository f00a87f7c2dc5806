import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import TestSupport
import Testing

@Suite("The nearest places of a store that is edited")
struct NearestEditTests {
  /// A drive with turns and a few jumps, through the places of a sample.
  static func drive(_ sample: Samples, seed: UInt64) -> [Coordinate] {
    var random = SplitMix64(seed: seed)
    var points: [Coordinate] = []
    for start in sample.points {
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

  /// Every place of a store, with its circle.
  static func all(_ reader: PlaceReader) throws -> [(id: String, key: Int64, circle: Circle)] {
    var all: [(id: String, key: Int64, circle: Circle)] = []
    try reader.list { place in
      all.append(
        (place.id, place.key, Circle(center: place.coordinate, radiusMeters: place.radiusMeters)))
      return true
    }
    return all
  }

  /// The reference: every place in turn.
  static func expected(
    _ all: [(id: String, key: Int64, circle: Circle)], _ point: Coordinate, count: Int,
    rank: NearestRank
  ) -> [Neighbor] {
    let position = Position(point)
    return all.map { id, key, circle in
      let distance = circle.distanceMeters(from: position)
      let rankDistance = rank.distanceMeters(
        centerDistanceMeters: distance, radiusMeters: circle.radiusMeters)
      return (
        id,
        Neighbor(
          key: key, circle: circle, centerDistanceMeters: distance,
          rankDistanceMeters: rankDistance)
      )
    }.sorted {
      ($0.1.rankDistanceMeters, $0.0) < ($1.1.rankDistanceMeters, $1.0)
    }.prefix(count).map(\.1)
  }

  /// Compares a reader with every place in turn.
  static func compare(_ reader: PlaceReader, _ points: [Coordinate]) throws {
    let all = try all(reader)
    for point in points {
      for rank in [NearestRank.center, .edge(exitMarginMeters: 50)] {
        #expect(
          try reader.nearest(to: point, count: 20, rank: rank)
            == expected(all, point, count: 20, rank: rank))
      }
    }
  }

  @Test(
    "are exact while the spatialite shell edits places",
    .enabled(if: Scratch().has("spatialite")),
    arguments: [Samples.clustered, .twenty, .empty])
  func edits(_ sample: Samples) throws {
    let scratch = Scratch()
    let store = try scratch.store(sample.circles)
    // Drives through the places that the edits below make, and elsewhere.
    let points =
      stride(from: 0, to: 60, by: 5).map { step in
        Coordinate(latitudeDegrees: 46.5, longitudeDegrees: 7.3 + 0.005 * Double(step))
      } + Self.drive(sample, seed: 9).prefix(10)
    let reader = try store.makeReader()
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
    try Self.compare(reader, points)
    for edit in edits {
      try reader.endSnapshot()
      #expect(
        scratch.run("spatialite -silent '\(store.path)' \"\(edit)\"") == "status 0\n")
      #expect(try reader.refreshSnapshot())
      try Self.compare(reader, points)
    }
  }

  @Test(
    "follow rank, count and distance from point to point",
    arguments: [Samples.uniform, .clustered, .hugeRadii, .oneSpot, .twentyOne])
  func mixed(_ sample: Samples) throws {
    let scratch = Scratch()
    let store = try scratch.store(sample.circles)
    let reader = try store.makeReader()
    let all = try Self.all(reader)
    var random = SplitMix64(seed: 21)
    let ranks = [NearestRank.center, .edge(exitMarginMeters: 0), .edge(exitMarginMeters: 400)]
    for point in Self.drive(sample, seed: 8).prefix(30) {
      let rank = ranks[Int(random.next() % 3)]
      let count = [1, 5, 20, 64][Int(random.next() % 4)]
      #expect(
        try reader.nearest(to: point, count: count, rank: rank)
          == Self.expected(all, point, count: count, rank: rank))
      let meters = [0.0, 250, 30_000][Int(random.next() % 3)]
      #expect(
        try reader.circles(withinMeters: meters, of: point)
          == Self.expected(all, point, count: .max, rank: .center).filter {
            $0.centerDistanceMeters - $0.circle.radiusMeters <= meters
          })
    }
  }
}
