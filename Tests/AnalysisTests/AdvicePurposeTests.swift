import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import SampleStories
import Testing

@Suite("Advice for some stories")
struct AdvicePurposeTests {
  private static func point(_ east: Double, _ north: Double) -> Coordinate {
    let along = Geodesic.direct(
      from: AdviceScene.center, azimuthDegrees: 90, distanceMeters: east)
    return Geodesic.direct(from: along, azimuthDegrees: 0, distanceMeters: north)
  }

  private static func place(
    _ id: String, _ east: Double, _ north: Double, priority: Int = 0
  ) -> Place {
    Place(id: id, priority: priority, coordinate: point(east, north), radiusMeters: 100)
  }

  private static func walk(north: Double) -> [Coordinate] {
    stride(from: 0.0, through: 1500, by: 50).map { point($0, north) }
  }

  private static func options(
    _ chosen: [Place], _ change: (inout AdviceOptions) -> Void = { _ in }
  ) -> AdviceOptions {
    var options = AdviceOptions()
    options.purpose = AdvicePurpose(chosen)
    change(&options)
    return options
  }

  @Test("An alert counts 1 for the least important priority, 2 for the next, and so on")
  func weights() {
    let places = [("a", 7), ("b", -1), ("c", 7), ("d", 2)].map {
      Self.place($0.0, 0, 0, priority: $0.1)
    }
    #expect(AdvicePurpose(places).weights == ["a": 1, "b": 3, "c": 1, "d": 2])
    #expect(AdvicePurpose([]).weights.isEmpty)
  }

  @Test("Only alerts of the chosen stories count")
  func chosen() async throws {
    let popular = Self.place("popular", 700, 130)
    let quiet = Self.place("quiet", 1100, 130)
    let walks = (0..<3).map { Self.walk(north: Double($0)) }
    let passing = Self.walk(north: 260).prefix(16)
    let scene = try AdviceScene(places: [popular, quiet], paths: walks + [Array(passing)])
    let all = try await scene.advise(AdviceOptions())
    #expect(all.proposals.first?.change.story?.before.id == "popular")
    let advice = try await scene.advise(Self.options([quiet]))
    let proposal = try #require(advice.proposals.first)
    #expect(advice.proposals.count == 1 && proposal.change.story?.after.id == "quiet")
    #expect(advice.options.points(of: proposal.effect) == 3)
    let claim = try await scene.analyze(advice.places, advice.session)
    #expect(claim.stories["quiet"]?.alerts == 3)
  }

  @Test("Of two changes that gain alike, that for the more important story comes first")
  func priority() async throws {
    let minor = Self.place("a-minor", 500, 130, priority: 5)
    let major = Self.place("b-major", 1100, 130, priority: 1)
    let other = Self.place("other", 300, -130)
    let scene = try AdviceScene(
      places: [minor, major, other], paths: [Self.walk(north: 0), Self.walk(north: 1)])
    let advice = try await scene.advise(Self.options([minor, major]))
    #expect(advice.proposals.map(\.change.story?.before.id) == ["b-major", "a-minor"])
    #expect(advice.proposals.map { advice.options.points(of: $0.effect) } == [4, 2])
  }

  @Test("No radius beyond 1 km is proposed, whatever the range")
  func town() async throws {
    let center = AdviceScene.center
    let walks = [1100.0, 2000, 4000].map { north in
      (0..<40).map {
        Geodesic.direct(
          from: Geodesic.direct(from: center, azimuthDegrees: 0, distanceMeters: north),
          azimuthDegrees: 90, distanceMeters: Double($0) * 50 - 1000)
      }
    }
    let scene = try AdviceScene(
      places: [Place(id: "a", coordinate: center, radiusMeters: 200)], paths: walks)
    var options = AdviceOptions()
    options.kinds = [.radius]
    options.radiusRangeMeters = 100...20_000
    #expect(try await scene.advise(options).proposals.isEmpty)
    let near = try AdviceScene(
      places: scene.places,
      paths: [
        walks[0].map { Geodesic.direct(from: $0, azimuthDegrees: 180, distanceMeters: 200) }
      ])
    let radius = try await near.advise(options).proposals.first?.change.story?.after.radiusMeters
    #expect(try #require(radius) > 800)
    #expect(try #require(radius) <= AdviceOptions.greatestRadiusMeters)
  }
}
