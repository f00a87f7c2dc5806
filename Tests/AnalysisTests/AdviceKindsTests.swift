import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import Testing

@Suite("Each kind of advice, where its answer is known")
struct AdviceKindsTests {
  private static let start = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)

  /// The point so many meters east and north of the start.
  private static func point(_ east: Double, _ north: Double) -> Coordinate {
    let along = Geodesic.direct(from: start, azimuthDegrees: 90, distanceMeters: east)
    return Geodesic.direct(from: along, azimuthDegrees: 0, distanceMeters: north)
  }

  private static func place(
    _ id: String, _ east: Double, _ north: Double, radius: Double = 100
  ) -> Place {
    Place(id: id, title: "Story \(id)", coordinate: point(east, north), radiusMeters: radius)
  }

  /// A walk to the east, a fix each 50 m.
  private static func walk(north: Double, to end: Double = 1500) -> [Coordinate] {
    stride(from: 0, through: end, by: 50).map { point($0, north) }
  }

  private func first(
    _ places: [Place], _ walks: [[Coordinate]], _ change: (inout AdviceOptions) -> Void
  ) async throws -> Advice.Proposal {
    var options = AdviceOptions()
    options.mostChanges = 1
    change(&options)
    let advice = try await AdviceScene(places: places, paths: walks).advise(options)
    return try #require(advice.proposals.first)
  }

  @Test("A radius grows to the step that the farthest of the passing tracks certainly enters")
  func radius() async throws {
    let walks = [0.0, 5, 12].map { Self.walk(north: $0) }
    let proposal = try await first([Self.place("a", 700, 118)], walks) { $0.kinds = [.radius] }
    #expect(proposal.change.story?.after.radiusMeters == 120)
    #expect(proposal.effect.alerts == 3)
    #expect(proposal.effect.persons == 3)
    #expect(proposal.reason.passing == 3)
    let passing = try #require(proposal.reason.passingMeters)
    #expect(abs(passing.lowerBound - 106) < 0.1 && abs(passing.upperBound - 118) < 0.1)
    // The cheapest of equal gains: the fourth track, beyond the range, is not met.
    let wide = try await first(
      [Self.place("a", 700, 118)], walks + [Self.walk(north: -200)]
    ) { $0.kinds = [.radius] }
    #expect(wide.change.story?.after.radiusMeters == 120)
  }

  @Test("A circle that the device began in shrinks until it is entered")
  func shrink() async throws {
    let proposal = try await first(
      [Self.place("a", 260, 0, radius: 280)], [Self.walk(north: 0)]
    ) { $0.kinds = [.radius] }
    #expect(proposal.change.story?.after.radiusMeters == 255)
    #expect(proposal.reason.insideUnnoticed == 1)
    #expect(proposal.effect.alerts == 1)
  }

  @Test("A story moves towards the path, as far as needed and no farther")
  func position() async throws {
    let proposal = try await first(
      [Self.place("a", 700, 130)], [Self.walk(north: 0)]
    ) { $0.kinds = [.position] }
    let after = try #require(proposal.change.story?.after)
    // A meter within the circle, and rounded up to a whole meter.
    let moved = Geodesic.distanceMeters(after.coordinate, Self.point(700, 130))
    #expect(moved > 30.8 && moved < 32.2)
    let distance = Geodesic.distanceMeters(after.coordinate, Self.point(700, 0))
    #expect(distance > 97.8 && distance < 99.2)
    #expect(after.radiusMeters == 100)
    let tooFar = try await AdviceScene(
      places: [Self.place("a", 700, 160)], paths: [Self.walk(north: 0)]
    ).advise(AdviceOptions.only(.position))
    #expect(tooFar.proposals.isEmpty)
    // Another story stands where it would go.
    let taken = try await AdviceScene(
      places: [Self.place("a", 700, 130), Self.place("b", 700, 97)], paths: [Self.walk(north: 0)]
    ).advise(AdviceOptions.only(.position))
    #expect(taken.proposals.isEmpty)
  }

  /// Places that the walk from the start leaves behind, 340 m and more away, and one farther ahead that they keep out.
  private static func crowd(_ spots: [Double]) -> [Place] {
    spots.enumerated().map { place("near-\($0)", -150, 400 - $1, radius: 50) }
      + [place("ahead", 480, 0, radius: 100)]
  }

  @Test("A rule is proposed within the limits of the phone")
  func rule() async throws {
    let proposal = try await first(
      Self.crowd([0, 30, 60, 90]), [Self.walk(north: 0, to: 450)]
    ) {
      $0.session.monitoring.limit = 3
      $0.mostRegions = 3
      $0.kinds = [.rule]
    }
    let rule = try #require(proposal.change.rule)
    #expect(rule.limit == 3)
    #expect(rule.significantChangeMeters >= 500)
    #expect(rule.refresh == .adaptive || rule.rank == .edge)
    let more = try await first(
      Self.crowd([0, 30, 60, 90]), [Self.walk(north: 0, to: 450)]
    ) {
      $0.session.monitoring.limit = 1
      $0.session.monitoring.refresh = .adaptive
      // Only the first refresh counts.
      $0.session.monitoring.minIntervalMilliseconds = 86_400_000
      $0.mostRegions = 7
      $0.kinds = [.rule]
      $0.radiusRangeMeters = 100...100
    }
    #expect(more.change.rule?.limit == 7)
  }
}

extension AdviceOptions {
  /// The defaults with one kind of change.
  fileprivate static func only(
    _ kind: Kind, _ change: (inout AdviceOptions) -> Void = { _ in }
  ) -> AdviceOptions {
    var options = AdviceOptions()
    options.kinds = [kind]
    change(&options)
    return options
  }
}
