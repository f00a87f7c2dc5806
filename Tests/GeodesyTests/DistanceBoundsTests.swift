import FencepostGeodesy
import ProjGeodesics
import TestSupport
import Testing

@Suite("Bounds of distances, against PROJ", .comparedWithPROJ)
struct DistanceBoundsTests {
  /// Pairs of points of all distances, among them poles, equatorial pairs and near-antipodal ones.
  private static func pair(
    _ random: inout SplitMix64, _ number: Int, _ meters: ClosedRange<Double>
  ) -> (a: Coordinate, b: Coordinate) {
    var a = random.coordinate()
    if number % 10 == 0 { a.latitudeDegrees = number % 20 == 0 ? 0 : -90 }
    if number % 9 == 0 {
      // Within a degree of the antipode, or at it.
      let off = number % 18 == 0 ? 0 : random.double(-1...1)
      let b = Coordinate(
        latitudeDegrees: max(-90, min(90, off - a.latitudeDegrees)),
        longitudeDegrees: (a.longitudeDegrees + 180 + random.double(-1...1))
          .remainder(dividingBy: 360))
      return (a, b)
    }
    let azimuth = number % 7 == 0 ? Double(number % 4) * 90 : random.azimuth()
    return (
      a,
      Proj.point(
        from: a, azimuth: azimuth, meters: random.scale(meters.lowerBound, meters.upperBound))
    )
  }

  @Test(
    "contain the distance at every scale",
    arguments: [0.001...10_000.0, 10_000...1_500_000, 1_500_000...20_003_900])
  func points(_ meters: ClosedRange<Double>) {
    var random = SplitMix64(seed: 71)
    for number in 0..<60_000 {
      let (a, b) = Self.pair(&random, number, meters)
      let distance = Proj.distanceMeters(a, b)
      let (least, greatest) = Geodesic.boundsMeters(
        from: Position(a).vector, to: Position(b).vector)
      if !(least >= 0 && least <= distance && distance <= greatest) {
        Issue.record("\(a) \(b): \(distance) is not in \(least)...\(greatest)")
        return
      }
    }
  }

  @Test("of a chord contain the distance of every pair with that chord")
  func chords() {
    var random = SplitMix64(seed: 72)
    for number in 0..<100_000 {
      let (a, b) = Self.pair(&random, number, 0.001...20_003_900)
      let apart = Position(b).vector - Position(a).vector
      let chord = (apart * apart).sum().squareRoot()
      let distance = Proj.distanceMeters(a, b)
      if !(Geodesic.leastMeters(ofChord: chord) <= distance
        && distance <= Geodesic.greatestMeters(ofChord: chord))
      {
        Issue.record("\(a) \(b): \(distance), chord \(chord)")
        return
      }
    }
  }

  @Test(
    "are as close as documented",
    arguments: [
      (meters: 19_000.0...20_000, width: 0.0002), (1_000_000...1_490_000, 95),
      (1_510_000...1_600_000, 0.3), (9_900_000...10_000_000, 80),
      (15_000_000...16_000_000, 600),
    ])
  func width(_ meters: ClosedRange<Double>, _ width: Double) {
    var random = SplitMix64(seed: 73)
    var worst = Worst()
    for _ in 0..<20_000 {
      let a = random.coordinate()
      let b = Proj.point(
        from: a, azimuth: random.azimuth(), meters: random.double(meters))
      let (least, greatest) = Geodesic.boundsMeters(
        from: Position(a).vector, to: Position(b).vector)
      worst.note(greatest - least, "\(a) \(b)")
    }
    #expect(worst.error <= width, "\(worst)")
  }

  @Test("are finite for chords that no two points have")
  func impossibleChords() {
    for chord in [1.3e7, 1e9, .infinity] {
      #expect(Geodesic.greatestMeters(ofChord: chord) < 20_040_000)
    }
    #expect(Geodesic.leastMeters(ofChord: 0) == 0)
  }
}
