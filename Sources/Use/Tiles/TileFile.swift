import FencepostCSpatiaLite
import FencepostSQLite
import Synchronization

/// A file of street map tiles (MBTiles 1.3, raster images), opened read-only.
///
/// A tile is an image of one square of the Mercator projection. Zoom level `z` has 2^z columns and
/// rows. MBTiles counts rows from the south; this type counts them from the north, as web maps do.
///
/// The tiles are in a table or, as in many files, in a view that joins two tables so that equal
/// images are stored once. A view of anyone's making may do no more than that, and for a bounded
/// time.
package final class TileFile: Sendable {
  /// What a map needs to know about the file.
  ///
  /// It is read once, when the file is opened.
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

  /// An image of one tile.
  ///
  /// It is as the file has it, and not checked beyond its first bytes.
  package struct Tile: Equatable, Sendable {
    /// The encoded image.
    package var bytes: [UInt8]
    /// The media type, such as `image/png`.
    package var type: String
  }

  /// What a map needs to know about the file.
  package let description: Description
  private let database: Database
  /// Whether a tile took so long that no more are read.
  private let isGivenUp = Atomic<Bool>(false)

  /// The path of the file.
  package var path: String { database.name }

  /// How much time of the processor opening the file may take, and then each tile.
  private static let mostSeconds = (opening: 2.0, tile: 0.25)

  /// Opens a tile file.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: ``TileFileError`` if the file cannot be read or has no raster tiles.
  package init(path: String) throws(TileFileError) {
    do {
      database = try Database(path: path, mode: .readOnly, isForeign: true)
      let tables = try Self.copyViews(database)
      database.restrict(to: tables)
      description = try database.within(seconds: Self.mostSeconds.opening) {
        try Self.describe($0, tables)
      }
    } catch {
      throw TileFileError(error)
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
  /// - Throws: ``TileFileError`` `.tooSlow`, once; from then on there is no tile.
  package func tile(zoom: Int, column: Int, row: Int) throws(TileFileError) -> Tile? {
    guard !isGivenUp.load(ordering: .relaxed), (0...30).contains(zoom),
      (0..<(1 << zoom)).contains(column),
      (0..<(1 << zoom)).contains(row)
    else { return nil }
    let fromSouth = (1 << zoom) - 1 - row
    let bytes: [UInt8]?
    do {
      bytes = try database.within(seconds: Self.mostSeconds.tile) {
        (database) throws(SQLiteError) in
        try database.blob(
          "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
          [zoom, column, fromSouth].map { .integer(Int64($0)) })
      }
    } catch let error where error.code == SQLITE_INTERRUPT {
      isGivenUp.store(true, ordering: .relaxed)
      throw .tooSlow
    } catch {
      return nil
    }
    guard let bytes, let type = Self.type(of: bytes) else { return nil }
    return Tile(bytes: bytes, type: type)
  }

  /// Makes views of our own from those of the file, which are switched off.
  ///
  /// - Returns: The tables and views that may be read.
  private static func copyViews(_ database: Database) throws -> Set<String> {
    let tables = try database.plainTables()
    var views: Set<String> = []
    for name in ["tiles", "metadata"] where !tables.contains(name) {
      let definition = try database.text(
        """
        SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND lower(name) = ?
        """, [.text(name)])
      guard let definition else { continue }
      // Queries within queries can double each other while SQLite compiles them.
      guard definition.hasPrefix("CREATE VIEW "),
        definition.lowercased().ranges(of: "select").count <= mostSelects
      else { throw TileFileError.computed }
      // SQLite compiles the first statement of a text and no more.
      try Statement("CREATE TEMP" + definition.dropFirst("CREATE".count), on: database).run()
      views.insert(name)
    }
    return tables.union(views)
  }

  private static let mostSelects = 8

  private static func describe(_ database: Database, _ tables: Set<String>) throws -> Description {
    guard tables.contains("tiles") else { throw TileFileError.notTiles }
    let facts = tables.contains("metadata") ? try metadata(database) : [:]
    if facts["format"] == "pbf" { throw TileFileError.vectorTiles }
    // The zoom levels in the metadata may be wrong, and an index gives them quickly, also through a
    // view.
    func zoom(_ order: String) throws -> Int? {
      try database.integer(
        "SELECT zoom_level FROM tiles WHERE zoom_level >= 0 ORDER BY zoom_level \(order) LIMIT 1")
    }
    guard let least = try zoom("ASC"), let greatest = try zoom("DESC") else {
      throw TileFileError.empty
    }
    let sample = try database.first(
      "SELECT tile_data, tile_column, tile_row FROM tiles LIMIT 1"
    ) { $0.blob(0) }
    guard let sample, type(of: sample) != nil else { throw TileFileError.vectorTiles }
    return Description(
      name: facts["name"] ?? "", attribution: withoutMarkup(facts["attribution"] ?? ""),
      leastZoom: min(30, max(0, least)), greatestZoom: min(30, max(0, greatest)))
  }

  private static func metadata(_ database: Database) throws -> [String: String] {
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
///
/// The description tells the user what kind of file is needed.
package enum TileFileError: Error, Equatable, CustomStringConvertible {
  /// The file does not exist or cannot be read.
  case cannotOpen
  /// The file is not an MBTiles file.
  case notTiles
  /// The tiles are vectors and not images.
  case vectorTiles
  /// The file has no tiles.
  case empty
  /// A view or column computes more than a join of tables.
  case computed
  /// A tile has more than 16 MiB.
  case tooLarge
  /// Finding a tile takes too long, usually because an index is missing.
  case tooSlow

  fileprivate init(_ error: any Error) {
    self = error as? TileFileError ?? .notTiles
    guard let error = error as? SQLiteError else { return }
    // SQLite has no code of its own for functions and views that may not be used.
    let isRefusal = ["not authorized", "prohibited"].contains { error.message.contains($0) }
    switch error.code {
    case SQLITE_CANTOPEN: self = .cannotOpen
    case SQLITE_AUTH: self = .computed
    case SQLITE_ERROR where isRefusal: self = .computed
    case SQLITE_TOOBIG: self = .tooLarge
    case SQLITE_INTERRUPT: self = .tooSlow
    default: break
    }
  }

  /// The error as a clause that follows the name of the file.
  package var description: String {
    switch self {
    case .cannotOpen: "no such file, or it cannot be read"
    case .notTiles: "not an MBTiles file, which is an SQLite file with a table “tiles”"
    case .vectorTiles: "its tiles are vectors; only images (PNG, JPEG, WebP) can be shown"
    case .empty: "it has no tiles"
    case .computed:
      "its tiles must be a table, or a view that only joins tables; Fencepost runs nothing else"
    case .tooLarge: "it has a tile above 16 MB"
    case .tooSlow:
      "finding a tile takes too long, so its tiles are not shown; "
        + "“tiles” needs an index of zoom_level, tile_column, tile_row"
    }
  }
}
