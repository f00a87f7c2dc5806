#if Command
package import FencepostHTTP
import FencepostFormats
import FencepostLive
import FencepostReporting
package import FencepostTiles
import FoundationEssentials

/// How to serve a page to browsers.
///
/// The studio and the live map share them.
package struct SiteOptions: Sendable {
  /// Where to listen; a port of 0 lets the system choose.
  package var address: HTTPAddress
  /// The map library that the pages load.
  package var library: PageWriter.MapLibrary
  /// The secret that browsers must send; nil for none.
  package var token: String?
  /// Accepted host names besides the server's address and this machine's names.
  package var hostNames: [String] = []
  /// Street tiles from a file; nil offers those of the network.
  package var tiles: TileFile?
  /// Receives sentences for the user, on the server's thread.
  package var say: @Sendable (String) -> Void = { _ in }

  /// Creates options without a token, further host names or tiles.
  package init(address: HTTPAddress, library: PageWriter.MapLibrary) {
    self.address = address
    self.library = library
  }

  /// The address for a browser on this machine, with the secret if wanted.
  func url(port: UInt16, hasToken: Bool) -> String {
    var address = address
    address.port = port
    // A browser cannot open a wildcard address, but localhost always works on this machine.
    if ["", "0.0.0.0", "::"].contains(address.host) { address.host = "localhost" }
    let secret = hasToken ? token.map { "?token=" + Percent.encoded($0) } : nil
    return "http://\(address.text)/\(secret ?? "")"
  }

  /// Who may see the page; browsers' cookies hold the secret, which a run makes if it has none.
  func access(port: UInt16, browserSecret: String? = nil) -> SiteAccess {
    // The machine's own name comes from the system, never from the request.
    let own = ProcessInfo.processInfo.hostName.lowercased()
    return SiteAccess(
      address: address, port: port, ownNames: address.isLoopback ? [] : [own, own + ".local"],
      allowedNames: Set(hostNames.map { $0.lowercased() }), token: token.map { Credential($0) },
      browserSecret: browserSecret ?? Studio.makeToken(), log: RefusalLog(say: say))
  }
}

/// What a browser may do with a served page.
///
/// Pages hold walks and stories, so nothing else may run in them, frame them or learn of them.
enum SitePolicy {
  /// Only the page's own files run, and only street tiles come from elsewhere.
  static let fields: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self' data: https://tile.openstreetmap.org; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"
    ),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("X-Frame-Options", "DENY"),
    ("Permissions-Policy", "geolocation=(), camera=(), microphone=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  /// What the worker with the engine may do, which asks nobody for anything.
  static let engineFields: [(name: String, value: String)] = [
    ("Content-Security-Policy", "default-src 'none'; script-src 'wasm-unsafe-eval'")
  ]

  /// The fields of a page with inline scripts, which run only with a nonce.
  static func fields(nonce: String) -> [(name: String, value: String)] {
    // Styles only change the looks, and pages use them in attributes, which a nonce does not cover.
    let policy =
      "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'unsafe-inline'; "
      + "img-src data: https://tile.openstreetmap.org; base-uri 'none'; form-action 'none'; "
      + "frame-ancestors 'none'"
    return [("Content-Security-Policy", policy)] + fields.dropFirst()
      + [("Cache-Control", "no-store")]
  }

  /// The responses with a page and its files, by path; HTML and style sheet have the page's name.
  static func files(
    page: String, _ library: PageWriter.MapLibrary, scripts: [String]
  ) -> [String: HTTPResponse] {
    let script = "text/javascript; charset=utf-8"
    var files = [
      "/": file("text/html; charset=utf-8", Pages.file(page + ".html"), fields),
      "/page.css": file("text/css; charset=utf-8", Pages.file(page + ".css")),
      "/leaflet.css": file("text/css; charset=utf-8", Array(library.style.utf8)),
      "/leaflet.js": file(script, Array(library.script.utf8)),
    ]
    for name in scripts { files["/" + name] = file(script, Pages.file(name)) }
    return files
  }

  /// The response with one of a page's files, which browsers request again each time.
  static func file(
    _ type: String, _ body: [UInt8], _ fields: [(name: String, value: String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      .ok, type: type, fields: fields + [("Cache-Control", "no-cache")], body: body)
  }
}

/// Serves street tiles from a file, for pages with a map.
///
/// `/tiles` describes the file in JSON, or is `null` without one. `/tiles/ZOOM/COLUMN/ROW` is a
/// tile, with rows from the north. For the server's thread only.
struct TileSite {
  private let file: TileFile?
  private let say: @Sendable (String) -> Void

  init(_ site: SiteOptions) { (file, say) = (site.tiles, site.say) }

  private static var root: String { "/tiles" }

  /// Whether a path belongs to tiles.
  static func isTiles(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }

  /// Answers a request for ``isTiles(_:)`` paths; what is missing is an empty answer, not an error.
  func answer(_ path: String) -> HTTPResponse {
    guard path != Self.root else {
      return SitePolicy.file("application/json", Array(description.utf8))
    }
    let numbers = path.dropFirst(Self.root.count + 1).split(
      separator: "/", omittingEmptySubsequences: false
    ).map { Int($0) }
    guard let file, numbers.count == 3, let zoom = numbers[0], let column = numbers[1],
      let row = numbers[2]
    else { return HTTPResponse(.noContent) }
    do throws(TileFileError) {
      guard let tile = try file.tile(zoom: zoom, column: column, row: row) else {
        return HTTPResponse(.noContent)
      }
      return HTTPResponse(
        .ok, type: tile.type, fields: [("Cache-Control", "private, max-age=86400")],
        body: tile.bytes)
    } catch {
      say("\(file.path): \(error)")
      return HTTPResponse(.noContent)
    }
  }

  /// What the page must know of the file, in JSON; `null` without one.
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
#endif
