import FencepostGeodesy
import ProjGeodesics
import TestSupport
import Testing

@Suite("A step ruler", .comparedWithPROJ)
struct LocalDistanceTests {
  @Test(
    "measures random walks as PROJ does, at all latitudes and across the antimeridian",
    arguments: [1e-3, 1, 10, 100, 1_000, 5_000, 30_000])
  func walks(greatestStep: Double) {
    var random = SplitMix64(seed: 14)
    var worst = Worst()
    for _ in 0..<400 {
      var ruler = LocalDistance()
      var a = random.coordinate()
      for _ in 0..<100 {
        let b = Proj.point(
          from: a, azimuth: random.azimuth(),
          meters: random.scale(greatestStep / 100, greatestStep))
        let expected = Proj.distanceMeters(a, b)
        let error = abs(ruler.meters(from: a, to: b) - expected)
        worst.note(error / (5e-9 + 1e-9 * expected), "\(a) \(b)")
        a = b
      }
    }
    #expect(worst.error <= 1, "\(worst)")
  }

  @Test("measures the steps of every parallel and meridian at its range's limits")
  func limits() {
    var worst = Worst()
    for tenth in -899...899 {
      var ruler = LocalDistance()
      let a = Coordinate(latitudeDegrees: Double(tenth) / 10, longitudeDegrees: -33)
      for (north, east) in [(0.05, 0.5), (-0.05, 0.5), (0.0499, 0), (0, -0.4999), (0.01, -0.3)] {
        let b = Coordinate(
          latitudeDegrees: a.latitudeDegrees + north, longitudeDegrees: -33 + east)
        let expected = Proj.distanceMeters(a, b)
        let error = abs(ruler.meters(from: a, to: b) - expected)
        worst.note(error / (5e-9 + 1e-9 * expected), "\(a) \(b)")
      }
    }
    #expect(worst.error <= 1, "\(worst)")
  }

  @Test("follows jumps, stands still and comes back")
  func jumps() {
    var ruler = LocalDistance()
    let points = [(40.0, -75.0), (40.0001, -75.0), (-33, 151), (-33, 151), (89.9999, 3), (40, -75)]
      .map { Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1) }
    for a in points {
      for b in points {
        let expected = Proj.distanceMeters(a, b)
        #expect(abs(ruler.meters(from: a, to: b) - expected) <= 5e-9 + 1e-9 * expected)
      }
    }
    #expect(ruler.meters(from: points[0], to: points[0]) == 0)
    let nowhere = Coordinate(latitudeDegrees: .nan, longitudeDegrees: 0)
    #expect(ruler.meters(from: points[0], to: nowhere).isNaN)
    #expect(abs(ruler.meters(from: points[0], to: points[1]) - 11.104) < 0.01)
  }
}
