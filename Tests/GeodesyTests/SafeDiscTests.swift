import FencepostGeodesy
import ProjGeodesics
import TestSupport
import Testing

@Suite("A safe disc", .comparedWithPROJ)
struct SafeDiscTests {
  @Test("contains nothing that is as far as its radius")
  func sound() {
    var random = SplitMix64(seed: 12)
    var contained = 0
    for _ in 0..<300_000 {
      let center = random.coordinate()
      let radius = random.scale(1e-6, 15_000_000)
      let there = Proj.point(
        from: center, azimuth: random.azimuth(),
        meters: min(radius * random.double(0.95...1.01), 20_000_000))
      guard SafeDisc(center: center, radiusMeters: radius).contains(there) else { continue }
      contained += 1
      if Proj.distanceMeters(center, there) >= radius {
        Issue.record("\(center) \(radius) \(there)")
        return
      }
    }
    #expect(contained > 20_000)
  }

  @Test(
    "contains nearly all that is within its radius at the scale of a walk",
    arguments: [0.0, 40, -60, 75])
  func useful(latitude: Double) {
    var random = SplitMix64(seed: 13)
    let center = Coordinate(latitudeDegrees: latitude, longitudeDegrees: -75.15)
    for radius in [10, 500, 2_000.0] {
      let disc = SafeDisc(center: center, radiusMeters: radius)
      #expect(disc.contains(center))
      for _ in 0..<1_000 {
        let there = Proj.point(
          from: center, azimuth: random.azimuth(), meters: radius * 0.985)
        #expect(disc.contains(there))
      }
    }
  }

  @Test("without a radius contains nothing", arguments: [0, -1, 1e-9, .nan])
  func empty(radius: Double) {
    let center = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)
    #expect(!SafeDisc(center: center, radiusMeters: radius).contains(center))
  }

  @Test("fails across the antimeridian and for what is not a number")
  func wrap() {
    let center = Coordinate(latitudeDegrees: 10, longitudeDegrees: 179.9999)
    let disc = SafeDisc(center: center, radiusMeters: 5_000)
    #expect(disc.contains(Coordinate(latitudeDegrees: 10, longitudeDegrees: 179.9998)))
    #expect(!disc.contains(Coordinate(latitudeDegrees: 10, longitudeDegrees: -179.9999)))
    #expect(!disc.contains(Coordinate(latitudeDegrees: .nan, longitudeDegrees: 179.9999)))
  }
}
