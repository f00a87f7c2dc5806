/// Why a file of tiles cannot be used.
package enum TileFileError: Error, Equatable, CustomStringConvertible {
  /// There is no such file, or it may not be read.
  case cannotOpen
  /// It is something else.
  case notTiles
  /// It has vectors, which need a library to draw.
  case vectorTiles
  /// It has no tile.
  case empty

  /// The reason in words.
  package var description: String {
    switch self {
    case .cannotOpen: "no file, or none that may be read"
    case .notTiles: "no MBTiles: an SQLite file with a table ‘tiles’"
    case .vectorTiles: "its tiles are vectors; only pictures (PNG, JPEG, WebP) can be shown"
    case .empty: "it has no tile"
    }
  }
}
