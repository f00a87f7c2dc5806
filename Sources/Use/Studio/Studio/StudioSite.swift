#if Command
import FencepostAnalysis
import FencepostHTTP
import FencepostMonitoring
import FencepostNotifications
import FencepostPlaces
import FencepostReporting
import FoundationEssentials

/// Serves the studio's page, its walks and stories, and what the engine in the page cannot do.
///
/// The paths are fixed; only files of time zones are looked up by name. For the server's thread
/// only, which does no slow work.
final class StudioSite {
  /// Works out an answer away from the server's thread.
  ///
  /// It throws ``StudioRefusal`` for a bad request.
  private typealias Answer = @Sendable (StudioState, HTTPRequest) async throws -> HTTPResponse

  private let access: SiteAccess
  private let files: [String: HTTPResponse]
  private let tiles: TileSite
  private let state: StudioState
  /// What GET requests are answered by, by path.
  private let gets: [String: Answer]
  /// What POST requests are answered by, by path.
  private let posts: [String: Answer]

  /// Creates a site whose files stay the same while it runs.
  init(
    access: SiteAccess, library: PageWriter.MapLibrary, tiles: TileSite, state: StudioState
  ) {
    self.access = access
    self.tiles = tiles
    self.state = state
    let scripts = Pages.files.keys.filter { $0.hasPrefix("studio") && $0.hasSuffix(".js") }
    var files = SitePolicy.files(page: "studio", library, scripts: scripts + ["shared.js"])
    files["/engine-worker.js"] = SitePolicy.file(
      "text/javascript; charset=utf-8", Pages.file("engine-worker.js"), SitePolicy.engineFields)
    files["/engine.wasm.gz"] = SitePolicy.file("application/gzip", Pages.file("engine.wasm.gz"))
    self.files = files
    var gets = Self.gets
    gets["/report"] = { state, _ in try await Self.report(of: state, library) }
    self.gets = gets
    var posts = Self.posts
    posts["/page"] = { state, request in
      let page = try await state.page(of: StudioQuestion(request.body.span), library)
      return HTTPResponse(
        .ok, type: "text/html; charset=utf-8", fields: [("Cache-Control", "no-store")], body: page)
    }
    self.posts = posts
  }

  /// Signs the sender in or refuses the request; nil if the request may proceed.
  func answerByHead(_ request: HTTPRequest) -> HTTPResponse? {
    if let welcome = access.welcome(request) { return welcome }
    if let refusal = access.refuse(request) { return refusal }
    let isPost = posts[request.path] != nil
    guard
      isPost || gets[request.path] != nil || files[request.path] != nil
        || TileSite.isTiles(request.path) || request.path == "/favicon.ico"
    else { return HTTPResponse(.notFound, sentence: "there is nothing here; the studio is at /") }
    guard request.method == (isPost ? "POST" : "GET") else {
      return HTTPResponse(
        .methodNotAllowed, sentence: "this address only accepts \(isPost ? "POST" : "GET")",
        fields: [("Allow", isPost ? "POST" : "GET, HEAD")])
    }
    // Another site's form or script could not send any of these without asking first.
    if isPost, request.field("content-type")?.hasPrefix("application/json") != true,
      !["/tracks", "/places", "/rules"].contains(request.path)
    {
      return HTTPResponse(
        .unsupportedMediaType, sentence: "the content type must be application/json")
    }
    return nil
  }

  /// Answers a request that may proceed: at once for files, later for what must be worked out.
  ///
  /// A refusal becomes status 400 with its sentence, any other error status 500.
  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    if let file = files[request.path] { return .response(file) }
    if TileSite.isTiles(request.path) { return .response(tiles.answer(request.path)) }
    guard let answer = gets[request.path] ?? posts[request.path] else {
      return .response(HTTPResponse(.noContent))
    }
    let promise = HTTPPromise()
    Task(executorPreference: state.executor) { [state] in
      do {
        promise.keep(try await answer(state, request))
      } catch let refusal as StudioRefusal {
        promise.keep(HTTPResponse(.badRequest, sentence: refusal.description))
      } catch {
        promise.keep(HTTPResponse(.internalError, sentence: "\(error)"))
      }
    }
    return .later(promise)
  }

  // MARK: Requests

  /// What the page reads.
  ///
  /// - `/scene`: everything but the fixes of the tracks.
  /// - `/track`: the fixes of the track with an index `n` and a name.
  /// - `/zone`: the file of a time zone, by name.
  /// - `/saves`: what was saved in the store lately.
  /// - `/news`: numbers that change when another page changes stories or walks.
  /// - `/report`: the page of an analysis, which the initializer adds.
  private static let gets: [String: Answer] = [
    "/scene": { state, _ in json(try await state.encodedScene()) },
    "/track": { state, request in
      guard let number = request.queryValue("n").flatMap({ Int($0) }),
        let track = await state.track(number, named: request.queryValue("name"))
      else { return HTTPResponse(.notFound, sentence: "this studio has no walk with that number") }
      let scene = await state.scene
      return json(StudioWire.track(scene.tracks[track], of: scene))
    },
    "/zone": { _, request in
      guard let file = request.queryValue("name").flatMap({ ZoneFile.bytes(named: $0) }) else {
        return HTTPResponse(.notFound, sentence: "this system has no time zone with that name")
      }
      return HTTPResponse(.ok, type: "application/octet-stream", body: file)
    },
    "/saves": { state, _ in json(try await state.saves()) },
    "/news": { state, _ in json(await state.news()) },
  ]

  /// What the page sends, most often a question.
  ///
  /// - `/report/question` says what the next `/report` is about.
  /// - `/reminders`, `/advise` and `/advise/stop` work on all tracks.
  /// - `/save` writes changes to the store, and `/export` to a file for the user.
  /// - `/tracks`, `/places` and `/rules` read dropped files, whose `name` is in the address.
  /// - `/tracks/remove` and `/tracks/restore` close a walk and open it again.
  /// - `/sample` opens a walk and stories that are built in.
  /// - `/reload` reads the store again.
  private static let posts: [String: Answer] = [
    "/report/question": {
      try await $0.remember(StudioQuestion($1.body.span))
      return done
    },
    "/reminders": { json(try await $0.countReminders(StudioQuestion($1.body.span))) },
    "/save": { json(try await $0.save(StudioQuestion($1.body.span))) },
    "/export": {
      let file = try await $0.export(StudioQuestion($1.body.span))
      return HTTPResponse(
        .ok, type: file.type, fields: [("Cache-Control", "no-store")], body: file.body)
    },
    "/tracks": { state, request in
      // A list of stories would be a walk from one story to the next.
      if let (places, notices) = try listedPlaces(in: request.body, name: name(of: request)) {
        return stories(places, notices)
      }
      try await add(request.body, name: name(of: request), to: state)
      return json(try await state.encodedScene())
    },
    "/tracks/remove": { state, request in
      let number = try await state.remove(
        request.queryValue("n").flatMap { Int($0) } ?? -1,
        named: request.queryValue("name") ?? "")
      return json(StudioWire.object { $0.member("number", number) })
    },
    "/tracks/restore": { state, request in
      try await state.restore(request.queryValue("number").flatMap { Int($0) } ?? -1)
      return done
    },
    "/sample": { state, _ in
      let (places, _) = try places(in: Pages.file("sample-stories.csv.gz"), name: "sample")
      try await add(Pages.file("sample-ride.gpx.gz"), name: "sample-ride.gpx", to: state)
      return stories(places)
    },
    "/reload": { state, _ in
      try await state.reload()
      return done
    },
    "/advise": { json(try await $0.advise(StudioQuestion($1.body.span))) },
    "/advise/stop": { state, _ in
      await state.stopAdvising()
      return done
    },
    "/rules": { json(try await $0.readRules($1.body, name: name(of: $1))) },
    "/places": { _, request in
      let (places, notices) = try places(in: request.body, name: name(of: request))
      return stories(places, notices)
    },
  ]

  /// An empty object, for requests without a result.
  private static var done: HTTPResponse { json(Array("{}".utf8)) }

  private static func json(_ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      .ok, type: "application/json", fields: [("Cache-Control", "no-store")], body: body)
  }

  /// The report page, whose scripts run only with a nonce of their own.
  private static func report(
    of state: StudioState, _ library: PageWriter.MapLibrary
  ) async throws -> HTTPResponse {
    let nonce = Studio.makeToken()
    guard let page = try await state.report(library, nonce: nonce) else {
      return HTTPResponse(
        .notFound, sentence: "there is no walk to report on. Drop one onto the studio.")
    }
    return HTTPResponse(
      .ok, type: "text/html; charset=utf-8", fields: SitePolicy.fields(nonce: nonce), body: page)
  }

  // MARK: Dropped files

  /// How many refused rows of a table to report one by one.
  private static let mostRefusals = 3

  /// The name of a dropped file without its folders.
  private static func name(of request: HTTPRequest) -> String {
    request.queryValue("name").flatMap { $0.split(separator: "/").last.map(String.init) }
      ?? "dropped file"
  }

  /// Reads a dropped walk and adds it to the scene.
  private static func add(_ bytes: [UInt8], name: String, to state: StudioState) async throws {
    do throws(TrackFailure) {
      let options = await state.scene.fixes
      await state.add(try RecordedTrack(bytes: bytes, name: name, options: options))
    } catch {
      throw StudioRefusal(description: error.description)
    }
  }

  /// Runs work on a file with these bytes, and names the file as its sender does in errors.
  private static func withFile<Value>(
    _ bytes: [UInt8], name: String, _ body: (_ path: String) throws -> Value
  ) throws -> Value {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "fencepost-places-" + UUID().uuidString)
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    do {
      return try body(file.path)
    } catch {
      throw StudioRefusal(description: "\(error)".replacing(file.path, with: name))
    }
  }

  /// The places of a file as an import reads them, and its sentences about invalid and other rows.
  private static func places(
    in bytes: [UInt8], name: String
  ) throws -> (places: [Place], notices: [String]) {
    try withFile(bytes, name: name) { path in
      let (store, report) = try PlaceStore.inMemory(from: [path])
      var notices = report.refusals.prefix(mostRefusals).map(\.description)
      if report.refused > notices.count {
        notices.append("\(name): skipped \(report.refused - notices.count) more rows.")
      }
      notices += report.warnings.map(\.description)
      return (try store.allPlaces(), notices.map { $0.replacing(path, with: name) })
    }
  }

  /// The places of a file that certainly holds places and no walk; nil for any other file.
  private static func listedPlaces(
    in bytes: [UInt8], name: String
  ) throws -> (places: [Place], notices: [String])? {
    let holdsPlaces = try withFile(bytes, name: name) { PlaceFileProbe.holdsPlaces(path: $0) }
    return holdsPlaces ? try places(in: bytes, name: name) : nil
  }

  /// An answer with places and with sentences about rows that were skipped.
  private static func stories(_ places: [Place], _ notices: [String] = []) -> HTTPResponse {
    json(
      StudioWire.object {
        $0.array("notices", notices) { $0.append(json: $1) }
        $0.array("stories", places) { $0.append(place: $1) }
      })
  }
}
#endif
