import FencepostGeodesy
import FencepostMonitoring
import ProjGeodesics
import Testing

/// Where more edges come together than there are regions.
@Suite("Crowded places under the adaptive rule", .comparedWithPROJ)
struct CrowdTests {
  /// Circles about one point, 100 m wide and more, and a path of 10 m steps across all of them.
  private func rings(_ count: Int, apart meters: Double, from east: Double, to: Double) -> Scene {
    var scene = Scene()
    for key in 1...count {
      scene.place(Int64(key), east: 0, radius: 100 + Double(key) * meters)
    }
    for east in stride(from: east, through: to, by: 10) { scene.go(east: east, north: 3) }
    return scene
  }

  private func options(limit: Int, exitMargin: Double = 0) -> MonitoringOptions {
    var options = MonitoringOptions()
    options.refresh = .adaptive
    options.limit = limit
    options.exitMarginMeters = exitMargin
    return options
  }

  @Test("Where many bands overlap but few edges are near, few refreshes see every edge")
  func overlappingBands() {
    let scene = rings(200, apart: 1, from: -700, to: 700)
    let run = scene.run(options(limit: 20, exitMargin: 150))
    #expect(run.engine.isCertified == true)
    #expect(run.enters.count == 200 && run.exits.count == 200)
    #expect(run.exits.allSatisfy { $0.crossing.distanceMeters > 250 })
    #expect(run.refreshes.count < 150)
    // Most of them need no question: the answer before reached far enough.
    #expect(run.requests < run.refreshes.count)
    var everything = options(limit: 1, exitMargin: 150)
    everything.limit = nil
    let all = scene.run(everything)
    #expect(run.met.map(\.key) == all.met.map(\.key))
    #expect(run.met.map(\.fraction) == all.met.map(\.fraction))
  }

  @Test("In a crowd larger than the set, refreshes double their distance up to 25 m")
  func crowd() throws {
    let scene = rings(5_000, apart: 0.02, from: -400, to: 0)
    let run = scene.run(options(limit: 1))
    // Along 100 m the second edge is never 5 cm away.
    #expect(run.engine.uncertified.count == 1)
    let span = try #require(run.engine.uncertified.first)
    #expect(span.lengthMeters > 99 && span.lengthMeters < 126)
    let inside = run.refreshes.filter { $0.refresh.reachMeters ?? 1 < 0.05 }
    #expect(inside.count > 10 && inside.count < 20)
    let distances = zip(inside, inside.dropFirst()).map {
      Reference.distanceMeters($0.refresh.coordinate, $1.refresh.coordinate)
    }
    for (number, meters) in distances.enumerated() {
      let expected = min(25, 0.05 * Double(1 << number))
      #expect(abs(meters - expected) < 0.01, "\(number): \(meters)")
    }
  }

  @Test("The refresh floor holds in a crowd, too")
  func floorInCrowd() {
    var options = options(limit: 1)
    options.refreshFloorMeters = 40
    let run = rings(5_000, apart: 0.02, from: -400, to: 0).run(options)
    let places = run.refreshes.map(\.refresh.coordinate)
    for (one, next) in zip(places, places.dropFirst()) {
      #expect(Reference.distanceMeters(one, next) > 39.99)
    }
  }

  @Test("Exits missed in a crowd are reported at the next answer")
  func leftInCrowd() throws {
    // Thirty circles end at one point, of which twenty are watched.
    var scene = Scene()
    for key in 1...30 {
      let radius = 50 + Double(key) * 10
      scene.place(Int64(key), east: -radius, radius: radius)
    }
    for east in [-20.0, 60, 120] { scene.go(east: east) }
    let run = scene.run(options(limit: 20))
    #expect(Set(run.exits.map(\.crossing.key)) == Set(1...30))
    let late = run.exits.filter { $0.crossing.key > 20 }
    let span = try #require(run.engine.uncertified.first)
    for exit in late {
      #expect(Reference.distanceMeters(exit.crossing.coordinate, span.start.coordinate) < 0.2)
    }
  }

  @Test(
    "A tripwire that takes the only region leaves no place monitored", arguments: [false, true])
  func onlyTripwire(isAdaptive: Bool) {
    var options = options(limit: 1)
    options.refresh = isAdaptive ? .adaptive : .fixed
    options.hasTripwire = true
    var scene = Scene()
    scene.place(1, east: 1000)
    scene.place(2, east: 5000)
    for east in [0.0, 600, 2000] { scene.go(east: east) }
    let run = scene.run(options)
    #expect(run.enters.isEmpty && run.exits.isEmpty)
    #expect(!run.refreshes.isEmpty)
    #expect(run.refreshes.allSatisfy { $0.refresh.monitoredCount == 0 })
    #expect(run.engine.isCertified == (isAdaptive ? false : nil))
  }
}
