import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import Testing

/// The adaptive rule says where it cannot vouch for anything because the store did not answer.
@Suite("A store that fails under the adaptive rule", .comparedWithPROJ)
struct FailingStoreTests {
  /// Runs over the scene with a store that fails at the fixes named.
  private func run(_ scene: Scene, limit: Int = 20, failingAt fixes: Set<Int>) -> Run {
    var options = MonitoringOptions()
    options.refresh = .adaptive
    options.limit = limit
    var run = Run(options)
    for (fix, point) in scene.path.enumerated() {
      let store = BruteForceStore(regions: scene.regions, fails: fixes.contains(fix))
      run.advance(to: point, store: store)
    }
    run.finish()
    return run
  }

  /// A wide circle with three small ones in its middle, so that two slots leave the wide one out.
  private func nest() -> Scene {
    var scene = Scene()
    scene.place(9, east: 0, radius: 3000)
    for key in 1...3 { scene.place(Int64(key), east: 200 * Double(key), radius: 50) }
    return scene
  }

  @Test("The path before its first answer is not certified")
  func first() throws {
    var scene = Scene()
    scene.place(1, east: 1000)
    scene.go(east: 0)
    scene.go(east: 2000)
    let run = run(scene, failingAt: [0])
    #expect(run.enters.isEmpty)
    #expect(run.engine.isCertified == false)
    let span = try #require(run.engine.uncertified.first)
    #expect(span.start.fix == 0 && span.start.coordinate == scene.path[0].coordinate)
    #expect(span.end.fix == 1 && span.end.coordinate == scene.path[1].coordinate)
    #expect(abs(span.lengthMeters - 2000) < 0.001)
  }

  @Test("A circle left unseen is entered again where the path enters it")
  func leftUnseen() {
    var scene = nest()
    for east in [0.0, 3500, 3600, 2500] { scene.go(east: east) }
    let run = run(scene, limit: 2, failingAt: [1])
    #expect(run.enters.filter { $0.crossing.key == 9 }.map(\.fix) == [3])
    // The exit is reported where the store answers again.
    let exit = run.exits.filter { $0.crossing.key == 9 }
    #expect(exit.map(\.fix) == [2])
    #expect(exit.allSatisfy { $0.crossing.distanceMeters > 3000 && !$0.crossing.isAcrossBreak })
    #expect(run.engine.uncertified.map(\.end.fix) == [2])
  }

  @Test("A circle left unseen may be entered again across a break, which is not certified")
  func leftUnseenBeforeBreak() {
    var scene = nest()
    for east in [0.0, 3500] { scene.go(east: east) }
    scene.go(east: 0, startsSegment: true)
    let run = run(scene, limit: 2, failingAt: [1, 2])
    // No answer came at the break, so that it ends nothing.
    #expect(run.engine.uncertified.map(\.start.fix) == [1])
    #expect(run.engine.uncertified.map(\.end.fix) == [2])
  }

  @Test("A circle that contains the end of a break but not its beginning is entered across it")
  func firstAcrossBreak() throws {
    var scene = nest()
    scene.go(east: 5000)
    scene.go(east: 0, startsSegment: true)
    let enter = try #require(run(scene, limit: 2, failingAt: [0]).enters.first)
    #expect(enter.crossing.key == 9 && enter.fix == 1 && enter.crossing.isAcrossBreak)
  }
}
