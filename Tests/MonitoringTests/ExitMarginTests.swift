import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import Testing

@Suite("Leaving a circle with an exit margin", .comparedWithPROJ)
struct ExitMarginTests {
  /// A path near the antipode of a circle's center, 20,003.9 km from it, that comes in and goes out.
  private func farSide(radius: Double) -> Scene {
    var scene = Scene(origin: Coordinate(latitudeDegrees: 0, longitudeDegrees: 180))
    scene.regions.append(
      Region(
        key: 1,
        circle: Circle(
          center: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0), radiusMeters: radius)))
    for north in [0.0, 40_000, 0] { scene.go(east: 0, north: north) }
    return scene
  }

  private func options(margin: Double) -> MonitoringOptions {
    var options = MonitoringOptions()
    options.exitMarginMeters = margin
    options.maxSpeedMetersPerSecond = nil
    return options
  }

  @Test(
    "A circle whose exit edge lies beyond the Earth is entered and never left",
    arguments: [(19_999_000.0, 1000.5), (20_000_000, 0.5), (20_000_000, 5000)])
  func noExitEdge(radius: Double, margin: Double) {
    let scene = farSide(radius: radius)
    #expect(scene.run(options(margin: 0)).met.map(\.isEntry) == [true, false])
    for limit in [20, 1, nil] {
      for rule in MonitoringOptions.RefreshRule.allCases {
        var options = options(margin: margin)
        options.limit = limit
        options.refresh = rule
        let run = scene.run(options)
        #expect(run.met.map(\.isEntry) == [true])
        #expect(
          run.met.count
            == RuleOracle(options: options, regions: scene.regions).walk(scene.path).count)
      }
    }
  }

  @Test("A margin counts as long as a point of the Earth lies beyond it")
  func widestExitEdge() throws {
    let scene = farSide(radius: 19_999_000)
    let run = scene.run(options(margin: 1000))
    #expect(run.met.map(\.isEntry) == [true, false])
    let exit = try #require(run.exits.first)
    #expect(exit.crossing.distanceMeters == 20_000_000)
  }

  @Test("A circle that can never be left is not left across a break either")
  func acrossBreak() {
    var scene = farSide(radius: 20_000_000)
    scene.path[2].startsSegment = true
    #expect(scene.run(options(margin: 10)).exits.isEmpty)
    #expect(scene.run(options(margin: 0)).exits.count == 1)
  }

  /// A device in the band of circle 1, whose slot circle 2 takes.
  private func inBand() -> Scene {
    var scene = Scene()
    scene.place(1, east: 0, radius: 100)
    scene.place(2, east: 150, radius: 20)
    for east in [300.0, 0, 120] { scene.go(east: east) }
    return scene
  }

  @Test("An unmonitored region keeps its side within its band when the set is refreshed")
  func refreshed() {
    var options = options(margin: 50)
    options.refresh = .adaptive
    options.limit = 1
    let scene = inBand()
    let store = BruteForceStore(regions: scene.regions)
    var run = Run(options)
    for point in scene.path { run.advance(to: point, store: store) }
    #expect(run.engine.monitoredKeys == [2])
    let count = run.events.count
    run.refresh(store)
    #expect(run.events.count == count + 1)
    var onward = scene
    onward.go(east: 20)
    onward.go(east: 300)
    for point in onward.path.dropFirst(3) { run.advance(to: point, store: store) }
    #expect(run.enters.filter { $0.crossing.key == 1 }.map(\.fix) == [1])
    #expect(run.exits.filter { $0.crossing.key == 1 }.map(\.fix) == [4])
    #expect(run.engine.isCertified == true)
  }

  @Test("A restored engine knows a doubtful side")
  func savedDoubt() throws {
    var options = options(margin: 50)
    options.refresh = .adaptive
    // The store fails while the path goes into the circle and back into its band.
    var scene = Scene()
    scene.place(1, east: 0, radius: 100)
    scene.place(2, east: 5_000, radius: 10)
    options.limit = 1
    for east in [3_000.0, 120, 20, 120, 125, 130, 190, 200] { scene.go(east: east) }
    var run = Run(options)
    for (fix, point) in scene.path.enumerated() {
      let fails = 1...3 ~= fix
      run.advance(to: point, store: BruteForceStore(regions: scene.regions, fails: fails))
      try run.restore()
    }
    run.finish()
    // Its side stays uncertain until the path has left the band.
    #expect(run.engine.uncertified.map(\.end.fix) == [6])
  }
}
