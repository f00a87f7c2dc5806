import FencepostGeodesy
import ProjGeodesics
import TestSupport
import Testing

@Suite("The point of a path that is nearest to a place", .comparedWithPROJ)
struct PathTreeTests {
  /// A path with breaks, of steps that are all of one scale.
  private static func path(_ random: inout SplitMix64, stepMeters: Double) -> [PathTree.Vertex] {
    var point = random.coordinate()
    var azimuth = random.azimuth()
    return (0..<400).map { index in
      let isJoined = index > 0 && random.next() % 50 != 0
      azimuth += random.double(-40...40)
      point = Proj.point(
        from: point, azimuth: azimuth,
        meters: random.next() % 20 == 0 ? 0 : random.scale(stepMeters / 10, stepMeters))
      return PathTree.Vertex(position: Position(point), isJoined: isJoined)
    }
  }

  /// A place about as far from some vertex as a scale says.
  private static func place(
    _ random: inout SplitMix64, _ path: [PathTree.Vertex], _ meters: ClosedRange<Double>
  ) -> Position {
    let vertex = Int(random.next() % UInt64(path.count))
    let tree = PathTree(path)
    return Position(
      Proj.point(
        from: tree.position(of: vertex, fraction: 1).coordinate, azimuth: random.azimuth(),
        meters: random.scale(meters.lowerBound, meters.upperBound)))
  }

  @Test(
    "by the geodesic is no farther than any vertex by more than documented",
    arguments: [3.0, 200, 5_000, 80_000], [20_000...300_000.0, 300_000...12_000_000])
  func geodesics(stepMeters: Double, meters: ClosedRange<Double>) {
    var random = SplitMix64(seed: 91)
    for _ in 0..<20 {
      let path = Self.path(&random, stepMeters: stepMeters)
      let tree = PathTree(path)
      for _ in 0..<10 {
        let place = Self.place(&random, path, meters)
        var nearest = PathTree.Nearest()
        tree.improve(&nearest, to: place)
        let found = tree.approach(to: place, from: nearest)
        let point = tree.position(of: found.vertex, fraction: found.fraction)
        let distance = Proj.distanceMeters(place.coordinate, point.coordinate)
        let least =
          path.indices.map {
            Proj.distanceMeters(
              place.coordinate, tree.position(of: $0, fraction: 1).coordinate)
          }.min() ?? .infinity
        #expect(abs(found.distanceMeters - distance) <= 0.001)
        #expect(found.distanceMeters <= least + 0.0015 + 2e-8 * least, "\(place) \(least)")
      }
    }
  }

  @Test("by the straight line is that of all segments, sampled", arguments: [3.0, 200, 5_000])
  func chords(stepMeters: Double) {
    var random = SplitMix64(seed: 92)
    for _ in 0..<10 {
      let path = Self.path(&random, stepMeters: stepMeters)
      let tree = PathTree(path)
      let place = Self.place(&random, path, 1...30 * stepMeters)
      var nearest = PathTree.Nearest()
      tree.seed(&nearest, with: Int(random.next() % 400), to: place)
      tree.improve(&nearest, to: place)
      func chord(_ vertex: Int, _ fraction: Double) -> Double {
        let apart = tree.position(of: vertex, fraction: fraction).vector - place.vector
        return (apart * apart).sum().squareRoot()
      }
      #expect(abs(chord(nearest.vertex, nearest.fraction) - nearest.chordMeters) < 1e-6)
      for vertex in path.indices {
        for step in 0...20 {
          let sampled = chord(vertex, Double(step) / 20)
          #expect(nearest.chordMeters <= sampled + 1e-4)
        }
      }
    }
  }

  @Test("is improved only by a nearer point")
  func bound() {
    let here = Position(Coordinate(latitudeDegrees: 1, longitudeDegrees: 2))
    let tree = PathTree([PathTree.Vertex(position: here, isJoined: false)])
    let place = Position(Coordinate(latitudeDegrees: 1.001, longitudeDegrees: 2))
    var nearest = PathTree.Nearest(chordSquared: 1)
    tree.improve(&nearest, to: place)
    #expect(nearest.chordSquared == 1)
    var nothing = PathTree.Nearest()
    PathTree([]).improve(&nothing, to: place)
    #expect(nothing.chordSquared == .infinity)
  }
}
