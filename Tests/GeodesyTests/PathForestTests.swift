import FencepostGeodesy
import TestSupport
import Testing

@Suite("The nearest of many paths, against measuring every path")
struct PathForestTests {
  /// Where the paths are, and how far away the places can be.
  private static let scenes: [(name: String, Coordinate, reachMeters: Double)] = [
    ("in a town", Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16), 8_000),
    ("in a country", Coordinate(latitudeDegrees: 48, longitudeDegrees: 11), 400_000),
    ("on a continent", Coordinate(latitudeDegrees: -16.8, longitudeDegrees: 179.99), 2_500_000),
    ("at the pole", Coordinate(latitudeDegrees: 89.99, longitudeDegrees: 30), 5_000_000),
    ("on the globe", Coordinate(latitudeDegrees: 1, longitudeDegrees: 0), 19_900_000),
  ]

  private static func path(
    around center: Coordinate, _ random: inout SplitMix64
  ) -> [PathTree] {
    var blocks = PathBlocks()
    var stretches: [PathTree] = []
    var here = Geodesic.direct(
      from: center, azimuthDegrees: random.double(-180...180),
      distanceMeters: random.double(0...6_000))
    var azimuth = random.double(-180...180)
    for step in 0..<Int(random.double(1...120)) {
      if let full = blocks.take(here, isJoined: step > 0 && random.double(0...1) < 0.97) {
        stretches.append(full)
      }
      // Every fourth path is cut into stretches, as a long one is.
      if step % 40 == 39, random.double(0...1) < 0.25, let cut = blocks.finish() {
        stretches.append(cut)
      }
      azimuth += random.double(-40...40)
      here = Geodesic.direct(
        from: here, azimuthDegrees: azimuth, distanceMeters: random.double(1...400))
    }
    if let last = blocks.finish() { stretches.append(last) }
    return stretches
  }

  @Test(
    "The nearest path, those within a limit and their millimeters are the same",
    arguments: Self.scenes)
  func bruteForce(name: String, center: Coordinate, reachMeters: Double) throws {
    var random = SplitMix64(seed: 11)
    var paths = (0..<40).map { _ in Self.path(around: center, &random) }
    // A copy is equally near everywhere; the lower number counts.
    paths.append(paths[7])
    let forest = PathForest(paths)
    var guess: Int?
    for _ in 0..<300 {
      let place = Position(
        Geodesic.direct(
          from: center, azimuthDegrees: random.double(-180...180),
          distanceMeters: reachMeters * random.double(0...1)))
      let all = paths.map { Int64((PathTree.distanceMeters(of: $0, from: place) * 1000).rounded()) }
      let least = try #require(all.min())
      let expected = PathForest.Nearest(
        path: try #require(all.firstIndex(of: least)), millimeters: least)
      #expect(forest.nearest(to: place) == expected, "\(name): \(place.coordinate)")
      #expect(forest.nearest(to: place, guess: guess) == expected)
      #expect(forest.nearest(to: place, withinMillimeters: least) == expected)
      guess = expected.path
      // Half of the paths are within this limit, and those at it.
      let limit = all.sorted()[all.count / 2]
      let near = all.indices.filter { all[$0] <= limit }.sorted { (all[$0], $0) < (all[$1], $1) }
      #expect(
        forest.paths(near: place, withinMillimeters: limit)
          == near.map { PathForest.Nearest(path: $0, millimeters: all[$0]) })
    }
  }

  @Test("Nothing is nearer than a limit below the nearest path")
  func limit() throws {
    var random = SplitMix64(seed: 3)
    let center = Self.scenes[0].1
    let paths = (0..<10).map { _ in Self.path(around: center, &random) }
    let forest = PathForest(paths)
    let place = Position(
      Geodesic.direct(from: center, azimuthDegrees: 20, distanceMeters: 50_000))
    let nearest = try #require(forest.nearest(to: place))
    #expect(forest.nearest(to: place, withinMillimeters: nearest.millimeters - 10) == nil)
    #expect(forest.paths(near: place, withinMillimeters: nearest.millimeters - 10).isEmpty)
    #expect(PathForest([]).nearest(to: place) == nil)
    #expect(PathForest([[]]).nearest(to: place) == nil)
  }
}
