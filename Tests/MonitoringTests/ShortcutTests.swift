import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import TestSupport
import Testing

/// The other suites compare the shortcut with the walk, too; these scenes have long paths of short
/// steps, always near some edge.
@Suite("The engine's shortcut", .comparedWithPROJ)
struct ShortcutTests {
  /// A wandering path of short steps among dense circles.
  private func scene(seed: UInt64, step: Double) -> Scene {
    var random = SplitMix64(seed: seed)
    let origins = [
      Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16),
      Coordinate(latitudeDegrees: 60, longitudeDegrees: 179.999),
      Coordinate(latitudeDegrees: -89.995, longitudeDegrees: 0),
    ]
    var scene = Scene(origin: origins[Int(seed % 3)])
    let radii = [15.0, 40, 100, 100, 100, 250, 900]
    for key in 1...150 {
      scene.place(
        Int64(key), east: .random(in: -1500...1500, using: &random),
        north: .random(in: -1500...1500, using: &random),
        radius: radii.randomElement(using: &random) ?? 100)
    }
    var (east, north, second) = (0.0, 0.0, 0.0)
    var (headingEast, headingNorth) = (1.0, 0.0)
    for index in 0..<1_500 {
      scene.go(east: east, north: north, second: second, startsSegment: index % 400 == 399)
      let turn = Double.random(in: -0.4...0.4, using: &random)
      (headingEast, headingNorth) = (
        headingEast - headingNorth * turn, headingNorth + headingEast * turn
      )
      let length = (headingEast * headingEast + headingNorth * headingNorth).squareRoot()
      (headingEast, headingNorth) = (headingEast / length, headingNorth / length)
      let isStanding = index / 50 % 7 == 6
      let stride = isStanding ? 0 : Double.random(in: 0.2...1, using: &random) * step
      east = min(1500, max(-1500, east + headingEast * stride))
      north = min(1500, max(-1500, north + headingNorth * stride))
      second += index % 333 == 332 ? 700 : 1
    }
    return scene
  }

  private static let rules: [@Sendable (inout MonitoringOptions) -> Void] = [
    { _ in }, { $0.refresh = .adaptive }, { $0.limit = nil }, { $0.limit = 3 },
    { $0.exitMarginMeters = 20 },
    {
      $0.refresh = .adaptive
      $0.limit = 4
      $0.refreshFloorMeters = 60
    },
    {
      $0.minIntervalMilliseconds = 30_000
      $0.rank = .edge
      $0.initial = .enter
    },
    {
      $0.refresh = .adaptive
      $0.minIntervalMilliseconds = 20_000
      $0.exitMarginMeters = 10
      $0.maxSpeedMetersPerSecond = 4
    },
    {
      $0.refresh = .adaptive
      $0.limit = 4
      $0.exitMarginMeters = 120
    },
    {
      $0.refresh = .adaptive
      $0.limit = 2
      $0.exitMarginMeters = 60
      $0.refreshFloorMeters = 90
      $0.initial = .enter
    },
  ]

  /// A path on foot or by car, one of the rules, and the store of the path's places.
  private func trial(seed: UInt64) -> (Scene, MonitoringOptions, BruteForceStore) {
    let scene = scene(seed: seed, step: seed % 2 == 0 ? 1.5 : 15)
    var options = MonitoringOptions()
    options.significantChangeMeters = 200
    Self.rules[Int(seed) % Self.rules.count](&options)
    return (scene, options, BruteForceStore(regions: scene.regions))
  }

  @Test("makes no difference to events or snapshots, to the last bit", arguments: UInt64(0)..<30)
  func sameAsWalk(seed: UInt64) {
    let (scene, options, store) = trial(seed: seed)
    var run = Run(options)
    for point in scene.path { run.advance(to: point, store: store) }
    run.finish()
    #expect(!run.events.isEmpty)
  }

  @Test(
    "makes no difference under any options, with a store that fails now and then",
    arguments: UInt64(0)..<200)
  func sameUnderAllOptions(seed: UInt64) {
    var random = RandomScene(seed: seed, isDense: seed % 2 == 0)
    if seed % 3 == 0 { random.options.refresh = .adaptive }
    if seed % 7 == 0 { random.options.limit = nil }
    if seed % 5 == 0 { random.options.refreshFloorMeters = 60 }
    let run = random.run()
    #expect(run.engine.fixCount == random.scene.path.count)
  }

  @Test("takes a batch of vertices as it takes them one by one", arguments: UInt64(0)..<12)
  func sameInBatches(seed: UInt64) {
    let (scene, options, store) = trial(seed: seed)
    var single = Run(engine: Engine(options: options))
    var engine = Engine(options: options)
    var rest = scene.path[...]
    while !rest.isEmpty {
      var events: [EngineEvent] = []
      var (count, request) = engine.advance(along: rest.prefix(97), into: &events)
      while let asked = request {
        request = engine.resume(with: store.answer(asked), into: &events)
      }
      let known = single.events.count
      for point in rest.prefix(count) { single.advance(to: point, store: store) }
      rest = rest.dropFirst(count)
      #expect(events == single.events[known...].map(\.event))
      #expect(single.events[known...].allSatisfy { $0.fix == engine.fixCount - 1 })
      #expect(engine.snapshot == single.engine.snapshot)
    }
  }

  @Test(
    "is not part of a snapshot, from which the engine continues the same way",
    arguments: UInt64(0)..<6)
  func sameAfterSnapshots(seed: UInt64) throws {
    let (scene, options, store) = trial(seed: seed)
    var whole = Run(options)
    var interrupted = Run(options)
    for point in scene.path {
      try interrupted.restore()
      whole.advance(to: point, store: store)
      interrupted.advance(to: point, store: store)
    }
    #expect(whole.events.map(\.event) == interrupted.events.map(\.event))
    #expect(whole.engine.monitoredKeys == interrupted.engine.monitoredKeys)
    #expect(abs(whole.engine.lengthMeters - interrupted.engine.lengthMeters) < 1e-5)
  }
}
