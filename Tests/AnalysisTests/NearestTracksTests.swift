import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostTracks
import SampleStories
import TestSupport
import Testing

@Suite("The nearest track of each story, against measuring every story on every track")
struct NearestTracksTests {
  private static let towns = VerdictTests.towns

  /// The totals over walks about a town, with every story measured on every track or not.
  private func totals(
    seed: UInt64, _ center: Coordinate, measuresAll: Bool, far: Bool
  ) async throws -> (totals: AnalysisTotals, analyses: [TrackAnalysis]) {
    let scratch = try ScratchFolder()
    var scenes = (0..<6).map {
      AnalysisScene(seed: seed * 100 + $0, around: center, placeCount: 30, fixCount: 40)
    }
    if far {
      for index in scenes[0].places.indices {
        scenes[0].places[index].coordinate = Coordinate(
          latitudeDegrees: Double(index - 15) * 5.9,
          longitudeDegrees: (Double(index) * 97 + 11).remainder(dividingBy: 360))
      }
    }
    var paths: [String] = []
    for (number, scene) in scenes.enumerated() {
      paths.append(try scene.write(to: scratch.url, named: "walk\(number).csv"))
    }
    // A copy of a track is equally near; its name decides.
    paths.append(try scenes[3].write(to: scratch.url, named: "a copy.csv"))
    var options = TrackAnalysisOptions()
    options.fixes.keepsNullIsland = true
    options.measuresAllStories = measuresAll
    let places = scenes[0].places
    let session = TrackAnalysisSession(index: StoryIndex(places), options: options) {
      SceneSource(places)
    }
    var totals = AnalysisTotals(storyCount: places.count)
    var nearest = session.makeNearestTracks()
    var analyses: [TrackAnalysis] = []
    try await session.run(paths) { outcome in
      guard case .success(var analysis) = outcome else { return }
      analysis.account.track = String(analysis.account.track.suffix(10))
      totals.add(analysis)
      nearest.take(analysis, into: &totals)
      analyses.append(analysis)
    }
    nearest.flush(into: &totals)
    return (totals, analyses)
  }

  @Test(
    "Totals and the distances of crossed stories are the same", arguments: towns, [false, true])
  func same(town: (UInt64, Coordinate), far: Bool) async throws {
    let all = try await totals(seed: town.0, town.1, measuresAll: true, far: far)
    let asked = try await totals(seed: town.0, town.1, measuresAll: false, far: far)
    #expect(all.totals == asked.totals)
    #expect(all.totals.tracks == 7)
    #expect(all.totals.stories.allSatisfy { $0.nearestMillimeters != nil })
    for (one, other) in zip(all.analyses, asked.analyses) {
      #expect(other.nearestMeters.isEmpty)
      #expect(one.crossed == other.crossed)
      #expect(one.crossedMeters == other.crossedMeters)
      #expect(one.crossedMeters == one.crossed.map { one.nearestMeters[$0.story] })
    }
  }

  @Test("A story that no path crossed counts every track as never crossed")
  func neverCrossed() async throws {
    let town = Self.towns[0]
    let found = try await totals(seed: town.0, town.1, measuresAll: false, far: true)
    for (story, account) in found.totals.stories.enumerated() {
      let crossed = found.analyses.filter { $0.crossed.contains { $0.story == story } }.count
      #expect(account.tracks[.neverCrossed] == 7 - crossed)
    }
  }
}
