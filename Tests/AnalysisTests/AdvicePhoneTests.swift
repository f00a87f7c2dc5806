import FencepostSession
import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import SampleStories
import TestSupport
import Testing

@Suite("Advice and sweeps by what a simulated phone does")
struct AdvicePhoneTests {
  private static let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)

  /// Drives east past the center at some 14 m/s, a fix every ten seconds, one a day.
  private static func drive(day: Int) -> RecordedTrack {
    let start: Int64 = 1_772_600_000_000 + Int64(day) * 86_400_000
    let fixes = (0..<80).map { step in
      var fix = Fix(
        coordinate: Coordinate(
          latitudeDegrees: 39.95, longitudeDegrees: -75.226 + Double(step) * 0.00165))
      fix.timeMilliseconds = start + Int64(step) * 10_000
      return fix
    }
    return RecordedTrack(name: "drive \(day)", fixes: fixes)
  }

  private static let places = [
    Place(key: 1, id: "small", coordinate: center, radiusMeters: 40),
    Place(
      key: 2, id: "far", coordinate: Coordinate(latitudeDegrees: 39.99, longitudeDegrees: -75.16),
      radiusMeters: 100),
  ]

  private static var chance: ChanceOptions {
    var chance = ChanceOptions(
      profiles: [BuiltInProfile.android.profile], simulation: .init(trials: 100, seed: 4))
    chance.measuresDoubts = false
    return chance
  }

  private static func advise(_ change: (inout AdviceOptions) -> Void = { _ in }) async throws
    -> Advice
  {
    var options = AdviceOptions()
    options.session.alerts.cooldown = .none
    options.chance = chance
    options.mostChanges = 3
    change(&options)
    let persons = (0..<4).map { PersonTracks(person: nil, tracks: [drive(day: $0)]) }
    return try await Advisor(places: places, persons: persons, options: options).advise()
  }

  @Test("enlarge a circle that the rule alerts for on every drive and a phone seldom notices")
  func radius() async throws {
    let advice = try await Self.advise()
    let first = try #require(advice.proposals.first)
    #expect(first.change.kind == .radius && first.change.story?.after.id == "small")
    #expect(first.change.story?.after.radiusMeters ?? 0 >= 150)
    // The rule alone gains nothing by it.
    #expect(first.effect.alerts == 0)
    let gain = try #require(first.effect.simulated)
    #expect(gain.interval.lowerBound > 0.5 && gain.mean <= 4)
    let rule = try await Self.advise { $0.chance = nil }
    #expect(!rule.proposals.contains { $0.change.kind == .radius })
  }

  @Test("claim what an analysis with the changes and other random numbers finds")
  func claim() async throws {
    let advice = try await Self.advise()
    let after = try #require(advice.effect.after.simulated?.mean)
    var options = TrackAnalysisOptions()
    options.session = advice.session
    options.chance = Self.chance
    options.chance?.simulation.seed = 5
    let changed = advice.places
    let session = TrackAnalysisSession(index: StoryIndex(changed), options: options) {
      SceneSource(changed)
    }
    var totals = AnalysisTotals(storyCount: changed.count)
    try await session.run((0..<4).map { Self.drive(day: $0) }) { outcome in
      if case .success(let analysis) = outcome { totals.add(analysis) }
    }
    let found = try #require(totals.profiles.first).all
    #expect(abs(Double(found.chance[.alert] + found.laterAlerts) / 100 - after) < 1e-9)
  }

  @Test("weigh simulated alerts by the story's priority")
  func purpose() async throws {
    var important = Self.places[0]
    important.priority = -1
    let weighted = try await Self.advise {
      $0.purpose = AdvicePurpose([important, Self.places[1]])
    }
    let plain = try await Self.advise()
    let before = try #require(plain.effect.before.simulated?.mean)
    #expect(before > 0 && weighted.effect.before.simulated?.mean == 2 * before)
    let none = try await Self.advise { $0.purpose = AdvicePurpose([Self.places[1]]) }
    #expect(none.effect.before.simulated?.mean == 0 && none.proposals.isEmpty)
  }

  @Test("find the larger circle under a rule that depends on speed too")
  func speed() async throws {
    let fast = try await Self.advise { $0.session.alerts.maxAlertSpeedMetersPerSecond = 30 }
    #expect(fast.proposals.first?.change.kind == .radius)
  }

  @Test("propose no rule that the phone cannot follow")
  func rules() async throws {
    let advice = try await Self.advise {
      $0.kinds = [.rule]
      $0.session.monitoring.limit = 1
      $0.session.monitoring.significantChangeMeters = 1000
    }
    for proposal in advice.proposals {
      #expect(proposal.change.rule?.refresh == .fixed)
      #expect(proposal.change.rule?.significantChangeMeters ?? 0 >= 500)
    }
  }

  @Test("give each setting of a sweep that the phone can follow its share of due alerts")
  func sweep() async throws {
    let folder = try ScratchFolder()
    let scene = AnalysisScene(seed: 5, around: Self.center)
    let path = try scene.write(to: folder.url, named: "a.csv")
    var options = SweepOptions()
    options.limits = [5, 20]
    options.refreshes = [.fixed, .adaptive]
    options.significantChangesMeters = [250, 500]
    options.chance = ChanceOptions(
      profiles: [BuiltInProfile.iphone.profile], simulation: .init(trials: 40))
    let session = SweepSession(index: StoryIndex(scene.places), options: options) {
      SceneSource(scene.places)
    }
    let rows = try await session.run([path]) { _ in }
    #expect(rows.count == 6)
    for row in rows {
      #expect((row.simulated.ratio == nil) == row.setting.isAdaptive)
      #expect(row.isFollowed == (row.setting.significantChangeMeters == 500))
      #expect(row.isFollowed || !row.isCheapest)
      #expect(row.isAllowed == row.isFollowed)
    }
    let shares = rows.filter(\.isFollowed).compactMap(\.simulated.ratio)
    #expect(shares.count == 2 && shares[0] < shares[1])
  }
}
