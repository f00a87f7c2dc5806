import FencepostMonitoring
import FencepostGeodesy
import Foundation
import Glibc
import FencepostPlaces
import TestSupport
import Testing

@Suite("The store's file")
struct StoreTests {
  @Test(
    "Files that are not stores are recognized",
    arguments: [
      ("", PlaceStoreError.Code.empty),
      (
        "this is a text, and longer than a header of SQLite's is"
          + String(repeating: " or so", count: 20), .notSQLite
      ),
    ])
  func noStore(_ text: String, _ code: PlaceStoreError.Code) throws {
    let scratch = Scratch()
    let path = scratch.file("s.db", text)
    #expect(throws: PlaceStoreError.self) { try PlaceStore(path: path) }
    #expect { try PlaceStore(path: path) } throws: { ($0 as? PlaceStoreError)?.code == code }
  }

  @Test("A missing file and a folder have their own errors")
  func missing() throws {
    let scratch = Scratch()
    #expect {
      try PlaceStore(path: scratch.path("none.db"))
    } throws: { ($0 as? PlaceStoreError)?.code == .missing }
    #expect {
      try PlaceStore(path: scratch.folder)
    } throws: { ($0 as? PlaceStoreError)?.code == .inputOutput }
  }

  @Test(
    "Foreign SQLite databases and stores of later versions are recognized",
    .enabled(if: Scratch().has("sqlite3")))
  func foreign() throws {
    let scratch = Scratch()
    let other = scratch.path("other.db")
    _ = scratch.run("sqlite3 '\(other)' 'CREATE TABLE places (key INTEGER)'")
    #expect { try PlaceStore(path: other) } throws: {
      ($0 as? PlaceStoreError)?.code == .notAStore
    }
    let input = scratch.file("a.csv", "id,lat,lon\na,1,2\n")
    #expect { try PlaceStore.importPlaces(from: [input], into: other) } throws: { error in
      guard case PlaceImportError.store(let failure) = error else { return false }
      return failure.code == .notAStore
    }
    let store = try scratch.store(Samples.twenty.circles)
    _ = scratch.run("sqlite3 '\(store.path)' 'PRAGMA user_version = 99'")
    #expect { try PlaceStore(path: store.path) } throws: {
      ($0 as? PlaceStoreError)?.code == .newerVersion
    }
  }

  @Test("A damaged file is reported as damaged")
  func damaged() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.uniform.circles)
    let bytes = Scratch.bytes(store.path)
    var broken = bytes
    for index in stride(from: 8192, to: broken.count, by: 7) { broken[index] = 0xA5 }
    let path = scratch.file("broken.db", broken)
    #expect {
      let reader = try PlaceStore(path: path).makeReader()
      _ = try reader.nearest(
        to: Coordinate(latitudeDegrees: 1, longitudeDegrees: 1), count: 20, rank: .center)
    } throws: { ($0 as? PlaceStoreError)?.code == .damaged }
  }

  @Test(
    "An import into a store that another program is writing to fails as locked",
    .enabled(if: Scratch().has("sqlite3")))
  func locked() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.twenty.circles)
    let before = Scratch.bytes(store.path)
    let writer = Process()
    let (words, answers) = (Pipe(), Pipe())
    writer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    writer.arguments = ["sqlite3", store.path]
    (writer.standardInput, writer.standardOutput) = (words, answers)
    try writer.run()
    defer {
      try? words.fileHandleForWriting.close()
      writer.waitUntilExit()
    }
    try words.fileHandleForWriting.write(contentsOf: Data("BEGIN IMMEDIATE;SELECT 1;\n".utf8))
    // The answer shows that it has the lock, which it keeps until its input ends.
    #expect(!answers.fileHandleForReading.availableData.isEmpty)
    let input = scratch.file("a.csv", "id,lat,lon\na,1,2\n")
    #expect { try PlaceStore.importPlaces(from: [input], into: store.path) } throws: { error in
      guard case PlaceImportError.store(let failure) = error else { return false }
      return failure.code == .locked
    }
    #expect(Scratch.bytes(store.path) == before)
  }

  @Test(
    "Every store passes its own check and SpatiaLite's",
    arguments: [Samples.empty, .one, .uniform, .clustered, .poles, .oneSpot, .hugeRadii])
  func sound(_ sample: Samples) throws {
    let scratch = Scratch()
    let check = try scratch.store(sample.circles).check()
    #expect(check.isSound, "\(check.findings)")
    #expect(check.findings.count == 7)
  }

  @Test(
    "Places are found by their keys together as one by one", arguments: [0, 1, 19, 20, 21, 60, 61])
  func keys(_ count: Int) throws {
    let scratch = Scratch()
    let reader = try scratch.store(Samples.uniform.circles).makeReader()
    var random = SplitMix64(seed: 5)
    // Some keys are unknown, and some are there twice.
    let keys = (0..<count).map {
      $0 % 7 == 3 ? -Int64($0) : Int64.random(in: 1...40, using: &random)
    }
    let one = try keys.map { try reader.place(forKey: $0) }
    #expect(try reader.places(forKeys: keys) == one)
    #expect(one.count(where: { $0 == nil }) == (count + 3) / 7)
  }

  @Test(
    "The spatialite shell can edit the file, and the indexes follow",
    .enabled(if: Scratch().has("spatialite")))
  func shell() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.uniform.circles)
    func spatialite(_ sql: String) -> String {
      scratch.run("spatialite -silent '\(store.path)' \"\(sql)\"")
    }
    #expect(
      spatialite(
        """
        SELECT count(*), min(ST_SRID(geometry)), min(ST_GeometryType(geometry)) FROM places;
        SELECT CheckSpatialIndex('places', 'geometry');
        """) == "5000|4326|POINT\n1\nstatus 0\n")
    #expect(
      spatialite(
        """
        INSERT INTO places (id, radius, geometry) VALUES ('x', 70000, MakePoint(7.5, 46.5, 4326));
        UPDATE places SET radius = 9 WHERE id = '3';
        UPDATE places SET geometry = MakePoint(-179.5, -80, 4326) WHERE id = '4';
        UPDATE places SET key = 900000 WHERE id = '6';
        DELETE FROM places WHERE id = '5';
        """) == "status 0\n")
    #expect(try store.check().isSound)
    let reader = try store.makeReader()
    let there = Coordinate(latitudeDegrees: 46.9, longitudeDegrees: 7.5)
    let ids = try reader.containing(there).map { try reader.place(forKey: $0.key)?.id ?? "" }
    #expect(ids.contains("x"))
    #expect(try reader.place(withID: "x")?.title == "")
    let moved = try reader.nearest(
      to: Coordinate(latitudeDegrees: -80, longitudeDegrees: 180), count: 1, rank: .center)
    #expect(try reader.place(forKey: try #require(moved.first).key)?.id == "4")
    let refused = spatialite(
      "INSERT INTO places (id, geometry) VALUES ('y', MakePoint(200, 46, 4326))")
    #expect(refused.contains("longitude") && !refused.hasSuffix("status 0\n"))
  }

  @Test("ogrinfo reads the layer", .enabled(if: Scratch().has("ogrinfo")))
  func ogrinfo() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.twenty.circles)
    let output = scratch.run("ogrinfo -so '\(store.path)' places")
    #expect(output.contains("Feature Count: 20") && output.contains("Geometry: Point"))
  }

  @Test("A reader keeps its snapshot until it is refreshed")
  func snapshot() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.twenty.circles)
    let reader = try store.makeReader()
    #expect(try reader.count() == 20)
    try reader.endSnapshot()
    _ = try PlaceStore.importPlaces(
      from: [scratch.file("a", "id,lat,lon\na,1,2\n")], into: store.path)
    #expect(try reader.refreshSnapshot())
    #expect(try reader.count() == 21)
    #expect(try !reader.refreshSnapshot())
  }

  @Test("A reader may be released with its snapshot open")
  func release() throws {
    let scratch = Scratch()
    let store = try scratch.store(Samples.twenty.circles)
    let center = Samples.twenty.circles[0].coordinate
    for _ in 0..<100 {
      let reader = try store.makeReader()
      #expect(try reader.nearest(to: center, count: 1, rank: .center).count == 1)
    }
    #expect(try store.delete(["0"]).deleted == 1)
  }

  @Test("The statistics match the places")
  func statistics() throws {
    let scratch = Scratch()
    let statistics = try scratch.store(Samples.oneSpot.circles).statistics()
    #expect(statistics.count == 2000 && statistics.distinctPositions == 501)
    #expect(statistics.mostOverlapping >= 1500)
    #expect(statistics.radiiMeters?.least == 50 && statistics.radiiMeters?.greatest == 50_000)
    #expect(statistics.twentiethNeighborMeters?.least == 0)
    #expect(statistics.fileBytes == Scratch.bytes(scratch.path("places.db")).count)
  }

  @Test("A listing can be limited to a box, also across the antimeridian, and to a category")
  func list() throws {
    let scratch = Scratch()
    let file = scratch.file(
      "b", "id,lat,lon,category\na,1,179.5,x\nb,1,-179.5,y\nc,1,0,x\nd,50,179.5,x\n")
    let reader = try PlaceStore.inMemory(from: [file]).store.makeReader()
    func ids(_ box: CoordinateBox?, _ category: String?) throws -> [String] {
      var ids: [String] = []
      try reader.list(in: box, category: category) { place in
        ids.append(place.id)
        return true
      }
      return ids.sorted()
    }
    let box = CoordinateBox(
      westDegrees: 179, southDegrees: 0, eastDegrees: -179, northDegrees: 10)
    #expect(try ids(box, nil) == ["a", "b"])
    #expect(try ids(box, "x") == ["a"])
    #expect(try ids(nil, "x") == ["a", "c", "d"])
    #expect(try ids(nil, nil) == ["a", "b", "c", "d"])
  }
}
