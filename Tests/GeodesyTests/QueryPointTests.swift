import FencepostGeodesy
import Glibc
import ProjGeodesics
import TestSupport
import Testing

@Suite("Distances from a point to boxes, against PROJ")
struct QueryPointTests {
  /// A box of up to some degrees, near the point or anywhere.
  private static func box(
    _ random: inout SplitMix64, near point: Coordinate
  ) -> CompactBox {
    let size = random.scale(1e-6, 30)
    let isNear = random.next() % 2 == 0
    let middle =
      isNear
      ? Proj.point(
        from: point, azimuth: random.azimuth(), meters: random.scale(1, 500_000))
      : random.coordinate()
    let height = size * random.double(0...1)
    let width = size * random.double(0...1)
    return CompactBox(
      westDegrees: max(-180, middle.longitudeDegrees - width),
      southDegrees: max(-90, middle.latitudeDegrees - height),
      eastDegrees: min(180, middle.longitudeDegrees + width),
      northDegrees: min(90, middle.latitudeDegrees + height))
  }

  /// A point in a box, often on its border.
  private static func point(
    in box: CompactBox, _ random: inout SplitMix64
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
      let point = QueryPoint(Position(here))
      let box = Self.box(&random, near: here)
      let coarse = point.coarseLeastMeters(to: box).meters
      let least = point.leastMeters(to: box, limitMeters: .infinity)
      let greatest = point.greatestMeters(to: box)
      for _ in 0..<4 {
        let distance = Proj.distanceMeters(here, Self.point(in: box, &random))
        if !(coarse <= distance && least <= distance && distance <= greatest) {
          Issue.record("\(here) \(box): \(distance), \(coarse), \(least)...\(greatest)")
          return
        }
      }
    }
  }

  @Test("to a tiny box contain that of its place, and are close")
  func tinyBoxes() {
    var random = SplitMix64(seed: 82)
    for _ in 0..<50_000 {
      let here = random.coordinate()
      let there = Proj.point(
        from: here, azimuth: random.azimuth(), meters: random.scale(1, 15_000_000))
      let box = CompactBox(
        westDegrees: there.longitudeDegrees, southDegrees: there.latitudeDegrees,
        eastDegrees: there.longitudeDegrees, northDegrees: there.latitudeDegrees)
      let point = QueryPoint(Position(here))
      let distance = Proj.distanceMeters(here, there)
      let (least, greatest) = point.boundsMeters(
        toPointIn: box, leastMeters: point.leastMeters(to: box, limitMeters: .infinity))
      if !(least <= distance && distance <= greatest
        && greatest - least < 0.012 * distance + 20)
      {
        Issue.record("\(here) \(there): \(distance), \(least)...\(greatest)")
        return
      }
    }
  }

  @Test("within a distance lie in the window of that distance")
  func windows() {
    var random = SplitMix64(seed: 83)
    for _ in 0..<50_000 {
      let here = random.coordinate()
      let meters = random.scale(0.01, 20_000_000)
      let window = QueryPoint(Position(here)).box(withinMeters: meters)
      let there = Proj.point(
        from: here, azimuth: random.azimuth(), meters: meters * random.double(0.9...1))
      let spot = CompactBox(
        least: SIMD2(Float(there.longitudeDegrees).nextDown, Float(there.latitudeDegrees).nextDown),
        greatest: SIMD2(Float(there.longitudeDegrees).nextUp, Float(there.latitudeDegrees).nextUp))
      if !spot.overlaps(window) || !window.overlaps(spot) {
        Issue.record("\(here) \(meters) \(there)")
        return
      }
    }
  }

  @Test("to circles contain those to each of their centres")
  func hulls() {
    var random = SplitMix64(seed: 84)
    for _ in 0..<5_000 {
      let middle = random.coordinate()
      let size = random.scale(1, 1_000_000)
      let circles = (0..<5).map { _ in
        Circle(
          center: Proj.point(
            from: middle, azimuth: random.azimuth(), meters: random.double(0...size)),
          radiusMeters: random.scale(1, 1_000_000))
      }
      let here = random.coordinate()
      let vector = Position(here).vector
      let hull = CircleHull(of: circles)
      let (least, greatest) = hull.centerBoundsMeters(from: vector)
      for circle in circles {
        let distance = Proj.distanceMeters(here, circle.center.coordinate)
        let edge = distance - circle.radiusMeters
        if !(least <= distance && distance <= greatest
          && hull.mayReach(vector, withinMeters: distance, countsRadius: false)
          && hull.mayReach(vector, withinMeters: max(0, edge), countsRadius: true))
        {
          Issue.record("\(here) \(circles): \(distance) is not in \(least)...\(greatest)")
          return
        }
      }
    }
  }

  @Test("to a box of circles contain those to each centre in it")
  func boxHulls() {
    var random = SplitMix64(seed: 85)
    for _ in 0..<20_000 {
      let here = random.coordinate()
      let box = Self.box(&random, near: here)
      let hull = CircleHull(of: box, radiiMeters: [1, 2])
      let (least, greatest) = hull.centerBoundsMeters(from: Position(here).vector)
      let distance = Proj.distanceMeters(here, Self.point(in: box, &random))
      if !(least <= distance && distance <= greatest) {
        Issue.record("\(here) \(box): \(distance) is not in \(least)...\(greatest)")
        return
      }
    }
  }

  @Test("of no circles are infinite")
  func noCircles() {
    #expect(CircleHull(of: []).centerBoundsMeters(from: SIMD3(1, 2, 3)).least == .infinity)
  }

  @Test("boxes overlap where they share a point, a corner too")
  func overlap() {
    let box = CompactBox(least: [1, 2], greatest: [3, 4])
    for (least, greatest, expected) in [
      (SIMD2<Float>(3, 4), SIMD2<Float>(5, 6), true), ([0, 0], [1, 2], true),
      ([3.5, 2], [4, 4], false), ([1, 0], [3, 1.5], false), ([1, 5], [3, 6], false),
      ([0, 3], [0.5, 3], false), ([2, 3], [2, 3], true),
    ] {
      let other = CompactBox(least: least, greatest: greatest)
      #expect(box.overlaps(other) == expected && other.overlaps(box) == expected)
      #expect(other.overlaps(.everything))
    }
    #expect(!CompactBox(least: [.nan, 2], greatest: [3, 4]).overlaps(.everything))
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
