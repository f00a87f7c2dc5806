import FencepostGeodesy
import Foundation
import ProjGeodesics
import TestSupport
import Testing

@Suite("The inverse and the direct problem", .comparedWithPROJ)
struct InverseProblemTests {
  /// How many seeded pairs of each class are tried.
  ///
  /// FENCEPOST_PAIRS=1000000 tries a million, and prints the largest differences.
  private static let pairCount: Int = {
    if let wanted { return wanted }
    #if DEBUG
    return 10_000
    #else
    return 200_000
    #endif
  }()
  private static let wanted =
    ProcessInfo.processInfo.environment["FENCEPOST_PAIRS"].flatMap { Int($0) }

  private func report(_ text: @autoclosure () -> String) {
    if Self.wanted != nil { print(text()) }
  }

  @Test("agree to 10 nm with geodesics that were integrated with 40 digits")
  func table() throws {
    let table = try ReferenceTable("karney.txt")
    #expect(table.cases.count > 250)
    var ours = Worst()
    var theirs = Worst()
    for (line, f) in table.cases {
      let a = Coordinate(latitudeDegrees: f[0], longitudeDegrees: f[1])
      let b = Coordinate(latitudeDegrees: f[2], longitudeDegrees: f[3])
      let course = Geodesic.inverse(from: a, to: b)
      ours.note(abs(course.distanceMeters - f[4]), "line \(line)")
      theirs.note(abs(Proj.distanceMeters(a, b) - f[4]), "line \(line)")
      let azimuths = [(course.startAzimuthDegrees, f[5]), (course.endAzimuthDegrees, f[6])]
      for (found, expected) in azimuths where !expected.isNaN {
        let turn = (found - expected).remainder(dividingBy: 360)
        #expect(abs(turn) <= max(1e-11, 1e-6 / f[4]), "line \(line), azimuth")
      }
    }
    report("table: \(ours); PROJ's \(theirs)")
    #expect(ours.error <= 10e-9, "\(ours)")
  }

  @Test(
    "give PROJ's distance, to 15 nm or a part in 10¹⁵, and azimuths that lead to the other point",
    arguments: PairClass.allCases)
  func proj(_ kind: PairClass) {
    var random = SplitMix64(seed: 21)
    var distance = Worst()
    var share = Worst()
    var arrival = Worst()
    for _ in 0..<Self.pairCount {
      let (a, b) = kind.pair(&random)
      let course = Geodesic.inverse(from: a, to: b)
      let meters = course.distanceMeters
      let expected = Proj.distanceMeters(a, b)
      distance.note(abs(meters - expected), "\(a) \(b): \(expected)")
      share.note(abs(meters - expected) / max(15e-9, 1e-15 * expected), "\(a) \(b): \(expected)")
      let there = Geodesic.direct(
        from: a, azimuthDegrees: course.startAzimuthDegrees, distanceMeters: meters)
      let back = Geodesic.direct(
        from: b, azimuthDegrees: course.endAzimuthDegrees, distanceMeters: -meters)
      arrival.note(max(smallDistance(there, b), smallDistance(back, a)), "\(a) \(b)")
    }
    report("inverse \(kind): \(distance), arrival \(arrival)")
    #expect(share.error <= 1, "\(distance)")
    #expect(arrival.error <= 20e-9, "\(arrival)")
  }

  @Test(
    "give the points of a geodesic that PROJ gives, to 20 nm once around the Earth",
    arguments: PairClass.allCases)
  func direct(_ kind: PairClass) {
    var random = SplitMix64(seed: 22)
    var worst = Worst()
    for number in 0..<Self.pairCount {
      let a = kind.pair(&random).a
      let azimuth = number % 10 == 0 ? Double(number / 10 % 4) * 90 : random.azimuth()
      let meters = random.double(-20_003_900...20_003_900)
      let found = Geodesic.direct(from: a, azimuthDegrees: azimuth, distanceMeters: meters)
      let expected = Proj.point(from: a, azimuth: azimuth, meters: meters)
      worst.note(smallDistance(found, expected), "\(a) \(azimuth) \(meters)")
    }
    report("direct \(kind): \(worst)")
    #expect(worst.error <= 20e-9, "\(worst)")
  }

  /// The distance of two points that all but coincide, in meters, from their degrees, as vectors are
  /// rounded to 2 nm.
  private func smallDistance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let degree = Double.pi / 180
    let north = (b.latitudeDegrees - a.latitudeDegrees) * degree
    let turn = (b.longitudeDegrees - a.longitudeDegrees).remainder(dividingBy: 360) * degree
    let cosines = cos(a.latitudeDegrees * degree) * cos(b.latitudeDegrees * degree)
    let east = 2 * sin(turn / 2) * max(0, cosines).squareRoot()
    return 6_400_000 * (north * north + east * east).squareRoot()
  }

  @Test(
    "give the azimuths that PROJ gives where several are right",
    arguments: [
      [90, 0, 90, 0], [90, 0, 90, 30], [-90, 10, -90, -20], [90, 10, -90, -20], [90, 0, 0, 30],
      [0, 30, 90, 0], [-90, 0, 10, -170], [10, -170, -90, 0], [0, 0, 0, 0], [40, 3, 40, 3],
      [-40, 3, -40, 3], [0, 0, 0, 180], [0, 0, 0, -180], [0, 180, 0, 0], [0, -180, 0, 180],
      [30, 0, -30, 180], [30, 0, -30, -180], [-30, 0, 30, 180], [30, 0, 30, 180],
      [30, 0, 30, -180], [0, 0, 10, 180], [10, 180, 0, 0], [0, 0, 0, 179.5], [0, 0, 0, 179.9],
      [0, 0, 0, -179.9], [0, 10, 0, -20], [10, 20, -50, 20], [-50, 20, 10, 20],
      [40, 1e-300, 40, 0], [1e-300, 0, 0, 1], [10, 380, -50, 20], [10, 20, -50, 740],
    ] as [[Double]])
  func conventions(_ f: [Double]) {
    let a = Coordinate(latitudeDegrees: f[0], longitudeDegrees: f[1])
    let b = Coordinate(latitudeDegrees: f[2], longitudeDegrees: f[3])
    let course = Geodesic.inverse(from: a, to: b)
    let expected = Proj.course(a, b)
    #expect(abs(course.distanceMeters - expected.meters) <= 15e-9)
    #expect(abs(course.startAzimuthDegrees - expected.startAzimuth) <= 1e-12)
    #expect(abs(course.endAzimuthDegrees - expected.endAzimuth) <= 1e-12)
  }

  @Test("give nothing for what is no point", arguments: [Double.nan, .infinity, -.infinity, 90.1])
  func notAPoint(latitude: Double) {
    let here = Coordinate(latitudeDegrees: 1, longitudeDegrees: 2)
    let nowhere = Coordinate(latitudeDegrees: latitude, longitudeDegrees: 2)
    for course in [
      Geodesic.inverse(from: here, to: nowhere), Geodesic.inverse(from: nowhere, to: here),
    ] {
      #expect(course.distanceMeters.isNaN)
      #expect(course.startAzimuthDegrees.isNaN && course.endAzimuthDegrees.isNaN)
    }
    if latitude == 90.1 { return }
    #expect(Geodesic.direct(from: nowhere, azimuthDegrees: 3, distanceMeters: 4).isValid == false)
    #expect(
      Geodesic.direct(from: here, azimuthDegrees: latitude, distanceMeters: 4).isValid == false)
    #expect(
      Geodesic.direct(from: here, azimuthDegrees: 3, distanceMeters: latitude).isValid == false)
  }

  @Test("take longitudes and azimuths in any range")
  func anyRange() {
    let a = Coordinate(latitudeDegrees: 10, longitudeDegrees: 20)
    let b = Coordinate(latitudeDegrees: -30, longitudeDegrees: 170)
    let course = Geodesic.inverse(from: a, to: b)
    for turns in [-1080.0, -360, 360, 36_000] {
      let far = Coordinate(latitudeDegrees: -30, longitudeDegrees: 170 + turns)
      #expect(Geodesic.inverse(from: a, to: far) == course)
      #expect(
        Geodesic.direct(from: a, azimuthDegrees: 40 + turns, distanceMeters: 5e6)
          == Geodesic.direct(from: a, azimuthDegrees: 40, distanceMeters: 5e6))
    }
  }

  @Test("go around the Earth any number of times")
  func turns() {
    // The equator is 40,075 km long.
    let start = Coordinate(latitudeDegrees: 0, longitudeDegrees: 5)
    for turns in [1.0, 3, 100] {
      let end = Geodesic.direct(
        from: start, azimuthDegrees: 90, distanceMeters: turns * 2 * .pi * 6_378_137)
      #expect(abs(end.latitudeDegrees) < 1e-12)
      #expect(abs(end.longitudeDegrees - 5) < 1e-12 * turns)
    }
  }
}
