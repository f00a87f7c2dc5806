import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import Testing

@Suite("Refreshing the monitored set", .comparedWithPROJ)
struct RefreshTests {
  /// `count` places in a row to the east, a kilometer apart.
  private func row(of count: Int) -> Scene {
    var scene = Scene()
    for key in 1...count { scene.place(Int64(key), east: Double(key) * 1000) }
    return scene
  }

  @Test("The first fix is always a significant change")
  func firstFix() throws {
    var scene = row(of: 25)
    scene.go(east: 0)
    let refresh = try #require(scene.run().refreshes.first?.refresh)
    #expect(refresh.monitoredCount == 20 && refresh.added == Array(1...20) && refresh.removed == [])
    #expect(abs((refresh.radiusMeters ?? 0) - 20_000) < 0.001)
  }

  @Test("A fix 500 m from the last refresh refreshes, one at 499.99 m does not")
  func threshold() {
    var scene = row(of: 1)
    for east in [0, 499.99, 500.001, 1000, 1000.002] { scene.go(east: east) }
    #expect(scene.run().refreshes.map(\.fix) == [0, 2, 4])
  }

  @Test("A fix exactly as far from the last refresh as a significant change refreshes")
  func exactThreshold() {
    var scene = row(of: 1)
    scene.go(east: 0)
    scene.go(east: 731)
    var options = MonitoringOptions()
    options.significantChangeMeters = Geodesic.distanceMeters(
      Position(scene.path[0].coordinate), Position(scene.path[1].coordinate))
    #expect(scene.run(options).refreshes.map(\.fix) == [0, 1])
    options.significantChangeMeters = options.significantChangeMeters.nextUp
    #expect(scene.run(options).refreshes.map(\.fix) == [0])
  }

  @Test("A refresh replaces only the difference, and regions that stay keep their sides")
  func difference() throws {
    var scene = row(of: 30)
    scene.go(east: 850)
    scene.go(east: 15_950)
    let run = scene.run()
    let refresh = try #require(run.refreshes.last?.refresh)
    #expect(refresh.added == Array(21...25))
    #expect(refresh.removed == Array(1...5))
    #expect(refresh.foundInside == [])
    #expect(run.exits.map(\.crossing.key) == Array(1...15))
    #expect(run.enters.map(\.crossing.key) == Array(1...16))
  }

  @Test("A region refreshed within its exit margin is still left only beyond the margin")
  func keptSide() {
    var options = MonitoringOptions()
    options.exitMarginMeters = 50
    var scene = Scene()
    scene.place(1, east: 0, radius: 600)
    for east in [0.0, 620, 640, 700] { scene.go(east: east) }
    let run = scene.run(options)
    #expect(run.refreshes.map(\.fix) == [0, 1])
    #expect(run.exits.map(\.fix) == [3])
  }

  @Test("A new region that contains the device fires nothing, but the refresh names it")
  func foundInside() {
    var scene = row(of: 30)
    scene.go(east: 0)
    scene.go(east: 30_000)
    let run = scene.run()
    #expect(run.enters.map(\.crossing.key) == Array(1...20))
    #expect(run.refreshes.last?.refresh.foundInside == [30])
  }

  @Test("A refresh waits for the least interval")
  func minInterval() {
    var options = MonitoringOptions()
    options.minIntervalMilliseconds = 60_000
    var scene = row(of: 1)
    for minute in 0...3 {
      scene.go(east: Double(minute) * 1200, second: Double(minute) * 40)
    }
    #expect(scene.run(options).refreshes.map(\.fix) == [0, 2])
  }

  @Test("A refresh comes at the fix where exactly the least interval has passed")
  func exactInterval() {
    var options = MonitoringOptions()
    options.minIntervalMilliseconds = 60_000
    var scene = row(of: 1)
    scene.go(east: 0, second: 0)
    scene.go(east: 1200, second: 60)
    #expect(scene.run(options).refreshes.map(\.fix) == [0, 1])
    options.minIntervalMilliseconds = 60_001
    #expect(scene.run(options).refreshes.map(\.fix) == [0])
  }

  @Test("The tripwire takes one of the slots")
  func tripwire() {
    var options = MonitoringOptions()
    options.hasTripwire = true
    var scene = row(of: 25)
    scene.go(east: 0)
    #expect(scene.run(options).refreshes.first?.refresh.monitoredCount == 19)
  }

  @Test("A failed request leaves the set as it was, and the next fix asks again")
  func failure() {
    var scene = row(of: 3)
    for east in [0.0, 600, 700, 800] { scene.go(east: east) }
    var run = Run()
    let store = BruteForceStore(regions: scene.regions)
    let broken = BruteForceStore(regions: [], fails: true)
    run.advance(to: scene.path[0], store: store)
    run.advance(to: scene.path[1], store: broken)
    #expect(run.engine.monitoredKeys == [1, 2, 3])
    #expect(run.refreshes.last?.refresh.hasFailed == true)
    run.advance(to: scene.path[2], store: broken)
    #expect(run.refreshes.count == 3)
    run.advance(to: scene.path[3], store: store)
    #expect(run.refreshes.last?.refresh.hasFailed == false)
  }

  @Test("Under the adaptive rule, too, the fix after a failed request asks again")
  func adaptiveFailure() {
    var options = MonitoringOptions()
    options.refresh = .adaptive
    var scene = row(of: 45)
    // The 21st edge is 20.9 km from the first fix.
    for (east, second) in [(0.0, 0.0), (25_000, 100), (25_010, 101), (25_020, 102)] {
      scene.go(east: east, second: second)
    }
    var run = Run(options)
    let store = BruteForceStore(regions: scene.regions)
    let broken = BruteForceStore(regions: [], fails: true)
    run.advance(to: scene.path[0], store: store)
    run.advance(to: scene.path[1], store: broken)
    #expect(run.refreshes.map(\.refresh.hasFailed) == [false, true])
    run.advance(to: scene.path[2], store: broken)
    #expect(run.refreshes.map(\.refresh.hasFailed) == [false, true, true])
    #expect(run.engine.monitoredKeys == Array(1...20))
    run.advance(to: scene.path[3], store: store)
    #expect(run.refreshes.map(\.refresh.hasFailed) == [false, true, true, false])
    #expect(run.engine.monitoredKeys == Array(16...35))
  }

  @Test("A region added exactly where the path leaves it has no exit")
  func newAtItsEdge() {
    var options = MonitoringOptions()
    options.refresh = .adaptive
    options.limit = 1
    options.refreshFloorMeters = 100
    var scene = Scene()
    scene.place(1, east: 0, north: 40, radius: 20)
    scene.place(2, east: 0, north: 100, radius: 50)
    scene.go(east: 0)
    scene.go(east: 300)
    var run = Run(options)
    run.advance(to: scene.path[0], store: BruteForceStore(regions: scene.regions))
    // Its edge is where the next refresh comes, to the last bit.
    scene.place(3, east: 0, radius: 100)
    run.advance(to: scene.path[1], store: BruteForceStore(regions: scene.regions))
    #expect(run.refreshes.contains { $0.fix == 1 && $0.refresh.added == [3] })
    #expect(run.exits.isEmpty)
  }

  @Test("Ranked by edge, a wide circle far away comes before a small one nearby")
  func rankByEdge() {
    var options = MonitoringOptions()
    options.rank = .edge
    options.limit = 1
    var scene = Scene()
    scene.place(1, east: 1000, radius: 100)
    scene.place(2, east: -3000, radius: 2900)
    scene.go(east: 0)
    #expect(scene.run(options).refreshes.first?.refresh.added == [2])
    options.rank = .center
    #expect(scene.run(options).refreshes.first?.refresh.added == [1])
  }

  @Test("An empty store gives no event but the refresh")
  func emptyStore() {
    var scene = Scene()
    scene.go(east: 0)
    scene.go(east: 5000)
    let run = scene.run()
    #expect(run.refreshes.count == 2 && run.refreshes.last?.refresh.monitoredCount == 0)
    #expect(run.refreshes.last?.refresh.radiusMeters == nil)
  }
}
