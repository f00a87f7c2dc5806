import FencepostMonitoring
import ProjGeodesics
import Testing

@Suite("Breaks in the path", .comparedWithPROJ)
struct BreakTests {
  /// 2 km through a circle that lies off both ends.
  private func scene(seconds: Double?, startsSegment: Bool = false) -> Scene {
    var scene = Scene()
    scene.place(1, east: 1000)
    scene.go(east: 0, second: seconds.map { _ in 0 })
    scene.go(east: 2000, second: seconds, startsSegment: startsSegment)
    return scene
  }

  @Test("A gap longer than ten minutes breaks the path")
  func gap() {
    #expect(scene(seconds: 600).run().enters.count == 1)
    #expect(scene(seconds: 600.001).run().enters.isEmpty)
  }

  @Test("A speed above 340 m/s breaks the path")
  func speed() {
    #expect(scene(seconds: 5.9).run().enters.count == 1)
    #expect(scene(seconds: 5.8).run().enters.isEmpty)
    #expect(scene(seconds: 0).run().enters.isEmpty)
  }

  @Test("Two fixes at the same time are joined")
  func sameTime() {
    var scene = Scene()
    scene.place(1, east: 150)
    scene.go(east: 0, second: 10)
    scene.go(east: 300, second: 10)
    #expect(scene.run().enters.count == 1)
  }

  @Test("A step back in time breaks the path under any options")
  func backwards() {
    var options = MonitoringOptions()
    options.joinsSegments = true
    var scene = Scene()
    scene.place(1, east: 1000)
    scene.go(east: 0, second: 100)
    scene.go(east: 2000, second: 40, startsSegment: true)
    #expect(scene.run(options).enters.isEmpty)
  }

  @Test("Breaks are counted by what broke the path, and a segment of the source by itself")
  func counts() {
    var scene = Scene()
    for second in [0.0, 60, 700, 1400, 1401] { scene.go(east: second, second: second) }
    scene.go(east: 5000, second: 1402)
    scene.go(east: 5000, second: 3000, startsSegment: true)
    scene.go(east: 5000, second: 2700)
    scene.go(east: 5000, second: 2600)
    scene.go(east: 5000, second: 2999)
    var breaks = BreakCounts()
    (breaks.gaps, breaks.jumps, breaks.segments, breaks.returns) = (2, 1, 1, 2)
    breaks.longestReturnMilliseconds = 400_000
    #expect(scene.run().engine.breaks == breaks)
  }

  @Test("A gap beyond the range of Int64 breaks the path under any options")
  func endsOfTime() {
    var options = MonitoringOptions()
    options.maxGapMilliseconds = nil
    options.maxSpeedMetersPerSecond = nil
    var scene = Scene()
    scene.place(1, east: 1000)
    scene.go(east: 0, second: -9e15)
    scene.go(east: 2000, second: 9e15)
    #expect(scene.run(options).enters.isEmpty)
  }

  @Test("Both rules can be switched off")
  func switchedOff() {
    var options = MonitoringOptions()
    options.maxGapMilliseconds = nil
    options.maxSpeedMetersPerSecond = nil
    #expect(scene(seconds: 90_000).run(options).enters.count == 1)
    #expect(scene(seconds: 0.1).run(options).enters.count == 1)
  }

  @Test("Segments of the source are joined only on request")
  func segments() {
    let scene = scene(seconds: 60, startsSegment: true)
    #expect(scene.run().enters.isEmpty)
    var options = MonitoringOptions()
    options.joinsSegments = true
    #expect(scene.run(options).enters.count == 1)
  }

  @Test("A side that changed across a break is an event at the fix, marked as such")
  func acrossBreak() throws {
    var scene = Scene()
    scene.place(1, east: 1000)
    scene.go(east: 700, second: 0)
    scene.go(east: 1010, second: 1000)
    scene.go(east: 600, second: 2000)
    let run = scene.run()
    let enter = try #require(run.enters.first)
    #expect(enter.fix == 1 && enter.crossing.isAcrossBreak && enter.crossing.fraction == 1)
    #expect(abs(enter.crossing.distanceMeters - 10) < 0.001)
    #expect(enter.crossing.timeMilliseconds == 1_000_000)
    #expect(run.exits.first?.crossing.isAcrossBreak == true)
  }

  @Test("The length counts the joined path only")
  func length() {
    var scene = Scene()
    scene.go(east: 0)
    scene.go(east: 1000)
    scene.go(east: 5000, startsSegment: true)
    scene.go(east: 5500)
    #expect(abs(scene.run().engine.lengthMeters - 1500) < 0.001)
  }
}
