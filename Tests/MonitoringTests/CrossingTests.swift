import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import Testing

@Suite("Crossing the edge of a monitored circle", .comparedWithPROJ)
struct CrossingTests {
  @Test("A path through a circle enters and leaves it at the edge, to the millisecond")
  func passThrough() throws {
    var scene = Scene()
    scene.place(1, east: 1000)
    scene.go(east: 0, second: 0)
    scene.go(east: 2000, second: 100)
    let run = scene.run()
    let enter = try #require(run.enters.first?.crossing)
    let exit = try #require(run.exits.first?.crossing)
    #expect(run.enters.count == 1 && run.exits.count == 1)
    #expect(enter.key == 1 && enter.distanceMeters == 100 && !enter.isAcrossBreak)
    #expect(abs(enter.fraction - 0.45) < 1e-6 && abs(exit.fraction - 0.55) < 1e-6)
    #expect(enter.timeMilliseconds == 45_000 && exit.timeMilliseconds == 55_000)
    #expect(Reference.distanceMeters(enter.coordinate, scene.at(900, 0)) < 0.01)
  }

  @Test("The time of a crossing is the nearest millisecond")
  func nearestMillisecond() throws {
    var scene = Scene()
    scene.place(1, east: 1000)
    scene.go(east: 0, second: 0)
    scene.go(east: 2000, second: 100.0025)
    let run = scene.run()
    // 0.45 and 0.55 of the way, 45,000.9 and 55,001.1 ms.
    #expect(run.enters.map(\.crossing.timeMilliseconds) == [45_001])
    #expect(run.exits.map(\.crossing.timeMilliseconds) == [55_001])
  }

  @Test("A device that starts inside fires nothing until it has left and come back")
  func startsInside() {
    var scene = Scene()
    scene.place(1, east: 0)
    scene.go(east: 0)
    scene.go(east: 300)
    scene.go(east: 0)
    let run = scene.run()
    #expect(run.enters.map(\.fix) == [2])
    #expect(run.exits.map(\.fix) == [1])
  }

  @Test("With initial enter, a device that starts inside fires at once")
  func initialEnter() throws {
    var options = MonitoringOptions()
    options.initial = .enter
    var scene = Scene()
    scene.place(1, east: 40)
    scene.go(east: 0)
    let enter = try #require(scene.run(options).enters.first?.crossing)
    #expect(abs(enter.distanceMeters - 40) < 0.001)
  }

  @Test("Crossings on one segment come in order along the path, ties by key")
  func orderAlongThePath() {
    var scene = Scene()
    scene.place(9, east: 500)
    scene.place(4, east: 1500)
    scene.place(2, east: 1500)
    scene.place(7, east: 460, radius: 50)
    scene.go(east: 0)
    scene.go(east: 3000)
    #expect(scene.run().enters.map(\.crossing.key) == [9, 7, 2, 4])
  }

  @Test("Without times, events have none and time rules do not apply")
  func noTimes() {
    var scene = Scene()
    scene.place(1, east: 50_000)
    scene.go(east: 0)
    scene.go(east: 100_000)
    let run = scene.run()
    #expect(run.enters.count == 1)
    #expect(run.enters.first?.crossing.timeMilliseconds == nil)
  }

  @Test("With an exit margin, a circle is left only beyond it")
  func exitMargin() {
    var options = MonitoringOptions()
    options.exitMarginMeters = 30
    var scene = Scene()
    scene.place(1, east: 1000)
    for east in [800.0, 1000, 1120, 1000, 1200, 1000] { scene.go(east: east) }
    let run = scene.run(options)
    #expect(run.enters.map(\.fix) == [1, 5])
    #expect(run.exits.map(\.fix) == [4])
    #expect(run.exits.first?.crossing.distanceMeters == 130)
  }

  @Test("Standing still reports nothing")
  func standingStill() {
    var scene = Scene()
    scene.place(1, east: 50)
    for second in 0..<100 { scene.go(east: 0, second: Double(second)) }
    #expect(scene.run().events.count == 1)
  }

  @Test(
    "The scene works anywhere on Earth",
    arguments: [
      Coordinate(latitudeDegrees: 0, longitudeDegrees: 180),
      Coordinate(latitudeDegrees: 51, longitudeDegrees: 179.999),
      Coordinate(latitudeDegrees: 89.9999, longitudeDegrees: 12),
      Coordinate(latitudeDegrees: -90, longitudeDegrees: 0),
    ])
  func anywhere(origin: Coordinate) {
    var scene = Scene(origin: origin)
    scene.place(1, east: 700, north: 30)
    scene.place(2, east: -700, north: 30)
    for east in stride(from: -1500.0, through: 1500, by: 500) { scene.go(east: east) }
    let run = scene.run()
    #expect(run.enters.map(\.crossing.key) == [2, 1])
    #expect(run.exits.map(\.crossing.key) == [2, 1])
  }
}
