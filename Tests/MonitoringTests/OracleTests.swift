import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import TestSupport
import Testing

@Suite("Against an independent rule on PROJ's distances", .comparedWithPROJ)
struct OracleTests {
  /// A random walk of `steps` vertices among `count` places strewn around it.
  private func scene(seed: UInt64, count: Int, steps: Int, stride: Double) -> Scene {
    var random = SplitMix64(seed: seed)
    let origins = [
      Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16),
      Coordinate(latitudeDegrees: -43, longitudeDegrees: 179.999),
      Coordinate(latitudeDegrees: 89.99, longitudeDegrees: 30),
      Coordinate(latitudeDegrees: 0, longitudeDegrees: 0.001),
    ]
    var scene = Scene(origin: origins[Int(seed % 4)])
    let radii = [20.0, 50, 100, 150, 250, 400]
    for key in 1...count {
      scene.place(
        Int64(key), east: .random(in: -2000...2000, using: &random),
        north: .random(in: -2000...2000, using: &random),
        radius: radii.randomElement(using: &random) ?? 100)
    }
    var east = 0.0
    var north = 0.0
    var second = 0.0
    for _ in 0..<steps {
      let isBreak = Int.random(in: 0..<40, using: &random) == 0
      scene.go(east: east, north: north, second: second, startsSegment: isBreak)
      let reach = isBreak ? stride * 6 : stride
      east = min(2000, max(-2000, east + .random(in: -reach...reach, using: &random)))
      north = min(2000, max(-2000, north + .random(in: -reach...reach, using: &random)))
      second += isBreak ? 700 : .random(in: 5...60, using: &random)
    }
    return scene
  }

  private func expectSame(_ found: [RuleOracle.Met], _ expected: [RuleOracle.Met], _ seed: UInt64) {
    let label = Comment(rawValue: "seed \(seed)")
    #expect(found.count == expected.count, label)
    for (one, other) in zip(found, expected) {
      #expect(
        one.fix == other.fix && one.key == other.key && one.isEntry == other.isEntry
          && one.isAcrossBreak == other.isAcrossBreak
          && abs(one.fraction - other.fraction) < 1e-4, label)
    }
  }

  @Test("The fixed rule with 20 regions finds the same crossings", arguments: UInt64(0)..<24)
  func fixedRule(seed: UInt64) {
    let scene = scene(seed: seed, count: 120, steps: 150, stride: seed % 2 == 0 ? 120 : 600)
    let run = scene.run()
    let expected = RuleOracle(options: run.engine.options, regions: scene.regions)
      .walk(scene.path)
    expectSame(run.met, expected, seed)
    #expect(!expected.isEmpty)
  }

  @Test("Without a limit every place is monitored", arguments: UInt64(100)..<124)
  func everyPlace(seed: UInt64) {
    let scene = scene(seed: seed, count: 200, steps: 150, stride: seed % 2 == 0 ? 120 : 600)
    var options = MonitoringOptions()
    options.limit = nil
    let run = scene.run(options)
    let expected = RuleOracle(options: options, regions: scene.regions).walk(scene.path)
    expectSame(run.met, expected, seed)
    #expect(run.engine.isCertified == true)
    #expect(run.refreshes.count == 1)
  }

  @Test("Adaptive refresh with 20 regions misses nothing", arguments: UInt64(200)..<224)
  func adaptive(seed: UInt64) {
    let scene = scene(seed: seed, count: 100, steps: 150, stride: seed % 2 == 0 ? 120 : 600)
    var options = MonitoringOptions()
    options.refresh = .adaptive
    let run = scene.run(options)
    var everything = MonitoringOptions()
    everything.limit = nil
    let expected = RuleOracle(options: everything, regions: scene.regions).walk(scene.path)
    #expect(run.engine.isCertified == true)
    expectSame(
      run.met.filter(\.isEntry), expected.filter(\.isEntry), seed)
    #expect(run.engine.monitoredKeys.count == 20)
  }

  @Test(
    "Nothing is missed with a certificate, something may be without",
    arguments: UInt64(300)..<330)
  func certificate(seed: UInt64) {
    let scene = scene(seed: seed, count: 150, steps: 80, stride: 200)
    var options = MonitoringOptions()
    options.refresh = .adaptive
    options.limit = 2 + Int(seed % 5)
    options.refreshFloorMeters = seed % 3 == 0 ? 100 : 0
    let run = scene.run(options)
    var everything = MonitoringOptions()
    everything.limit = nil
    let expected = RuleOracle(options: everything, regions: scene.regions).walk(scene.path)
    let missed = expected.filter(\.isEntry).count - run.enters.count
    if run.engine.isCertified == true { #expect(missed == 0) }
    if missed > 0 { #expect(!run.engine.uncertified.isEmpty) }
  }
}
