import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostReporting
import SampleStories
import TestSupport
import Testing

@Suite("Totals of totals")
struct AnalysisSumsTests {
  private static let stories = (0..<6).map {
    Story(
      id: "s\($0)", title: "Story \($0)", category: "history",
      coordinate: Coordinate(latitudeDegrees: 39.9 + Double($0) / 100, longitudeDegrees: -75),
      radiusMeters: 80)
  }

  /// A track of made-up numbers.
  private func track(_ number: Int, _ generator: inout SplitMix64) -> TrackAnalysis {
    var account = TrackAccount(track: "t\(number)")
    account.person = [nil, "anna", "ben", "ada"][number % 4]
    account.fixes = .random(in: 1...900, using: &generator)
    account.rejected = 3
    account.rejectedByReason = [["void", "late"][number % 2]: 3]
    account.lengthMillimeters = .random(in: 0...9_000_000, using: &generator)
    account.refreshes = .random(in: 1...20, using: &generator)
    account.counts.dueAlerts = .random(in: 0...9, using: &generator)
    account.counts.foundAlerts = .random(in: 0...account.counts.dueAlerts, using: &generator)
    account.counts.entries = account.counts.dueAlerts + 2
    account.counts.found = account.counts.foundAlerts + 1
    account.counts.alerts = account.counts.foundAlerts
    account.counts.suppressed = [.cooldown: 1]
    account.dueStories = account.counts.dueAlerts
    account.foundStories = account.counts.foundAlerts
    account.verdicts[.neverCrossed] = 6
    account.alertsByDay = [20_516 + number % 3: account.counts.alerts]
    account.alertsByHour[number % 24] = account.counts.alerts
    account.mostCircles = number % 7
    account.isCertified = [true, false, nil][number % 3]
    let moments = [[[0, 1], [2]], [[0, 1, 3]], [[4]], []][Int.random(in: 0..<4, using: &generator)]
    let crowd = CrowdedSpot(
      coordinate: Coordinate(
        latitudeDegrees: 39.9001 + Double(number % 2) * 0.0004, longitudeDegrees: -75.0002),
      circles: 21 + number % 3)
    return TrackAnalysis(
      account: account, nearestMeters: (0..<6).map { Double($0 * 100 + (number * 7) % 90) },
      crossed: [], entries: [], moments: moments, crowds: number % 5 == 0 ? [crowd] : [], lines: [])
  }

  private static let sparseSettings = {
    var settings = AnalysisSettings(
      session: TrackSessionOptions(), zoneIdentifier: "UTC", storyCount: stories.count)
    settings.namesOnlyCrossed = true
    return settings
  }()

  /// The NDJSON of an analysis of some tracks, without a line about its settings.
  private func text(
    _ tracks: [TrackAnalysis], sums: Bool, namesOnlyCrossed: Bool = false
  ) -> String {
    let writer = AnalysisNDJSONWriter(
      stories: Self.stories, verdicts: .none, writesSums: sums, namesOnlyCrossed: namesOnlyCrossed)
    var totals = AnalysisTotals(storyCount: Self.stories.count)
    var output = OutputBuffer()
    if namesOnlyCrossed { writer.begin(Self.sparseSettings, to: &output) }
    for track in tracks {
      totals.add(track)
      writer.write(track, to: &output)
    }
    totals.drawPersons()
    writer.end(totals, to: &output)
    return output.text
  }

  /// Joins parts; with sums, only the totals are kept.
  private func merge(_ parts: [String], sums: Bool) throws -> String {
    var merger = AnalysisMerger()
    var output = OutputBuffer()
    for (number, part) in parts.enumerated() {
      try merger.begin(part: "part \(number)")
      for line in part.split(separator: "\n") where try merger.take(String(line)) == .kept {
        let isSettings = line.hasPrefix("{\"type\":\"settings\"")
        if !sums || isSettings { output.append(verbatim: "\(line)\n") }
      }
    }
    try merger.finish()
    AnalysisNDJSONWriter(
      stories: merger.stories, writesSums: sums, namesOnlyCrossed: merger.namesOnlyCrossed
    ).end(merger.totals, to: &output)
    return output.text
  }

  /// The lines that are not about one track.
  private func totals(_ text: String) -> String {
    text.split(separator: "\n").filter { !$0.hasPrefix("{\"type\":\"track\"") }
      .joined(separator: "\n") + "\n"
  }

  @Test("A tree of merges, of any shape and order, equals one analysis", arguments: 1...20)
  func tree(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let tracks = (0..<40).map { track($0, &generator) }
    let whole = totals(text(tracks, sums: false))
    // All tracks of a person belong in one part.
    let lone = tracks.filter { $0.account.person == nil }
    var parts = ["anna", "ben", "ada"].map { name in
      text(tracks.filter { $0.account.person == name }, sums: true)
    }
    parts += lone.map { text([$0], sums: true) }
    var level = try parts.shuffled(using: &generator).map { try merge([$0], sums: true) }
    while level.count > 1 {
      let count = Int.random(in: 2...min(5, level.count), using: &generator)
      level = [try merge(Array(level[..<count]), sums: true)] + level[count...]
      level.shuffle(using: &generator)
    }
    #expect(totals(try merge(level, sums: false)) == whole)
  }

  /// A track that begins inside some of the stories and alerts nowhere.
  private func visitor(_ number: Int, inside stories: [Int]) -> TrackAnalysis {
    var account = TrackAccount(track: "t\(number)")
    account.fixes = 10
    account.verdicts[.insideAtStart] = stories.count
    account.verdicts[.neverCrossed] = Self.stories.count - stories.count
    var analysis = TrackAnalysis(
      account: account, nearestMeters: [],
      crossed: stories.map {
        StoryVerdict(story: $0, entries: [], indices: [], isInsideAtStart: true)
      }, entries: [], moments: [], crowds: [], lines: [])
    analysis.crossedMeters = stories.map { Double($0 + number) }
    return analysis
  }

  @Test("Where only entered stories are named, parts with different ones join to one analysis")
  func sparse() throws {
    let tracks = [
      visitor(0, inside: [4]), visitor(1, inside: [1, 4]), visitor(2, inside: []),
    ]
    let whole = text(tracks, sums: false, namesOnlyCrossed: true)
    #expect(whole.split(separator: "\n").count { $0.hasPrefix("{\"type\":\"story\"") } == 2)
    #expect(whole.contains("\"nearestMillimeters\":4000"))
    #expect(whole.contains("\"stories\":6,\"silentStories\":6"))
    for hasSums in [false, true] {
      let parts = tracks.map { text([$0], sums: hasSums, namesOnlyCrossed: true) }
      #expect(totals(try merge(parts, sums: false)) == totals(whole), "sums: \(hasSums)")
      let steps = try [merge([parts[2], parts[1]], sums: true), merge([parts[0]], sums: true)]
      if hasSums { #expect(totals(try merge(steps, sums: false)) == totals(whole)) }
    }
  }

  @Test("Parts that name all stories and parts that do not are told from other rules")
  func mixed() throws {
    let sparse = text([visitor(0, inside: [4])], sums: false, namesOnlyCrossed: true)
    let full = sparse.replacing(",\"verdicts\":\"crossed\"", with: "")
    do {
      _ = try merge([sparse, full], sums: false)
      Issue.record("parts of different --verdicts were joined")
    } catch let failure as AnalysisMerger.Failure {
      #expect(failure.description.contains("were made with a different --verdicts"))
    }
  }

  @Test("Sums beside the tracks they come from count once")
  func once() throws {
    var generator = SplitMix64(seed: 7)
    let tracks = (0..<8).map { track($0, &generator) }
    let whole = text(tracks, sums: false)
    #expect(try merge([text(tracks, sums: true)], sums: false) == whole)
  }

  @Test("A person in two sums is refused, as in two parts")
  func scattered() throws {
    var generator = SplitMix64(seed: 7)
    let parts = try [1, 5].map {
      try merge([text([track($0, &generator)], sums: true)], sums: true)
    }
    #expect(throws: AnalysisMerger.Failure.self) { try merge(parts, sums: true) }
  }

  @Test("Sums of the sample tracks on simulated phones add up to the whole")
  func phones() async throws {
    let paths = ["walk.gpx", "ride.gpx", "drive.gpx", "standstill.gpx"].map {
      SampleStories.track($0)
    }
    func analyze(_ paths: [String]) async throws -> AnalysisTotals {
      try await SampleAnalysis.analyze(paths) {
        $0.chance = ChanceOptions(
          profiles: [BuiltInProfile.iphone.profile, BuiltInProfile.tile38.profile],
          simulation: .init(trials: 4))
      }.totals
    }
    let stories = try TrackAnalysisSession(
      store: try SampleAnalysis.store(), options: TrackAnalysisOptions()
    ).stories
    func text(_ totals: AnalysisTotals, sums: Bool) -> String {
      var output = OutputBuffer()
      AnalysisNDJSONWriter(stories: stories, writesSums: sums).end(totals, to: &output)
      return output.text
    }
    var parts: [String] = []
    for path in paths { parts.append(text(try await analyze([path]), sums: true)) }
    let pairs = [
      try merge(Array(parts[..<2]), sums: true), try merge(Array(parts[2...]), sums: true),
    ]
    let whole = text(try await analyze(paths), sums: false)
    #expect(try merge(pairs, sums: false) == whole)
    #expect(whole.contains("\"type\":\"chance-totals\""))
    let old = parts[1].replacing(/"phones":\d+,/, with: "")
    let failure = #expect(throws: AnalysisMerger.Failure.self) {
      try merge([parts[0], old], sums: true)
    }
    #expect(failure?.description.contains("older version") == true)
  }
}
