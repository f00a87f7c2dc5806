import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import TestSupport
import Testing

@Suite("The place lists of the corpus", .enabled(if: Corpus.folder != nil, "there is no corpus"))
struct CorpusTests {
  struct Expectation: Sendable {
    var file: String
    var imported: Int
    var refused = 0
  }

  // The counts are those of the corpus's manifest, but where several places share an id (the dining
  // lists number most of them 0), those of the distinct ids.
  @Test(
    "Each list yields its places",
    arguments: [
      Expectation(file: "philly_dining.csv", imported: 50, refused: 72),
      Expectation(file: "philly_dining_mixed_radius.csv", imported: 50, refused: 72),
      Expectation(file: "geonames_cities1000.csv", imported: 144_563),
      Expectation(file: "helsinki_pois.csv", imported: 1566),
      Expectation(file: "nyc_dense_translated.csv", imported: 1566),
      Expectation(file: "edge/quoting.csv", imported: 5),
      Expectation(file: "edge/bom_crlf.csv", imported: 2),
      Expectation(file: "edge/column_order.csv", imported: 2),
      Expectation(file: "edge/poles_antimeridian.csv", imported: 7),
      Expectation(file: "edge/same_spot_40.csv", imported: 40),
      Expectation(file: "edge/empty.csv", imported: 0),
      Expectation(file: "malformed/bad_rows.csv", imported: 2, refused: 10),
      Expectation(file: "malformed/missing_column.csv", imported: 1),
      Expectation(file: "malformed/unclosed_quote.csv", imported: 1, refused: 1),
      Expectation(file: "malformed/not_utf8.csv", imported: 1),
      Expectation(file: "malformed/sql_title.csv", imported: 1),
      Expectation(file: "malformed/semicolon.csv", imported: 1),
    ])
  func counts(_ expectation: Expectation) throws {
    let scratch = Scratch()
    let path = scratch.path("s.db")
    let report = try PlaceStore.importPlaces(
      from: [Corpus.places(expectation.file)], into: path)
    #expect(report.imported == expectation.imported)
    #expect(report.refused == expectation.refused)
    let store = try PlaceStore(path: path)
    #expect(try store.makeReader().count() == expectation.imported)
    #expect(try store.check().isSound)
  }

  @Test("A file that is not a list is refused", arguments: ["no_header.csv"])
  func refused(_ file: String) throws {
    #expect(throws: PlaceImportError.self) {
      try PlaceStore.inMemory(from: [Corpus.places("malformed/\(file)")])
    }
  }

  @Test("Titles are kept verbatim")
  func titles() throws {
    let quoting = try PlaceStore.inMemory(from: [Corpus.places("edge/quoting.csv")])
    let reader = try quoting.store.makeReader()
    let titles = try (1...5).map { try reader.place(withID: "\($0)")?.title ?? "?" }
    #expect(titles == ["Fish, chips & \"peas\"", "two\nlines", "日本語 🗞️", "", "O'Neil"])
    let sql = try PlaceStore.inMemory(from: [Corpus.places("malformed/sql_title.csv")])
    #expect(
      try sql.store.makeReader().place(withID: "1")?.title == "x'); DROP TABLE places; --")
  }

  @Test("The nearest of the world's towns are the same as by PROJ")
  func towns() throws {
    let (store, _) = try PlaceStore.inMemory(from: [Corpus.places("geonames_cities1000.csv")])
    let reader = try store.makeReader()
    var towns: [Coordinate] = []
    try reader.list { place in
      towns.append(place.coordinate)
      return true
    }
    var random = SplitMix64(seed: 21)
    for _ in 0..<8 {
      let near = try #require(towns.randomElement(using: &random))
      let point = Coordinate(
        latitudeDegrees: near.latitudeDegrees, longitudeDegrees: near.longitudeDegrees / 1.01)
      let expected = towns.map { NearestTests.distance(point, $0) }.sorted().prefix(20)
      let found = try reader.nearest(to: point, count: 20, rank: .center)
      for (neighbor, distance) in zip(found, expected) {
        #expect(abs(neighbor.centerDistanceMeters - distance) < NearestTests.tolerance)
      }
      #expect(found.count == 20)
    }
  }
}
