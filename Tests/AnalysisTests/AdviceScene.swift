import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostPlaces
import Foundation
import SampleStories
import TestSupport

/// Invented walks among invented places, in files, for advice.
struct AdviceScene {
  static let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)

  var places: [Place]
  var groups: [PersonTracks<String>]
  private let folder: ScratchFolder

  /// Makes a scene: each person walks as often as told, a day apart; every third walk is nobody's.
  init(
    seed: UInt64, persons count: Int, walks: Int = 1, placeCount: Int = 36, isTimed: Bool = true
  ) throws {
    places = AnalysisScene(seed: seed, around: Self.center, placeCount: placeCount).places
    // Some share a spot, some matter more, one is not valid yet.
    for index in stride(from: 0, to: placeCount - 1, by: 9) {
      places[index + 1].coordinate = places[index].coordinate
      places[index + 1].priority = -1
      places[index + 1].blurb = "Also \(index)"
      places[index].url = "https://example.org/\(index)"
    }
    if placeCount > 5 { places[5].publishedMilliseconds = 1_800_000_000_000 }
    folder = try ScratchFolder()
    groups = []
    for number in 0..<count {
      let isLone = number % 3 == 2
      let paths = try (0..<(isLone ? 1 : walks)).map { walk in
        let scene = AnalysisScene(
          seed: seed &* 1000 &+ UInt64(number * 10 + walk), around: Self.center, placeCount: 0,
          fixCount: 24)
        return try Self.write(
          scene.path, day: walk + 1, named: "walk-\(number)-\(walk).csv", in: folder,
          isTimed: isTimed)
      }
      groups.append(PersonTracks(person: isLone ? nil : "person \(number)", tracks: paths))
    }
  }

  /// Makes a scene of paths, each walked by somebody else.
  init(places: [Place], paths: [[Coordinate]]) throws {
    self.places = places
    let folder = try ScratchFolder()
    self.folder = folder
    groups = PersonTracks.alone(
      try paths.enumerated().map { number, path in
        try Self.write(path, day: 1, named: "path-\(number).csv", in: folder, isTimed: true)
      })
  }

  private static func write(
    _ path: [Coordinate], day: Int, named name: String, in folder: ScratchFolder, isTimed: Bool
  ) throws -> String {
    var text = "time,lat,lon\n"
    for (minute, fix) in path.enumerated() {
      let (hour, rest) = (9 + minute / 60, minute % 60)
      let time =
        isTimed
        ? "2026-03-0\(day)T\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest):00Z" : ""
      text += "\(time),\(fix.latitudeDegrees),\(fix.longitudeDegrees)\n"
    }
    let file = folder.url.appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  /// Options under which much is lost.
  static func options(_ change: (inout AdviceOptions) -> Void = { _ in }) -> AdviceOptions {
    var options = AdviceOptions()
    options.session.monitoring.limit = 6
    options.session.monitoring.significantChangeMeters = 400
    options.mostRegions = 6
    options.leastSignificantChangeMeters = 200
    options.mostChanges = 6
    change(&options)
    return options
  }

  /// The tracks in memory, by person.
  func persons() throws -> [PersonTracks<RecordedTrack>] {
    try groups.map { group in
      PersonTracks(
        person: group.person, tracks: try group.tracks.map { try RecordedTrack(path: $0) })
    }
  }

  func advise(_ options: AdviceOptions) async throws -> Advice {
    let store = try PlaceStore.inMemory(of: places, path: "places")
    var all: [Place] = []
    try store.makeReader().list { place in
      all.append(place)
      return true
    }
    return try await Advisor(places: all, persons: try persons(), options: options).advise()
  }

  /// The numbers of an analysis that advice claims.
  struct Claim: Equatable {
    var tracks = 0
    var counts = EntryCounts()
    var refreshes = 0
    var reached = 0
    var stories: [String: AdviceTally.Story] = [:]

    init(_ tally: AdviceTally) {
      tracks = tally.tracks
      counts = tally.counts
      refreshes = tally.refreshes
      reached = tally.reached
      stories = tally.stories
    }

    init(_ totals: AnalysisTotals, _ index: [Story]) {
      tracks = totals.tracks
      counts = totals.counts
      refreshes = totals.refreshes
      for story in index.indices where totals.stories[story].counts.alerts > 0 {
        let account = totals.stories[story]
        reached += account.persons
        stories[index[story].id] = .init(alerts: account.counts.alerts, persons: account.persons)
      }
    }
  }

  /// What an analysis says of the tracks' files with such places in a store.
  func analyze(
    _ places: [Place], _ session: TrackSessionOptions, _ groups: [PersonTracks<String>]? = nil
  ) async throws -> Claim {
    var options = TrackAnalysisOptions()
    options.session = session
    let store = try PlaceStore.inMemory(of: places, path: "places")
    let analysis = try TrackAnalysisSession(store: store, options: options)
    var totals = AnalysisTotals(storyCount: analysis.stories.count)
    try await analysis.run(groups ?? self.groups) { outcome in
      guard case .success(let one) = outcome else { return }
      totals.add(one)
    }
    return Claim(totals, analysis.stories)
  }
}
