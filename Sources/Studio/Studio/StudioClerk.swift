import FencepostAnalysis
import FencepostMonitoring
import FencepostPlaces
import FencepostHTTP
import FencepostReporting
import Foundation

/// Turns requests of the studio's page into questions to its desk, and the answers into responses.
struct StudioClerk: Sendable {
  let desk: StudioDesk
  private let lanes: StudioLanes
  private let chances: ChanceDesk

  /// - Parameters:
  ///   - desk: Knows the tracks and the places.
  ///   - jobs: How many tracks are simulated at a time.
  init(desk: StudioDesk, jobs: Int) {
    self.desk = desk
    lanes = StudioLanes(desk)
    chances = ChanceDesk(jobs: jobs)
  }

  private static let gets: Set<String> = ["/scene", "/track", "/progress", "/chances"]
  private static let posts: Set<String> = [
    "/try", "/chance", "/explain", "/save", "/export", "/tracks", "/sample", "/reload",
    "/advise", "/advise/stop", "/places",
  ]

  /// Whether a path answers GET.
  static func isGet(_ path: String) -> Bool { gets.contains(path) }
  /// Whether a path answers POST.
  static func isPost(_ path: String) -> Bool { posts.contains(path) }

  /// Answers a request for one of the paths.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    do {
      return try await respond(to: request)
    } catch let refusal as StudioDesk.Refusal {
      return HTTPResponse(.badRequest, sentence: refusal.description)
    } catch let error as DecodingError {
      return HTTPResponse(.badRequest, sentence: error.sentence)
    } catch {
      return HTTPResponse(.internalError, sentence: "\(error)")
    }
  }

  private func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    switch request.path {
    case "/scene": return Self.json(await desk.encodedScene())
    case "/track":
      let number = request.queryValue("n").flatMap { Int($0) } ?? -1
      guard let track = await desk.encodedTrack(number) else {
        return HTTPResponse(.notFound, sentence: "there is no track of that number")
      }
      return Self.json(track)
    case "/progress":
      return Self.json(await lanes.desk(of: request.queryValue("lane")).progress())
    case "/try": return try await answer(StudioQuestion(request.body))
    case "/chance": return try await simulate(StudioQuestion(request.body))
    case "/chances": return Self.json(await chances.progress())
    case "/tracks": return try await take(request)
    case "/places": return try Self.readPlaces(request)
    case "/sample": return try await takeSample()
    case "/save":
      let answer = try await desk.save(StudioQuestion(request.body))
      await lanes.forgetPinned()
      return Self.json(answer)
    case "/reload":
      try await desk.reload()
      await lanes.forgetPinned()
      return Self.json(Array("{}".utf8))
    case "/export":
      let file = try await desk.export(StudioQuestion(request.body))
      return HTTPResponse(
        .ok, type: file.type, fields: [("Cache-Control", "no-store")], body: file.body)
    case "/advise": return Self.json(try await desk.advise(StudioQuestion(request.body)))
    case "/advise/stop":
      await desk.stopAdvising()
      return Self.json(Array("{}".utf8))
    case "/explain": return try await explain(StudioQuestion(request.body))
    default: return HTTPResponse(.notFound, sentence: "there is nothing here")
    }
  }

  static func json(_ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      .ok, type: "application/json", fields: [("Cache-Control", "no-store")], body: body)
  }

  // MARK: Trying

  private func answer(_ question: StudioQuestion) async throws -> HTTPResponse {
    let own = await lanes.desk(of: question.lane)
    // What is simulated is of an older setting now.
    if question.lane == nil { await chances.stop() }
    guard let answer = try await own.answer(question) else {
      return Self.json(Array("{\"stale\":true}".utf8))
    }
    return Self.json(answer)
  }

  /// Begins to simulate the phone of a question.
  private func simulate(_ question: StudioQuestion) async throws -> HTTPResponse {
    let (trial, chance) = try await desk.makeChanceTrial(question)
    guard let chance else { throw StudioDesk.Refusal(description: "no phone is chosen") }
    await chances.begin(question, trial, chance, on: await desk.scene.tracks)
    return Self.json(Array("{}".utf8))
  }

  // MARK: Tracks

  /// Reads a dropped file.
  private func take(_ request: HTTPRequest) async throws -> HTTPResponse {
    let name = request.queryValue("name").flatMap { $0.split(separator: "/").last.map(String.init) }
    try await add(request.body, name: name ?? "dropped file")
    return Self.json(await desk.encodedScene())
  }

  /// Adds the sample track, and answers with the sample's places.
  private func takeSample() async throws -> HTTPResponse {
    let places = try StudioSample.places()
    try await add(StudioSample.track, name: StudioSample.trackName)
    return Self.answer(places)
  }

  private static func answer(_ places: [Place], _ notices: [String] = []) -> HTTPResponse {
    var output = OutputBuffer()
    output.appendObject {
      $0.array("notices", notices) { $0.append(json: $1) }
      $0.array("stories", places) { $0.append(place: $1) }
    }
    return json(Array(output.text.utf8))
  }

  /// Reads a dropped table of places, and answers with them.
  private static func readPlaces(_ request: HTTPRequest) throws -> HTTPResponse {
    let name = request.queryValue("name").flatMap { $0.split(separator: "/").last.map(String.init) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "fencepost-places-" + UUID().uuidString)
    try Data(request.body).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    func named(_ words: Any) -> String {
      "\(words)".replacingOccurrences(of: file.path, with: name ?? "dropped file")
    }
    var places: [Place] = []
    do {
      let (store, report) = try PlaceStore.inMemory(from: [file.path])
      try store.makeReader().list { place in
        places.append(place)
        return true
      }
      var notices = report.refusals.prefix(mostRefusals).map { named($0) }
      if report.refused > notices.count {
        notices.append("\(report.refused - notices.count) more rows are refused")
      }
      return answer(places, notices)
    } catch {
      throw StudioDesk.Refusal(description: named(error))
    }
  }

  /// How many refused rows of a table of places are reported one by one.
  private static let mostRefusals = 3

  private func add(_ bytes: [UInt8], name: String) async throws {
    let options = await desk.scene.fixes
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "fencepost-studio-" + UUID().uuidString)
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    do throws(TrackFailure) {
      let track = try RecordedTrack(path: file.path, name: name, options: options)
      await desk.add([track])
      await lanes.forgetPinned()
    } catch {
      let sentence = error.description.replacingOccurrences(of: file.path, with: name)
      throw StudioDesk.Refusal(description: sentence)
    }
  }

  // MARK: Explaining

  private func explain(_ question: StudioQuestion) async throws -> HTTPResponse {
    let (trial, chance) = try await desk.makeChanceTrial(question)
    let scene = await desk.scene
    guard scene.tracks.indices.contains(question.track),
      let story = question.story.flatMap({ trial.stories.index(ofID: $0) })
    else { throw StudioDesk.Refusal(description: "there is no such story, or no such track") }
    let explainer = StoryExplainer(
      index: trial.stories, source: trial.places, session: trial.options, fixes: scene.fixes,
      chance: chance)
    guard let explanation = try explainer.explain(story, on: scene.tracks[question.track]) else {
      throw StudioDesk.Refusal(description: "the explanation was interrupted")
    }
    var text = OutputBuffer()
    ExplanationWriter(explanation, zone: scene.zone).writeText(to: &text, layout: TextLayout())
    var output = OutputBuffer()
    output.appendObject {
      $0.array("lines", text.text.split(separator: "\n", omittingEmptySubsequences: false)) {
        $0.append(json: String($1))
      }
    }
    return Self.json(Array(output.text.utf8))
  }
}

extension DecodingError {
  /// What is wrong with a question, as a sentence without a full stop.
  fileprivate var sentence: String {
    let context: DecodingError.Context? =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        context
      @unknown default: nil
      }
    guard let context else { return "the question cannot be read" }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty
      ? "the question cannot be read: \(context.debugDescription)"
      : "\(path): \(context.debugDescription)"
  }
}
