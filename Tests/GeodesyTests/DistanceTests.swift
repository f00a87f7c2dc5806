import FencepostGeodesy
import ProjGeodesics
import TestSupport
import Testing

@Suite("Geodesic distances", .comparedWithPROJ)
struct DistanceTests {
  @Test("agree with the reference table")
  func table() throws {
    let table = try ReferenceTable("distances.txt")
    #expect(table.cases.count > 80)
    for (line, f) in table.cases {
      let a = Coordinate(latitudeDegrees: f[0], longitudeDegrees: f[1])
      let b = Coordinate(latitudeDegrees: f[2], longitudeDegrees: f[3])
      #expect(abs(Geodesic.distanceMeters(a, b) - f[4]) <= f[7], "line \(line)")
      #expect(abs(Geodesic.distanceMeters(b, a) - f[4]) <= f[7], "line \(line), back")
      let course = Geodesic.inverse(from: a, to: b)
      #expect(abs(course.distanceMeters - f[4]) <= f[7], "line \(line), inverse")
      let azimuths = [(course.startAzimuthDegrees, f[5]), (course.endAzimuthDegrees, f[6])]
      for (found, expected) in azimuths where !expected.isNaN {
        let turn = (found - expected).remainder(dividingBy: 360)
        #expect(abs(turn) <= max(1e-7, 1e-8 * 57.3 / f[4]), "line \(line), azimuth")
      }
    }
  }

  @Test(
    "keep the promised bound against PROJ at every scale",
    arguments: [
      (least: 1e-6, greatest: 10_000.0, bound: 1e-8),
      (least: 10_000.0, greatest: 100_000.0, bound: 5e-7),
      (least: 100_000.0, greatest: 199_990.0, bound: 1e-5),
      (least: 199_000.0, greatest: 201_000.0, bound: 1e-5),
      (least: 200_010.0, greatest: 20_003_900.0, bound: 2e-8),
    ])
  func bound(least: Double, greatest: Double, bound: Double) {
    var random = SplitMix64(seed: 1)
    var worst = Worst()
    for _ in 0..<60_000 {
      let a = random.coordinate()
      let b = Proj.point(
        from: a, azimuth: random.azimuth(), meters: random.scale(least, greatest))
      let error = abs(Geodesic.distanceMeters(a, b) - Proj.distanceMeters(a, b))
      worst.note(error, "\(a) \(b)")
    }
    #expect(worst.error <= bound, "\(worst)")
  }

  @Test(
    "approximated are PROJ's to a millimeter, also near the antipode, the poles and the equator",
    arguments: [
      (least: 1.0, greatest: 200_000.0), (least: 200_000, greatest: 20_003_900),
      (least: 19_000_000, greatest: 20_003_900),
    ])
  func approximation(least: Double, greatest: Double) {
    var random = SplitMix64(seed: 15)
    var worst = Worst()
    for number in 0..<40_000 {
      var a = random.coordinate()
      if number % 10 == 0 { a.latitudeDegrees = number % 20 == 0 ? 0 : 90 }
      let azimuth = number % 7 == 0 ? 90 : random.azimuth()
      let b = Proj.point(from: a, azimuth: azimuth, meters: random.scale(least, greatest))
      let found = Geodesic.approximateDistanceMeters(Position(a), Position(b))
      worst.note(abs(found - Proj.distanceMeters(a, b)), "\(a) \(b)")
    }
    #expect(worst.error <= 0.001, "\(worst)")
  }

  @Test("are the same there and back, to the bit, as far as they come from the chord")
  func symmetry() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<20_000 {
      let a = Position(random.coordinate())
      let b = Position(
        Proj.point(
          from: a.coordinate, azimuth: random.azimuth(), meters: random.scale(1e-3, 190_000)))
      let there = Geodesic.distanceMeters(a, b)
      if there != Geodesic.distanceMeters(b, a) {
        Issue.record("\(a.coordinate) \(b.coordinate)")
        return
      }
    }
  }

  @Test("of a destination is the distance traveled")
  func direct() {
    var random = SplitMix64(seed: 3)
    var worst = Worst()
    for _ in 0..<20_000 {
      let a = random.coordinate()
      let meters = random.scale(1, 19_900_000)
      let b = Geodesic.direct(
        from: a, azimuthDegrees: random.azimuth(), distanceMeters: meters)
      #expect(b.isValid)
      let found = Geodesic.inverse(from: a, to: b).distanceMeters
      worst.note(abs(found - meters), "\(a) \(b)")
    }
    #expect(worst.error <= 2e-8, "\(worst)")
  }

  @Test("of what is not a number are not a number")
  func notANumber() {
    let here = Coordinate(latitudeDegrees: 1, longitudeDegrees: 2)
    for latitude in [Double.nan, .infinity] {
      let there = Coordinate(latitudeDegrees: latitude, longitudeDegrees: 2)
      #expect(Geodesic.distanceMeters(here, there).isNaN)
    }
  }

}
