import FencepostCSpatiaLite
import FencepostSQLite

/// A file of street map tiles (MBTiles 1.3, raster images), opened read-only.
///
/// A tile is an image of one square of the Mercator projection. Zoom level `z` has 2^z columns and
/// rows. MBTiles counts rows from the south; this type counts them from the north, as web maps do.
package final class TileFile: Sendable {
  /// What a map needs to know about the file.
  package struct Description: Equatable, Sendable {
    /// The name from the file's metadata, perhaps empty; do not insert it as HTML.
    package var name: String
    /// The credit for the data, with HTML tags removed.
    package var attribution: String
    /// The lowest zoom level with tiles, 0 … 30.
    package var leastZoom: Int
    /// The highest zoom level with tiles, 0 … 30.
    package var greatestZoom: Int
  }

  package struct Tile: Equatable, Sendable {
    /// The encoded image.
    package var bytes: [UInt8]
    /// The media type, such as `image/png`.
    package var type: String
  }

  package let description: Description
  private let database: Database

  /// Opens a tile file.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: ``TileFileError`` if the file cannot be read or has no raster tiles.
  package init(path: String) throws(TileFileError) {
    do {
      database = try Database(path: path, mode: .readOnly)
      description = try Self.describe(database)
    } catch let error as TileFileError {
      throw error
    } catch let error as SQLiteError where error.code == SQLITE_CANTOPEN {
      throw .cannotOpen
    } catch {
      throw .notTiles
    }
  }

  /// Returns the tile at a position.
  ///
  /// - Parameters:
  ///   - zoom: The zoom level, 0 … 30.
  ///   - column: The column, counted from 0 in the west.
  ///   - row: The row, counted from 0 in the north.
  /// - Returns: Nil if there is no tile, the position is out of range or the file cannot be read.
  /// - Complexity: O(log n) for n tiles in the file.
  package func tile(zoom: Int, column: Int, row: Int) -> Tile? {
    guard (0...30).contains(zoom), (0..<(1 << zoom)).contains(column),
      (0..<(1 << zoom)).contains(row)
    else { return nil }
    let fromSouth = (1 << zoom) - 1 - row
    let bytes = try? database.run {
      try $0.blob(
        "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
        [zoom, column, fromSouth].map { .integer(Int64($0)) })
    }
    guard let bytes, let type = Self.type(of: bytes) else { return nil }
    return Tile(bytes: bytes, type: type)
  }

  private static func describe(_ database: Database) throws -> Description {
    let columns = try database.all("SELECT lower(name) FROM pragma_table_info('tiles')") {
      $0.string(0)
    }
    let needed: Set = ["zoom_level", "tile_column", "tile_row", "tile_data"]
    guard needed.isSubset(of: columns) else { throw TileFileError.notTiles }
    let facts = try metadata(database)
    if facts["format"] == "pbf" { throw TileFileError.vectorTiles }
    // The zoom levels in the metadata may be wrong, and the index gives them quickly.
    guard let least = try database.integer("SELECT min(zoom_level) FROM tiles"),
      let greatest = try database.integer("SELECT max(zoom_level) FROM tiles")
    else { throw TileFileError.empty }
    let sample = try database.blob("SELECT tile_data FROM tiles LIMIT 1")
    guard let sample, type(of: sample) != nil else { throw TileFileError.vectorTiles }
    return Description(
      name: facts["name"] ?? "", attribution: withoutMarkup(facts["attribution"] ?? ""),
      leastZoom: min(30, max(0, least)), greatestZoom: min(30, max(0, greatest)))
  }

  private static func metadata(_ database: Database) throws -> [String: String] {
    let exists = try database.integer(
      "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND lower(name) = 'metadata'")
    guard exists != nil else { return [:] }
    let rows = try database.all(
      "SELECT CAST(name AS TEXT), CAST(value AS TEXT) FROM metadata LIMIT 100"
    ) { ($0.string(0), String($0.string(1).prefix(500))) }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the image's media type, judged by its first bytes; nil if unknown.
  private static func type(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    let isWebP =
      bytes.count >= 12 && bytes.starts(with: Array("RIFF".utf8))
      && bytes[8..<12].elementsEqual("WEBP".utf8)
    return isWebP ? "image/webp" : nil
  }

  /// Removes tags: attributions often contain links.
  private static func withoutMarkup(_ text: String) -> String {
    var isInTag = false
    return String(
      text.filter { letter in
        if letter == "<" { isInTag = true }
        defer { if letter == ">" { isInTag = false } }
        return !isInTag
      })
  }
}

/// Why a tile file cannot be used.
package enum TileFileError: Error, Equatable, CustomStringConvertible {
  case cannotOpen
  case notTiles
  case vectorTiles
  case empty

  package var description: String {
    switch self {
    case .cannotOpen: "no such file, or it cannot be read"
    case .notTiles: "not an MBTiles file, which is an SQLite file with a table “tiles”"
    case .vectorTiles: "its tiles are vectors; only images (PNG, JPEG, WebP) can be shown"
    case .empty: "it has no tiles"
    }
  }
}
