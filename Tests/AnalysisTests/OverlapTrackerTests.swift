import FencepostAnalysis
import FencepostSession
import Foundation
import FencepostGeodesy
import FencepostMonitoring
import SampleStories
import FencepostPlaces
import TestSupport
import Testing

@Suite("Where more circles overlap than can be monitored")
struct OverlapTrackerTests {
  private static let center = Coordinate(latitudeDegrees: 52.5, longitudeDegrees: 13.4)

  /// Walks straight through the middle of so many circles, from 1 km west to 1 km east.
  private func walk(
    through count: Int, radius: @escaping (Int) -> Double,
    _ change: (inout TrackSessionOptions) -> Void = { _ in }
  ) async throws -> TrackAnalysis {
    let places = (0..<count).map { index in
      Place(
        key: Int64(index + 1), id: "place-\(100 + index)", coordinate: Self.center,
        radiusMeters: radius(index))
    }
    let scratch = try ScratchFolder()
    let file = scratch.url.appendingPathComponent("walk.csv")
    var text = "time,lat,lon\n"
    for minute in 0...40 {
      let at = Geodesic.direct(
        from: Self.center, azimuthDegrees: minute < 20 ? -90 : 90,
        distanceMeters: abs(Double(minute) - 20) * 50)
      text += "2026-03-04T10:\(minute < 10 ? "0" : "")\(minute):00Z,"
      text += "\(at.latitudeDegrees),\(at.longitudeDegrees)\n"
    }
    try text.write(to: file, atomically: true, encoding: .utf8)
    var options = TrackAnalysisOptions()
    change(&options.session)
    let session = TrackAnalysisSession(index: StoryIndex(places), options: options) {
      SceneSource(places)
    }
    var found: TrackAnalysis?
    try await session.run([file.path]) { outcome in
      if case .success(let analysis) = outcome { found = analysis }
    }
    return try #require(found)
  }

  @Test("Twenty-five circles about one point are one crowd, in their middle")
  func crowd() async throws {
    let analysis = try await walk(through: 25) { 100 + Double($0) * 10 }
    #expect(analysis.account.mostCircles == 25)
    #expect(analysis.crowds.map(\.circles) == [25])
    let spot = try #require(analysis.crowds.first)
    #expect(abs(Geodesic.distanceMeters(spot.coordinate, Self.center) - 100) < 0.1)
  }

  @Test("Twenty circles are no crowd")
  func noCrowd() async throws {
    let analysis = try await walk(through: 20) { 100 + Double($0) * 10 }
    #expect(analysis.account.mostCircles == 20)
    #expect(analysis.crowds.isEmpty)
  }

  @Test("A lower limit makes a smaller crowd")
  func limited() async throws {
    let analysis = try await walk(through: 4) {
      100 + Double($0) * 10
    } _: {
      $0.monitoring.limit = 3
    }
    #expect(analysis.crowds.map(\.circles) == [4])
  }

  @Test("With separate edges the adaptive refresh finds every circle of a crowd and certifies it")
  func apart() async throws {
    let analysis = try await walk(through: 25) {
      100 + Double($0) * 10
    } _: {
      $0.monitoring.refresh = .adaptive
    }
    #expect(analysis.account.counts.found == 25)
    #expect(analysis.account.isCertified == true)
  }

  @Test("With coinciding edges it finds as many as it has regions and does not certify")
  func together() async throws {
    let analysis = try await walk(through: 25) { _ in
      100
    } _: {
      $0.monitoring.refresh = .adaptive
    }
    #expect(analysis.account.counts.entries == 25)
    #expect(analysis.account.counts.found == 20)
    #expect(analysis.account.isCertified == false)
  }
}
