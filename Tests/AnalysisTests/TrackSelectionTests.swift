import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostTracks
import Foundation
import SampleStories
import TestSupport
import Testing

@Suite("The period and the box of an analysis")
struct TrackSelectionTests {
  private static let places = [
    Place(
      key: 1, id: "story", coordinate: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16),
      radiusMeters: 100)
  ]

  /// 2026-03-04T09:00:00Z.
  private static let start: Int64 = 1_772_614_800_000

  /// Writes a walk of ten minutes, one fix a minute, through the story's circle between the fourth and the sixth.
  private func walk(_ name: String, hasTimes: Bool = true, in folder: ScratchFolder) throws
    -> String
  {
    var text = hasTimes ? "time,lat,lon\n" : "lat,lon\n"
    for minute in 0..<10 {
      let longitude = -75.165 + Double(minute) * 0.001
      if hasTimes { text += "2026-03-04T09:0\(minute):00Z," }
      text += "39.95,\(longitude)\n"
    }
    let file = folder.url.appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  private func analyze(
    _ paths: [String], _ selection: TrackSelection, isStrict: Bool = false
  ) async throws -> [TrackOutcome<TrackAnalysis>] {
    var options = TrackAnalysisOptions()
    options.selection = selection
    options.isStrict = isStrict
    options.drawnVertices = 100
    let places = Self.places
    let session = TrackAnalysisSession(index: StoryIndex(places), options: options) {
      SceneSource(places)
    }
    var outcomes: [TrackOutcome<TrackAnalysis>] = []
    try await session.run(paths) { outcomes.append($0) }
    return outcomes
  }

  private func analysis(_ outcome: TrackOutcome<TrackAnalysis>?) throws -> TrackAnalysis {
    guard case .success(let analysis) = try #require(outcome) else {
      throw TrackFailure(path: "", kind: .empty(rejected: [:]))
    }
    return analysis
  }

  @Test("A period keeps the fixes from its beginning to just before its end")
  func period() async throws {
    let folder = try ScratchFolder()
    let path = try walk("walk.csv", in: folder)
    let minute: Int64 = 60_000
    let found = try analysis(
      try await analyze(
        [path],
        TrackSelection(
          fromMilliseconds: Self.start + 2 * minute, toMilliseconds: Self.start + 8 * minute)
      ).first)
    #expect(found.account.fixes == 6 && found.account.fixesOutside == 4)
    #expect(found.account.firstMilliseconds == Self.start + 2 * minute)
    #expect(found.account.lastMilliseconds == Self.start + 7 * minute)
    #expect(found.account.counts.alerts == 1)
    let before = try analysis(
      try await analyze(
        [path], TrackSelection(toMilliseconds: Self.start + 3 * minute)
      ).first)
    #expect(before.account.fixes == 3 && before.account.counts.entries == 0)
  }

  @Test("A path that leaves the box is broken there, and what is outside does not happen")
  func box() async throws {
    let folder = try ScratchFolder()
    // To and fro: in the box at both ends, outside of it where the story is.
    var text = "time,lat,lon\n"
    for second in 0..<60 {
      let latitude = 39.94 + (second < 30 ? Double(second) : Double(59 - second)) * 0.0006
      text += "2026-03-04T09:00:\(second < 10 ? "0" : "")\(second)Z,\(latitude),-75.16\n"
    }
    let file = folder.url.appendingPathComponent("turn.csv")
    try text.write(to: file, atomically: true, encoding: .utf8)
    let all = try analysis(try await analyze([file.path], TrackSelection()).first)
    #expect(all.account.counts.entries == 2 && all.lines.count == 1)
    let south = CoordinateBox(
      westDegrees: -75.2, southDegrees: 39.9, eastDegrees: -75.1, northDegrees: 39.945)
    let found = try analysis(try await analyze([file.path], TrackSelection(box: south)).first)
    #expect(found.account.counts.entries == 0)
    #expect(found.lines.count == 2, "two pieces, and nothing between them")
    #expect(found.account.fixes + found.account.fixesOutside == 60)
    #expect(found.account.lengthMillimeters < all.account.lengthMillimeters / 2)
  }

  @Test("A track outside of the period is left out and named, and --strict goes on behind it")
  func outside() async throws {
    let folder = try ScratchFolder()
    let paths = [
      try walk("a.csv", in: folder), try walk("b.csv", hasTimes: false, in: folder),
    ]
    let outcomes = try await analyze(
      paths, TrackSelection(fromMilliseconds: Self.start + 86_400_000), isStrict: true)
    #expect(outcomes.count == 2)
    for outcome in outcomes {
      guard case .failure(let failure) = outcome else {
        Issue.record("the track was followed")
        continue
      }
      #expect(failure.isOutside)
      #expect(failure.description.contains("no fix in the period and box"))
    }
  }
}
