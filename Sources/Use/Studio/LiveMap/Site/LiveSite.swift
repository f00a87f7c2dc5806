#if Command
import FencepostHTTP
import FencepostLive

/// Serves the map's page, its files and its event stream, and accepts fixes if configured to.
///
/// The paths are fixed; no file is looked up by name. A fix in an unknown form is refused, so that
/// its sender does not consider it delivered. For the server's thread only.
final class LiveSite {
  private let access: SiteAccess
  private let files: [String: HTTPResponse]
  private let tiles: TileSite
  private let mapState: LiveMapState
  private let encoder: MapEncoder
  private let ingest: FixIngestHandler?
  private let monitor: ServiceMonitor?
  private let run: String

  /// Creates a site; `run` distinguishes this run of the program from others.
  init(
    access: SiteAccess, library: PageWriter.MapLibrary, tiles: TileSite, mapState: LiveMapState,
    encoder: MapEncoder, ingest: FixIngestHandler?, monitor: ServiceMonitor?, run: String
  ) {
    self.access = access
    self.tiles = tiles
    self.mapState = mapState
    self.encoder = encoder
    self.ingest = ingest
    self.monitor = monitor
    self.run = run
    files = SitePolicy.files(page: "live", library, scripts: ["page.js"])
  }

  /// Signs the sender in or refuses the request; nil if the request may proceed.
  func answerByHead(_ request: HTTPRequest) -> HTTPResponse? {
    let isPost = ingest != nil && FixIngestHandler.isPost(request)
    // A redirect would look like a successful delivery.
    let welcome =
      isPost || FixIngestHandler.resemblesReport(request) ? nil : access.welcome(request)
    return welcome ?? access.refuse(request, isPost: isPost) ?? refuse(request)
  }

  /// Answers a request that may proceed.
  ///
  /// `/events` is the stream of an open page, and `/state` the same as a single document. Fixes go
  /// to the session.
  func answer(_ request: HTTPRequest, nowMilliseconds: Int64) -> HTTPAnswer {
    if let ingest, FixIngestHandler.isPost(request) { return ingest.take(request) }
    if let monitor, ServiceMonitor.isAsked(request.path) {
      return .response(monitor.answer(request.path))
    }
    switch request.path {
    case "/events":
      return .events(
        MapFeed(
          mapState: mapState, encoder: encoder, run: run, lastID: request.field("last-event-id")))
    case "/state":
      let text = encoder.state(mapState.contents, nowMilliseconds: nowMilliseconds)
      return .response(
        HTTPResponse(
          .ok, type: "application/json", fields: [("Cache-Control", "no-store")],
          body: Array(text.utf8)))
    case let path where TileSite.isTiles(path): return .response(tiles.answer(path))
    default:
      return .response(files[request.path] ?? HTTPResponse(.noContent))
    }
  }

  // MARK: Refusals

  /// Refuses an unknown request and says where to post fixes; nil lets it pass.
  private func refuse(_ request: HTTPRequest) -> HTTPResponse? {
    if ingest != nil, FixIngestHandler.isPost(request) { return FixIngestHandler.refuse(request) }
    let isKnown =
      files[request.path] != nil || TileSite.isTiles(request.path)
      || ["/events", "/state", "/favicon.ico"].contains(request.path)
      || (monitor != nil && ServiceMonitor.isAsked(request.path))
    guard isKnown else {
      return HTTPResponse(.notFound, sentence: "there is nothing here; \(directions)")
    }
    guard request.method == "GET" else {
      return Self.wrongMethod("GET, HEAD", "the map only accepts GET and HEAD; \(directions)")
    }
    guard FixIngestHandler.resemblesReport(request) else { return nil }
    return HTTPResponse(
      .badRequest, sentence: "this map does not read positions from the address; \(directions)")
  }

  /// Where to post fixes instead, for messages.
  private var directions: String {
    ingest == nil
      ? "this map does not accept fixes, but fencepost serve does" : FixIngestHandler.directions
  }

  private static func wrongMethod(_ allowed: String, _ sentence: String) -> HTTPResponse {
    HTTPResponse(.methodNotAllowed, sentence: sentence, fields: [("Allow", allowed)])
  }
}
#endif
