import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import Testing

/// A path along a line from west to east at 1 m/s; place 1 is entered after 900 s and left after 1,100 s.
@Suite("Confirming a crossing", .comparedWithPROJ)
struct ConfirmationTests {
  private typealias Kind = ConfirmationOracle.Kind

  private func scene(_ seconds: [Double], stepsEast: (Double) -> Double = { $0 }) -> Scene {
    var scene = Scene()
    scene.place(1, east: 1000)
    for second in seconds { scene.go(east: stepsEast(second), second: second) }
    return scene
  }

  private func run(
    _ scene: Scene, _ change: (inout MonitoringOptions) -> Void
  ) -> [ConfirmationOracle.Reported] {
    var options = MonitoringOptions()
    options.maxGapMilliseconds = nil
    change(&options)
    return scene.run(options).reported
  }

  @Test("A hold ends between fixes, to the millisecond, and where the path is then")
  func holdBetweenFixes() throws {
    var options = MonitoringOptions()
    options.maxGapMilliseconds = nil
    options.confirmation.holdMilliseconds = 20_500
    let scene = scene([0, 1000, 2000])
    let run = scene.run(options)
    #expect(run.reported.map(\.timeMilliseconds) == [920_500, 1_120_500])
    #expect(run.reported.map(\.crossedMilliseconds) == [900_000, 1_100_000])
    #expect(run.reported.map(\.fix) == [1, 2])
    let enter = try #require(run.enters.first?.crossing)
    #expect(Reference.distanceMeters(enter.coordinate, scene.at(920.5, 0)) < 0.01)
    #expect(abs(enter.distanceMeters - 79.5) < 0.01 && abs(enter.fraction - 0.9205) < 1e-9)
  }

  @Test(
    "A hold and a dwell go on under an edited radius, if the device is still inside",
    arguments: [(nil, 150.0), (20, 150), (nil, 20), (20, 20)] as [(Int?, Double)])
  func editedRadius(limit: Int?, radius: Double) throws {
    var options = MonitoringOptions()
    options.maxGapMilliseconds = nil
    options.limit = limit
    options.confirmation.holdMilliseconds = 100_000
    options.confirmation.dwellMilliseconds = 300_000
    let scene = scene([0, 950, 1000, 1200, 1500], stepsEast: { min($0, 1000) })
    func places(_ radius: Double) throws -> PlaceIndex {
      try PlaceIndex([
        Place(id: "a", title: "A", coordinate: scene.at(1000, 0), radiusMeters: radius)
      ])
    }
    var engine = Engine(options: options)
    var events: [EngineEvent] = []
    let (old, new) = (try places(100), try places(radius))
    for point in scene.path[..<2] { engine.advance(along: [point], from: old, into: &events) }
    engine.refresh(from: new, into: &events)
    for point in scene.path[2...] { engine.advance(along: [point], from: new, into: &events) }
    let times = events.compactMap { event -> Int64? in
      switch event {
      case .crossing(let crossing), .dwell(let crossing): crossing.timeMilliseconds
      case .refresh: nil
      }
    }
    // At 950 m the device is inside the wider circle, and enters the narrower one at 980 m.
    #expect(times == (radius == 150 ? [1_000_000, 1_200_000] : [1_080_000, 1_280_000]))
  }

  @Test("If the path goes back before the hold is over, neither crossing is reported")
  func returnBeforeTheEnd() {
    let reported = run(scene([0, 1000, 2000])) { $0.confirmation.holdMilliseconds = 200_001 }
    #expect(reported.map(\.kind) == [])
  }

  @Test("A return exactly where the hold would end cancels it")
  func returnAtTheEnd() {
    #expect(
      run(scene([0, 1000, 2000])) { $0.confirmation.holdMilliseconds = 200_000 } == [])
    #expect(
      run(scene([0, 1000, 2000])) { $0.confirmation.holdMilliseconds = 199_999 }.map(\.kind)
        == [.enter, .exit])
  }

  @Test("A track that ends before the hold leaves the crossing unconfirmed")
  func trackEnds() {
    #expect(run(scene([0, 919])) { $0.confirmation.holdMilliseconds = 20_000 } == [])
    #expect(
      run(scene([0, 920])) { $0.confirmation.holdMilliseconds = 20_000 }.map(\.timeMilliseconds)
        == [920_000])
  }

  @Test("The fix at which a crossing is found counts as the first")
  func countsFixes() {
    let scene = scene([0, 910, 950, 990, 1500])
    func fixes(_ count: Int) -> [Int] { run(scene) { $0.confirmation.fixes = count }.map(\.fix) }
    #expect(fixes(1) == [1, 4] && fixes(2) == [2] && fixes(3) == [3] && fixes(4) == [])
  }

  @Test("Hold and fixes must both be reached")
  func holdAndFixes() {
    let scene = scene([0, 910, 950, 990, 1050])
    func times(_ hold: Int64, _ count: Int) -> [Int64?] {
      run(scene) {
        $0.confirmation.holdMilliseconds = hold
        $0.confirmation.fixes = count
      }.map(\.timeMilliseconds)
    }
    #expect(times(20_000, 1) == [920_000])
    #expect(times(20_000, 2) == [950_000])
    #expect(times(60_000, 2) == [960_000])
    #expect(times(5_000, 1) == [910_000], "the first fix comes after the hold")
  }

  @Test("A pass between two fixes is no crossing once a fix must confirm it")
  func driveBy() {
    #expect(run(scene([0, 2000])) { $0.confirmation.fixes = 1 } == [])
    #expect(run(scene([0, 2000])) { $0.confirmation.holdMilliseconds = 1000 }.count == 2)
  }

  @Test("Across a break a hold ends at the first fix behind it that is late enough")
  func breaks() {
    var scene = scene([0, 910])
    scene.go(east: 950, second: 915, startsSegment: true)
    scene.go(east: 960, second: 960, startsSegment: true)
    scene.go(east: 970, second: 970)
    let reported = run(scene) { $0.confirmation.holdMilliseconds = 20_000 }
    #expect(reported.map(\.timeMilliseconds) == [960_000] && reported.map(\.fraction) == [1])
    #expect(reported.map(\.crossedMilliseconds) == [900_000])
  }

  @Test("A break to the old side cancels a hold")
  func breakBack() {
    var scene = scene([0, 910])
    scene.go(east: 0, second: 960, startsSegment: true)
    #expect(run(scene) { $0.confirmation.holdMilliseconds = 20_000 } == [])
  }

  @Test("A crossing without time is confirmed by fixes alone, which the engine says once")
  func withoutTimes() {
    var scene = Scene()
    scene.place(1, east: 1000)
    for east in [0.0, 950, 1000, 1050] { scene.go(east: east) }
    var options = MonitoringOptions()
    options.confirmation.holdMilliseconds = 60_000
    let held = scene.run(options)
    #expect(held.reported.map(\.fix) == [1] && held.engine.lacksTimesToHold)
    options.confirmation.fixes = 3
    options.confirmation.dwellMilliseconds = 0
    #expect(scene.run(options).reported.map(\.fix) == [3])
    #expect(scene.run(options).reported.map(\.kind) == [.enter], "and has no dwell")
  }

  @Test("A point without time confirms no hold")
  func pointWithoutTime() {
    var scene = scene([0, 910])
    scene.go(east: 950)
    scene.go(east: 990, second: 990)
    let reported = run(scene) { $0.confirmation.holdMilliseconds = 20_000 }
    #expect(reported.map(\.timeMilliseconds) == [990_000])
  }

  @Test("A region that leaves the monitored set forgets its hold")
  func leavesTheSet() {
    var scene = scene([0, 990])
    scene.place(2, east: 3000)
    scene.go(east: 1050, second: 1050)
    scene.go(east: 2500, second: 1500)
    scene.go(east: 1050, second: 1900)
    func kinds(_ limit: Int?) -> [Kind] {
      run(scene) {
        $0.limit = limit
        $0.confirmation.holdMilliseconds = 600_000
      }.map(\.kind)
    }
    #expect(kinds(1) == [])
    #expect(
      run(scene) {
        $0.limit = 1
        $0.confirmation.holdMilliseconds = 60_000
      }.map(\.kind) == [.enter, .exit], "the exit was confirmed on the way to the refresh")
  }

  @Test("A dwell comes once a stay, so long after the enter")
  func dwell() {
    let reported = run(scene([0, 1000, 2000])) { $0.confirmation.dwellMilliseconds = 150_250 }
    #expect(reported.map(\.kind) == [.enter, .dwell, .exit])
    #expect(reported.map(\.timeMilliseconds) == [900_000, 1_050_250, 1_100_000])
    #expect(reported.map(\.crossedMilliseconds) == [900_000, 900_000, 1_100_000])
  }

  @Test("There is no dwell where the exit is confirmed, only before")
  func dwellAtTheExit() {
    func kinds(_ dwell: Int64, hold: Int64 = 0) -> [Kind] {
      run(scene([0, 1000, 2000])) {
        $0.confirmation.dwellMilliseconds = dwell
        $0.confirmation.holdMilliseconds = hold
      }.map(\.kind)
    }
    #expect(kinds(200_000) == [.enter, .exit] && kinds(199_999) == [.enter, .dwell, .exit])
    // The exit is confirmed 30 s behind the edge; unconfirmed it stops nothing.
    #expect(kinds(229_999, hold: 30_000) == [.enter, .dwell, .exit])
    #expect(kinds(230_000, hold: 30_000) == [.enter, .exit])
  }

  @Test("A dwell never precedes its enter's confirmation")
  func dwellAfterEnter() {
    let reported = run(scene([0, 1000, 2000])) {
      $0.confirmation.dwellMilliseconds = 10_000
      $0.confirmation.holdMilliseconds = 60_000
    }
    #expect(reported.map(\.kind) == [.enter, .dwell, .exit])
    #expect(reported.map(\.timeMilliseconds) == [960_000, 960_000, 1_160_000])
  }

  @Test("A region that the device was inside of silently has no dwell")
  func silentStart() {
    var scene = Scene()
    scene.place(1, east: 0)
    scene.go(east: 0, second: 0)
    scene.go(east: 10, second: 300)
    let dwell: (inout MonitoringOptions) -> Void = { $0.confirmation.dwellMilliseconds = 60_000 }
    #expect(run(scene, dwell) == [])
    let reported = run(scene) {
      dwell(&$0)
      $0.initial = .enter
    }
    #expect(reported.map(\.kind) == [.enter, .dwell])
    #expect(reported.map(\.timeMilliseconds) == [0, 60_000])
  }

  @Test("A canceled exit does not begin a new stay")
  func oneDwellAStay() {
    var scene = scene([0, 990])
    scene.go(east: 1105, second: 1105)
    scene.go(east: 990, second: 1220)
    scene.go(east: 990, second: 1800)
    let reported = run(scene) {
      $0.confirmation.holdMilliseconds = 30_000
      $0.confirmation.dwellMilliseconds = 60_000
    }
    #expect(reported.map(\.kind) == [.enter, .dwell])
  }

  // MARK: Fixes only

  @Test("Judged at fixes, events happen there, and what lies between goes unseen")
  func atFixes() {
    let reported = run(scene([0, 950, 1050, 1150, 2000])) { $0.test = .fixes }
    #expect(reported.map(\.fix) == [1, 3] && reported.map(\.fraction) == [1, 1])
    #expect(reported.allSatisfy { !$0.isAcrossBreak })
    #expect(run(scene([0, 2000])) { $0.test = .fixes } == [])
  }

  @Test("Judged at fixes, holds and dwells end at the first fix at or after their time")
  func holdAtFixes() {
    let reported = run(scene([0, 950, 969, 970, 1050, 1200, 1300])) {
      $0.test = .fixes
      $0.confirmation.holdMilliseconds = 20_000
      $0.confirmation.dwellMilliseconds = 60_000
    }
    #expect(reported.map(\.kind) == [.enter, .dwell, .exit])
    #expect(reported.map(\.timeMilliseconds) == [970_000, 1_050_000, 1_300_000])
  }

  @Test(
    "The accuracy of a fix decides with contains and intersects",
    arguments: [
      (AccuracyRule.ignore, Float(60), [880, 950, 1090, 1150, 1170], [950.0, 1150]),
      (.contains, 60, [880, 920, 970, 1090, 1150, 1170], [970, 1170]),
      (.intersects, 60, [830, 850, 970, 1150, 1170], [850, 1170]),
      (.contains, 0, [880, 920, 1090, 1150], [920, 1150]),
      (.contains, 101, [880, 1000, 1090, 1150, 2000], []),
    ] as [(AccuracyRule, Float, [Double], [Double])])
  func accuracy(rule: AccuracyRule, meters: Float, path: [Double], expected: [Double]) {
    var scene = Scene()
    scene.place(1, east: 1000)
    for east in path { scene.go(east: east, second: east) }
    for index in scene.path.indices { scene.path[index].accuracyMeters = meters }
    let reported = run(scene) {
      $0.test = .fixes
      $0.accuracy = rule
    }
    #expect(reported.map { Double($0.timeMilliseconds ?? 0) / 1000 } == expected)
  }

  @Test("An exit margin adds to the exit radius in every test")
  func marginAtFixes() {
    func times(_ accuracy: AccuracyRule) -> [Int64?] {
      var scene = scene([0, 950, 1150, 1160, 1220, 1230])
      for index in scene.path.indices { scene.path[index].accuracyMeters = 10 }
      return run(scene) {
        $0.test = .fixes
        $0.accuracy = accuracy
        $0.exitMarginMeters = 55
      }.map(\.timeMilliseconds)
    }
    #expect(times(.ignore) == [950_000, 1_160_000])
    #expect(times(.contains) == [950_000, 1_220_000])
  }
}
