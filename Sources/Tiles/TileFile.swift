import Foundation
import GRDB

/// A file of street tiles, MBTiles 1.3 with pictures, opened for reading alone.
///
/// A tile is a picture of a square of the Mercator projection; zoom level `z` has 2^z columns and rows. The file numbers
/// rows from the south, as the specification has it; this type numbers them from the north, as web maps do.
package final class TileFile: Sendable {
  /// What a map needs to know of the file.
  package struct Description: Equatable, Sendable {
    /// The name that the file gives itself, plain text from elsewhere; empty without one.
    package var name: String
    /// Whose data it is, plain text from elsewhere, without markup.
    package var attribution: String
    /// The lowest zoom level with tiles, 0 … 30.
    package var leastZoom: Int
    /// The highest zoom level with tiles, 0 … 30.
    package var greatestZoom: Int
  }

  /// A tile's picture.
  package struct Tile: Equatable, Sendable {
    /// The bytes of the picture.
    package var bytes: [UInt8]
    /// Its media type.
    package var type: String
  }

  /// What a map needs to know of the file.
  package let description: Description
  private let database: DatabaseQueue

  /// Opens a file.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: ``TileFileError``.
  package init(path: String) throws(TileFileError) {
    do {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.label = "TileFile"
      database = try DatabaseQueue(path: path, configuration: configuration)
      description = try database.read { try Self.describe($0) }
    } catch let error as TileFileError {
      throw error
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
      throw .cannotOpen
    } catch {
      throw .notTiles
    }
  }

  /// The tile at a place; nil if the file has none there.
  ///
  /// - Parameters:
  ///   - zoom: The zoom level, 0 … 30.
  ///   - column: From the west, 0 …
  ///   - row: From the north, 0 …
  /// - Returns: The tile; nil also for a place that cannot be, and if the file cannot be read any more.
  /// - Complexity: O(log n) in the tiles of the file.
  package func tile(zoom: Int, column: Int, row: Int) -> Tile? {
    guard (0...30).contains(zoom), (0..<(1 << zoom)).contains(column),
      (0..<(1 << zoom)).contains(row)
    else { return nil }
    let fromSouth = (1 << zoom) - 1 - row
    let data = try? database.read {
      try Data.fetchOne(
        $0,
        sql:
          "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
        arguments: [zoom, column, fromSouth])
    }
    guard let data, case let bytes = Array(data), let type = Self.type(of: bytes) else {
      return nil
    }
    return Tile(bytes: bytes, type: type)
  }

  private static func describe(_ database: Database) throws -> Description {
    guard try hasTiles(database) else { throw TileFileError.notTiles }
    let facts = try metadata(database)
    if facts["format"] == "pbf" { throw TileFileError.vectorTiles }
    // The levels that the file states may be wrong; the index knows them at once.
    let levels = try Row.fetchOne(
      database, sql: "SELECT min(zoom_level) AS least, max(zoom_level) AS greatest FROM tiles")
    guard let least = levels?["least"] as Int?, let greatest = levels?["greatest"] as Int? else {
      throw TileFileError.empty
    }
    let sample = try Data.fetchOne(database, sql: "SELECT tile_data FROM tiles LIMIT 1")
    guard let sample, type(of: Array(sample)) != nil else { throw TileFileError.vectorTiles }
    return Description(
      name: facts["name"] ?? "", attribution: withoutMarkup(facts["attribution"] ?? ""),
      leastZoom: min(30, max(0, least)), greatestZoom: min(30, max(0, greatest)))
  }

  private static func hasTiles(_ database: Database) throws -> Bool {
    let columns = Set(try database.columns(in: "tiles").map { $0.name.lowercased() })
    return columns.isSuperset(of: ["zoom_level", "tile_column", "tile_row", "tile_data"])
  }

  private static func metadata(_ database: Database) throws -> [String: String] {
    guard try database.tableExists("metadata") || database.viewExists("metadata") else {
      return [:]
    }
    let rows = try Row.fetchAll(
      database, sql: "SELECT CAST(name AS TEXT), CAST(value AS TEXT) FROM metadata LIMIT 100")
    return Dictionary(
      rows.map { ($0[0] as String? ?? "", String(($0[1] as String? ?? "").prefix(500))) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The media type of a picture by its first bytes; nil for anything else.
  private static func type(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    let isWebP =
      bytes.count >= 12 && bytes.starts(with: Array("RIFF".utf8))
      && bytes[8..<12].elementsEqual("WEBP".utf8)
    return isWebP ? "image/webp" : nil
  }

  /// A text without the tags in it: files write links into their attribution.
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
