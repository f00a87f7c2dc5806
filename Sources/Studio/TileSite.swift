import FencepostFormats
import FencepostReporting
import FencepostHTTP
import FencepostTiles

/// Serves street tiles from a file, for the pages that have a map.
///
/// `/tiles` says what there is, in JSON: `null` without a file. `/tiles/ZOOM/COLUMN/ROW` is a tile, rows from the north. For
/// the server's thread only.
struct TileSite {
  private let file: TileFile?

  init(_ file: TileFile?) { self.file = file }

  private static var root: String { "/tiles" }

  /// Whether a path is one of tiles.
  static func isTiles(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }

  /// Answers a request for a path of tiles.
  func answer(_ path: String) -> HTTPResponse {
    guard path != Self.root else {
      return SitePolicy.file("application/json", Array(description.utf8))
    }
    let numbers = path.dropFirst(Self.root.count + 1).split(
      separator: "/", omittingEmptySubsequences: false
    ).map { Int($0) }
    guard let file, numbers.count == 3, let zoom = numbers[0], let column = numbers[1],
      let row = numbers[2], let tile = file.tile(zoom: zoom, column: column, row: row)
    else { return HTTPResponse(.noContent) }
    return HTTPResponse(
      .ok, type: tile.type, fields: [("Cache-Control", "private, max-age=86400")], body: tile.bytes)
  }

  private var description: String {
    guard let facts = file?.description else { return "null" }
    var output = OutputBuffer()
    output.appendObject {
      $0.member("name", facts.name)
      $0.member("attribution", facts.attribution)
      $0.member("leastZoom", facts.leastZoom)
      $0.member("greatestZoom", facts.greatestZoom)
    }
    return output.text
  }
}
