import FencepostGeodesy
import FencepostMonitoring
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

  // MARK: Roads

  private typealias Road = (name: String, run: @Sendable (PlaceStore, Scratch) throws -> Void)

  /// What is done with a store, by name.
  private static let reading: [Road] = [
    ("count", { store, _ in _ = try store.makeReader().count() }),
    ("list", { store, _ in try store.makeReader().list { _ in true } }),
    ("list in a box", { store, _ in try store.makeReader().list(in: everywhere) { _ in true } }),
    ("sample", { store, _ in _ = try store.makeReader().sample(9) }),
    ("statistics", { store, _ in _ = try store.statistics() }),
    (
      "nearest",
      { store, _ in
        _ = try store.makeReader().nearest(to: center, count: 20, rank: .center)
      }
    ),
    (
      "source",
      { store, _ in
        let source = StoreSource(reader: try store.makeReader())
        _ = source.answer(CandidateRequest(question: .containing, coordinate: center))
        _ = try source.key(forID: "3")
      }
    ),
    ("notes", { store, _ in _ = try store.saveNotes() }),
  ]

  private static let changing: [Road] = [
    ("check", { store, _ in _ = try store.check() }),
    (
      "edit",
      { store, _ in
        let before = try store.makeReader().place(withID: "3")
        var after = before
        after?.radiusMeters = 77
        after?.coordinate = center
        let edit = PlaceEdit(id: "3", before: before, after: after)
        _ = try store.edit([edit]) { _ in "a note" }
      }
    ),
    ("delete", { store, _ in _ = try store.delete(["4"]) }),
    ("import", { try importRows(2, into: $0, $1) }),
    // So many that the index is written anew.
    ("large import", { try importRows(2500, into: $0, $1) }),
  ]

  private static let center = Samples.twenty.circles[0].coordinate
  private static let everywhere = CoordinateBox(
    westDegrees: -180, southDegrees: -90, eastDegrees: 180, northDegrees: 90)

  private static func importRows(_ count: Int, into store: PlaceStore, _ scratch: Scratch) throws {
    let rows = (0..<count).map { "n\($0),1,2\n" }.joined()
    let file = scratch.file("rows.csv", "id,lat,lon\n" + rows)
    _ = try PlaceStore.importPlaces(from: [file], into: store.path)
  }

  /// Replaces a part of the definition of an object, as only a crafted file has it.
  private static func redefine(_ name: String, _ old: String, _ new: String) -> String {
    func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
    return """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, \(quoted(old)), \(quoted(new)))
        WHERE name = \(quoted(name));
      """
  }

  // MARK: What is refused

  struct Craft: Sendable, CustomTestStringConvertible {
    var sql: String
    var detail: String
    var testDescription: String { detail }
  }

  private static let endless =
    "WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r"
  private static let columns =
    "key, id, blurb, url, category, priority, published, expires, geometry, radius"

  static let computingStores = [
    Craft(
      sql: """
        ALTER TABLE places RENAME TO stored;
        CREATE VIEW places AS SELECT hex(zeroblob(100000000)) AS title, \(columns) FROM stored;
        """,
      detail: "“places” is not a table of stored values"),
    Craft(
      sql: """
        ALTER TABLE places RENAME TO stored;
        CREATE VIEW places AS SELECT (\(endless)) AS title, \(columns) FROM stored;
        """,
      detail: "“places” is not a table of stored values"),
    Craft(
      sql: redefine("places", "title TEXT DEFAULT ''", "title TEXT AS (hex(zeroblob(100000000)))"),
      detail: "“places” is not a table of stored values"),
    Craft(
      sql: "DROP TABLE places; CREATE VIRTUAL TABLE places USING fts5(title, \(columns))",
      detail: "“places” is not a table of stored values"),
    Craft(
      sql: "DROP TABLE places_count; CREATE VIEW places_count AS \(endless)",
      detail: "“places_count” is not a table of stored values"),
    Craft(
      sql: "CREATE VIEW Places_Saves AS SELECT 1 AS number, (\(endless)) AS note",
      detail: "“places_saves” is not a table of stored values"),
    Craft(
      sql: """
        DROP TABLE idx_places_geometry; CREATE VIEW idx_places_geometry AS
          SELECT (\(endless)) AS pkid, 0 AS xmin, 0 AS xmax, 0 AS ymin, 0 AS ymax;
        """,
      detail: "“idx_places_geometry” is not an R*Tree"),
    Craft(
      sql: """
        DROP TABLE idx_places_geometry; CREATE VIRTUAL TABLE idx_places_geometry USING
          fts5(pkid, xmin, xmax, ymin, ymax);
        """,
      detail: "“idx_places_geometry” is not an R*Tree"),
    Craft(
      sql: redefine("idx_places_geometry_rowid", "nodeno", "nodeno AS (abs(rowid))"),
      detail: "“idx_places_geometry_rowid” is not a table of stored values"),
    Craft(
      sql: """
        UPDATE idx_places_geometry_node SET data = X'0028' || substr(data, 3) WHERE nodeno = 1;
        """,
      detail: "idx_places_geometry is deeper than it can be"),
  ]

  @Test(
    "A store that computes what it should hold is refused by all roads", arguments: computingStores)
  func unreadable(_ craft: Craft) throws {
    for road in Self.reading + Self.changing {
      let scratch = Scratch()
      let path = try store(scratch, craft.sql)
      let before = Scratch.bytes(path)
      #expect("\(road.name)") {
        try road.run(try PlaceStore(path: path), scratch)
      } throws: { error in
        "\(error)".contains(craft.detail) && "\(error)".hasPrefix("\(path): ")
      }
      #expect(Scratch.bytes(path) == before)
    }
  }

  static let computingWrites = [
    Craft(
      sql: "CREATE INDEX mine ON places (hex(title))",
      detail: "the index “mine” of “places” is computed"),
    Craft(
      sql: "CREATE INDEX mine ON places (title) WHERE title LIKE '%a%b%c%d%e%'",
      detail: "the index “mine” of “places” is computed"),
    Craft(
      sql: """
        DROP INDEX places_wide; CREATE INDEX places_wide ON places (radius) WHERE abs(radius) > 1000
        """,
      detail: "the index “places_wide” of “places” is computed"),
    Craft(
      sql: redefine(
        "places", "blurb TEXT DEFAULT ''", "blurb TEXT DEFAULT (hex(zeroblob(90000000)))"),
      detail: "the default of “blurb” in “places” is computed"),
    Craft(
      sql: redefine("places", "blurb TEXT DEFAULT ''", "blurb TEXT DEFAULT ('' LIKE '%a%b%c%d%')"),
      detail: "the default of “blurb” in “places” is computed"),
  ]

  @Test(
    "A store that computes what is written is read, and neither changed nor checked",
    arguments: computingWrites)
  func unwritable(_ craft: Craft) throws {
    let scratch = Scratch()
    let path = try store(scratch, craft.sql)
    let before = Scratch.bytes(path)
    for road in Self.reading { try road.run(try PlaceStore(path: path), scratch) }
    for road in Self.changing {
      #expect("\(road.name)") {
        try road.run(try PlaceStore(path: path), scratch)
      } throws: {
        "\($0)" == "\(path): Fencepost runs nothing that a store computes (\(craft.detail))"
      }
    }
    #expect(Scratch.bytes(path) == before)
  }

  // MARK: What is not run

  @Test("No function of SpatiaLite runs for a store's own CHECK or trigger, by any road")
  func procedures() throws {
    let scratch = Scratch()
    let (victim, written) = (scratch.path("victim.db"), scratch.path("written.db"))
    #expect(scratch.run("sqlite3 '\(victim)' 'CREATE TABLE t (x)'") == "status 0\n")
    let untouched = Scratch.bytes(victim)
    let call = """
      SqlProc_Execute(SqlProc_FromText('ATTACH DATABASE "\(victim)" AS v; DROP TABLE v.t; \
      VACUUM INTO "\(written)";')) IS NOT 5
      """
    let triggers = ["INSERT", "UPDATE", "DELETE"].map {
      "CREATE TRIGGER own_\($0) AFTER \($0) ON places BEGIN SELECT \(call); END;"
    }
    for road in Self.reading + Self.changing {
      let folder = Scratch()
      let path = try store(
        folder,
        triggers.joined()
          + Self.redefine("places", "CHECK (length(id) > 0)", "CHECK (length(id) > 0 AND \(call))"))
      try road.run(try PlaceStore(path: path), folder)
      #expect(Scratch.bytes(victim) == untouched, "\(road.name)")
      #expect(Scratch.bytes(written).isEmpty, "\(road.name)")
    }
  }

  @Test("Triggers stay for other programs")
  func triggers() throws {
    let scratch = Scratch()
    let path = try store(
      scratch,
      """
      CREATE TRIGGER "a""; DROP TABLE places; --" AFTER INSERT ON places BEGIN
        SELECT load_extension('/nonexistent/hostile.so');
      END;
      """)
    func triggers() -> String {
      scratch.run("sqlite3 '\(path)' \"SELECT sql FROM sqlite_master WHERE type = 'trigger'\"")
    }
    let before = triggers()
    for road in Self.changing { try road.run(try PlaceStore(path: path), scratch) }
    #expect(triggers() == before)
    #expect(try PlaceStore(path: path).check().isSound)
  }

  // MARK: What is honest

  @Test("A store with another program's columns, tables, views and indexes is read and changed")
  func honest() throws {
    let scratch = Scratch()
    let path = try store(
      scratch,
      """
      ALTER TABLE places ADD COLUMN "opening hours" VARCHAR(80) DEFAULT 'daily';
      ALTER TABLE places ADD COLUMN fee DOUBLE DEFAULT -1.5;
      CREATE INDEX places_category ON places (category COLLATE NOCASE, title DESC);
      CREATE TABLE layer_styles (id INTEGER PRIMARY KEY, styleQML XML,
        update_time DATETIME DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')));
      CREATE INDEX layer_names ON layer_styles (lower(styleQML)) WHERE id > 3;
      CREATE VIEW museums AS SELECT * FROM places WHERE category = 'museum';
      """)
    for road in Self.reading + Self.changing { try road.run(try PlaceStore(path: path), scratch) }
    let store = try PlaceStore(path: path)
    let check = try store.check()
    #expect(check.isSound, "\(check)")
    #expect(try store.makeReader().count() == 20 - 1 + 2500)
    let defaults = "SELECT DISTINCT \"opening hours\", fee FROM places"
    #expect(scratch.run("sqlite3 '\(path)' '\(defaults)'") == "daily|-1.5\nstatus 0\n")
  }

  @Test("Keys at the ends of their range, and a count beyond the file, do no harm")
  func extremes() throws {
    let crafts = [
      """
      DROP TRIGGER places_key_update;
      UPDATE places SET key = -9223372036854775808 WHERE id = '0';
      UPDATE places SET key = 9223372036854775807 WHERE id = '1';
      """,
      "UPDATE places_count SET places = 4611686018427387904, change_counter = change_counter + 1",
      "UPDATE places_count SET places = -5, change_counter = change_counter + 1",
    ]
    for craft in crafts {
      let scratch = Scratch()
      let path = try store(scratch, craft)
      for road in Self.reading { try road.run(try PlaceStore(path: path), scratch) }
      #expect(try PlaceStore(path: path).makeReader().count() == 20)
      #expect(try PlaceStore(path: path).makeReader().sample(9).count > 1)
    }
  }
}
