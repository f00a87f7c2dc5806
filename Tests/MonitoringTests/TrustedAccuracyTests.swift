import FencepostGeodesy
import FencepostMonitoring
import Glibc
import ProjGeodesics
import TestSupport
import Testing

/// A path whose fixes have accuracies, what the adaptive rule monitors along it, and another path that the device
/// may truly have taken.
private struct BlurredWorld {
  var random: RandomScene
  var run: Run
  var truth: [PathPoint]
  /// The monitored sets, each from a place of the path on.
  private var sets: [(fix: Int, fraction: Double, keys: Set<Int64>)] = [(0, 0, [])]

  init(seed: UInt64, trusts: Bool) {
    random = RandomScene(seed: seed, isDense: seed % 2 == 0)
    var dice = SplitMix64(seed: seed ^ 0xACC)
    random.failures = []
    random.options.refresh = .adaptive
    random.options.trustsAccuracy = trusts
    random.options.limit = .random(in: 6...14, using: &dice)
    random.options.minIntervalMilliseconds = 0
    random.options.exitMarginMeters = 0
    // The true path must break where the stated one does.
    random.options.maxSpeedMetersPerSecond = nil
    let usual: Float = [2, 6, 15].randomElement(using: &dice) ?? 2
    for index in random.scene.path.indices {
      random.scene.path[index].accuracyMeters =
        Int.random(in: 0..<12, using: &dice) == 0 ? usual * 4 : .random(in: 0...usual, using: &dice)
    }
    truth = random.scene.path.map { point in
      var point = point
      // The worst is at the rim.
      let meters =
        Double(point.accuracyMeters) * Double.random(in: 0...1, using: &dice).squareRoot()
      point.coordinate = Scene(origin: point.coordinate).at(
        azimuthDegrees: .random(in: 0..<360, using: &dice), meters: meters)
      return point
    }
    run = random.run()
    for (fix, refresh) in run.refreshes {
      let keys = sets[sets.count - 1].keys.subtracting(refresh.removed).union(refresh.added)
      sets.append((fix, refresh.fraction, keys))
    }
  }

  /// The crossings of the true path on joined segments whose region is not monitored there.
  var missed: [RuleOracle.Met] {
    var options = random.options
    options.limit = nil
    return RuleOracle(options: options, regions: random.scene.regions).walk(truth).filter { met in
      !met.isAcrossBreak && !met.isFoundInside && met.fix > 0 && !isMonitored(met)
    }
  }

  private func isMonitored(_ met: RuleOracle.Met) -> Bool {
    // Where the set changes at the very place, either set will do.
    [met.fraction - 1e-6, met.fraction + 1e-6].contains { fraction in
      let set = sets.last { ($0.fix, $0.fraction) <= (met.fix, fraction) }
      return set?.keys.contains(met.key) ?? false
    }
  }
}

extension Scene {
  fileprivate func at(azimuthDegrees: Double, meters: Double) -> Coordinate {
    let angle = azimuthDegrees * .pi / 180
    return at(meters * sin(angle), meters * cos(angle))
  }
}

@Suite("The certificate with the accuracy of fixes", .comparedWithPROJ)
struct TrustedAccuracyTests {
  @Test(
    "holds wherever the device was within the accuracy of each fix, in 1,000 worlds",
    arguments: UInt64(0)..<50)
  func holds(block: UInt64) {
    for seed in block * 20..<block * 20 + 20 {
      let world = BlurredWorld(seed: seed, trusts: true)
      guard world.run.engine.isCertified == true else { continue }
      #expect(world.missed.isEmpty, "seed \(seed)")
    }
  }

  @Test("is given to many of these worlds, and claims too much in some where fixes count as exact")
  func worldsAreUseful() {
    var (trusting, exact, refuted) = (0, 0, 0)
    for seed in UInt64(0)..<150 {
      trusting += BlurredWorld(seed: seed, trusts: true).run.engine.isCertified == true ? 1 : 0
      let world = BlurredWorld(seed: seed, trusts: false)
      guard world.run.engine.isCertified == true else { continue }
      exact += 1
      refuted += world.missed.isEmpty ? 0 : 1
    }
    #expect(trusting > 30 && exact > trusting && refuted > 10, "\(trusting) \(exact) \(refuted)")
  }

  @Test("is lost where an accuracy circle reaches an edge that is not monitored")
  func lost() {
    var scene = Scene()
    scene.place(1, east: 200)
    scene.place(2, east: 0, north: 400)
    for east in [0.0, 20, 40] { scene.go(east: east, second: east) }
    var options = MonitoringOptions()
    options.refresh = .adaptive
    options.limit = 1
    func certifies(_ accuracy: Float, at fixes: [Int], trusts: Bool = true) -> Bool? {
      var scene = scene
      options.trustsAccuracy = trusts
      for index in fixes { scene.path[index].accuracyMeters = accuracy }
      return scene.run(options).engine.isCertified
    }
    // The edge of place 2 is 300 m away. The accuracy counts where the store is asked and on the way.
    #expect(certifies(149, at: [0, 1, 2]) == true && certifies(160, at: [0, 1, 2]) == false)
    #expect(certifies(250, at: [1]) == true && certifies(290, at: [1]) == false)
    #expect(certifies(290, at: [0, 1, 2], trusts: false) == true)
  }

  @Test("Without a limit it is never lost")
  func everyPlace() {
    var random = RandomScene(seed: 7)
    random.drawConfirmation(seed: 7)
    random.options.limit = nil
    random.options.trustsAccuracy = true
    random.options.minIntervalMilliseconds = 0
    random.failures = []
    for index in random.scene.path.indices { random.scene.path[index].accuracyMeters = 500 }
    #expect(random.run().engine.isCertified == true)
  }
}
