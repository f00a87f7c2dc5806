import Geodesy
import Places
import Testing

/// A new store's pages are written without SQLite; a store in memory is filled by its statements.
@Suite("A store that is written page by page")
struct PageTests {
  /// A list of places with short and long texts, as CSV.
  private static func csv(_ count: Int, longTexts: Bool, seed: UInt64) -> String {
    var random = SplitMix64(seed: seed)
    var text = "id,title,lat,lon,radius,blurb,url,category,priority,published,expires\n"
    for index in 0..<count {
      let isLong = longTexts && index % 7 == 3
      // Cells of all sizes about those at which SQLite parts a row from its rest.
      let id = "\(random.next() % 9)-\(index)" + word(isLong ? 700 + index % 900 : 0, &random)
      let blurb = word(isLong ? 3700 + index * 13 % 700 : index % 40, &random)
      let title = index % 11 == 5 && longTexts ? word(9000 + index, &random) : "Story é \(index)"
      let radius = [50, 100.5, 400, 6000, 90_000, 20_000_000][Int(random.next() % 6)]
      let priority = ["", "0", "1", "-1", "300", "-40000", "2147483647"][Int(random.next() % 7)]
      let published = index % 3 == 0 ? "2026-03-04" : ""
      let expires = index % 5 == 0 ? "2031-03-04T10:00:00+02:00" : ""
      let place = "\(random.double(-90...90)),\(random.double(-180...180)),\(radius)"
      text +=
        "\(id),\(title),\(place),\(blurb),,k\(index % 5),\(priority),\(published),\(expires)\n"
    }
    return text
  }

  private static func word(_ length: Int, _ random: inout SplitMix64) -> String {
    String(repeating: Character(UnicodeScalar(97 + UInt8(random.next() % 26))), count: length)
  }

  private static func places(_ store: PlaceStore) throws -> [Place] {
    var places: [Place] = []
    try store.makeReader().list { place in
      places.append(place)
      return true
    }
    return places
  }

  private static func expectEqual(_ text: String, _ count: Int) throws {
    let scratch = Scratch()
    let input = scratch.file("a.csv", text)
    let path = scratch.path("s.db")
    let report = try PlaceStore.importPlaces(from: [input], into: path)
    let (memory, expected) = try PlaceStore.inMemory(from: [input])
    #expect(report == expected && report.imported == count)
    let store = try PlaceStore(path: path)
    #expect(try places(store) == places(memory))
    let findings = try store.check().findings
    #expect(findings.filter { $0.fault != nil } == [])
    #expect(try store.makeReader().count() == count)
    #expect(scratch.run("ls \(scratch.folder)") == "a.csv\ns.db\nstatus 0\n")
  }

  @Test(
    "it holds what SQLite would have inserted, and passes its checks, however many rows there are",
    arguments: [0, 1, 2, 30, 51, 52, 103, 700, 2602, 9000])
  func rows(_ count: Int) throws {
    try Self.expectEqual(Self.csv(count, longTexts: false, seed: UInt64(count)), count)
  }

  @Test("texts longer than a page, and ids longer than an index keeps in one, are whole")
  func longTexts() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      try Self.expectEqual(Self.csv(1200, longTexts: true, seed: seed), 1200)
    }
  }

  @Test("texts that are too many for memory are those of their places")
  func spooledTexts() throws {
    var random = SplitMix64(seed: 3)
    var text = "id,lat,lon,blurb,title\n"
    for index in 0..<9000 {
      let place = "\(random.double(-90...90)),\(random.double(-180...180))"
      text += "p\(index),\(place),\(Self.word(2000 + index % 900, &random)),\(index)\n"
    }
    try Self.expectEqual(text, 9000)
  }

  @Test("the same texts are merged into a store that is there")
  func mergedTexts() throws {
    let scratch = Scratch()
    var random = SplitMix64(seed: 4)
    func text(_ letter: Character) -> String {
      "id,lat,lon,blurb\n"
        + (0..<6000).map { index in
          let blurb = String(repeating: letter, count: 3000 + index % 10)
          return "\(index),\(random.double(-90...90)),\(random.double(-180...180)),\(blurb)\n"
        }.joined()
    }
    let path = scratch.path("s.db")
    _ = try PlaceStore.importPlaces(from: [scratch.file("1", text("a"))], into: path)
    let report = try PlaceStore.importPlaces(from: [scratch.file("2", text("b"))], into: path)
    #expect(report.updated == 6000 && report.imported == 0)
    let store = try PlaceStore(path: path)
    #expect(try store.check().isSound)
    for place in try Self.places(store) {
      let index = try #require(Int(place.id))
      #expect(place.blurb == String(repeating: "b", count: 3000 + index % 10))
    }
  }

  @Test(
    "places can be edited afterwards with all indexes, by other programs too",
    .enabled(if: Scratch().has("spatialite")))
  func edits() throws {
    let scratch = Scratch()
    let path = scratch.path("s.db")
    let input = scratch.file("a.csv", Self.csv(3000, longTexts: true, seed: 8))
    _ = try PlaceStore.importPlaces(from: [input], into: path)
    let said = scratch.run(
      """
      spatialite -silent '\(path)' "DELETE FROM places WHERE key % 3 = 0; \
      UPDATE places SET geometry = MakePoint(key % 90, 1, 4326), id = 'e' || key WHERE key % 7 = 1; \
      INSERT INTO places (id, geometry) SELECT 'n' || key, MakePoint(-key % 80, 2, 4326) FROM places;"
      """)
    #expect(said == "status 0\n")
    #expect(try PlaceStore(path: path).check().isSound)
    #expect(try PlaceStore(path: path).makeReader().count() == 4000)
  }
}
