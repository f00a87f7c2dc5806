import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import Testing

@Suite("All options at once, against an independent rule", .comparedWithPROJ)
struct RandomRuleTests {
  private func isAlike(_ one: RuleOracle.Met, _ other: RuleOracle.Met) -> Bool {
    one.fix == other.fix && one.key == other.key && one.isEntry == other.isEntry
      && one.isAcrossBreak == other.isAcrossBreak && abs(one.fraction - other.fraction) < 1e-4
  }

  /// Events in the order in which ties are no matter.
  private func sorted(_ met: [RuleOracle.Met]) -> [RuleOracle.Met] {
    met.sorted { ($0.fix, $0.key, $0.fraction) < ($1.fix, $1.key, $1.fraction) }
  }

  private func expectSame(_ found: [RuleOracle.Met], _ expected: [RuleOracle.Met], _ seed: UInt64) {
    let (found, expected) = (sorted(found), sorted(expected))
    #expect(found.count == expected.count, "seed \(seed)")
    for (one, other) in zip(found, expected) where !isAlike(one, other) {
      Issue.record("seed \(seed): \(one) instead of \(other)")
      return
    }
  }

  @Test("The fixed rule finds the same crossings", arguments: UInt64(0)..<120)
  func fixedRule(seed: UInt64) {
    let random = RandomScene(seed: seed)
    let run = random.run()
    expectSame(run.met, random.expected(), seed)
    #expect(run.enteredTwice == [])
  }

  @Test("Without a limit the crossings are the same", arguments: UInt64(1000)..<1060)
  func everyPlace(seed: UInt64) {
    var random = RandomScene(seed: seed, isDense: seed % 2 == 0)
    random.options.limit = nil
    random.failures = []
    let run = random.run()
    expectSame(run.met, random.expected(), seed)
    #expect(run.engine.isCertified == true && run.enteredTwice == [])
  }

  @Test(
    "The adaptive rule misses nothing outside its uncertified stretches",
    arguments: UInt64(2000)..<2240)
  func adaptive(seed: UInt64) {
    var random = RandomScene(seed: seed, isDense: seed % 3 != 0)
    random.options.refresh = .adaptive
    random.options.refreshFloorMeters = [0, 0, 15, 120][Int(seed / 3 % 4)]
    random.options.hasTripwire = seed % 5 == 0
    let run = random.run()
    let spans = run.engine.uncertified.map { Stretch($0, on: random.scene.path) }
    let (found, expected) = (run.met, random.everything())
    let differences =
      found.filter { one in !expected.contains { isAlike(one, $0) } }
      + expected.filter { one in !found.contains { isAlike(one, $0) } }
    for one in differences where !spans.contains(where: { $0.contains(one, random.scene.path) }) {
      Issue.record("seed \(seed): \(one) is on no declared stretch of \(spans)")
    }
    #expect(run.engine.isCertified == spans.isEmpty)
    #expect(run.enteredTwice == [], "seed \(seed)")
    for (one, next) in zip(spans, spans.dropFirst()) {
      #expect(one.end < next.start, "seed \(seed): stretches follow each other without a gap")
    }
  }

  @Test("The random scenes contain the cases they are for")
  func scenesAreUseful() {
    var certified = 0
    var uncertified = 0
    var exits = 0
    for seed in UInt64(2000)..<2060 {
      var random = RandomScene(seed: seed, isDense: true)
      random.options.refresh = .adaptive
      let run = random.run()
      if run.engine.isCertified == true { certified += 1 } else { uncertified += 1 }
      exits += random.options.exitMarginMeters > 0 ? run.exits.count : 0
    }
    #expect(certified > 10 && uncertified > 10 && exits > 100)
  }
}

/// A declared stretch in places along the path that can be compared.
private struct Stretch: CustomStringConvertible {
  /// A place on the path: the fix that ends its segment, and how far along that it is.
  struct Place: Comparable {
    var fix: Int
    var meters: Double

    static func < (one: Place, other: Place) -> Bool {
      (one.fix, one.meters) < (other.fix, other.meters)
    }
  }

  var start: Place
  var end: Place

  init(_ span: UncertifiedSpan, on path: [PathPoint]) {
    func place(_ end: UncertifiedSpan.End) -> Place {
      let from = end.fix > 0 ? path[end.fix - 1].coordinate : end.coordinate
      return Place(fix: end.fix, meters: Reference.distanceMeters(from, end.coordinate))
    }
    start = place(span.start)
    end = place(span.end)
  }

  func contains(_ met: RuleOracle.Met, _ path: [PathPoint]) -> Bool {
    let from = path[max(0, met.fix - 1)].coordinate
    let length = Reference.distanceMeters(from, path[met.fix].coordinate)
    let along = met.fraction * length
    // A path of no length has no fraction to speak of; a hand's breadth is the errors of both.
    return start <= Place(fix: met.fix, meters: along + 0.05)
      && Place(fix: met.fix, meters: along - 0.05) <= end
  }

  var description: String { "\(start.fix)+\(start.meters) ... \(end.fix)+\(end.meters)" }
}
