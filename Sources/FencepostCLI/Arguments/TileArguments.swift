import ArgumentParser
import FencepostTiles

/// Where a page's streets come from.
struct TileArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Street tiles from a file, MBTiles with pictures, so that the page needs no network.",
      valueName: "file"),
    completion: .file(extensions: ["mbtiles"]))
  var tiles: String?

  /// The file, opened; nil without one.
  ///
  /// - Throws: ``CommandFailure``.
  func open() throws -> TileFile? {
    guard let tiles else { return nil }
    do throws(TileFileError) {
      return try TileFile(path: tiles)
    } catch {
      throw CommandFailure(
        error == .cannotOpen ? .inputMissing : .inputBad, "\(tiles): \(error.description)")
    }
  }
}
