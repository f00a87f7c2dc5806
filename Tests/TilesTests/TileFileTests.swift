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
    expect(file.tile(zoom: 2, column: 1, row: 0), Self.png, "image/png")
    expect(file.tile(zoom: 2, column: 1, row: 3), Self.jpeg, "image/jpeg")
    expect(file.tile(zoom: 3, column: 7, row: 0), Self.webp, "image/webp")
    #expect(file.tile(zoom: 2, column: 0, row: 0) == nil)
  }

  @Test("A place that cannot be has no tile")
  func impossible() throws {
    try make([:], [(0, 0, 0, Self.png)])
    let file = try TileFile(path: path)
    #expect(file.tile(zoom: 0, column: 0, row: 0) != nil)
    for (zoom, column, row) in [
      (-1, 0, 0), (31, 0, 0), (0, 1, 0), (0, 0, -1), (5, 32, 0), (5, 0, 1 << 40),
    ] {
      #expect(file.tile(zoom: zoom, column: column, row: row) == nil)
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

  @Test("The file is never written to, and nothing lies beside it")
  func readOnly() throws {
    try make([:], [(0, 0, 0, Self.png)])
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    do {
      let file = try TileFile(path: path)
      #expect(file.tile(zoom: 0, column: 0, row: 0) != nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["map.mbtiles"])
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }
}
