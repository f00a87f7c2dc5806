import FencepostGeodesy
import Glibc
import ProjGeodesics
import TestSupport
import Testing

@Suite("Boxes of longitude and latitude, against PROJ", .comparedWithPROJ)
struct CoordinateBoxTests {
  /// A point just outside a box, or anywhere.
  private static func point(
    besides box: CoordinateBox, _ random: inout SplitMix64
  ) -> Coordinate {
    let gap = random.scale(1e-9, 3)
    let latitude = random.double(-90...90)
    let inside = random.double(box.southDegrees...box.northDegrees)
    let east = random.double(-180...180)
    let (latitudeDegrees, longitudeDegrees) =
      switch random.next() % 5 {
      case 0: (box.southDegrees - gap, east)
      case 1: (box.northDegrees + gap, east)
      case 2: (inside, box.westDegrees - gap)
      case 3: (inside, box.eastDegrees + gap)
      default: (latitude, east)
      }
    return Coordinate(
      latitudeDegrees: max(-90, min(90, latitudeDegrees)),
      longitudeDegrees: longitudeDegrees > 180
        ? longitudeDegrees - 360
        : longitudeDegrees < -180 ? longitudeDegrees + 360 : longitudeDegrees
    )
  }

  @Test("a box around a point reaches as far as asked, and no point outside is nearer than it says")
  func clearance() {
    var random = SplitMix64(seed: 81)
    for round in 0..<20_000 {
      let isPolar = round % 4 == 0
      let center = Coordinate(
        latitudeDegrees: isPolar
          ? (round % 8 == 0 ? 1 : -1) * (90 - random.scale(1e-9, 3))
          : random.coordinate().latitudeDegrees,
        longitudeDegrees: round % 3 == 0
          ? 180 - random.scale(1e-9, 3) : random.double(-180...180))
      let reach = random.scale(1, 2e7)
      let box = CoordinateBox(around: Position(center), reachMeters: reach)
      let whole = CoordinateBox(
        westDegrees: -180, southDegrees: -90, eastDegrees: 180, northDegrees: 90)
      let atCenter = box.clearanceMeters(at: Position(center))
      if box == whole {
        #expect(atCenter == .infinity)
        continue
      }
      #expect(abs(atCenter - reach) < 1e-3 + 1e-6 * reach, "\(center) \(reach): \(atCenter)")
      for _ in 0..<4 {
        let here = Proj.point(
          from: center, azimuth: random.azimuth(), meters: reach * random.double(0...1.2))
        let clearance = box.clearanceMeters(at: Position(here))
        let point = Self.point(besides: box, &random)
        guard !box.contains(point) else { continue }
        let distance = Proj.distanceMeters(here, point)
        if clearance > distance {
          Issue.record("\(here) in \(box): \(distance) m to \(point), not \(clearance)")
          return
        }
      }
    }
  }

  @Test("a point outside a box has no clearance")
  func outside() {
    let box = CoordinateBox(
      westDegrees: 170, southDegrees: -10, eastDegrees: -170, northDegrees: 10)
    func clearance(_ latitude: Double, _ longitude: Double) -> Double {
      box.clearanceMeters(
        at: Position(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)))
    }
    #expect(clearance(0, 0) < 0 && clearance(11, 180) < 0 && clearance(0, -169.9) < 0)
    #expect(clearance(0, 180) > 1_000_000 && clearance(0, -180) == clearance(0, 180))
  }

  @Test("a user's box contains its border and may lie across the antimeridian")
  func coordinateBox() {
    let box = CoordinateBox(
      westDegrees: 170, southDegrees: -10, eastDegrees: -170, northDegrees: 10)
    func contains(_ latitude: Double, _ longitude: Double) -> Bool {
      box.contains(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
    }
    #expect(contains(10, 170) && contains(-10, -170) && contains(0, 180) && contains(0, -180))
    #expect(!contains(0, 0) && !contains(10.1, 180) && !contains(.nan, 180))
  }

  @Test("a spot has one canonical form")
  func canonical() {
    func form(_ latitude: Double, _ longitude: Double) -> Coordinate {
      Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude).canonical
    }
    #expect(form(-90, 17) == form(-90, -120))
    #expect(form(12, -180) == form(12, 180))
    #expect(form(12, -179) != form(12, 179))
  }
}
