import FencepostGeodesy
import Glibc
import ProjGeodesics
import TestSupport
import Testing

@Suite("A position", .comparedWithPROJ)
struct PositionTests {
  private static let a = 6_378_137.0
  private static let b = 6_378_137.0 * (1 - 1 / 298.257223563)

  @Test("has the vector of the textbook formula in 80-bit arithmetic, to 3 nm")
  func vector() {
    var random = SplitMix64(seed: 4)
    var worst = Worst()
    for _ in 0..<100_000 {
      let c = random.coordinate()
      let v = Position(c).vector
      let error = v - textbook(c)
      worst.note((error * error).sum().squareRoot(), "\(c)")
    }
    #expect(worst.error <= 3e-9, "\(worst)")
  }

  private func textbook(_ c: Coordinate) -> SIMD3<Double> {
    let degree = Float80.pi / 180
    let latitude = Float80(c.latitudeDegrees) * degree
    let longitude = Float80(c.longitudeDegrees) * degree
    let f = 1 / Float80(298.257223563)
    let e2 = f * (2 - f)
    let n = 6_378_137 / (1 - e2 * sinl(latitude) * sinl(latitude)).squareRoot()
    return SIMD3(
      Double(n * cosl(latitude) * cosl(longitude)), Double(n * cosl(latitude) * sinl(longitude)),
      Double(n * (1 - e2) * sinl(latitude)))
  }

  @Test("is exact at the poles, on the antimeridian and at quarter turns")
  func exact() {
    func vector(_ latitude: Double, _ longitude: Double) -> SIMD3<Double> {
      Position(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)).vector
    }
    #expect(vector(0, 0) == SIMD3(Self.a, 0, 0))
    #expect(vector(0, 90) == SIMD3(0, Self.a, 0))
    #expect(vector(0, -90) == SIMD3(0, -Self.a, 0))
    #expect(vector(0, 180) == SIMD3(-Self.a, 0, 0))
    #expect(vector(33, -180) == vector(33, 180))
    #expect(vector(90, 10).x == 0 && vector(90, 10).y == 0)
    #expect(abs(vector(90, 10).z - Self.b) <= 1e-9)
    #expect(vector(-90, 10).z == -vector(90, 77).z)
  }

  @Test("that is not finite is not a number, and no trap")
  func notFinite() {
    for value in [Double.nan, .infinity, -.infinity] {
      let c = Coordinate(latitudeDegrees: value, longitudeDegrees: value)
      #expect(Position(c).vector.x.isNaN)
      #expect(!c.isValid)
    }
  }

  @Test("along a segment agrees with the reference table")
  func table() throws {
    let table = try ReferenceTable("positions.txt")
    #expect(table.cases.count > 30)
    for (line, f) in table.cases {
      let a = Coordinate(latitudeDegrees: f[0], longitudeDegrees: f[1])
      let b = Coordinate(latitudeDegrees: f[2], longitudeDegrees: f[3])
      let expected = Coordinate(latitudeDegrees: f[5], longitudeDegrees: f[6])
      let segment = GeodesicSegment(from: Position(a), to: Position(b))
      let found = segment.position(atFraction: f[4])
      #expect(Proj.distanceMeters(found.coordinate, expected) <= f[7], "line \(line)")
      #expect(found.coordinate.isValid, "line \(line)")
    }
  }

  @Test(
    "along a segment is PROJ's, and its vector belongs to its coordinate",
    arguments: [
      (least: 1e-3, greatest: 10_000.0, bound: 5e-8),
      (least: 10_000.0, greatest: 50_000.0, bound: 2e-5),
      (least: 50_000.0, greatest: 19_900_000.0, bound: 5e-8),
    ])
  func alongSegment(least: Double, greatest: Double, bound: Double) {
    var random = SplitMix64(seed: 5)
    var worst = Worst()
    for _ in 0..<40_000 {
      let a = random.coordinate()
      let b = Proj.point(
        from: a, azimuth: random.azimuth(), meters: random.scale(least, greatest))
      let fraction = random.double(0...1)
      let found = GeodesicSegment(from: Position(a), to: Position(b))
        .position(atFraction: fraction)
      var line = Proj.Line(a, b)
      let expected = line.point(fraction).coordinate
      worst.note(
        Proj.distanceMeters(found.coordinate, expected), "\(a) \(b) \(fraction)")
      if !found.coordinate.isValid || found.vector != Position(found.coordinate).vector {
        Issue.record("\(a) \(b) \(fraction)")
        return
      }
    }
    #expect(worst.error <= bound, "\(worst)")
  }

  @Test("at the fractions 0 and 1, and beyond, is the segment's end itself")
  func ends() {
    let a = Position(Coordinate(latitudeDegrees: 12, longitudeDegrees: 180))
    for longitude in [-180, -179.9, -170, 0] {
      let b = Position(Coordinate(latitudeDegrees: 12, longitudeDegrees: longitude))
      let segment = GeodesicSegment(from: a, to: b)
      #expect(segment.position(atFraction: 0) == a)
      #expect(segment.position(atFraction: -0.1) == a)
      if segment.lengthMeters > 0 {
        #expect(segment.position(atFraction: 1) == b)
        #expect(segment.position(atFraction: 1.1) == b)
      }
    }
  }
}
