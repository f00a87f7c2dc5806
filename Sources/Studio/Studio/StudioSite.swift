import FencepostHTTP
import FencepostReporting

/// Serves the studio's page and its files, and answers its questions.
///
/// The paths are fixed; no file is looked up by name. For the server's thread only: whatever takes time is
/// worked out elsewhere.
final class StudioSite {
  private let access: SiteAccess
  private let files: [String: HTTPResponse]
  private let tiles: TileSite
  private let clerk: StudioClerk
  private let library: PageWriter.MapLibrary

  /// - Parameters:
  ///   - access: Who may send requests.
  ///   - library: The map library.
  ///   - tiles: Street tiles from a file.
  ///   - clerk: Answers the questions.
  init(
    access: SiteAccess, library: PageWriter.MapLibrary, tiles: TileSite, clerk: StudioClerk
  ) {
    self.access = access
    self.tiles = tiles
    self.library = library
    self.clerk = clerk
    var files = [
      "/": SitePolicy.file("text/html; charset=utf-8", Pages.studio, SitePolicy.fields),
      "/page.css": SitePolicy.file("text/css; charset=utf-8", Pages.studioStyle),
      "/shared.js": SitePolicy.file("text/javascript; charset=utf-8", Pages.studioShared),
      "/leaflet.css": SitePolicy.file("text/css; charset=utf-8", Array(library.style.utf8)),
      "/leaflet.js": SitePolicy.file("text/javascript; charset=utf-8", Array(library.script.utf8)),
    ]
    for (name, bytes) in Pages.studioModules {
      files["/" + name] = SitePolicy.file("text/javascript; charset=utf-8", bytes)
    }
    self.files = files
  }

  /// Judges a request by its head: signs the sender in or refuses; nil if the request may proceed.
  func answerByHead(_ request: HTTPRequest) -> HTTPResponse? {
    if let welcome = access.welcome(request) { return welcome }
    if let refusal = access.refuse(request) { return refusal }
    let isPost = StudioClerk.isPost(request.path)
    guard
      isPost || StudioClerk.isGet(request.path) || files[request.path] != nil
        || TileSite.isTiles(request.path) || StudioReport.isReport(request.path)
        || request.path == "/favicon.ico"
    else { return HTTPResponse(.notFound, sentence: "there is nothing here; the studio is at /") }
    guard request.method == (isPost ? "POST" : "GET") else {
      return HTTPResponse(
        .methodNotAllowed, sentence: "this address is for \(isPost ? "POST" : "GET")",
        fields: [("Allow", isPost ? "POST" : "GET, HEAD")])
    }
    // A form or a script of another site could send none of these without asking first.
    if isPost, request.field("content-type")?.hasPrefix("application/json") != true,
      !["/tracks", "/places"].contains(request.path)
    {
      return HTTPResponse(.unsupportedMediaType, sentence: "a question is application/json")
    }
    return nil
  }

  /// Answers an admitted request.
  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    if let file = files[request.path] { return .response(file) }
    guard request.path != "/favicon.ico" else { return .response(HTTPResponse(.noContent)) }
    if TileSite.isTiles(request.path) { return .response(tiles.answer(request.path)) }
    let promise = HTTPPromise()
    Task { [clerk, library] in
      promise.keep(
        StudioReport.isReport(request.path)
          ? await StudioReport.answer(clerk.desk, library) : await clerk.answer(request))
    }
    return .later(promise)
  }
}
