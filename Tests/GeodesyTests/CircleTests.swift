import FencepostGeodesy
import ProjGeodesics
import TestSupport
import Testing

@Suite("A circle", .comparedWithPROJ)
struct CircleTests {
  @Test("contains exactly the points at most its radius away, at every scale")
  func contains() {
    var random = SplitMix64(seed: 6)
    var inside = 0
    for _ in 0..<150_000 {
      let center = random.coordinate()
      let radius = random.scale(1e-3, 20_000_000)
      // From the very edge to far from it.
      let off = random.scale(1e-9, radius / 2) * (random.next() % 2 == 0 ? 1 : -1)
      let there = Proj.point(
        from: center, azimuth: random.azimuth(), meters: min(radius + off, 20_003_000))
      let circle = Circle(center: center, radiusMeters: radius)
      let position = Position(there)
      let distance = Geodesic.distanceMeters(circle.center, position)
      let contained = circle.contains(position)
      inside += contained ? 1 : 0
      if contained != (distance <= radius)
        || circle.edgeDistanceMeters(from: position) != abs(distance - radius)
        || circle.distanceMeters(from: position) != distance
      {
        Issue.record("\(center) \(radius) \(there)")
        return
      }
    }
    #expect(inside > 60_000 && inside < 90_000)
  }

  @Test("agrees with PROJ a micrometer from the edge")
  func edge() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<50_000 {
      let center = random.coordinate()
      let radius = random.scale(0.01, 60_000)
      let azimuth = random.azimuth()
      let circle = Circle(center: center, radiusMeters: radius)
      let inner = Proj.point(from: center, azimuth: azimuth, meters: radius - 1e-6)
      let outer = Proj.point(from: center, azimuth: azimuth, meters: radius + 1e-6)
      if !circle.contains(Position(inner)) || circle.contains(Position(outer)) {
        Issue.record("\(center) \(radius) \(azimuth)")
        return
      }
    }
  }

  @Test("contains its center, however small it is", arguments: [1e-300, 1e-9, 1, 20_000_000])
  func center(radius: Double) {
    for latitude in [-90, 0, 51.5, 90.0] {
      let center = Coordinate(latitudeDegrees: latitude, longitudeDegrees: 180)
      #expect(Circle(center: center, radiusMeters: radius).contains(Position(center)))
    }
  }

  @Test("contains no NaN")
  func notANumber() {
    let nowhere = Position(Coordinate(latitudeDegrees: .nan, longitudeDegrees: 0))
    for radius in [10, 50_000, 1e6, 2e7] {
      let here = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)
      #expect(!Circle(center: here, radiusMeters: radius).contains(nowhere))
    }
  }

  @Test("has a radius above 0, at most 20,000 km")
  func radius() async {
    await #expect(processExitsWith: .failure) { _ = Circle(center: origin, radiusMeters: 0) }
    await #expect(processExitsWith: .failure) { _ = Circle(center: origin, radiusMeters: .nan) }
    await #expect(processExitsWith: .failure) { _ = Circle(center: origin, radiusMeters: 2.1e7) }
  }
}

private let origin = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)
