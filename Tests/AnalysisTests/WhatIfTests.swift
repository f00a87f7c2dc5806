import FencepostSession
import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostTracks
import SampleStories
import TestSupport
import Testing

@Suite("Trials of changed places and rules")
struct WhatIfTests {
  static let rules: [MonitoringOptions] = {
    var fixed = MonitoringOptions()
    fixed.limit = 6
    fixed.significantChangeMeters = 300
    var edge = fixed
    edge.rank = .edge
    var adaptive = fixed
    adaptive.refresh = .adaptive
    var margin = adaptive
    margin.exitMarginMeters = 40
    var all = MonitoringOptions()
    all.limit = nil
    var held = fixed
    held.confirmation.holdMilliseconds = 30_000
    return [fixed, edge, adaptive, margin, all, held]
  }()

  private static let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)

  /// Two walks, the second of them far enough from the first that most changes leave one of them alone.
  private static func tracks(_ seed: UInt64) -> [RecordedTrack] {
    [0.0, 0.03].enumerated().map { number, shift in
      let around = Coordinate(
        latitudeDegrees: center.latitudeDegrees + shift, longitudeDegrees: center.longitudeDegrees)
      let scene = AnalysisScene(seed: seed &+ UInt64(number), around: around, placeCount: 0)
      return RecordedTrack(
        name: "walk \(number)",
        fixes: scene.path.enumerated().map { minute, coordinate in
          Fix(coordinate: coordinate, timeMilliseconds: Int64(minute) * 60_000)
        })
    }
  }

  private static func change(
    _ changes: inout PlaceChanges, of base: [Place], _ random: inout SplitMix64, _ step: Int
  ) {
    let places = changes.applied(to: base)
    guard var place = places.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: changes.byID[place.id] = .some(nil)
    case 1:
      place.id = "new-\(step)"
      place.coordinate.longitudeDegrees += .random(in: -0.01...0.01, using: &random)
      changes.byID[place.id] = place
    case 2:
      place.radiusMeters = .random(in: 20...600, using: &random)
      changes.byID[place.id] = place
    default:
      place.coordinate.latitudeDegrees += .random(in: -0.02...0.02, using: &random)
      place.coordinate.longitudeDegrees += .random(in: -0.02...0.02, using: &random)
      changes.byID[place.id] = place
    }
  }

  @Test(
    "A run that is taken over is the run that following anew gives", arguments: rules.indices)
  func takenOver(rule: Int) throws {
    var options = TrackSessionOptions()
    options.monitoring = Self.rules[rule]
    options.alerts.cooldown = .none
    var takenOver = 0
    for seed in 0..<6 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let base = AnalysisScene(seed: seed, around: Self.center, placeCount: 120).places
      let tracks = Self.tracks(seed)
      var changes = PlaceChanges()
      var whatIf = try WhatIf(base: base, changes: changes, options: options)
      var kept: [WhatIf.Kept?] = try tracks.map { try whatIf.follow($0, after: nil) }
      for step in 0..<25 {
        Self.change(&changes, of: base, &random, step)
        whatIf = try WhatIf(base: base, changes: changes, options: options, after: whatIf)
        let anew = try WhatIf(base: base, changes: changes, options: options)
        #expect(whatIf.places.places == anew.places.places)
        #expect(whatIf.stories.places == anew.stories.places)
        for (number, track) in tracks.enumerated() {
          let run = try #require(try whatIf.follow(track, after: kept[number]))
          let fresh = try #require(try anew.follow(track, after: nil))
          #expect(run.run == fresh.run, "seed \(seed), step \(step), \(track.name)")
          if run.isTakenOver { takenOver += 1 }
          kept[number] = run
        }
      }
    }
    // Confirmation behind a crossing is always followed anew; the other rules must gain by it.
    let isConfirmed = rule == 3 || rule == 5
    #expect(isConfirmed ? takenOver == 0 : takenOver > 20)
  }

  @Test("The entries of a run are those of an analysis", arguments: SampleAnalysis.tracks)
  func entries(track: String) async throws {
    let analysis = try #require(
      try await SampleAnalysis.analyze([SampleStories.track(track)]).analyses.first)
    let places = try StoryIndex(try SampleAnalysis.store()).places
    let whatIf = try WhatIf(base: places, changes: PlaceChanges(), options: TrackSessionOptions())
    let recorded = try RecordedTrack(path: SampleStories.track(track))
    let run = try #require(try whatIf.follow(recorded, after: nil)).run
    #expect(run.counts == analysis.account.counts)
    #expect(run.refreshLog.count == analysis.account.refreshes)
    #expect(
      run.entries.map { [$0.story, $0.fix, $0.isAlert ? 1 : 0] }
        == analysis.entries.map { [$0.story, $0.fix, $0.isAlert ? 1 : 0] })
    #expect(run.entries.map(\.cause) == analysis.entries.map(\.cause))
  }

  @Test("The sets that refreshes add up to have the size that the engine reports")
  func sets() throws {
    let places = try StoryIndex(try SampleAnalysis.store()).places
    var options = TrackSessionOptions()
    options.monitoring.refresh = .adaptive
    let whatIf = try WhatIf(base: places, changes: PlaceChanges(), options: options)
    let recorded = try RecordedTrack(path: SampleStories.track("walk.gpx"))
    let run = try #require(try whatIf.follow(recorded, after: nil)).run
    var monitored: Set<Int> = []
    for (record, next) in zip(run.refreshLog, run.refreshLog.dropFirst()) {
      #expect(monitored.isSuperset(of: record.removed))
      monitored.subtract(record.removed)
      #expect(monitored.isDisjoint(with: record.added))
      monitored.formUnion(record.added)
      #expect(monitored.count == 20)
      // The adaptive rule refreshes where it said it would; crowds and ends of fixes may delay it by little.
      let meters = Geodesic.distanceMeters(record.coordinate, next.coordinate)
      let announced = try #require(record.nextMeters)
      #expect(abs(meters - announced) < 0.5, "\(record.fix): \(meters) and \(announced)")
    }
    #expect(run.refreshLog.count > 5)
  }

  @Test("An explanation of a track in memory is that of its file")
  func explanation() throws {
    let index = try StoryIndex(try SampleAnalysis.store())
    let whatIf = try WhatIf(
      base: index.places, changes: PlaceChanges(), options: TrackSessionOptions())
    let explainer = StoryExplainer(
      index: whatIf.stories, source: whatIf.places, session: TrackSessionOptions())
    let path = SampleStories.track("walk.gpx")
    let story = try #require(whatIf.stories.index(ofID: "liberty-bell-center"))
    let fromFile = try #require(try explainer.explain(story, on: path))
    let inMemory = try #require(
      try explainer.explain(story, on: try RecordedTrack(path: path)))
    #expect(fromFile.entries == inMemory.entries)
    #expect(fromFile.edges == inMemory.edges)
    #expect(fromFile.refreshes == inMemory.refreshes)
    #expect(fromFile.approach == inMemory.approach)
  }

  @Test("A place that cannot be is refused")
  func refused() {
    let place = Place(
      id: "x", coordinate: Coordinate(latitudeDegrees: 91, longitudeDegrees: 0))
    #expect(throws: PlaceIndexError.self) {
      try WhatIf(
        base: [], changes: PlaceChanges(["x": place]), options: TrackSessionOptions())
    }
  }

  @Test(
    "A phone notices circles where its profile says, and a run under another phone is followed anew"
  )
  func phone() throws {
    let base = AnalysisScene(seed: 3, around: Self.center, placeCount: 60).places
    let track = Self.tracks(3)[0]
    var profile = BuiltInProfile.ideal.profile
    profile.limits.leastRadiusMeters.value = 400
    let phone = PhoneRules(profile)
    let options = TrackSessionOptions()
    let plain = try WhatIf(base: base, changes: PlaceChanges(), options: options)
    let kept = try plain.follow(track, after: nil)
    let noticed = try WhatIf(
      base: base, changes: PlaceChanges(), options: options, phone: phone, after: plain)
    let run = try #require(try noticed.follow(track, after: kept))
    let expected = try WhatIf(
      base: phone.noticed(base), changes: PlaceChanges(), options: options)
    #expect(!run.isTakenOver)
    #expect(run.run == (try expected.follow(track, after: nil))?.run)
    #expect(run.run != kept?.run)
    #expect(run.stories.stories.array.allSatisfy { $0.radiusMeters >= 400 })
  }
}
