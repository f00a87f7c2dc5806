import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import Glibc
import ProjGeodesics
import TestSupport
import Testing

/// A store larger than what is first read of it.
@Suite("The neighborhood that a reader holds", .comparedWithPROJ)
struct NeighborhoodTests {
  /// Towns, one of them at the antimeridian and one at a pole, a spot with very many places, some
  /// places anywhere, and circles of every size.
  private static let places: [Place] = {
    var random = SplitMix64(seed: 57)
    let towns = [(40.4, -3.7), (-16.8, 179.99), (89.97, 10), (-89.99, -100), (0, 0), (64, -179.9)]
    var coordinates = (0..<24_000).map { number in
      let (latitude, longitude) = towns[number % towns.count]
      let spread = number % 5 == 0 ? 3.0 : 0.15
      return Self.coordinate(
        latitude + random.double(-spread...spread), longitude + random.double(-spread...spread))
    }
    coordinates += (0..<4000).map { _ in anywhere(&random) }
    coordinates += repeatElement(Self.coordinate(48.8566, 2.3522), count: 20_000)
    coordinates.shuffle(using: &random)
    return coordinates.enumerated().map { number, coordinate in
      let isWide = number % 200 == 0
      return Place(
        id: "\((number * 7919) % 100_003)", coordinate: coordinate,
        radiusMeters: min(2e7, pow(10, random.double(0...(isWide ? 7.3 : 3)))))
    }
  }()

  private static func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(
      latitudeDegrees: max(-90, min(90, latitude)),
      longitudeDegrees: longitude > 180
        ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
  }

  private static func anywhere(_ random: inout SplitMix64) -> Coordinate {
    Coordinate(
      latitudeDegrees: asin(random.double(-1...1)) * 180 / .pi,
      longitudeDegrees: random.double(-180...180))
  }

  private static let ranks = [
    NearestRank.center, .edge(exitMarginMeters: 0), .edge(exitMarginMeters: 300),
  ]

  /// A neighbor without its key, which store and index number in their own ways.
  private struct Answer: Equatable {
    var id: String?
    var circle: Circle
    var centerDistanceMeters: Double
    var rankDistanceMeters: Double
  }

  /// A store and an index of the same places.
  private struct Pair {
    let scratch = Scratch()
    let store: PlaceStore
    let index: PlaceIndex

    init(_ places: [Place]) throws {
      index = try PlaceIndex(places)
      var text = "id,lat,lon,radius\n"
      for place in places {
        text += "\(place.id),\(place.coordinate.latitudeDegrees),"
        text += "\(place.coordinate.longitudeDegrees),\(place.radiusMeters)\n"
      }
      let path = scratch.path("places.db")
      _ = try PlaceStore.importPlaces(from: [scratch.file("places.csv", text)], into: path)
      store = try PlaceStore(path: path)
    }
  }

  private static func answers(
    _ neighbors: [Neighbor], from source: some PlaceSource
  ) throws -> [Answer] {
    try neighbors.map {
      Answer(
        id: try source.place(forKey: $0.key)?.id, circle: $0.circle,
        centerDistanceMeters: $0.centerDistanceMeters, rankDistanceMeters: $0.rankDistanceMeters)
    }
  }

  /// Asks a store and an index of the same places the same questions at a point.
  private static func expectAlike(
    _ reader: PlaceReader, _ index: PlaceIndex, at point: Coordinate, count: Int,
    rank: NearestRank, meters: Double
  ) throws {
    let source = StoreSource(reader: reader)
    #expect(
      try answers(reader.nearest(to: point, count: count, rank: rank), from: source)
        == answers(index.nearest(to: point, count: count, rank: rank), from: index),
      "\(count) from \(point) by \(rank)")
    #expect(
      try answers(reader.circles(withinMeters: meters, of: point), from: source)
        == answers(index.circles(withinMeters: meters, of: point), from: index),
      "within \(meters) m of \(point)")
  }

  /// Compares a store with an index of the places that it lists.
  static func expectAnswers(_ reader: PlaceReader, at points: some Sequence<Coordinate>) throws {
    var places: [Place] = []
    try reader.list { place in
      places.append(place)
      return true
    }
    let index = try PlaceIndex(places)
    for point in points {
      for rank in ranks {
        try expectAlike(reader, index, at: point, count: 20, rank: rank, meters: 500)
      }
    }
  }

  /// Where paths begin: in the towns, on the spot, at seams and far from everything.
  private static let starts: [Coordinate] = [
    coordinate(40.41, -3.69), coordinate(-16.8, 180), coordinate(90, 0), coordinate(-89.99, 77),
    coordinate(48.8566, 2.3522), coordinate(48.8, 2.3), coordinate(64, -180), coordinate(0, 0),
    coordinate(-50, -130),
  ]

  @Test("gives what an index of all places gives, to the last bit, along paths")
  func paths() throws {
    let pair = try Pair(Self.places)
    var random = SplitMix64(seed: 3)
    for start in Self.starts {
      let reader = try pair.store.makeReader()
      var point = start
      for step in 0..<12 {
        try Self.expectAlike(
          reader, pair.index, at: point, count: [1, 20, 21][step % 3], rank: Self.ranks[step % 3],
          meters: [0, 250, 5000][step % 3])
        point = Proj.point(
          from: point, azimuth: random.double(-180...180), meters: random.double(100...9000))
      }
    }
  }

  @Test("gives what an index of all places gives, however the questions jump about")
  func jumps() throws {
    let pair = try Pair(Self.places)
    var random = SplitMix64(seed: 4)
    for _ in 0..<3 {
      let reader = try pair.store.makeReader()
      for step in 0..<14 {
        let point =
          step % 3 == 0
          ? Self.anywhere(&random)
          : Self.coordinate(
            Self.starts[step % Self.starts.count].latitudeDegrees + random.double(-0.3...0.3),
            Self.starts[step % Self.starts.count].longitudeDegrees + random.double(-0.3...0.3))
        try Self.expectAlike(
          reader, pair.index, at: point, count: [5, 20, 300][step % 3], rank: Self.ranks[step % 3],
          meters: [0, 30_000][step % 2])
      }
    }
  }

  @Test("has the nearest places by PROJ, asked in random order")
  func projDistances() throws {
    let pair = try Pair(Self.places)
    let reader = try pair.store.makeReader()
    var random = SplitMix64(seed: 5)
    for _ in 0..<6 {
      let point =
        random.next() % 2 == 0
        ? Self.anywhere(&random)
        : Self.places[Int(random.next() % UInt64(Self.places.count))].coordinate
      let distances = Self.places.map { Proj.distanceMeters(point, $0.coordinate) }
      for rank in Self.ranks {
        let expected = zip(distances, Self.places).map {
          rank.distanceMeters(centerDistanceMeters: $0, radiusMeters: $1.radiusMeters)
        }.sorted()
        let found = try reader.nearest(to: point, count: 20, rank: rank)
        #expect(found.count == 20)
        for (neighbor, meters) in zip(found, expected) {
          #expect(abs(neighbor.rankDistanceMeters - meters) < NearestTests.tolerance)
        }
      }
      let containing = try reader.containing(point).count
      let slack = zip(distances, Self.places).map { $0 - $1.radiusMeters }
      #expect(containing >= slack.count { $0 < -NearestTests.tolerance })
      #expect(containing <= slack.count { $0 < NearestTests.tolerance })
    }
  }

  @Test("has every circle whose edge a segment comes near")
  func segments() throws {
    let pair = try Pair(Self.places)
    let circles = pair.index.places.map {
      Circle(center: $0.coordinate, radiusMeters: $0.radiusMeters)
    }
    var random = SplitMix64(seed: 6)
    for start in Self.starts {
      let source = StoreSource(reader: try pair.store.makeReader())
      func ids(_ request: CandidateRequest) throws -> Set<String> {
        guard case .found(let regions) = source.answer(request) else { return [] }
        return Set(try regions.map { try source.place(forKey: $0.key)?.id ?? "" })
      }
      var from = start
      for meters in [10.0, 2000, 90_000] {
        let to = Proj.point(from: from, azimuth: random.double(-180...180), meters: meters)
        let segment = GeodesicSegment(from: Position(from), to: Position(to))
        let found = try ids(
          CandidateRequest(question: .edges(near: segment, withinMeters: 40), coordinate: from))
        // Where the path enters or leaves a circle, its edge is near.
        let touched = zip(pair.index.places, circles).filter { _, circle in
          let inside = segment.insideSpans(of: circle)
          return circle.edgeDistanceMeters(from: segment.start) < 40
            || !inside.isEmpty && (inside[0].start > 0 || inside[0].end < 1)
        }
        #expect(Set(touched.map(\.0.id)).isSubset(of: found))
        from = to
      }
    }
  }

  @Test("follows edits between questions", .enabled(if: Scratch().has("spatialite")))
  func edits() throws {
    let scratch = Scratch()
    var random = SplitMix64(seed: 7)
    // A sparse world with a town, so that the first neighborhood is not the whole store.
    let circles = (0..<9000).map { number in
      SampleCircle(
        coordinate: number < 5000
          ? Self.coordinate(46.5 + random.double(-0.2...0.2), 7.3 + random.double(-0.2...0.2))
          : Self.anywhere(&random),
        radiusMeters: number % 50 == 0 ? 40_000 : 200)
    }
    let store = try scratch.store(circles)
    let reader = try store.makeReader()
    let points =
      [Self.coordinate(46.5, 7.3), Self.coordinate(46.6, 7.2), Self.coordinate(-46, 170)]
    let edits = [
      "UPDATE places SET radius = 300000 WHERE id = '17';",
      "UPDATE places SET radius = 7 WHERE radius = 40000;",
      "UPDATE places SET geometry = MakePoint(170.001, -46.001, 4326) WHERE id = '18';",
      "DELETE FROM places WHERE key % 3 = 0;",
    ]
    try Self.expectAnswers(reader, at: points)
    for edit in edits {
      try reader.endSnapshot()
      #expect(scratch.run("spatialite -silent '\(store.path)' \"\(edit)\"") == "status 0\n")
      #expect(try reader.refreshSnapshot())
      try Self.expectAnswers(reader, at: points)
    }
    #expect(try store.check().isSound)
  }
}

/// Stores as version 0.3.0 wrote them, with an R*Tree of circles and triggers for it.
@Suite("A store of an earlier version", .enabled(if: Scratch().has("sqlite3")))
struct EarlierStoreTests {
  private static let reach = """
    DROP INDEX places_wide;
    DROP TRIGGER places_position_insert;
    DROP TRIGGER places_position_update;
    CREATE VIRTUAL TABLE places_reach USING rtree(
      key, lon_min, lon_max, lat_min, lat_max, reach_min, reach_max);
    INSERT INTO places_reach SELECT p.key, r.xmin, r.xmax, r.ymin, r.ymax, p.radius / 100000.0,
      p.radius / 100000.0 + 0.001 FROM places AS p JOIN idx_places_geometry AS r ON r.pkid = p.key;
    CREATE TRIGGER places_reach_insert AFTER INSERT ON places BEGIN
      DELETE FROM places_reach WHERE key = NEW.key;
      INSERT INTO places_reach VALUES (NEW.key,
        ST_X(NEW.geometry), ST_X(NEW.geometry), ST_Y(NEW.geometry), ST_Y(NEW.geometry),
        NEW.radius / 100000.0, NEW.radius / 100000.0 + 0.001);
    END;
    CREATE TRIGGER places_reach_update AFTER UPDATE OF key, geometry, radius ON places BEGIN
      DELETE FROM places_reach WHERE key IN (OLD.key, NEW.key);
      INSERT INTO places_reach VALUES (NEW.key,
        ST_X(NEW.geometry), ST_X(NEW.geometry), ST_Y(NEW.geometry), ST_Y(NEW.geometry),
        NEW.radius / 100000.0, NEW.radius / 100000.0 + 0.001);
    END;
    CREATE TRIGGER places_reach_delete AFTER DELETE ON places BEGIN
      DELETE FROM places_reach WHERE key = OLD.key;
    END;
    PRAGMA user_version = 1;
    """

  private static func store(_ scratch: Scratch) throws -> PlaceStore {
    let store = try scratch.store(Samples.hugeRadii.circles)
    let sql = scratch.file("reach.sql", reach)
    #expect(scratch.run("sqlite3 '\(store.path)' <'\(sql)'") == "status 0\n")
    return try PlaceStore(path: store.path)
  }

  /// The objects that only one of the versions has.
  private static func objects(_ store: PlaceStore, _ scratch: Scratch) -> String {
    scratch.run(
      """
      sqlite3 '\(store.path)' "SELECT count(*) FROM sqlite_master WHERE name LIKE '%places\\_reach%'
      ESCAPE '\\'; SELECT count(*) FROM sqlite_master WHERE name = 'places_wide'
      OR name LIKE 'places_position%'; PRAGMA user_version"
      """)
  }

  @Test("is sound and gives the same answers")
  func reads() throws {
    let scratch = Scratch()
    let store = try Self.store(scratch)
    let check = try store.check()
    #expect(check.isSound, "\(check.findings)")
    try NeighborhoodTests.expectAnswers(store.makeReader(), at: Samples.hugeRadii.points)
    #expect(Self.objects(store, scratch) == "7\n0\n1\nstatus 0\n")
  }

  @Test(
    "is brought up to date by the next change", arguments: ["import", "bulk", "edit", "delete"])
  func writes(_ change: String) throws {
    let scratch = Scratch()
    let store = try Self.store(scratch)
    #expect(Self.objects(store, scratch) == "7\n0\n1\nstatus 0\n")
    switch change {
    case "import", "bulk":
      let rows = (0..<(change == "bulk" ? 2500 : 1)).map { "n\($0),1,2,\($0 + 1)\n" }
      _ = try PlaceStore.importPlaces(
        from: [scratch.file("a", "id,lat,lon,radius\n" + rows.joined())], into: store.path)
    case "edit":
      var place = try #require(try store.makeReader().place(withID: "7"))
      let before = place
      place.radiusMeters = 123_456
      #expect(try store.edit([PlaceEdit(id: "7", before: before, after: place)]) == .written(1))
    default:
      #expect(try store.delete(["7"]).deleted == 1)
    }
    #expect(Self.objects(store, scratch) == "0\n3\n2\nstatus 0\n")
    let check = try store.check()
    #expect(check.isSound, "\(check.findings)")
    try NeighborhoodTests.expectAnswers(store.makeReader(), at: Samples.hugeRadii.points)
  }

  @Test("stays as it was if nothing changes")
  func unchanged() throws {
    let scratch = Scratch()
    let store = try Self.store(scratch)
    let before = Scratch.bytes(store.path)
    #expect(try store.delete(["nobody"]).deleted == 0)
    let isUnchanged = Scratch.bytes(store.path) == before
    #expect(isUnchanged)
  }
}
