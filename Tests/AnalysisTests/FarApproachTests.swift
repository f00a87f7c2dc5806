import FencepostAnalysis
import Foundation
import FencepostGeodesy
import FencepostMonitoring
import SampleStories
import FencepostPlaces
import ProjGeodesics
import TestSupport
import Testing

@Suite("Nearest approaches from afar", .comparedWithPROJ)
struct FarApproachTests {
  private static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    Proj.distanceMeters(a, b)
  }

  /// The least distance of a path from a point, every segment searched by PROJ alone.
  private static func nearestMeters(_ path: [Coordinate], to place: Coordinate) -> Double {
    var least = distance(path[0], place)
    for step in 1..<path.count {
      let course = Proj.course(path[step - 1], path[step])
      func at(_ along: Double) -> Double {
        distance(
          Proj.point(from: path[step - 1], azimuth: course.startAzimuth, meters: along), place)
      }
      let length = course.meters
      // By the triangle inequality the rest of the segment is no nearer.
      if (at(0) + at(length) - length) / 2 > least { continue }
      let tried = (0...20).map { Double($0) / 20 * length }
      guard let best = tried.min(by: { at($0) < at($1) }) else { continue }
      var low = max(0, best - length / 20)
      var high = min(length, best + length / 20)
      for _ in 0..<60 {
        let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
        if at(left) < at(right) { high = right } else { low = left }
      }
      least = min(least, at((low + high) / 2))
    }
    return least
  }

  /// Paths of very different scales: a flight of long segments, one of short ones, a walk.
  static let paths: [(seed: UInt64, from: Coordinate, segmentMeters: ClosedRange<Double>)] = [
    (1, Coordinate(latitudeDegrees: 40.6, longitudeDegrees: -73.8), 50_000...190_000),
    (2, Coordinate(latitudeDegrees: 64.1, longitudeDegrees: -21.9), 2_000...20_000),
    (3, Coordinate(latitudeDegrees: -17.5, longitudeDegrees: 178.9), 20_000...150_000),
    (4, Coordinate(latitudeDegrees: 88.7, longitudeDegrees: 12), 10_000...90_000),
    (5, Coordinate(latitudeDegrees: 52.5, longitudeDegrees: 13.4), 2...60),
  ]

  @Test(
    "They are PROJ's to half a millimeter and 2 cm for each 1,000 km, from 25 km to 12,000 km",
    arguments: paths)
  func far(seed: UInt64, from: Coordinate, segmentMeters: ClosedRange<Double>) async throws {
    var random = SplitMix64(seed: seed)
    var path = [from]
    var azimuth = Double.random(in: -180...180, using: &random)
    for _ in 0..<60 {
      azimuth += .random(in: -25...25, using: &random)
      path.append(
        Geodesic.direct(
          from: path[path.count - 1], azimuthDegrees: azimuth,
          distanceMeters: .random(in: segmentMeters, using: &random)))
    }
    let places = (0..<60).map { index in
      let meters = 25_000 * pow(480, Double.random(in: 0...1, using: &random))
      let near = path[Int.random(in: 0..<path.count, using: &random)]
      return Place(
        key: Int64(index + 1), id: "place-\(100 + index)",
        coordinate: Geodesic.direct(
          from: near, azimuthDegrees: .random(in: -180...180, using: &random),
          distanceMeters: meters), radiusMeters: 100)
    }
    let scratch = try ScratchFolder()
    let file = scratch.url.appendingPathComponent("flight.csv")
    let rows = path.map { ",\($0.latitudeDegrees),\($0.longitudeDegrees)\n" }
    try ("time,lat,lon\n" + rows.joined()).write(to: file, atomically: true, encoding: .utf8)
    var found: TrackAnalysis?
    try await TrackAnalysisSession(index: StoryIndex(places), options: .init()) {
      SceneSource(places)
    }.run([file.path]) { outcome in
      if case .success(let analysis) = outcome { found = analysis }
    }
    let analysis = try #require(found)
    for (place, meters) in zip(places, analysis.nearestMeters) {
      let expected = Self.nearestMeters(path, to: place.coordinate)
      #expect(abs(meters - expected) <= 0.0006 + 2e-8 * expected, "\(place.id) at \(expected) m")
    }
  }
}
