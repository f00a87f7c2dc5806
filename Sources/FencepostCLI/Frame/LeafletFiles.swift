import FencepostFiles
import FencepostFormats
import FencepostStudio

/// The files of the map library.
enum LeafletFiles {
  /// Where Debian's package `libjs-leaflet` puts the map library.
  private static let folder = "/usr/share/javascript/leaflet"

  /// Reads the library.
  ///
  /// - Throws: ``CommandFailure`` if a file is missing.
  static func read() throws(CommandFailure) -> PageWriter.MapLibrary {
    PageWriter.MapLibrary(
      script: try file("leaflet.min.js"), style: try file("leaflet.css"))
  }

  private static func file(_ name: String) throws(CommandFailure) -> String {
    do throws(ByteSourceError) {
      return try text(of: "\(folder)/\(name)")
    } catch {
      throw CommandFailure(
        .inputMissing,
        "\(error); a page needs the map library of Debian's package libjs-leaflet")
    }
  }

  /// The text of a file.
  static func text(of path: String) throws(ByteSourceError) -> String {
    var source = try ByteSource(path: path)
    var all: [UInt8] = []
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) { all += chunk }
    return String(decoding: all, as: UTF8.self)
  }
}
