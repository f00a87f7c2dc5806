import Fencepost
import HTTP
import Reporting

/// Answers the requests for the map's page, its files and its events, and takes in fixes where it may.
///
/// There is a fixed list of paths, and no file is looked for by name. On the server's thread only.
final class LiveSite {
  private let access: SiteAccess
  private let files: [String: HTTPResponse]
  private let board: LiveBoard
  private let encoder: BoardEncoder
  private let desk: FixDesk?
  private let run: String

  /// - Parameters:
  ///   - access: Who may ask.
  ///   - library: The map library.
  ///   - board: What there is to see.
  ///   - encoder: Writes it.
  ///   - desk: Takes in fixes; nil where none are taken.
  ///   - run: Distinguishes this run of the program.
  init(
    access: SiteAccess, library: PageWriter.MapLibrary, board: LiveBoard, encoder: BoardEncoder,
    desk: FixDesk?, run: String
  ) {
    self.access = access
    self.board = board
    self.encoder = encoder
    self.desk = desk
    self.run = run
    files = [
      "/": Self.file("text/html; charset=utf-8", LivePage.html, Self.policy),
      "/page.css": Self.file("text/css; charset=utf-8", LiveStyle.css),
      "/page.js": Self.file(
        "text/javascript; charset=utf-8", LiveScript.drawing + "\n" + LiveScript.page),
      "/leaflet.css": Self.file("text/css; charset=utf-8", library.style),
      "/leaflet.js": Self.file("text/javascript; charset=utf-8", library.script),
    ]
  }

  /// Nothing but the page's own files is run, and nothing but street tiles comes from elsewhere.
  private static let policy: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self' data: \(LivePage.tileOrigin); base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"
    ),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("X-Frame-Options", "DENY"),
    ("Permissions-Policy", "geolocation=(), camera=(), microphone=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  private static func file(
    _ type: String, _ text: String, _ fields: [(name: String, value: String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      .ok, type: type, fields: fields + [("Cache-Control", "no-cache")], body: Array(text.utf8))
  }

  /// Answers a request.
  func answer(_ request: HTTPRequest, nowMilliseconds: Int64) -> HTTPAnswer {
    if let welcome = access.welcome(request) { return .response(welcome) }
    if let refusal = access.refuse(request) { return .response(refusal) }
    if let desk, FixDesk.paths.contains(request.path) {
      guard request.method == "POST" else { return .response(Self.wrongMethod("POST")) }
      return desk.take(request)
    }
    let isFile = files[request.path] != nil
    guard isFile || ["/events", "/state", "/favicon.ico"].contains(request.path) else {
      return .response(HTTPResponse(.notFound, sentence: "there is nothing here"))
    }
    guard request.method == "GET" else { return .response(Self.wrongMethod("GET, HEAD")) }
    switch request.path {
    case "/events":
      return .events(
        BoardFeed(
          board: board, encoder: encoder, run: run, lastID: request.field("last-event-id")))
    case "/state":
      let text = encoder.state(board.contents, nowMilliseconds: nowMilliseconds)
      return .response(
        HTTPResponse(
          .ok, type: "application/json", fields: [("Cache-Control", "no-store")],
          body: Array(text.utf8)))
    default:
      return .response(files[request.path] ?? HTTPResponse(.noContent))
    }
  }

  private static func wrongMethod(_ allowed: String) -> HTTPResponse {
    HTTPResponse(
      .methodNotAllowed, sentence: "this is for \(allowed)", fields: [("Allow", allowed)])
  }
}
