import FencepostGeodesy
import ProjGeodesics
import TestSupport
import Testing

@Suite("The clearance of a circle's edge", .comparedWithPROJ)
struct ClearanceTests {
  @Test("is a close lower bound of the distance")
  func clearance() {
    var random = SplitMix64(seed: 61)
    for _ in 0..<20_000 {
      let center = random.coordinate()
      let radius = random.scale(1, 10_000)
      let circle = Circle(center: center, radiusMeters: radius)
      let there = Position(
        Proj.point(
          from: center, azimuth: random.azimuth(), meters: random.scale(0.5, 10_000)))
      let edge = circle.edgeDistanceMeters(from: there)
      let clearance = circle.clearanceMeters(from: there)
      if !(clearance <= edge + 1e-8 && clearance >= edge - 1e-6 * max(edge, radius) - 1e-8) {
        Issue.record("\(center) \(radius) \(there): \(clearance), not \(edge)")
        return
      }
      let limit = random.scale(0.5, 10_000)
      let limited = circle.clearanceMeters(from: there, upTo: limit)
      // At the limit, rounding decides.
      #expect(abs(limited - min(limit, clearance)) < 1e-8)
    }
  }

  @Test("is a lower bound with a margin too")
  func clearanceOfBoth() {
    var random = SplitMix64(seed: 64)
    for number in 0..<20_000 {
      let greatest = number % 2 == 0 ? 10_000.0 : 15_000_000
      let center = random.coordinate()
      let circle = Circle(center: center, radiusMeters: random.scale(1, greatest))
      let margin = random.scale(1, greatest / 4)
      let there = Position(
        Proj.point(from: center, azimuth: random.azimuth(), meters: random.scale(0.5, greatest)))
      let clearance = circle.edgesClearanceMeters(from: there, marginMeters: margin)
      let distance = circle.distanceMeters(from: there)
      let edge = min(
        abs(distance - circle.radiusMeters), abs(distance - circle.radiusMeters - margin))
      if !(clearance <= edge && (greatest > 10_000 || clearance >= edge - 2e-3)) {
        Issue.record("\(circle) \(margin) \(there): \(clearance), not \(edge)")
        return
      }
    }
  }

  @Test("is a lower bound where center and edge are a continent apart")
  func farClearance() {
    var random = SplitMix64(seed: 62)
    for _ in 0..<5_000 {
      let center = random.coordinate()
      let circle = Circle(center: center, radiusMeters: random.scale(1_000, 15_000_000))
      let there = Position(
        Proj.point(
          from: center, azimuth: random.azimuth(), meters: random.scale(1_000, 19_000_000)))
      let edge = circle.edgeDistanceMeters(from: there)
      let clearance = circle.clearanceMeters(from: there)
      if !(clearance >= 0 && clearance <= edge + 1e-6) {
        Issue.record("\(circle) \(there): \(clearance), not \(edge)")
        return
      }
    }
  }

  @Test("excludes only paths that stay outside")
  func mayTouch() {
    var random = SplitMix64(seed: 63)
    var touching = 0
    var apart = 0
    for _ in 0..<20_000 {
      let center = random.coordinate()
      let circle = Circle(center: center, radiusMeters: random.scale(1, 5_000))
      let start = Proj.point(
        from: center, azimuth: random.azimuth(), meters: random.scale(1, 20_000))
      let end = Proj.point(
        from: start, azimuth: random.azimuth(), meters: random.scale(1, 20_000))
      let segment = GeodesicSegment(from: Position(start), to: Position(end))
      let touches = !segment.insideSpans(of: circle).isEmpty
      if touches { touching += 1 }
      if touches && !circle.mayTouch(segment) {
        Issue.record("\(circle) \(segment)")
        return
      }
      if !circle.mayTouch(segment) { apart += 1 }
    }
    #expect(touching > 1_000 && apart > 1_000)
  }

  @Test("shrinks by the margin outside the circle, not inside")
  func band() {
    let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    let circle = Circle(center: center, radiusMeters: 100)
    func distance(_ meters: Double, margin: Double) -> Double {
      circle.bandDistanceMeters(
        from: Position(Proj.point(from: center, azimuth: 30, meters: meters)),
        marginMeters: margin)
    }
    #expect(abs(distance(40, margin: 20) - 60) < 1e-6)
    #expect(distance(110, margin: 20) == 0)
    #expect(abs(distance(150, margin: 20) - 30) < 1e-6)
    #expect(abs(distance(150, margin: 0) - 50) < 1e-6)
  }
}
