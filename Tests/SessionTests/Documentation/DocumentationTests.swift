import FencepostAnalysis
import FencepostTracks
import FencepostSession
import FencepostFixes
import Foundation
import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import FencepostReporting
import TestSupport
import Testing

// The Swift samples of the documentation stand here between marks, so that they are compiled and run;
// the last test compares every document with them, line by line.

@Suite("Code in the documentation")
struct DocumentationTests {
  private let stories = Document.project.appendingPathComponent("Data/stories/philadelphia.csv")
    .path
  private let track = Document.project.appendingPathComponent("Data/tracks/walk.gpx").path

  /// Runs with a path in a temporary folder.
  private func withPath(_ name: String, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appendingPathComponent(name).path)
  }

  @Test("Geometry finds where a path enters a circle")
  func geodesy() {
    // sample
    let start = Coordinate(latitudeDegrees: 39.9524, longitudeDegrees: -75.1636)
    let end = Coordinate(latitudeDegrees: 39.9533, longitudeDegrees: -75.1592)
    let segment = GeodesicSegment(from: Position(start), to: Position(end))
    let circle = Circle(center: end, radiusMeters: 100)
    if let entry = segment.insideSpans(of: circle).firstStart(after: 0) {
      print(segment.position(atFraction: entry).coordinate)
    }
    // end
    #expect(segment.insideSpans(of: circle).count == 1)
  }

  @Test("A file's fixes are read in batches")
  func fixes() throws {
    let path = track
    var count = 0
    func use(_ fixes: [Fix]) { count += fixes.count }
    func use(_ batch: FixBatch) { count += batch.fixes.count }
    // sample
    var reader = try FixReader(path: path)
    var batch = FixBatch()
    while try reader.read(into: &batch) { use(batch.fixes) }
    // end
    #expect(count == 2760)
    try withBytes(of: path) { bytes in
      // sample
      var stream = FixStream()
      var batch = FixBatch()
      try stream.feed(bytes, into: &batch)
      use(batch)
      batch.removeAll()
      // end
    }
    #expect(count > 2 * 2700)
  }

  private func withBytes(of path: String, _ body: (Span<UInt8>) throws -> Void) throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    try body(bytes.span)
  }

  @Test("Places are imported and found")
  func places() throws {
    try withPath("stories.sqlite") { path in
      // sample
      let report = try PlaceStore.importPlaces(from: [stories], into: path)
      print(report.imported, "imported,", report.refused, "refused")
      let reader = try PlaceStore(path: path).makeReader()
      let here = Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1635)
      for neighbor in try reader.nearest(to: here, count: 20, rank: .center) {
        print(try reader.place(forKey: neighbor.key)?.title ?? "", neighbor.centerDistanceMeters)
      }
      // end
      #expect(report.imported == 219)
    }
  }

  @Test("An engine asks for candidates and is answered")
  func engine() throws {
    let memory = try PlaceStore.inMemory(from: [stories]).store
    let store = StoreSource(reader: try memory.makeReader())
    var engine = Engine()
    let here = Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1635)
    let point = PathPoint(coordinate: here, timeMilliseconds: nil)
    // sample
    var events: [EngineEvent] = []
    var request = engine.advance(to: point, into: &events)
    while let asked = request {
      request = engine.resume(with: store.answer(asked), into: &events)
    }
    // end
    #expect(events.count == 1)
  }

  @Test("An engine asks a source itself")
  func engineWithSource() throws {
    let memory = try PlaceStore.inMemory(from: [stories]).store
    let places = StoreSource(reader: try memory.makeReader())
    var engine = Engine()
    let here = Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1635)
    let point = PathPoint(coordinate: here, timeMilliseconds: nil)
    // sample
    var events: [EngineEvent] = []
    engine.advance(along: [point], from: places, into: &events)
    // end
    #expect(events.count == 1)
  }

  @Test("Stories from JSON are monitored without a store")
  func index() throws {
    let here = Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1635)
    let json = Data(#"[{"id": "hall", "lat": 39.9526, "lon": -75.1600, "radius": 80}]"#.utf8)
    do {
      // sample
      let index = try PlaceIndex(JSONDecoder().decode([Place].self, from: json))
      let nearest = index.nearest(to: here, count: 20)
      // end
      #expect(nearest.map(\.key) == [1])
    }
    let path = [-75.1635, -75.1580].map {
      PathPoint(
        coordinate: Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: $0),
        timeMilliseconds: nil)
    }
    // sample
    let stories = try JSONDecoder().decode([Place].self, from: json)
    let index = try PlaceIndex(stories)
    var options = MonitoringOptions()
    options.refresh = .adaptive
    var engine = Engine(options: options)
    var events: [EngineEvent] = []
    for point in path {
      var request = engine.advance(to: point, into: &events)
      while let asked = request {
        request = engine.resume(with: index.answer(asked), into: &events)
      }
    }
    // end
    let crossings = events.count { if case .crossing = $0 { true } else { false } }
    #expect(crossings == 2)
  }

  private struct Server {
    var places: [Place]

    func nearest(_ count: Int, to here: Coordinate) async throws -> [Place] {
      Array(places.prefix(count))
    }
  }

  @Test("An engine awaits the answers of a server, whose places have no keys")
  func server() async throws {
    let hall = Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1600)
    let server = Server(places: [Place(id: "hall", title: "Hall", coordinate: hall)])
    let path = [-75.1635, -75.1580].map {
      PathPoint(
        coordinate: Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: $0),
        timeMilliseconds: nil)
    }
    var engine = Engine()
    var events: [EngineEvent] = []
    var stories: [Int64: Place] = [:]
    // sample
    func answer(_ asked: CandidateRequest) async -> CandidateAnswer {
      guard case .nearest(let count, _) = asked.question else { return .failed }
      do {
        let places = try await server.nearest(count, to: asked.coordinate)
        for place in places { stories[Region(place).key] = place }
        return .found(places.map { Region($0) })
      } catch {
        return .failed
      }
    }

    for point in path {
      var request = engine.advance(to: point, into: &events)
      while let asked = request {
        request = engine.resume(with: await answer(asked), into: &events)
      }
    }
    for case .crossing(let crossing) in events { print(stories[crossing.key]?.title ?? "") }
    // end
    let met = events.compactMap { event -> String? in
      guard case .crossing(let crossing) = event else { return nil }
      return stories[crossing.key]?.id
    }
    #expect(met == ["hall", "hall"])
  }

  @Test("An app's own structs become places")
  func ownStructs() throws {
    let json = Data(
      #"{"stories": [{"id": 7, "headline": "Bell", "location": {"lat": 39.95, "lng": -75.15}}]}"#
        .utf8)
    // sample
    struct Feed: Decodable {
      struct Story: Decodable {
        struct Location: Decodable { var lat, lng: Double }
        var id: Int
        var headline: String
        var location: Location
        var radius: Double?
      }
      var stories: [Story]
    }

    let feed = try JSONDecoder().decode(Feed.self, from: json)
    let index = try PlaceIndex(
      feed.stories.map { story in
        Place(
          id: "\(story.id)", title: story.headline,
          coordinate: Coordinate(
            latitudeDegrees: story.location.lat, longitudeDegrees: story.location.lng),
          radiusMeters: story.radius ?? Place.defaultRadiusMeters)
      })
    // end
    #expect(index.place(withID: "7")?.title == "Bell")
    #expect(index.places[0].radiusMeters == 100)
  }

  @Test("A table becomes places without a store")
  func list() throws {
    let csv = try String(contentsOfFile: stories, encoding: .utf8)
    // sample
    let list = try PlaceList(csv, name: "stories.csv")
    for refusal in list.report.refusals { print(refusal) }
    let stories = try PlaceIndex(list.places)
    // end
    #expect(stories.places.count == 219 && list.report.refused == 0)
  }

  @Test("Fixes are filtered without a file")
  func fixFilter() {
    let fix = Fix(coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0))
    // sample
    var filter = FixFilter()
    var batch = FixBatch()
    batch.append(fix)
    filter.filter(&batch)
    // end
    #expect(batch.fixes.isEmpty && batch.rejections.map(\.reason) == [.nullIsland])
  }

  @Test("A report is written to a file")
  func report() throws {
    let event = Event.summary(TrackSummary(track: "walk.gpx"))
    try withPath("events.ndjson") { path in
      // sample
      var report = EventReport(
        format: .ndjson, selection: .standard, output: try OutputFile(path: path))
      try report.write(event)
      try report.finish()
      // end
      #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("{\"type\":\"summary\""))
    }
  }

  @Test("A track is replayed, and followed by a session")
  func replay() throws {
    try withPath("stories.sqlite") { path in
      _ = try PlaceStore.importPlaces(from: [stories], into: path)
      // sample
      let store = try PlaceStore(path: path)
      let source = StoreSource(reader: try store.makeReader())
      let observer = Replay.Observer { event in
        if case .alert(let encounter, _) = event { print(encounter.title) }
      }
      _ = try Replay().run(path: track, source: source, observer: observer)
      // end
      var reader = try FixReader(path: track)
      var batch = FixBatch()
      // sample
      var session = TrackSession(name: "walk.gpx", source: source)
      while try reader.read(into: &batch) {
        session.follow(batch.fixes) { event in print(event) }
      }
      session.finish(rejected: [:]) { event in print(event) }
      // end
      #expect(session.summary.alerts == 17)
    }
  }

  @Test("A position and a fix are made, and a session continues from what was saved")
  func continuing() async throws {
    do {
      // sample
      let here = Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1652)
      let point = PathPoint(coordinate: here, timeMilliseconds: 1_772_643_600_000)
      // end
      #expect(point.coordinate == here)
    }
    let index = try PlaceIndex([
      Place(
        id: "hall", title: "Hall",
        coordinate: Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1652))
    ])
    let options = TrackSessionOptions()
    var session = TrackSession(name: "walk", source: index, options: options)
    // sample
    let here = Coordinate(latitudeDegrees: 39.9526, longitudeDegrees: -75.1652)
    let fix = Fix(coordinate: here, timeMilliseconds: 1_772_643_600_000)
    session.follow(fix) { event in
      if case .alert(let story, _) = event { print(story.title) }
    }
    // end
    do {
      let fixes = AsyncStream<Fix> { $0.finish() }
      var saved = Data()
      // sample
      var events = session.events(of: fixes).makeAsyncIterator()
      while let event = try await events.next() {
        if case .alert(let story, _) = event { print(story.title) }
        if let snapshot = try events.snapshot() { saved = try JSONEncoder().encode(snapshot) }
      }
      // end
      #expect(!saved.isEmpty)
    }
    // sample
    let saved = try JSONEncoder().encode(session.snapshot())
    session = try TrackSession(
      name: "walk", source: index, options: options,
      snapshot: JSONDecoder().decode(TrackSession.Snapshot.self, from: saved))
    // end
    #expect(session.fixCount == 1)
  }

  @Test("Documents and comments show exactly the code that tests compile")
  func shown() throws {
    var compiled: [String] = []
    var shown = Document.all.flatMap { DocumentedSamples.shown(in: $0.text) }
    // Fragments of a manifest are checked against Package.swift elsewhere.
    shown.removeAll { $0.hasPrefix(".package(") }
    for (folder, isTest) in [("Sources", false), ("Tests", true)] {
      let root = Document.project.appendingPathComponent(folder)
      let files = try #require(FileManager.default.enumerator(atPath: root.path))
      for case let name as String in files where name.hasSuffix(".swift") {
        // A floor, a module.
        let module = String(name.split(separator: "/")[1])
        if isTest ? !name.contains("/Documentation/") : Self.sketched.contains(module) { continue }
        let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
        if name.contains("/Documentation/Pages/") {
          // A page's whole listing.
          compiled.append(text)
        } else if isTest {
          compiled += DocumentedSamples.compiled(in: text)
        } else {
          shown += DocumentedSamples.shown(in: text.replacingOccurrences(of: "\n/// ", with: "\n"))
        }
      }
    }
    #expect(compiled.count >= 22)
    #expect(Set(shown) == Set(compiled))
  }

  /// Modules whose comments sketch code that is not compiled on its own.
  private static let sketched: Set<String> = ["Files", "Formats", "Notifications", "Studio"]
}
