/// Why a tile file cannot be used.
package enum TileFileError: Error, Equatable, CustomStringConvertible {
  /// The file does not exist or cannot be read.
  case cannotOpen
  /// The file is not an MBTiles file.
  case notTiles
  /// The file has vector tiles, which this program cannot draw.
  case vectorTiles
  /// The file has no tiles.
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
