import FencepostTiles
import Foundation
import FencepostSQLite
import TestSupport
import Testing

@Suite("Street tiles from a file")
struct TileFileTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 2]
  private static let webp: [UInt8] = Array("RIFF....WEBP".utf8)

  private let scratch: ScratchFolder
  private var path: String { scratch.path + "/map.mbtiles" }

  init() throws { scratch = try ScratchFolder() }

  private func make(
    _ metadata: [String: String],
    _ tiles: [(zoom: Int, column: Int, rowFromSouth: Int, bytes: [UInt8])]
  ) throws {
    let database = try Database(path: path)
    try database.inTransaction(.immediate) {
      try database.execute(
        """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (
          zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)
        """)
      for (name, value) in metadata {
        try database.execute("INSERT INTO metadata VALUES (?, ?)", [.text(name), .text(value)])
      }
      for tile in tiles {
        let square = [tile.zoom, tile.column, tile.rowFromSouth]
        try database.execute(
          "INSERT INTO tiles VALUES (?, ?, ?, ?)",
          square.map { .integer(Int64($0)) } + [.blob(tile.bytes)])
      }
    }
    try database.close()
  }

  private func expect(
    _ tile: TileFile.Tile?, _ bytes: [UInt8], _ type: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(tile?.bytes == bytes && tile?.type == type, sourceLocation: location)
  }

  @Test("Rows are counted from the north, and a picture's type is that of its bytes")
  func pictures() throws {
    try make(
      [
        "name": "Town", "attribution": "<a href=\"https://example.org\">© Mappers</a>",
        "minzoom": "9",
      ],
      [(2, 1, 3, Self.png), (2, 1, 0, Self.jpeg), (3, 7, 7, Self.webp)])
    let file = try TileFile(path: path)
    #expect(file.description.name == "Town")
    #expect(file.description.attribution == "© Mappers")
    #expect(file.description.leastZoom == 2 && file.description.greatestZoom == 3)
    expect(try file.tile(zoom: 2, column: 1, row: 0), Self.png, "image/png")
    expect(try file.tile(zoom: 2, column: 1, row: 3), Self.jpeg, "image/jpeg")
    expect(try file.tile(zoom: 3, column: 7, row: 0), Self.webp, "image/webp")
    #expect(try file.tile(zoom: 2, column: 0, row: 0) == nil)
  }

  @Test("A place that cannot be has no tile")
  func impossible() throws {
    try make([:], [(0, 0, 0, Self.png)])
    let file = try TileFile(path: path)
    #expect(try file.tile(zoom: 0, column: 0, row: 0) != nil)
    for (zoom, column, row) in [
      (-1, 0, 0), (31, 0, 0), (0, 1, 0), (0, 0, -1), (5, 32, 0), (5, 0, 1 << 40),
    ] {
      #expect(try file.tile(zoom: zoom, column: column, row: row) == nil)
    }
  }

  @Test("What is no file of pictures is refused with a reason")
  func refused() throws {
    #expect(throws: TileFileError.cannotOpen) { try TileFile(path: scratch.path + "/none") }
    try Data("no database, but long enough to be taken for the head of one, perhaps".utf8)
      .write(to: URL(fileURLWithPath: scratch.path + "/text"))
    #expect(throws: TileFileError.notTiles) { try TileFile(path: scratch.path + "/text") }
    try make(["format": "pbf"], [(0, 0, 0, [0x1F, 0x8B])])
    #expect(throws: TileFileError.vectorTiles) { try TileFile(path: path) }
    try FileManager.default.removeItem(atPath: path)
    try make([:], [(0, 0, 0, [0x1F, 0x8B])])
    #expect(throws: TileFileError.vectorTiles) { try TileFile(path: path) }
    try FileManager.default.removeItem(atPath: path)
    try make([:], [])
    #expect(throws: TileFileError.empty) { try TileFile(path: path) }
  }

  // MARK: Views

  /// Makes a file in which `tiles` is a view over the tables `map` and `images`, as `mb-util` makes it.
  private func makeJoined(
    _ view: String = "FROM map JOIN images ON images.tile_id = map.tile_id", _ more: String = ""
  ) throws {
    let database = try Database(path: path)
    try database.execute(
      """
      CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
      CREATE TABLE images (tile_data BLOB, tile_id TEXT);
      CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
      CREATE UNIQUE INDEX images_id ON images (tile_id);
      CREATE TABLE facts (name TEXT, value TEXT);
      INSERT INTO facts VALUES ('name', 'Shared');
      CREATE VIEW metadata AS SELECT facts.name AS name, facts.value AS value FROM facts;
      INSERT INTO map VALUES (0, 0, 0, 'sea'), (1, 1, 0, 'sea'), (2, 0, 0, 'land');
      INSERT INTO images VALUES (?, 'sea'), (?, 'land');
      CREATE VIEW other AS SELECT * FROM images;
      CREATE TABLE digits (digit INTEGER);
      INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
      \(more);
      CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
        map.tile_row AS tile_row, images.tile_data AS tile_data \(view)
      """, [.blob(Self.png), .blob(Self.jpeg)])
    try database.close()
  }

  /// Rows without end, for all that a test waits.
  private static let endless =
    "LEFT JOIN digits AS d0 ON map.tile_column = 1"
    + (1..<20).map { " LEFT JOIN digits AS d\($0) ON map.tile_column = 1" }.joined()
  private static let noDigits = (0..<20).map { "d\($0).digit" }.joined(separator: " + ") + " < 0"

  @Test("A view that joins tables is read like a table")
  func joined() throws {
    try makeJoined()
    let file = try TileFile(path: path)
    #expect(file.description.name == "Shared")
    #expect(file.description.leastZoom == 0 && file.description.greatestZoom == 2)
    expect(try file.tile(zoom: 1, column: 1, row: 1), Self.png, "image/png")
    expect(try file.tile(zoom: 2, column: 0, row: 3), Self.jpeg, "image/jpeg")
    #expect(try file.tile(zoom: 2, column: 1, row: 3) == nil)
  }

  @Test(
    "A view that computes more is refused",
    arguments: [
      "FROM map JOIN (SELECT hex(zeroblob(400000000)) AS tile_data) AS images",
      "FROM map JOIN images ON images.tile_data LIKE '%a%b%c%d%e%f%'",
      """
      FROM map JOIN (WITH RECURSIVE endless(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM endless)
        SELECT max(n) AS tile_data FROM endless) AS images
      """,
      "FROM map JOIN (SELECT value AS tile_data FROM json_each('[1]')) AS images",
      "FROM map JOIN other AS images",
      "FROM map JOIN (SELECT sql AS tile_data FROM sqlite_schema) AS images",
      "FROM map JOIN images WHERE 1 IN (" + String(repeating: "SELECT 1 UNION ", count: 8)
        + "SELECT 1)",
    ])
  func computed(_ view: String) throws {
    try makeJoined(view)
    #expect(throws: TileFileError.computed) { try TileFile(path: path) }
  }

  @Test("A generated column is refused, in a table and behind a view")
  func generated() throws {
    try makeJoined(
      "FROM map JOIN images",
      "DROP TABLE images; CREATE TABLE images (a, tile_data AS (hex(zeroblob(a))))")
    #expect(throws: TileFileError.computed) { try TileFile(path: path) }
    try FileManager.default.removeItem(atPath: path)
    let database = try Database(path: path)
    try database.execute(
      """
      CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data AS (hex(zeroblob(zoom_level))))
      """)
    try database.close()
    #expect(throws: TileFileError.computed) { try TileFile(path: path) }
  }

  @Test("A view that would never end is refused, and one that does so for some tile is given up")
  func endless() throws {
    try makeJoined("FROM map JOIN images \(Self.endless) WHERE \(Self.noDigits)")
    #expect(throws: TileFileError.tooSlow) { try TileFile(path: path) }
    try FileManager.default.removeItem(atPath: path)
    try makeJoined(
      """
      FROM map JOIN images ON images.tile_id = map.tile_id \(Self.endless)
      WHERE map.tile_column = 0 OR \(Self.noDigits)
      """)
    let file = try TileFile(path: path)
    expect(try file.tile(zoom: 0, column: 0, row: 0), Self.png, "image/png")
    #expect(throws: TileFileError.tooSlow) { try file.tile(zoom: 1, column: 1, row: 1) }
    #expect(try file.tile(zoom: 0, column: 0, row: 0) == nil)
  }

  @Test("A tile above the bound is no tile")
  func large() throws {
    let large = Self.png + [UInt8](repeating: 0, count: Database.mostForeignBytes)
    try make([:], [(0, 0, 0, Self.png), (1, 0, 0, large)])
    let file = try TileFile(path: path)
    #expect(try file.tile(zoom: 0, column: 0, row: 0) != nil)
    #expect(try file.tile(zoom: 1, column: 0, row: 1) == nil)
    try FileManager.default.removeItem(atPath: path)
    try make([:], [(1, 0, 0, large)])
    #expect(throws: TileFileError.tooLarge) { try TileFile(path: path) }
  }

  @Test("The file is never written to, and nothing lies beside it")
  func readOnly() throws {
    try make([:], [(0, 0, 0, Self.png)])
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    do {
      let file = try TileFile(path: path)
      #expect(try file.tile(zoom: 0, column: 0, row: 0) != nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["map.mbtiles"])
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }
}
