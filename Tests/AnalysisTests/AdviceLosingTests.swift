import Fencepost
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostTime
import Newsroom
import Testing

@Suite("Advice that loses alerts on days with too many")
struct AdviceLosingTests {
  private static func point(_ east: Double, _ north: Double) -> Coordinate {
    let along = Geodesic.direct(
      from: AdviceScene.center, azimuthDegrees: 90, distanceMeters: east)
    return Geodesic.direct(from: along, azimuthDegrees: 0, distanceMeters: north)
  }

  /// Six stories along a walk to the east of 2 km, a fix a minute from 9:00 UTC.
  private static func scene(_ priorities: [Int] = Array(repeating: 0, count: 6)) throws
    -> AdviceScene
  {
    let places = priorities.enumerated().map { number, priority in
      Place(
        id: "p\(number)", priority: priority, coordinate: point(300 + 300 * Double(number), 0),
        radiusMeters: 100)
    }
    return try AdviceScene(
      places: places,
      paths: [stride(from: 0.0, through: 2500, by: 25).map { point($0, 0) }])
  }

  private static func options(
    _ most: Int, _ kinds: Set<AdviceOptions.Kind> = Set(AdviceOptions.Kind.losing),
    _ change: (inout AdviceOptions) -> Void = { _ in }
  ) -> AdviceOptions {
    var options = AdviceOptions()
    (options.mostAfterwards, options.kinds, options.mostChanges) = (most, kinds, 100)
    change(&options)
    return options
  }

  @Test("The least important stories go, just as many as there are alerts too many")
  func drops() async throws {
    let scene = try Self.scene([3, 1, 2, 9, 1, 5])
    let advice = try await scene.advise(
      Self.options(3, [.drop]) { $0.purpose = AdvicePurpose(scene.places) })
    #expect(advice.effect.before.fatigue.most == 6 && advice.effect.after.fatigue.most == 3)
    #expect(advice.removedIDs == ["p0", "p3", "p5"])
    #expect(advice.proposals.map { advice.points($0.effect) } == [-1, -2, -3])
    // Of all sets of three stories, none costs less.
    let weights = AdvicePurpose(scene.places).weights
    #expect(weights.values.sorted().prefix(3).reduce(0, +) == -advice.points(advice.effect))
    for proposal in advice.proposals {
      #expect(proposal.reason.alerts == 1 && proposal.reason.crowded == 1)
    }
  }

  @Test("Hours become quiet where that costs least, and leave ten hours of the day")
  func hours() async throws {
    let scene = try Self.scene()
    let advice = try await scene.advise(Self.options(5, [.hours]))
    let proposal = try #require(advice.proposals.first)
    #expect(proposal.change.kind == .hours && advice.proposals.count == 1)
    // Five stories come before 10:00, and the sixth at 10:08.
    let hours = try #require(proposal.change.quietHours)
    #expect(hours.text == "10:00-11:00")
    #expect(proposal.effect.alerts == -1)
    #expect(advice.session.alerts.quietHours == hours)
    let claim = try await scene.analyze(scene.places, advice.session)
    #expect(claim == AdviceScene.Claim(advice.whole.after))
    #expect(try #require(advice.effect.after.fatigue.most) == 5)
    let one = try await scene.advise(
      Self.options(1, [.hours]) {
        $0.session.alerts.quietHours = Self.quiet(11, 1)
      })
    // Already 14 hours are quiet.
    #expect(one.proposals.isEmpty)
  }

  @Test("A circle becomes smaller than the walk on the crowded day, and still catches another")
  func radius() async throws {
    var scene = try Self.scene()
    scene.places[2].coordinate = Self.point(900, 140)
    scene.places[2].radiusMeters = 200
    let second = stride(from: 500.0, through: 1200, by: 25).map { Self.point($0, 130) }
    let first = stride(from: 0.0, through: 2500, by: 25).map { Self.point($0, 0) }
    scene = try AdviceScene(places: scene.places, paths: [first, second])
    let advice = try await scene.advise(Self.options(5, [.radius, .drop]))
    let proposal = try #require(advice.proposals.first)
    #expect(advice.proposals.count == 1)
    #expect(proposal.change.kind == .radius && proposal.change.after?.id == "p2")
    #expect(proposal.effect.alerts == -1)
  }

  @Test(
    "The losses are those of an analysis with the changes, and no day gets more",
    arguments: 1...3 as ClosedRange<UInt64>)
  func claims(seed: UInt64) async throws {
    let scene = try AdviceScene(seed: seed, persons: 3, walks: 2)
    let options = AdviceScene.options {
      $0.session.monitoring.limit = 20
      $0.kinds = Set(AdviceOptions.Kind.losing)
      $0.mostAfterwards = 2
      $0.mostChanges = 40
    }
    let advice = try await scene.advise(options)
    #expect(!advice.proposals.isEmpty)
    #expect(
      AdviceScene.Claim(advice.whole.after)
        == (try await scene.analyze(advice.places, advice.session)))
    let (before, after) = (advice.effect.before.fatigue, advice.effect.after.fatigue)
    #expect(after.excess(over: 2) == 0 && before.excess(over: 2) > 0)
    #expect(try #require(after.most) <= 2)
    // At least as many alerts are lost as were too many.
    #expect(-advice.effect.alerts >= before.excess(over: 2))
    for proposal in advice.proposals {
      #expect(
        proposal.effect.after.fatigue.excess(over: 2)
          < proposal.effect.before.fatigue.excess(over: 2))
    }
    let three = try await scene.advise(options.with { $0.jobs = 3 })
    #expect(advice.proposals == three.proposals)
  }

  @Test("Where no day has too many, nothing is proposed")
  func nothing() async throws {
    let advice = try await Self.scene().advise(Self.options(6))
    #expect(advice.proposals.isEmpty)
  }

  // MARK: Shorter quiet hours

  static func quiet(_ start: Int, _ end: Int) -> QuietHours? {
    TimeOfDay(secondOfDay: start * 3600).flatMap { start in
      TimeOfDay(secondOfDay: end * 3600).flatMap {
        QuietHours(start: start, end: $0, zone: .utc)
      }
    }
  }

  @Test("Quiet hours end before the entries that they held back, and never in the night")
  func shorter() async throws {
    let scene = try Self.scene()
    var options = AdviceOptions()
    options.kinds = [.hours]
    options.session.alerts.quietHours = Self.quiet(20, 12)
    let advice = try await scene.advise(options)
    let proposal = try #require(advice.proposals.first)
    #expect(proposal.change.quietHours?.text == "20:00-09:00")
    #expect(proposal.effect.alerts == 6 && proposal.reason.heldBack == 6)
    let claim = try await scene.analyze(advice.places, advice.session)
    #expect(claim.counts.alerts == 6)
    // At 9:00 in UTC it is 4:00 in New York.
    let zone = try #require(ClockZone(identifier: "America/New_York"))
    options.session.alerts.quietHours = TimeOfDay(secondOfDay: 22 * 3600).flatMap { start in
      TimeOfDay(secondOfDay: 8 * 3600).flatMap { QuietHours(start: start, end: $0, zone: zone) }
    }
    let night = try await scene.advise(options)
    #expect(night.proposals.isEmpty && night.effect.before.counts.suppressed[.quietHours] == 6)
    options.session.alerts.quietHours = nil
    #expect(try await scene.advise(options).proposals.isEmpty)
  }
}

extension AdviceOptions {
  fileprivate func with(_ change: (inout AdviceOptions) -> Void) -> AdviceOptions {
    var options = self
    change(&options)
    return options
  }
}
