import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import TestSupport
import Testing

extension RandomScene {
  /// Draws rules that confirm a crossing, and an accuracy for each fix.
  mutating func drawConfirmation(seed: UInt64) {
    var random = SplitMix64(seed: seed ^ 0x51A6)
    options.test = Int.random(in: 0..<3, using: &random) == 0 ? .fixes : .path
    if options.test == .fixes {
      options.accuracy = AccuracyRule.allCases.randomElement(using: &random) ?? .ignore
    }
    options.confirmation.holdMilliseconds =
      [0, 3_000, 20_000, 90_000].randomElement(using: &random) ?? 0
    options.confirmation.fixes = [nil, nil, 1, 2, 4].randomElement(using: &random) ?? nil
    options.confirmation.dwellMilliseconds =
      [nil, 0, 10_000, 60_000, 300_000].randomElement(using: &random) ?? nil
    let accuracies: [Float] = [0, 3, 15, 60]
    for index in scene.path.indices {
      scene.path[index].accuracyMeters = accuracies.randomElement(using: &random) ?? 0
    }
  }

  /// What the independent model reports.
  func expectedReports(limit: Int?) -> [ConfirmationOracle.Reported] {
    var options = options
    if limit == nil { options.limit = nil }
    let rule = RuleOracle(options: options, regions: scene.regions) {
      limit != nil && failures.contains($0)
    }
    return ConfirmationOracle(rule: rule, path: scene.path).events()
  }
}

@Suite("All rules of confirmation at once, against an independent model", .comparedWithPROJ)
struct RandomConfirmationTests {
  private func isAlike(_ one: ConfirmationOracle.Reported, _ other: ConfirmationOracle.Reported)
    -> Bool
  {
    func near(_ one: Int64?, _ other: Int64?) -> Bool {
      guard let one, let other else { return one == other }
      return abs(one - other) <= 1
    }
    return one.fix == other.fix && one.key == other.key && one.kind == other.kind
      && one.isAcrossBreak == other.isAcrossBreak && abs(one.fraction - other.fraction) < 1e-3
      && near(one.timeMilliseconds, other.timeMilliseconds)
      && near(one.crossedMilliseconds, other.crossedMilliseconds)
  }

  private func expectSame(
    _ found: [ConfirmationOracle.Reported], _ expected: [ConfirmationOracle.Reported],
    _ seed: UInt64
  ) {
    func sorted(_ all: [ConfirmationOracle.Reported]) -> [ConfirmationOracle.Reported] {
      all.sorted {
        ($0.fix, $0.key, $0.fraction, $0.kind.rawValue)
          < ($1.fix, $1.key, $1.fraction, $1.kind.rawValue)
      }
    }
    let (found, expected) = (sorted(found), sorted(expected))
    #expect(found.count == expected.count, "seed \(seed)")
    for (one, other) in zip(found, expected) where !isAlike(one, other) {
      Issue.record("seed \(seed): \(one) instead of \(other)")
      return
    }
  }

  @Test("The fixed rule reports the same", arguments: UInt64(0)..<240)
  func fixedRule(seed: UInt64) {
    var random = RandomScene(seed: seed, isDense: seed % 4 == 0)
    random.drawConfirmation(seed: seed)
    expectSame(random.run().reported, random.expectedReports(limit: random.options.limit), seed)
  }

  @Test("Without a limit the reports are the same", arguments: UInt64(1000)..<1120)
  func everyPlace(seed: UInt64) {
    var random = RandomScene(seed: seed, isDense: seed % 2 == 0)
    random.drawConfirmation(seed: seed)
    random.options.limit = nil
    random.options.minIntervalMilliseconds = 0
    random.failures = []
    let run = random.run()
    expectSame(run.reported, random.expectedReports(limit: nil), seed)
    #expect(run.engine.isCertified == true)
  }

  /// Whether the adaptive rule, where it certifies a path, reports what it would with every place monitored.
  private func adaptiveRun(seed: UInt64) -> (random: RandomScene, run: Run) {
    var random = RandomScene(seed: seed, isDense: seed % 3 != 0)
    random.drawConfirmation(seed: seed)
    random.options.refresh = .adaptive
    random.options.limit = 10 + Int(seed % 11)
    random.options.hasTripwire = seed % 5 == 0
    random.options.refreshFloorMeters = [0, 0, 15, 120][Int(seed / 3 % 4)]
    if seed % 2 == 0 { random.failures = [] }
    if seed % 4 != 0 { random.options.minIntervalMilliseconds = 0 }
    return (random, random.run())
  }

  @Test(
    "What the adaptive rule certifies is what all places report", arguments: UInt64(2000)..<2400)
  func adaptive(seed: UInt64) {
    let (random, run) = adaptiveRun(seed: seed)
    guard run.engine.isCertified == true else { return }
    expectSame(run.reported, random.expectedReports(limit: nil), seed)
  }

  @Test("The random scenes contain the cases they are for")
  func scenesAreUseful() {
    var (certified, fixes, reports, dwells, cancelled) = (0, 0, 0, 0, 0)
    for seed in UInt64(2000)..<2120 {
      let (random, run) = adaptiveRun(seed: seed)
      guard run.engine.isCertified == true else { continue }
      certified += 1
      fixes += random.options.judgesAtFixes ? 1 : 0
      reports += run.reported.count
      dwells += run.reported.count { $0.kind == .dwell }
      cancelled += random.options.confirmation.holdMilliseconds > 0 ? random.everything().count : 0
    }
    #expect(certified > 30 && fixes > 5 && reports > 300 && dwells > 50 && cancelled > 100)
  }

  @Test("A run goes on from snapshots as if it had never stopped", arguments: UInt64(3000)..<3060)
  func snapshots(seed: UInt64) throws {
    var random = RandomScene(seed: seed)
    random.drawConfirmation(seed: seed)
    if seed % 2 == 0 { random.options.refresh = .adaptive }
    let store = BruteForceStore(regions: random.scene.regions)
    var whole = Run(random.options)
    var interrupted = Run(random.options)
    for point in random.scene.path {
      try interrupted.restore()
      whole.advance(to: point, store: store)
      interrupted.advance(to: point, store: store)
      #expect(whole.reported.count == interrupted.reported.count)
    }
    #expect(whole.reported == interrupted.reported)
  }
}

extension MonitoringOptions {
  fileprivate var judgesAtFixes: Bool { test == .fixes }
}
