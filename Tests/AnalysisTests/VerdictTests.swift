import FencepostTracks
import FencepostAnalysis
import FencepostSession
import FencepostFixes
import Foundation
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import SampleStories
import FencepostPlaces
import TestSupport
import ProjGeodesics
import Testing

@Suite("Verdicts against PROJ's distances to every place", .comparedWithPROJ)
struct VerdictTests {
  static let towns = [
    (UInt64(1), Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)),
    (2, Coordinate(latitudeDegrees: 60.17, longitudeDegrees: 24.94)),
    (3, Coordinate(latitudeDegrees: -16.8, longitudeDegrees: 179.995)),
    (4, Coordinate(latitudeDegrees: 89.995, longitudeDegrees: 30)),
    (5, Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)),
  ]

  private func analyze(
    _ scene: AnalysisScene, _ change: (inout TrackAnalysisOptions) -> Void
  ) async throws -> TrackAnalysis {
    let scratch = try ScratchFolder()
    let path = try scene.write(to: scratch.url, named: "walk.csv")
    var options = TrackAnalysisOptions()
    options.fixes.keepsNullIsland = true
    options.session.alerts.cooldown = .none
    options.session.alerts.spotMeters = 0
    change(&options)
    let places = scene.places
    let session = TrackAnalysisSession(index: StoryIndex(places), options: options) {
      SceneSource(places)
    }
    var found: TrackAnalysis?
    try await session.run([path]) { outcome in
      if case .success(let analysis) = outcome { found = analysis }
    }
    return try #require(found)
  }

  @Test("Every entry is found, late or missed as the rule says, with its rank", arguments: towns)
  func entries(seed: UInt64, center: Coordinate) async throws {
    let scene = AnalysisScene(seed: seed, around: center)
    let expected = scene.entries(limit: 3, significantChange: 900)
    let analysis = try await analyze(scene) {
      $0.session.monitoring.limit = 3
      $0.session.monitoring.significantChangeMeters = 900
    }
    let found = analysis.entries.map { entry in
      AnalysisScene.Entry(
        fix: entry.fix, place: scene.places[entry.story].id, cause: entry.cause,
        rankAtRefresh: entry.atRefresh?.rank)
    }
    #expect(found == expected)
    #expect(Set(expected.map(\.cause)).count > 1, "the scene must have several causes")
  }

  @Test("A story's verdict follows from its entries, alerts first", arguments: towns)
  func verdicts(seed: UInt64, center: Coordinate) async throws {
    let scene = AnalysisScene(seed: seed, around: center)
    let expected = scene.entries(limit: 3, significantChange: 900)
    let analysis = try await analyze(scene) {
      $0.session.monitoring.limit = 3
      $0.session.monitoring.significantChangeMeters = 900
    }
    for verdict in analysis.crossed {
      let causes = expected.filter { $0.place == scene.places[verdict.story].id }.map(\.cause)
      let wanted: Verdict =
        causes.contains(.found)
        ? .alerted
        : causes.contains(.late) ? .late : causes.isEmpty ? .insideAtStart : .missed
      #expect(verdict.verdict == wanted)
    }
    let crossed = Set(analysis.crossed.map { scene.places[$0.story].id })
    #expect(Set(expected.map(\.place)).isSubset(of: crossed))
  }

  @Test("The nearest approach is PROJ's to a millimeter", arguments: towns)
  func nearest(seed: UInt64, center: Coordinate) async throws {
    let scene = AnalysisScene(seed: seed, around: center, placeCount: 25, fixCount: 25)
    let analysis = try await analyze(scene) { _ in }
    for (index, place) in scene.places.enumerated() {
      #expect(abs(analysis.nearestMeters[index] - scene.nearestMeters(to: place)) < 0.001)
    }
  }

  @Test("The nearest approach of places all over the world is about that of the nearest fix")
  func nearestFar() async throws {
    var scene = AnalysisScene(
      seed: 5, around: Coordinate(latitudeDegrees: 48, longitudeDegrees: 11), placeCount: 25,
      fixCount: 200)
    for index in scene.places.indices {
      // Up to the antipode and the poles.
      scene.places[index].coordinate = Coordinate(
        latitudeDegrees: Double(index - 12) * 7.5,
        longitudeDegrees: (Double(index) * 97 + 11).remainder(dividingBy: 360))
    }
    let analysis = try await analyze(scene) { _ in }
    for (index, place) in scene.places.enumerated() {
      let expected = scene.path.map {
        Proj.distanceMeters($0, place.coordinate)
      }.min()
      let found = analysis.nearestMeters[index]
      // What is nearest is chosen by the straight line, and segments are passed over.
      let tolerance = max(0.01, found * 1e-4)
      #expect(try abs(found - #require(expected)) < tolerance)
    }
  }

  @Test(
    "Adaptive refresh has recall 1 where no point has more circles than regions", arguments: towns)
  func adaptive(seed: UInt64, center: Coordinate) async throws {
    let scene = AnalysisScene(seed: seed, around: center)
    let analysis = try await analyze(scene) {
      $0.session.monitoring.limit = 20
      $0.session.monitoring.refresh = .adaptive
    }
    #expect(analysis.account.mostCircles <= 20)
    #expect(analysis.account.counts.found == analysis.account.counts.entries)
    #expect(analysis.account.counts.foundAlerts == analysis.account.counts.dueAlerts)
    #expect(analysis.account.counts.entries > 0)
  }
}
