import FencepostPlaces
import Testing

@Suite("Hostile stores", .enabled(if: Scratch().has("sqlite3")))
struct SecurityTests {
  private func store(_ scratch: Scratch, _ sql: String) throws -> String {
    let path = try scratch.store(Samples.twenty.circles).path
    let file = scratch.file("change.sql", sql)
    #expect(scratch.run("sqlite3 '\(path)' <'\(file)'") == "status 0\n")
    return path
  }

  @Test("A trigger cannot load an extension")
  func extensions() throws {
    let scratch = Scratch()
    let path = try store(
      scratch,
      """
      CREATE TRIGGER hostile AFTER INSERT ON places BEGIN
        SELECT load_extension('/nonexistent/hostile.so');
      END;
      """)
    let before = Scratch.bytes(path)
    let input = scratch.file("a.csv", "id,lat,lon\na,1,2\n")
    #expect {
      try PlaceStore.importPlaces(from: [input], into: path)
    } throws: { error in
      "\(error)" == "\(path): SQLite refused a statement (unsafe use of load_extension())"
    }
    #expect(Scratch.bytes(path) == before)
  }

  @Test("The name of a trigger cannot inject statements into an import")
  func names() throws {
    let scratch = Scratch()
    let path = try store(
      scratch,
      """
      CREATE TRIGGER "a""; DROP TABLE places; --" AFTER INSERT ON places BEGIN SELECT 1; END;
      """)
    // So many that the triggers are dropped meanwhile.
    let rows = (0..<2500).map { "n\($0),1,2\n" }.joined()
    let input = scratch.file("a.csv", "id,lat,lon\n" + rows)
    #expect(try PlaceStore.importPlaces(from: [input], into: path).imported == 2500)
    #expect(
      scratch.run(
        "sqlite3 '\(path)' \"SELECT count(*) FROM sqlite_master WHERE name LIKE 'a%DROP%'\"")
        == "1\nstatus 0\n")
  }

  @Test("A view in place of the table cannot call unsafe functions")
  func views() throws {
    let scratch = Scratch()
    let path = try store(
      scratch,
      """
      ALTER TABLE places RENAME TO real_places;
      CREATE VIEW places AS SELECT key, load_extension('/nonexistent') AS id, title, blurb, url,
        category, priority, published, expires, geometry, radius FROM real_places;
      """)
    #expect(throws: PlaceStoreError.self) {
      try PlaceStore(path: path).makeReader().list { _ in true }
    }
  }
}
