import Geodesy
import Monitoring
import TestSupport
import Testing

@Suite("What an engine passes over")
struct ShortcutTests {
  /// A wandering path of short steps among circles so dense that it is always near some edge.
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

  @Test(
    "changes no event: one that begins anew at every fix, and looks at every edge, says the same",
    arguments: UInt64(0)..<30)
  func sameAsWithout(seed: UInt64) {
    let (scene, options, store) = trial(seed: seed)
    var quick = Engine(options: options)
    var slow = Engine(options: options)
    var total = 0
    for (fix, point) in scene.path.enumerated() {
      // An engine made of a snapshot does not know yet where nothing can happen.
      guard let renewed = Engine(options: options, snapshot: slow.snapshot) else {
        Issue.record("a snapshot contradicts itself")
        return
      }
      slow = renewed
      let found = events(&quick, point, store)
      let expected = events(&slow, point, store)
      total += expected.count
      if found != expected {
        Issue.record("seed \(seed), fix \(fix): \(found) instead of \(expected)")
        return
      }
    }
    quick.finish()
    slow.finish()
    #expect(quick.uncertified.count == slow.uncertified.count)
    #expect(abs(quick.lengthMeters - slow.lengthMeters) < 1e-5)
    #expect(quick.monitoredKeys == slow.monitoredKeys)
    #expect(total > 0)
  }

  @Test("is passed over in a run as one by one", arguments: UInt64(0)..<10)
  func sameInRuns(seed: UInt64) {
    let (scene, options, store) = trial(seed: seed)
    var run = Engine(options: options)
    var single = Engine(options: options)
    var (next, gliding) = (0, 0)
    while next < scene.path.count {
      let count = run.glide(along: scene.path.count - next) { number in
        // Whoever gives the vertices may end a run anywhere.
        number == 7 ? nil : scene.path[next + number]
      }
      for number in next..<next + count {
        #expect(events(&single, scene.path[number], store).isEmpty)
      }
      gliding += count
      next += count
      #expect(count <= 7 && run.fixCount == single.fixCount)
      #expect(run.lengthMeters == single.lengthMeters && run.isJoined == single.isJoined)
      guard next < scene.path.count else { break }
      let point = scene.path[next]
      #expect(events(&run, point, store) == events(&single, point, store))
      next += 1
    }
    #expect(gliding > 50 && run.fixCount == scene.path.count)
    #expect(run.snapshot == single.snapshot)
  }

  private func events(
    _ engine: inout Engine, _ point: PathPoint, _ store: BruteForceStore
  ) -> [EngineEvent] {
    var events: [EngineEvent] = []
    var request = engine.advance(to: point, into: &events)
    while let asked = request { request = engine.resume(with: store.answer(asked), into: &events) }
    return events
  }
}
