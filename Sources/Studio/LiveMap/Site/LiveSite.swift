import HTTP
import Live

/// Answers the requests for the map's page, its files and its events, and takes in fixes where it may.
///
/// There is a fixed list of paths, and no file is looked for by name. What looks like a fix and comes in
/// a way that is not read here is refused, so that its sender does not take it for delivered. On the
/// server's thread only.
final class LiveSite {
  private let access: SiteAccess
  private let files: [String: HTTPResponse]
  private let board: LiveBoard
  private let encoder: BoardEncoder
  private let desk: FixIngestHandler?
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
    desk: FixIngestHandler?, run: String
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

  /// Answers a request by its head: lets its sender in or refuses it; nil where it is to be answered.
  func answerByHead(_ request: HTTPRequest) -> HTTPResponse? {
    access.welcome(request) ?? access.refuse(request) ?? refuse(request)
  }

  /// Answers a request that was let in.
  func answer(_ request: HTTPRequest, nowMilliseconds: Int64) -> HTTPAnswer {
    if let desk, FixIngestHandler.paths.contains(request.path) { return desk.take(request) }
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

  // MARK: What is refused

  /// Items of a query by which devices report where they are, in the forms of OsmAnd, Traccar, GPSLogger
  /// and the like.
  private static let reportNames: Set<String> = [
    "id", "deviceid", "device", "imei", "lat", "latitude", "lon", "lng", "long", "longitude",
    "location", "timestamp",
  ]

  /// Refuses what is not understood, with the way in for those who report fixes; nil lets it pass.
  private func refuse(_ request: HTTPRequest) -> HTTPResponse? {
    if desk != nil, FixIngestHandler.paths.contains(request.path) {
      return request.method == "POST"
        ? FixIngestHandler.refuse(request)
        : Self.wrongMethod("POST", "\(FixIngestHandler.directions), by POST")
    }
    let isKnown =
      files[request.path] != nil || ["/events", "/state", "/favicon.ico"].contains(request.path)
    guard isKnown else {
      return HTTPResponse(.notFound, sentence: "there is nothing here; \(directions)")
    }
    guard request.method == "GET" else {
      return Self.wrongMethod("GET, HEAD", "the map is for GET and HEAD; \(directions)")
    }
    let isReport = request.query.contains { Self.reportNames.contains($0.name.lowercased()) }
    guard isReport else { return nil }
    return HTTPResponse(
      .badRequest, sentence: "a position in the address is not read here; \(directions)")
  }

  private var directions: String {
    desk == nil ? "this map takes no fixes, fencepost serve does" : FixIngestHandler.directions
  }

  private static func wrongMethod(_ allowed: String, _ sentence: String) -> HTTPResponse {
    HTTPResponse(.methodNotAllowed, sentence: sentence, fields: [("Allow", allowed)])
  }
}
