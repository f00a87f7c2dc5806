import FencepostGeodesy
import Glibc
import ProjGeodesics
import TestSupport
import Testing

@Suite("Distances from a point to boxes, against PROJ")
struct CoordinateBoxTests {
  /// A box of up to some degrees, near the point or anywhere.
  private static func box(
    _ random: inout SplitMix64, near point: Coordinate
  ) -> CoordinateBox {
    let size = random.scale(1e-6, 30)
    let isNear = random.next() % 2 == 0
    let middle =
      isNear
      ? Proj.point(
        from: point, azimuth: random.azimuth(), meters: random.scale(1, 500_000))
      : random.coordinate()
    let height = size * random.double(0...1)
    let width = size * random.double(0...1)
    return CoordinateBox(
      westDegrees: max(-180, middle.longitudeDegrees - width),
      southDegrees: max(-90, middle.latitudeDegrees - height),
      eastDegrees: min(180, middle.longitudeDegrees + width),
      northDegrees: min(90, middle.latitudeDegrees + height))
  }

  /// A point in a box, often on its border.
  private static func point(
    in box: CoordinateBox, _ random: inout SplitMix64
  ) -> Coordinate {
    func value(_ least: Double, _ greatest: Double) -> Double {
      switch random.next() % 4 {
      case 0: least
      case 1: greatest
      default: random.double(least...greatest)
      }
    }
    return Coordinate(
      latitudeDegrees: max(-90, min(90, value(box.southDegrees, box.northDegrees))),
      longitudeDegrees: max(-180, min(180, value(box.westDegrees, box.eastDegrees))))
  }

  @Test("contain those of all points in the box")
  func boxes() {
    var random = SplitMix64(seed: 81)
    for _ in 0..<20_000 {
      let here = random.coordinate()
      let box = Self.box(&random, near: here)
      let (least, greatest) = box.boundsMeters(from: Position(here))
      for _ in 0..<4 {
        let distance = Proj.distanceMeters(here, Self.point(in: box, &random))
        if !(least <= distance && distance <= greatest) {
          Issue.record("\(here) \(box): \(distance), \(least)...\(greatest)")
          return
        }
      }
    }
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
