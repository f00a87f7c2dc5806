import FencepostCProj
import FencepostGeodesy
import Foundation
import TestSupport
import Testing

/// Seeded pairs a class: few in debug builds, whose geodesics are slow. FENCEPOST_PAIRS=1000000 tries as many as
/// one likes, and prints the largest differences.
private let pairs: (count: Int, areMany: Bool) = {
  if let text = ProcessInfo.processInfo.environment["FENCEPOST_PAIRS"], let count = Int(text) {
    return (count, true)
  }
  #if DEBUG
    return (5_000, false)
  #else
    return (200_000, false)
  #endif
}()

@Suite("The inverse problem")
struct InverseProblemTests {
  /// What a distance may differ by from the reference: 15 nm, and a part in 10¹⁵ above 15,000 km.
  private func allowance(_ meters: Double) -> Double { max(15e-9, 1e-15 * meters) }

  @Test("agrees with the table of geodesics integrated with 40 digits, to 10 nm and a part in 10¹⁵")
  func table() throws {
    let table = try ReferenceTable("karney.txt")
    #expect(table.cases.count > 250)
    var errors = (ours: 0.0, proj: 0.0)
    for (line, f) in table.cases {
      let a = Coordinate(latitudeDegrees: f[0], longitudeDegrees: f[1])
      let b = Coordinate(latitudeDegrees: f[2], longitudeDegrees: f[3])
      let course = Geodesic.inverse(from: a, to: b)
      let error = abs(course.distanceMeters - f[4])
      errors.ours += error
      errors.proj += abs(Proj.distanceMeters(a, b) - f[4])
      if pairs.areMany, error > 6e-9 { print("line \(line): \(error), PROJ \(abs(Proj.distanceMeters(a, b) - f[4]))") }
      #expect(error <= 10e-9, "line \(line)")
      for (found, expected) in [
        (course.startAzimuthDegrees, f[5]), (course.endAzimuthDegrees, f[6]),
      ] where !expected.isNaN {
        let turn = (found - expected).remainder(dividingBy: 360)
        #expect(abs(turn) <= max(1e-11, 1e-6 / f[4]), "line \(line), azimuth")
      }
    }
    let count = Double(table.cases.count)
    if pairs.areMany { print("table: mean \(errors.ours / count), PROJ's \(errors.proj / count)") }
  }

  @Test("gives PROJ's distance, and an azimuth that leads to the other point", arguments: PairClass.allCases)
  func proj(_ kind: PairClass) {
    var random = SplitMix64(seed: 21)
    var distance = Worst()
    var arrival = Worst()
    var sum = 0.0
    for _ in 0..<pairs.count {
      let (a, b) = kind.pair(&random)
      let course = Geodesic.inverse(from: a, to: b)
      let expected = Proj.distanceMeters(a, b)
      let error = abs(course.distanceMeters - expected)
      distance.note(error / allowance(expected), "\(a) \(b): \(expected)")
      sum += error
      let reached = Geodesic.direct(
        from: a, azimuthDegrees: course.startAzimuthDegrees, distanceMeters: course.distanceMeters)
      arrival.note(smallDistance(reached, b), "\(a) \(b)")
      let back = Geodesic.direct(
        from: b, azimuthDegrees: course.endAzimuthDegrees, distanceMeters: -course.distanceMeters)
      arrival.note(smallDistance(back, a), "\(a) \(b), back")
    }
    if pairs.areMany {
      print("inverse \(kind): \(distance)\n  mean \(sum / Double(pairs.count)); arrival \(arrival)")
    }
    #expect(distance.error <= 1, "\(distance)")
    #expect(arrival.error <= 20e-9, "\(arrival)")
  }

  @Test("gives points of a line where PROJ does", arguments: PairClass.allCases)
  func direct(_ kind: PairClass) {
    var random = SplitMix64(seed: 22)
    var worst = Worst()
    for _ in 0..<pairs.count {
      let a = kind.pair(&random).a
      let azimuth = kind == .meridional ? 180 * Double(random.next() % 2) : random.azimuth()
      let meters = random.double(-20_003_900...20_003_900)
      let found = Geodesic.direct(from: a, azimuthDegrees: azimuth, distanceMeters: meters)
      worst.note(
        smallDistance(found, Proj.point(from: a, azimuth: azimuth, meters: meters)),
        "\(a) \(azimuth) \(meters)")
    }
    if pairs.areMany { print("direct \(kind): \(worst)") }
    #expect(worst.error <= 20e-9, "\(worst)")
  }

  /// The distance of two points that all but coincide, in metres, from their degrees: vectors are
  /// rounded to 2 nm.
  private func smallDistance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let degree = Double.pi / 180
    let north = (b.latitudeDegrees - a.latitudeDegrees) * degree
    let turn = (b.longitudeDegrees - a.longitudeDegrees).remainder(dividingBy: 360) * degree
    let cosines = cos(a.latitudeDegrees * degree) * cos(b.latitudeDegrees * degree)
    let east = 2 * sin(turn / 2) * max(0, cosines).squareRoot()
    return 6_400_000 * (north * north + east * east).squareRoot()
  }
}
