import Fencepost
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostTime
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
    #expect(proposal.change.after?.radiusMeters == 120)
    #expect(proposal.effect.alerts == 3)
    #expect(proposal.effect.persons == 3)
    #expect(proposal.reason.passing == 3)
    let passing = try #require(proposal.reason.passingMeters)
    #expect(abs(passing.lowerBound - 106) < 0.1 && abs(passing.upperBound - 118) < 0.1)
    // The cheapest of equal gains: the fourth track, beyond the range, is not met.
    let wide = try await first(
      [Self.place("a", 700, 118)], walks + [Self.walk(north: -200)]
    ) { $0.kinds = [.radius] }
    #expect(wide.change.after?.radiusMeters == 120)
  }

  @Test("A circle that the device began in shrinks until it is entered")
  func shrink() async throws {
    let proposal = try await first(
      [Self.place("a", 260, 0, radius: 280)], [Self.walk(north: 0)]
    ) { $0.kinds = [.radius] }
    #expect(proposal.change.after?.radiusMeters == 255)
    #expect(proposal.reason.insideUnnoticed == 1)
    #expect(proposal.effect.alerts == 1)
  }

  @Test("A story moves towards the path, as far as needed and no farther")
  func position() async throws {
    let proposal = try await first(
      [Self.place("a", 700, 130)], [Self.walk(north: 0)]
    ) { $0.kinds = [.position] }
    let after = try #require(proposal.change.after)
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

  @Test("Dates that held a story back move to the days of the walks, and no farther")
  func dates() async throws {
    let zone = try #require(ClockZone(identifier: "America/New_York"))
    func instant(_ text: String) throws -> Int64 {
      try #require(ISO8601.milliseconds(parsing: text))
    }
    // The walk is on 2026-03-01, from 9 o'clock UTC.
    let (before, later) = (try instant("2026-02-01T00:00:00Z"), try instant("2026-06-01T00:00:00Z"))
    var (new, old) = (Self.place("new", 700, 0), Self.place("old", 1200, 0))
    (new.publishedMilliseconds, new.expiresMilliseconds) = (later, later + 1)
    (old.publishedMilliseconds, old.expiresMilliseconds) = (before - 1, before)
    var both = Self.place("both", 300, 0)
    (both.publishedMilliseconds, both.expiresMilliseconds) = (later, before)
    var far = Self.place("far", 700, 5000)
    far.publishedMilliseconds = later
    let scene = try AdviceScene(
      places: [new, old, both, far], paths: [Self.walk(north: 0)])
    let advice = try await scene.advise(AdviceOptions.only(.dates) { $0.zone = zone })
    #expect(advice.proposals.map(\.change.kind) == [.dates, .dates, .dates])
    let after = Dictionary(
      uniqueKeysWithValues: advice.proposals.compactMap { $0.change.after.map { ($0.id, $0) } })
    let (start, end) = (try instant("2026-03-01T05:00:00Z"), try instant("2026-03-02T05:00:00Z"))
    #expect(after["new"]?.publishedMilliseconds == start)
    #expect(after["new"]?.expiresMilliseconds == later + 1)
    #expect(after["old"]?.publishedMilliseconds == before - 1)
    #expect(after["old"]?.expiresMilliseconds == end)
    #expect(after["both"]?.publishedMilliseconds == start)
    #expect(after["both"]?.expiresMilliseconds == end)
    for proposal in advice.proposals {
      #expect(proposal.effect.alerts == 1 && proposal.reason.heldBack == 1)
    }
    let claim = try await scene.analyze(advice.places, advice.session)
    #expect(claim.counts.alerts == 3)
    // On a day on which all are valid, nothing is to be gained; unless asked, dates stay.
    let june = try await scene.advise(
      AdviceOptions.only(.dates) {
        $0.session.alerts.dates = .ignored
      })
    #expect(june.proposals.isEmpty && june.whole.before.counts.alerts == 3)
    let usual = try await scene.advise(AdviceOptions())
    #expect(usual.proposals.allSatisfy { $0.change.kind != .dates })
  }

  /// Places that the walk from the start leaves behind, 340 m and more away, and one farther ahead that they keep out.
  private static func crowd(_ spots: [Double]) -> [Place] {
    spots.enumerated().map { place("near-\($0)", -150, 400 - $1, radius: 50) }
      + [place("ahead", 480, 0, radius: 100)]
  }

  @Test("Stories at one spot become one where that lets another story in")
  func merge() async throws {
    var places = Self.crowd([0, 0, 0, 40])
    places[0].blurb = "First."
    places[1].blurb = "Second."
    places[1].radiusMeters = 80
    places[2].priority = -5
    places[2].url = "https://example.org/2"
    let proposal = try await first(places, [Self.walk(north: 0, to: 450)]) {
      $0.session.monitoring.limit = 4
      $0.mostRegions = 4
      $0.kinds = [.merge]
    }
    #expect(proposal.change.before.map(\.id) == ["near-2", "near-0", "near-1"])
    let kept = try #require(proposal.change.after)
    #expect(kept.id == "near-2" && kept.priority == -5 && kept.url == "https://example.org/2")
    #expect(kept.radiusMeters == 80)
    #expect(kept.blurb == "Story near-0: First.\n\nStory near-1: Second.")
    #expect(proposal.effect.alerts == 1)
  }

  @Test("Stories that are not valid at the same time are not merged")
  func mergeValidity() async throws {
    var places = Self.crowd([0, 0, 30, 60])
    places[1].expiresMilliseconds = 1
    let advice = try await AdviceScene(
      places: places, paths: [Self.walk(north: 0, to: 450)]
    ).advise(
      AdviceOptions.only(.merge) {
        $0.session.monitoring.limit = 4
        $0.mostRegions = 4
      })
    #expect(advice.proposals.isEmpty)
  }

  @Test("As many stories go as the one that was passed lacks slots, and none that anybody can meet")
  func drop() async throws {
    // With three slots the fifth story lacks two.
    let proposal = try await first(
      Self.crowd([0, 30, 60, 90]), [Self.walk(north: 0, to: 450)]
    ) {
      $0.session.monitoring.limit = 3
      $0.mostRegions = 3
      $0.kinds = [.drop]
    }
    #expect(proposal.change.removed.count == 2)
    #expect(proposal.change.after == nil)
    #expect(proposal.effect.alerts == 1)
    #expect(proposal.reason.farMeters == 300)
    let met = try await AdviceScene(
      places: Self.crowd([0, 30, 60, 90]), paths: [Self.walk(north: 0, to: 450)]
    ).advise(
      AdviceOptions.only(.drop) {
        $0.session.monitoring.limit = 3
        $0.mostRegions = 3
        // In so great a circle each could be met.
        $0.radiusRangeMeters = 100...1000
      })
    #expect(met.proposals.isEmpty)
  }

  @Test("What is said of a story after others are gone is of that story")
  func afterDrop() async throws {
    // The dropped stories come first by id, and only the first walk sees them.
    let east = Self.walk(north: 0).map {
      Coordinate(
        latitudeDegrees: $0.latitudeDegrees + 0.2, longitudeDegrees: $0.longitudeDegrees)
    }
    var (passed, met) = (Self.place("z", 700, 115), Self.place("zz", 200, 0, radius: 60))
    passed.coordinate.latitudeDegrees += 0.2
    met.coordinate.latitudeDegrees += 0.2
    // Others about the second walk, so that its set is full without the first walk's stories.
    let others = (0..<3).map { number in
      var other = Self.place("y-\(number)", 300 + 300 * Double(number), -250, radius: 20)
      other.coordinate.latitudeDegrees += 0.2
      return other
    }
    let advice = try await AdviceScene(
      places: Self.crowd([0, 30, 60, 90]) + [passed, met] + others,
      paths: [Self.walk(north: 0, to: 450), Self.walk(north: 1, to: 450), east]
    ).advise(
      AdviceOptions.only(.drop) {
        $0.session.monitoring.limit = 3
        $0.mostRegions = 3
        $0.kinds = [.drop, .radius]
        $0.radiusRangeMeters = 100...200
        $0.mostChanges = 5
      })
    #expect(advice.proposals.contains { $0.change.kind == .drop })
    #expect(advice.proposals.first?.change.kind == .drop)
    let radius = try #require(advice.proposals.first { $0.change.after?.id == "z" })
    #expect(radius.reason.passing == 1)
    for proposal in advice.proposals where proposal.change.kind == .drop {
      #expect(proposal.change.removed.allSatisfy { $0.id.hasPrefix("near") })
      #expect(proposal.reason.monitored > 0)
    }
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
