import FencepostTracks
import FencepostAnalysis
import FencepostSession
import FencepostFixes
import Foundation
import FencepostMonitoring
import FencepostNotifications
import SampleStories
import FencepostPlaces
import FencepostReporting
import Testing

@Suite("Analyses of the sample tracks")
struct TrackAnalysisSessionTests {
  private func count(_ track: String, _ rule: String, _ type: String) throws -> Int {
    try EventLine.lines(
      ofFile: SampleStories.data.appendingPathComponent("expected/\(track).\(rule).oracle.ndjson")
    ).count { $0.type == type }
  }

  @Test(
    "Entries, found entries and refreshes are those of the recorded oracle",
    arguments: SampleAnalysis.tracks)
  func recorded(track: String) async throws {
    let found = try await SampleAnalysis.analyze([SampleStories.track(track)])
    let account = try #require(found.analyses.first).account
    #expect(account.counts.entries == (try count(track, "none", "enter")))
    #expect(account.counts.found == (try count(track, "fixed-20", "enter")))
    #expect(account.refreshes == (try count(track, "fixed-20", "refresh")))
    #expect(account.counts.extra == 0)
  }

  @Test("The phone's alerts are those of a replay, one by one", arguments: SampleAnalysis.tracks)
  func replayed(track: String) async throws {
    let replayed = try SampleStories.replay(SampleStories.track(track))
    let found = try await SampleAnalysis.analyze([SampleStories.track(track)])
    let index = try StoryIndex(try SampleAnalysis.store())
    let alerts = try #require(found.analyses.first).entries.filter(\.isAlert)
    #expect(alerts.map { index.stories[$0.story].id } == replayed.alerts)
  }

  @Test("Tracks in memory are analyzed as their files are")
  func inMemory() async throws {
    let paths = SampleAnalysis.tracks.map { SampleStories.track($0) }
    var options = TrackAnalysisOptions()
    options.drawnVertices = 100
    let session = try TrackAnalysisSession(store: try SampleAnalysis.store(), options: options)
    var (files, recorded): ([TrackAnalysis], [TrackAnalysis]) = ([], [])
    try await session.run(paths) {
      if case .success(let analysis) = $0 { files.append(analysis) }
    }
    try await session.run(try paths.map { try RecordedTrack(path: $0) }) {
      if case .success(let analysis) = $0 { recorded.append(analysis) }
    }
    #expect(recorded.count == paths.count)
    for (one, other) in zip(files, recorded) {
      #expect(one.account == other.account)
      #expect(one.entries == other.entries)
      #expect(one.lines == other.lines)
      #expect(one.reached == other.reached)
    }
  }

  @Test("One job and four jobs write the same bytes")
  func jobs() async throws {
    let paths = SampleAnalysis.tracks.map { SampleStories.track($0) } + ["/nonexistent/track.gpx"]
    let one = try await SampleAnalysis.analyze(paths) { $0.jobs = 1 }
    let four = try await SampleAnalysis.analyze(paths) { $0.jobs = 4 }
    #expect(one.text == four.text)
    #expect(one.totals == four.totals)
    #expect(one.totals.skipped == 1)
  }

  @Test("Joined parts equal the whole, byte for byte", arguments: 1..<7)
  func merge(cut: Int) async throws {
    let paths = SampleAnalysis.tracks.map { SampleStories.track($0) }
    let whole = try await SampleAnalysis.analyze(paths)
    let parts = [
      try await SampleAnalysis.analyze(Array(paths[..<cut])).text,
      try await SampleAnalysis.analyze(Array(paths[cut...])).text,
    ]
    var merger = AnalysisMerger()
    var joined = OutputBuffer()
    for (number, part) in parts.enumerated() {
      try merger.begin(part: "part \(number)")
      for line in part.split(separator: "\n") where try merger.take(String(line)) == .kept {
        joined.append(verbatim: "\(line)\n")
      }
    }
    try merger.finish()
    AnalysisNDJSONWriter(stories: merger.stories).end(merger.totals, to: &joined)
    #expect(joined.text == whole.text)
  }

  @Test("A track in two parts is refused")
  func doubled() async throws {
    let part = try await SampleAnalysis.analyze([SampleStories.track("walk.gpx")]).text
    var merger = AnalysisMerger()
    try merger.begin(part: "one")
    for line in part.split(separator: "\n") { _ = try merger.take(String(line)) }
    try merger.begin(part: "two")
    #expect(throws: AnalysisMerger.Failure.self) {
      for line in part.split(separator: "\n") { _ = try merger.take(String(line)) }
    }
  }

  @Test("A part that ends early is refused")
  func cutPart() async throws {
    let part = try await SampleAnalysis.analyze([SampleStories.track("walk.gpx")]).text
    var merger = AnalysisMerger()
    try merger.begin(part: "one")
    for line in part.split(separator: "\n").dropLast() { _ = try merger.take(String(line)) }
    #expect(throws: AnalysisMerger.Failure.self) { try merger.finish() }
  }

  @Test("A strict session ends at the first bad track, after the good ones before it")
  func strict() async throws {
    var options = TrackAnalysisOptions()
    options.isStrict = true
    options.jobs = 2
    let session = try TrackAnalysisSession(store: try SampleAnalysis.store(), options: options)
    var good: [String] = []
    let paths = [
      SampleStories.track("walk.gpx"), "/nonexistent/track.gpx", SampleStories.track("ride.gpx"),
    ]
    await #expect(throws: TrackFailure.self) {
      try await session.run(paths) { outcome in
        if case .success(let analysis) = outcome { good.append(analysis.account.track) }
      }
    }
    #expect(good == [SampleStories.track("walk.gpx")])
  }

  @Test("A sweep's row has the numbers of an analysis with that setting")
  func sweep() async throws {
    let paths = SampleAnalysis.tracks.map { SampleStories.track($0) }
    var options = SweepOptions()
    options.limits = [10, 20, nil]
    options.significantChangesMeters = [250, 500]
    options.refreshes = [.fixed, .adaptive]
    options.ranks = [.center, .edge]
    options.jobs = 2
    let rows = try await SweepSession(store: try SampleAnalysis.store(), options: options).run(
      paths
    ) { _ in }
    #expect(rows.count == 11)
    for row in rows {
      let found = try await SampleAnalysis.analyze(paths) { analysis in
        analysis.session.monitoring.limit = row.setting.limit
        analysis.session.monitoring.refresh = row.setting.isAdaptive ? .adaptive : .fixed
        analysis.session.monitoring.rank = row.setting.rank == "edge" ? .edge : .center
        if let meters = row.setting.significantChangeMeters {
          analysis.session.monitoring.significantChangeMeters = meters
        }
      }
      #expect(row.counts == found.totals.counts)
      #expect(row.refreshes == found.totals.refreshes)
      #expect(row.recall == found.totals.recall)
    }
    // No limit loses nothing either and refreshes hardly ever, but is no setting of a phone.
    let lossless = rows.filter {
      $0.setting.limit != nil && $0.counts.found == $0.counts.entries
    }.map(\.refreshes)
    #expect(rows.filter(\.isCheapest).map(\.refreshes) == [lossless.min()])
  }

  @Test("An explanation agrees with the analysis on every story of a walk")
  func explanations() async throws {
    let track = SampleStories.track("walk.gpx")
    let analysis = try #require(try await SampleAnalysis.analyze([track]).analyses.first)
    let store = try SampleAnalysis.store()
    let index = try StoryIndex(store)
    let explainer = StoryExplainer(
      index: index, source: StoreSource(reader: try store.makeReader()),
      session: TrackSessionOptions())
    for verdict in analysis.crossed {
      let explanation = try #require(try explainer.explain(verdict.story, on: track))
      #expect(explanation.verdict.verdict == verdict.verdict)
      #expect(explanation.verdict.counts == verdict.counts)
      let nearest = try #require(explanation.approach).distanceMeters
      #expect(abs(nearest - analysis.nearestMeters[verdict.story]) < 1e-6)
      for (entry, how) in zip(explanation.entries, explanation.explanations) {
        #expect((how != nil) == (entry.cause == .found))
        if let how { #expect((how.decision.suppressionReason == nil) == entry.isAlert) }
      }
    }
  }
}
