import FencepostGeodesy
import FencepostMonitoring
import TestSupport

/// A scene, a rule and a store that fails now and then, all drawn from a seed.
struct RandomScene {
  var scene: Scene
  var options: MonitoringOptions
  var failures: Set<Int> = []

  /// Draws a scene.
  ///
  /// - Parameters:
  ///   - seed: The seed of the random numbers.
  ///   - isDense: Whether circles overlap in crowds.
  init(seed: UInt64, isDense: Bool = false) {
    var random = SplitMix64(seed: seed)
    let origins = [
      Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16),
      Coordinate(latitudeDegrees: -43, longitudeDegrees: 179.999),
      Coordinate(latitudeDegrees: 89.99, longitudeDegrees: 30),
      Coordinate(latitudeDegrees: 0, longitudeDegrees: 0.001),
    ]
    scene = Scene(origin: origins[Int(seed % 4)])
    let spread = isDense ? 500.0 : 1500
    for key in 1...(isDense ? 60 : 90) {
      scene.place(
        Int64(key), east: .random(in: -spread...spread, using: &random),
        north: .random(in: -spread...spread, using: &random),
        radius: .random(
          in: 15...(Int.random(in: 0..<6, using: &random) == 0 ? 700 : 150), using: &random))
    }
    options = MonitoringOptions()
    options.limit = .random(in: 1...20, using: &random)
    options.significantChangeMeters = .random(in: 50...600, using: &random)
    options.rank = Bool.random(using: &random) ? .edge : .center
    options.initial = Bool.random(using: &random) ? .enter : .silent
    options.minIntervalMilliseconds = [0, 0, 30_000, 120_000].randomElement(using: &random) ?? 0
    options.exitMarginMeters = [0, 5, 40, 100, 300].randomElement(using: &random) ?? 0
    options.joinsSegments = Int.random(in: 0..<4, using: &random) == 0
    let speeds: [Double?] = [340, 40, nil]
    options.maxSpeedMetersPerSecond = speeds[Int(seed / 4 % 3)]
    let steps = 60
    let stride: Double = [40, 150, 700].randomElement(using: &random) ?? 150
    let edge = spread * 1.4
    var (east, north, second) = (0.0, 0.0, 0.0)
    for fix in 0..<steps {
      let isBreak = Int.random(in: 0..<12, using: &random) == 0
      if Int.random(in: 0..<9, using: &random) == 0 { failures.insert(fix) }
      scene.go(
        east: east, north: north,
        second: Int.random(in: 0..<30, using: &random) == 0 ? nil : second, startsSegment: isBreak)
      let reach = isBreak ? stride * 4 : stride
      east = min(edge, max(-edge, east + .random(in: -reach...reach, using: &random)))
      north = min(edge, max(-edge, north + .random(in: -reach...reach, using: &random)))
      second += isBreak ? .random(in: 0...900, using: &random) : .random(in: 4...40, using: &random)
    }
    if !Bool.random(using: &random) { failures = [] }
  }

  /// Runs an engine with the scene's rule along its path.
  func run() -> Run {
    var run = Run(options)
    for (fix, point) in scene.path.enumerated() {
      run.advance(
        to: point, store: BruteForceStore(regions: scene.regions, fails: failures.contains(fix)))
    }
    run.finish()
    return run
  }

  /// The crossings by the independent rule.
  func expected() -> [RuleOracle.Met] {
    RuleOracle(options: options, regions: scene.regions) { failures.contains($0) }
      .walk(scene.path)
  }

  /// The crossings with every place monitored and a store that always answers.
  func everything() -> [RuleOracle.Met] {
    var options = options
    options.limit = nil
    return RuleOracle(options: options, regions: scene.regions).walk(scene.path)
  }
}

extension Run {
  /// The regions that were entered twice without an exit in between, except where the fixed rule forgot
  /// them.
  var enteredTwice: [Int64] {
    var inside: Set<Int64> = []
    var twice: [Int64] = []
    for entry in events {
      switch entry.event {
      case .crossing(let crossing) where crossing.isEntry:
        if !inside.insert(crossing.key).inserted { twice.append(crossing.key) }
      case .crossing(let crossing): inside.remove(crossing.key)
      case .dwell: break
      case .refresh(let refresh):
        if engine.options.refresh == .fixed { inside.subtract(refresh.removed) }
      }
    }
    return twice
  }
}
