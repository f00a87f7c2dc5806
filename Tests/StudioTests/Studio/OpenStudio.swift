import FencepostAnalysis
import FencepostHTTP
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostSession
import FencepostTime
import FencepostStudio
import Foundation
import SampleStories
import TestSupport
import Testing

/// A studio that this process serves, until nobody looks at it any more.
final class OpenStudio {
  /// The sample stories, where a test needs their file.
  static let stories = SampleStories.data.appendingPathComponent("stories/philadelphia.csv").path

  let studio: Studio
  var address: String { studio.url }

  /// Serves sample walks among stories.
  ///
  /// - Parameters:
  ///   - walks: The names of sample tracks, or paths.
  ///   - stories: A file of stories; nil for the sample.
  ///   - store: The store to save to instead.
  ///   - port: The port; 0 for any.
  ///   - token: The secret; nil for one that is made.
  ///   - change: Changes the scene.
  /// - Throws: What reading the walks, the stories and the page's library throws.
  init(
    _ walks: [String] = ["walk.gpx"], stories: String? = nil, store: String? = nil, port: Int = 0,
    token: String? = nil, _ change: (inout StudioScene) throws -> Void = { _ in }
  ) throws {
    var scene = try Self.scene(walks, stories: stories, store: store)
    try change(&scene)
    var site = SiteOptions(
      address: try #require(HTTPAddress("127.0.0.1:\(port)")), library: try Browser.mapLibrary())
    site.token = token ?? Studio.makeToken()
    var options = StudioOptions(site, scene: scene)
    options.executor = OwnThreads.servers
    studio = try Studio(options)
    studio.start()
  }

  deinit { studio.stop() }

  /// Sample walks among stories, as they are without any option.
  static func scene(
    _ walks: [String], stories: String? = nil, store: String? = nil
  ) throws -> StudioScene {
    let paths = walks.map { $0.hasPrefix("/") ? $0 : SampleStories.track($0) }
    return StudioScene(
      tracks: try paths.map { try RecordedTrack(path: $0) },
      store: try store.map { try PlaceStore(path: $0) }
        ?? PlaceStore.inMemory(from: [stories ?? Self.stories]).store,
      canSave: store != nil, setting: StudioSetting(), arguments: paths)
  }

  /// Imports a file into a store in a folder, the sample stories unless told otherwise.
  static func makeStore(_ scratch: ScratchFolder, from file: String = stories) throws -> String {
    let store = scratch.path("stories.sqlite")
    _ = try PlaceStore.importPlaces(from: [file], into: store)
    return store
  }

  /// The sentences of `explain` about a sample story on a sample walk, of a phone if there is a seed.
  static func explanation(of id: String, on walk: String, seed: UInt64? = nil) throws -> [String] {
    let source = try PlaceIndex(SampleAnalysis.store().allPlaces())
    let stories = StoryIndex(source.places)
    let phone = BuiltInProfile.iphone.profile
    var session = TrackSessionOptions()
    if seed != nil { PhoneRules(phone).apply(to: &session) }
    let explainer = StoryExplainer(
      index: stories, source: source, session: session,
      chance: seed.map {
        ChanceOptions(profiles: [phone], simulation: .init(trials: 200, seed: $0))
      })
    let story = try #require(stories.index(ofID: id))
    let track = try RecordedTrack(path: SampleStories.track(walk))
    let found = try #require(try explainer.explain(story, on: track))
    var text = OutputBuffer()
    ExplanationWriter(found, zone: .utc).writeText(to: &text, layout: TextLayout())
    let lines = text.text.split(separator: "\n").dropFirst()
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.count > 5)
    return lines.map { $0.replacing(SampleStories.track(walk), with: walk) }
  }

  /// The story of an id in a store.
  static func stored(_ id: String, in store: String) throws -> Place? {
    try PlaceStore(path: store).allPlaces().first { $0.id == id }
  }
}

extension StudioScene {
  /// Starts with the rules of a phone.
  mutating func start(with phone: BuiltInProfile, trials: Int = 200, seed: Int64 = 1) {
    let does = PhoneRules(phone.profile)
    does.apply(to: &setting.session)
    (setting.profile, setting.phone) = (phone.rawValue, does)
    (setting.trials, setting.seed) = (trials, seed)
  }

  /// Shows and takes times in a zone.
  mutating func show(zone identifier: String) throws {
    zone = try #require(ClockZone(identifier: identifier))
  }
}

extension StudioPage {
  /// Opens a studio of its own.
  convenience init(
    _ walks: [String] = ["walk.gpx"], stories: String? = nil, store: String? = nil,
    in kind: BrowserKind = .chromium, width: Int = 1280, height: Int = 860, waits: Bool = true,
    _ change: (inout StudioScene) throws -> Void = { _ in }
  ) throws {
    let server = try OpenStudio(walks, stories: stories, store: store, change)
    try self.init(
      at: server.address, of: server, in: kind, width: width, height: height, waits: waits)
  }

  /// Opens another window of a studio.
  convenience init(of server: OpenStudio) throws {
    try self.init(at: server.address, of: server)
  }
}
