import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import SampleStories
import TestSupport
import Testing

@Suite("Simulated phones in an analysis")
struct ChanceTests {
  private static let tracks = SampleAnalysis.tracks.map { SampleStories.track($0) }

  private func chance(
    _ profile: PhoneProfile, trials: Int = 40, seed: UInt64 = 1
  ) -> ChanceOptions {
    ChanceOptions(
      profiles: [profile], simulation: .init(trials: trials, seed: seed))
  }

  /// The iPhone without a limit, so that the stories do not compete.
  private static var unlimited: PhoneProfile {
    var profile = BuiltInProfile.iphone.profile
    profile.limits.regions.value = .none
    return profile
  }

  @Test("The ideal phone's alerts are those of the oracle, and it has no others", arguments: tracks)
  func ideal(track: String) async throws {
    let found = try await SampleAnalysis.analyze([track]) {
      $0.chance = chance(BuiltInProfile.ideal.profile)
      $0.session.monitoring.limit = nil
    }
    let analysis = try #require(found.analyses.first)
    let chances = try #require(analysis.chances.first)
    let alerted = analysis.crossed.filter { $0.verdict == .alerted }.map(\.story)
    #expect(chances.stories.map(\.story) == alerted)
    #expect(chances.stories.allSatisfy { $0.isEntered && $0.chance.share(.alert) == 1 })
    #expect(chances.heldBack == analysis.crossed.count { $0.verdict == .suppressed })
    let totals = try #require(found.totals.profiles.first)
    #expect(totals.all.falseAlerts == 0)
    #expect(alerted.isEmpty || totals.all.probability == 1)
  }

  @Test(
    "The ideal phone with a limit finds what the device of the verdicts finds", arguments: tracks)
  func limited(track: String) async throws {
    var profile = BuiltInProfile.ideal.profile
    profile.limits.regions.value = .at(10)
    profile.refresh.distanceMeters.value = 500
    let found = try await SampleAnalysis.analyze([track]) {
      $0.chance = chance(profile)
      $0.session.monitoring.limit = 10
    }
    let analysis = try #require(found.analyses.first)
    let chances = try #require(analysis.chances.first)
    for verdict in analysis.crossed where verdict.counts.dueAlerts > 0 {
      let trials = try #require(chances.trials(of: verdict.story))
      let counts = verdict.counts
      #expect(trials.chance[.alert] == 40 * counts.foundAlerts)
      #expect(trials.chance.runs.laterAlerts == 40 * (counts.alerts - counts.foundAlerts))
      #expect(trials.chance.trials == 40 * counts.dueAlerts)
      let lost = trials.chance[.limit] + trials.chance[.refresh]
      #expect(trials.chance[.alert] + lost == trials.chance.trials)
    }
  }

  @Test("With a share never notified alone, each due entry's alert comes with the rest")
  func never() async throws {
    var profile = BuiltInProfile.ideal.profile
    profile.delivery.neverShare[.residential].value = 0.3
    let trials = 400
    let found = try await SampleAnalysis.analyze(Self.tracks) {
      $0.chance = chance(profile, trials: trials)
    }
    var (sum, variance) = (0.0, 0.0)
    for analysis in found.analyses {
      for verdict in analysis.crossed where verdict.counts.dueAlerts > 0 {
        // Each entry says nothing in three of ten trials, whatever the others do.
        let one = try #require(analysis.chances[0].trials(of: verdict.story)).chance
        let all = trials * verdict.counts.dueAlerts
        let deviation = (0.3 * 0.7 / Double(all)).squareRoot()
        #expect(abs(one.share(.alert) - 0.7) < 6 * deviation)
        #expect(one.trials == all)
        sum += 0.7 * Double(verdict.counts.dueAlerts)
        variance += 0.3 * 0.7 / Double(trials) * Double(verdict.counts.dueAlerts)
      }
    }
    let odds = try #require(found.totals.profiles.first).all
    #expect(odds.tracks > 50)
    let mean = try #require(found.totals.profiles.first?.probability)
    #expect(abs(mean * Double(odds.due) - sum) < 5 * variance.squareRoot())
  }

  @Test(
    "Each trial of an entered story ends in one outcome",
    arguments: [BuiltInProfile.iphone, .android])
  func shares(builtIn: BuiltInProfile) async throws {
    let found = try await SampleAnalysis.analyze(Self.tracks) {
      $0.chance = chance(builtIn.profile, trials: 10)
    }
    let totals = try #require(found.totals.profiles.first)
    for (_, odds) in totals.ordered where odds.tracks > 0 {
      #expect(odds.chance.trials == 10 * odds.due && odds.chance.runs.all == 10 * odds.tracks)
      let lost = StoryChance.losses.reduce(0) { $0 + odds.chance[$1] }
      #expect(odds.chance[.alert] + lost == odds.chance.trials)
    }
    let sum = totals.ordered.reduce(0) { $0 + $1.odds.chance.trials }
    #expect(sum == totals.all.chance.trials && sum > 0)
  }

  @Test("One job and four jobs write the same bytes, another seed does not")
  func jobs() async throws {
    func text(_ jobs: Int, _ seed: UInt64) async throws -> String {
      try await SampleAnalysis.analyze(Self.tracks) {
        $0.chance = chance(BuiltInProfile.iphone.profile, trials: 4, seed: seed)
        $0.jobs = jobs
      }.text
    }
    let one = try await text(1, 1)
    #expect(one == (try await text(4, 1)))
    #expect(one != (try await text(4, 2)))
  }

  @Test("Joined parts equal the whole, byte for byte", arguments: [1, 4])
  func merge(cut: Int) async throws {
    func analyze(_ paths: [String]) async throws -> String {
      try await SampleAnalysis.analyze(paths) {
        $0.chance = ChanceOptions(
          profiles: [BuiltInProfile.iphone.profile, BuiltInProfile.tile38.profile],
          simulation: .init(trials: 4))
      }.text
    }
    let whole = try await analyze(Self.tracks)
    var merger = AnalysisMerger()
    var joined = OutputBuffer()
    for part in [Array(Self.tracks[..<cut]), Array(Self.tracks[cut...])] {
      try merger.begin(part: "part")
      for line in try await analyze(part).split(separator: "\n")
      where try merger.take(String(line)) == .kept {
        joined.append(verbatim: "\(line)\n")
      }
    }
    try merger.finish()
    AnalysisNDJSONWriter(stories: merger.stories).end(merger.totals, to: &joined)
    #expect(joined.text == whole)
  }

  @Test(
    "A story's numbers are the same with other stories and other tracks", arguments: [UInt64(3), 8])
  func independence(seed: UInt64) async throws {
    let scene = AnalysisScene(
      seed: seed, around: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16))
    let other = AnalysisScene(
      seed: seed + 100, around: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16))
    let scratch = try ScratchFolder()
    let path = try scene.write(to: scratch.url, named: "a.csv")
    let second = try other.write(to: scratch.url, named: "b.csv")
    func chances(_ places: [Place], _ paths: [String]) async throws -> [String: StoryChance] {
      var options = TrackAnalysisOptions()
      options.session.alerts.cooldown = .none
      options.chance = chance(Self.unlimited)
      let session = TrackAnalysisSession(
        index: StoryIndex(places), options: options, makeSource: { SceneSource(places) })
      var found: [String: StoryChance] = [:]
      try await session.run(paths) { outcome in
        guard case .success(let analysis) = outcome, analysis.account.track == path else { return }
        for one in analysis.chances[0].stories where one.isEntered {
          found[session.stories[one.story].id] = one.chance
        }
      }
      return found
    }
    let all = try await chances(scene.places, [second, path])
    let some = try await chances(Array(scene.places.prefix(20)), [path])
    #expect(!some.isEmpty)
    for (id, chance) in some { #expect(all[id] == chance, "\(id)") }
  }

  @Test("An alert of a story that the path never entered is extra and has no probability")
  func extra() async throws {
    var profile = BuiltInProfile.ideal.profile
    profile.limits.leastRadiusMeters.value = 400
    let found = try await SampleAnalysis.analyze([SampleStories.track("walk.gpx")]) {
      $0.chance = chance(profile)
      $0.session.monitoring.limit = nil
    }
    let analysis = try #require(found.analyses.first)
    let extra = try #require(analysis.chances.first).stories.filter { !$0.isEntered }
    #expect(!extra.isEmpty)
    for one in extra {
      #expect(!analysis.crossed.contains { $0.story == one.story && $0.counts.entries > 0 })
      #expect(analysis.nearestMeters[one.story] <= 400)
    }
    let totals = try #require(found.totals.profiles.first)
    #expect(totals.falseAlertsPerRun == Double(extra.count))
    #expect(totals.all.tracks == analysis.crossed.count { $0.counts.dueAlerts > 0 })
  }

  @Test("The low and high values of a profile are tried one at a time")
  func doubts() async throws {
    var profile = BuiltInProfile.ideal.profile
    profile.delivery.neverShare[.residential] = Sourced(
      0.5, low: 0, high: 1, basis: .assumed, source: "a test")
    profile.confirmation.holdSeconds = Sourced(
      0, low: 0, high: 1e6, basis: .assumed, source: "a test")
    let found = try await SampleAnalysis.analyze([SampleStories.track("walk.gpx")]) {
      $0.chance = chance(profile)
    }
    let totals = try #require(found.totals.profiles.first)
    #expect(
      totals.doubts.map(\.name) == [
        "confirmation.holdSeconds", "delivery.neverInResidentialShare",
      ])
    let (hold, never) = (totals.doubts[0], totals.doubts[1])
    #expect(hold.trials == 20 * totals.all.due && never.trials == hold.trials)
    #expect(hold.lowAlerts == hold.alerts && hold.highAlerts == 0)
    #expect(never.lowAlerts == never.trials && never.highAlerts == 0)
    #expect((1..<never.trials).contains(never.alerts))
  }

  @Test("A track without times is not simulated, and says so")
  func untimed() async throws {
    let scene = AnalysisScene(
      seed: 1, around: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16))
    let scratch = try ScratchFolder()
    let path = try scene.write(to: scratch.url, named: "a.csv", isTimed: false)
    let found = try await SampleAnalysis.analyze([path]) {
      $0.chance = chance(BuiltInProfile.iphone.profile)
    }
    #expect(found.totals.profiles.first?.untimedTracks == 1)
    #expect(found.totals.profiles.first?.all.tracks == 0)
    let notices = try #require(found.analyses.first).account.notices
    #expect(notices.contains { $0.contains("no phone can be simulated") })
  }

  @Test("The chances of a what-if are those of an analysis", arguments: SampleAnalysis.tracks)
  func whatIf(track: String) async throws {
    var options = chance(BuiltInProfile.iphone.profile, trials: 20, seed: 9)
    let found = try await SampleAnalysis.analyze([SampleStories.track(track)]) {
      $0.chance = options
    }
    let expected = try #require(found.analyses.first?.chances.first)
    let places = try StoryIndex(try SampleAnalysis.store()).places
    let whatIf = try WhatIf(base: places, changes: PlaceChanges(), options: TrackSessionOptions())
    let recorded = try RecordedTrack(path: SampleStories.track(track))
    options.measuresDoubts = false
    let chances = try #require(try whatIf.chances(on: recorded, options)?.phones.first)
    #expect(chances.stories == expected.stories && chances.heldBack == expected.heldBack)
    #expect(chances.doubts.isEmpty && !expected.doubts.isEmpty)
  }

  @Test("Trials that are interrupted have no chances")
  func interrupted() async throws {
    let places = try StoryIndex(try SampleAnalysis.store()).places
    let whatIf = try WhatIf(base: places, changes: PlaceChanges(), options: TrackSessionOptions())
    let recorded = try RecordedTrack(path: SampleStories.track("walk.gpx"))
    let options = chance(BuiltInProfile.iphone.profile, trials: 100_000)
    let work = Task.detached { try whatIf.chances(on: recorded, options) }
    work.cancel()
    #expect(try await work.value == nil)
  }

  @Test("An app's limit is never more than the phone has, its least interval never shorter")
  func app() {
    let phone = BuiltInProfile.iphone.profile
    #expect(phone.following(AppRules()) == phone)
    var app = AppRules()
    app.limit = 1000
    app.refreshMeters = 800
    #expect(phone.following(app).limits == phone.limits)
    #expect(phone.following(app).refresh.distanceMeters.value == 800)
    app.limit = 7
    app.hasTripwire = true
    app.leastIntervalMilliseconds = 3_600_000
    app.dwellMilliseconds = 90_000
    let followed = phone.following(app)
    #expect(followed.limits.regions.value == .at(6))
    #expect(followed.refresh.leastIntervalSeconds.value == 3600)
    #expect(followed.confirmation.dwellSeconds.value == 90)
  }
}
