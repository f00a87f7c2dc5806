import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import TestSupport
import Testing

@Suite("Tracks that repeat the fixes of another")
struct RepeatedTracksTests {
  private static let town = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)

  /// A walk, a fix a second.
  private static func walk(
    seed: UInt64, count: Int = 1800, from start: Int64 = 1_772_640_000_000
  ) -> [Fix] {
    var random = SplitMix64(seed: seed)
    var here = town
    var azimuth = 0.0
    return (0..<count).map { second in
      azimuth += random.double(-20...20)
      here = Geodesic.direct(from: here, azimuthDegrees: azimuth, distanceMeters: 1.4)
      return Fix(coordinate: here, timeMilliseconds: start + Int64(second) * 1000)
    }
  }

  private static func rounded(_ fix: Fix, decimals scale: Double) -> Fix {
    var fix = fix
    fix.coordinate = Coordinate(
      latitudeDegrees: (fix.coordinate.latitudeDegrees * scale).rounded() / scale,
      longitudeDegrees: (fix.coordinate.longitudeDegrees * scale).rounded() / scale)
    return fix
  }

  private static func untimed(_ fixes: [Fix]) -> [Fix] {
    fixes.map { Fix(coordinate: $0.coordinate) }
  }

  private func copies(_ tracks: [String: [Fix]]) -> [RepeatedTracks.Copy] {
    RepeatedTracks(
      tracks.sorted { $0.key < $1.key }.map { TrackOutline(path: $0.key, fixes: $0.value) }
    ).copies
  }

  @Test("A copy with other rounding, other fractions of seconds, or fewer fixes is found")
  func nearCopies() {
    let walk = Self.walk(seed: 1)
    let changed: [String: [Fix]] = [
      "b rounded": walk.map { Self.rounded($0, decimals: 1e5) },
      "c shifted": walk.map {
        var fix = $0
        fix.timeMilliseconds = fix.timeMilliseconds.map { $0 + 400 }
        return fix
      },
      "d thinned": walk.enumerated().filter { $0.offset % 4 == 0 }.map(\.element),
      "e cut": Array(walk[300..<1500]),
    ]
    for (name, fixes) in changed {
      let found = copies(["a": walk, name: fixes])
      #expect(found.map(\.original) == ["a"], "\(name)")
      #expect(found.map(\.path) == [name], "\(name)")
      #expect(found.allSatisfy { $0.share >= 0.9 })
    }
  }

  @Test("Another trip, the same way on another day, and a companion two meters aside are no copies")
  func others() {
    let walk = Self.walk(seed: 1)
    var random = SplitMix64(seed: 9)
    let others: [String: [Fix]] = [
      "b other": Self.walk(seed: 2),
      "c next day": Self.walk(seed: 1, from: 1_772_640_000_000 + 86_400_000),
      "d beside": walk.map {
        var fix = $0
        fix.coordinate = Geodesic.direct(
          from: fix.coordinate, azimuthDegrees: random.double(-180...180),
          distanceMeters: random.double(1...6))
        return fix
      },
      // Half of it is another trip.
      "e half": Array(walk[..<900]) + Self.walk(seed: 5, from: 1_772_640_000_000 + 900_000),
    ]
    for (name, fixes) in others {
      #expect(copies(["a": walk, name: fixes]).isEmpty, "\(name)")
    }
  }

  @Test("The track with most fixes counts, of equal ones the first by name, in any order of files")
  func original() {
    let walk = Self.walk(seed: 3)
    let tracks = [
      ("d", walk), ("b", walk), ("c", Array(walk.dropLast(40))), ("x", Self.walk(seed: 4)),
    ].map { TrackOutline(path: $0.0, fixes: $0.1) }
    var random = SplitMix64(seed: 1)
    for _ in 0..<10 {
      let found = RepeatedTracks(tracks.shuffled(using: &random)).copies
      #expect(found.map(\.path) == ["c", "d"])
      #expect(found.map(\.original) == ["b", "b"])
    }
  }

  @Test("Without times the whole way must be the same")
  func withoutTimes() {
    let walk = Self.untimed(Self.walk(seed: 6))
    let copy = walk.map { Self.rounded($0, decimals: 1e6) }
    #expect(copies(["a": walk, "b": copy]).map(\.path) == ["b"])
    #expect(copies(["a": walk, "b": Array(walk[..<700])]).isEmpty)
    #expect(copies(["a": walk, "b": Self.untimed(Self.walk(seed: 7))]).isEmpty)
  }

  @Test("Tracks of two fixes are copies only if both are the same; one fix alone proves nothing")
  func short() {
    let walk = Self.walk(seed: 8)
    #expect(copies(["a": Array(walk[..<2]), "b": Array(walk[..<2])]).count == 1)
    #expect(copies(["a": Array(walk[..<2]), "b": Array(walk[1..<3])]).isEmpty)
    #expect(copies(["a": Array(walk[..<1]), "b": Array(walk[..<1])]).isEmpty)
  }
}
