import Fencepost
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostTime
import Newsroom
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

  @Test("Only alerts of the chosen stories count, and their dates may change")
  func chosen() async throws {
    let popular = Self.place("popular", 700, 130)
    var expired = Self.place("expired", 1100, 0)
    expired.expiresMilliseconds = 0
    let walks = (0..<3).map { Self.walk(north: Double($0)) }
    let scene = try AdviceScene(places: [popular, expired], paths: walks)
    let all = try await scene.advise(AdviceOptions())
    #expect(all.proposals.map(\.change.before.first?.id) == ["popular"])
    let advice = try await scene.advise(
      Self.options([expired]) { $0.kinds = Set(AdviceOptions.Kind.allCases) })
    let proposal = try #require(advice.proposals.first)
    #expect(advice.proposals.count == 1)
    #expect(proposal.change.kind == .dates && proposal.change.after?.id == "expired")
    #expect(advice.points(proposal.effect) == 3 && advice.best == 3)
    let claim = try await scene.analyze(advice.places, advice.session)
    #expect(claim.stories["expired"]?.alerts == 3)
  }

  @Test("Of two changes that gain alike, that for the more important story comes first")
  func priority() async throws {
    let minor = Self.place("a-minor", 500, 130, priority: 5)
    let major = Self.place("b-major", 1100, 130, priority: 1)
    let other = Self.place("other", 300, -130)
    let scene = try AdviceScene(
      places: [minor, major, other], paths: [Self.walk(north: 0), Self.walk(north: 1)])
    let advice = try await scene.advise(Self.options([minor, major]))
    #expect(advice.proposals.map(\.change.before.first?.id) == ["b-major", "a-minor"])
    #expect(advice.proposals.map { advice.points($0.effect) } == [4, 2])
    #expect(advice.best == 6)
    // A gain of 2 counts 4 for the more important story and 2 for the other.
    let large = try await scene.advise(Self.options([minor, major]) { $0.leastGain = 3 })
    #expect(large.proposals.map(\.change.before.first?.id) == ["b-major"])
  }

  @Test("A chosen story is neither dropped nor merged away, even if no walk comes near")
  func keepsChosen() async throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let scene = try AdviceScene(seed: seed, persons: 3)
      let chosen = scene.places.indices.filter { $0 % 3 != 2 }.map { scene.places[$0] }
      let ids = Set(chosen.map(\.id))
      var options = AdviceScene.options { $0.kinds = [.merge, .drop] }
      options.purpose = AdvicePurpose(chosen)
      for proposal in try await scene.advise(options).proposals {
        let stays = proposal.change.after.map { ids.contains($0.id) } ?? false
        #expect(stays || proposal.change.removed.allSatisfy { !ids.contains($0.id) })
      }
    }
  }

  @Test(
    "Passing over what cannot win changes nothing with a purpose either",
    arguments: 1...3 as ClosedRange<UInt64>)
  func bound(seed: UInt64) async throws {
    let scene = try AdviceScene(seed: seed, persons: 3, placeCount: 24)
    let chosen = scene.places.enumerated().filter { $0.offset % 2 == 0 }.map { number, place in
      var place = place
      place.priority = number % 5
      return place
    }
    var options = AdviceScene.options { $0.mostChanges = 3 }
    options.purpose = AdvicePurpose(chosen)
    let advice = try await scene.advise(options)
    options.skipsHopeless = false
    let all = try await scene.advise(options)
    #expect(advice.proposals == all.proposals)
    #expect(advice.tried < all.tried)
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
    let radius = try await near.advise(options).proposals.first?.change.after?.radiusMeters
    #expect(try #require(radius) > 800)
    #expect(try #require(radius) <= AdviceOptions.greatestRadiusMeters)
  }
}

@Suite("The best that changes can reach")
struct BestPossibleTests {
  /// Some changes, each of one story or of the rule.
  private struct Plan {
    var changes: [String: Place?] = [:]
    var session: TrackSession.Options
  }

  /// All single changes on a grid: five radii, removal, four moves, and another rule.
  private static func singles(
    _ places: [Place], _ kinds: Set<AdviceOptions.Kind>
  ) -> [(inout Plan) -> Void] {
    var singles: [(inout Plan) -> Void] = []
    for place in places {
      if kinds.contains(.radius) {
        for radius in stride(from: 100.0, through: 300, by: 50) {
          singles.append {
            var after = ($0.changes[place.id] ?? place) ?? place
            after.radiusMeters = radius
            $0.changes[place.id] = after
          }
        }
      }
      if kinds.contains(.drop) { singles.append { $0.changes[place.id] = .some(nil) } }
      guard kinds.contains(.position) else { continue }
      for azimuth in stride(from: 0.0, to: 360, by: 90) {
        singles.append {
          var after = ($0.changes[place.id] ?? place) ?? place
          after.coordinate = Geodesic.direct(
            from: place.coordinate, azimuthDegrees: azimuth, distanceMeters: 50)
          $0.changes[place.id] = after
        }
      }
    }
    if kinds.contains(.rule) { singles.append { $0.session.monitoring.refresh = .adaptive } }
    return singles
  }

  @Test(
    "Not even the best of all pairs of changes on a grid exceeds the stated bound",
    arguments: [
      (1, [AdviceOptions.Kind.radius]), (2, [.radius, .drop]),
      (3, [.radius, .position, .rule]),
    ])
  func bruteForce(seed: Int, kinds: [AdviceOptions.Kind]) async throws {
    var scene = try AdviceScene(seed: UInt64(seed), persons: 2, placeCount: 5)
    for index in scene.places.indices {
      scene.places[index].publishedMilliseconds = nil
      scene.places[index].priority = index % 2
    }
    var options = AdviceScene.options {
      $0.kinds = Set(kinds)
      $0.session.monitoring.limit = 2
      $0.mostRegions = 2
      $0.mostChanges = 2
    }
    options.purpose = AdvicePurpose(scene.places)
    let advice = try await scene.advise(options)
    let bound = try #require(advice.best)
    let reached = options.points(of: advice.effect.after)
    #expect(reached <= bound)
    let singles = Self.singles(scene.places, options.kinds)
    var best = 0
    for first in singles.indices {
      for second in first..<singles.count {
        var plan = Plan(session: options.session)
        singles[first](&plan)
        singles[second](&plan)
        let claim = try await scene.analyze(
          PlaceChanges(plan.changes).applied(to: scene.places), plan.session)
        best = max(
          best, claim.stories.reduce(0) { $0 + options.weight(of: $1.key) * $1.value.alerts })
      }
    }
    #expect(best <= bound)
    // Where slots are not contested, the greedy search is the best and is known to be.
    #expect(reached >= best || kinds != [.radius])
  }

  @Test("Where nothing can be gained the bound says so")
  func tight() async throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let scene = try AdviceScene(seed: seed, persons: 3, placeCount: 30)
      let options = AdviceScene.options {
        $0.kinds = [.drop]
        $0.session.monitoring.limit = nil
      }
      let advice = try await scene.advise(options)
      // Removing stories frees no slot, so nothing is to be gained.
      #expect(advice.best == options.points(of: advice.effect.after))
    }
  }

  @Test("Nothing is claimed where a circle can be entered any number of times")
  func unknown() async throws {
    let scene = try AdviceScene(seed: 3, persons: 2)
    #expect(try await scene.advise(AdviceScene.options()).best != nil)
    let changes: [(inout AdviceOptions) -> Void] = [
      { $0.session.alerts.cooldown = .none },
      { $0.session.alerts.maxAlertSpeedMetersPerSecond = 5 },
      { $0.session.monitoring.initial = .enter },
    ]
    for change in changes {
      #expect(try await scene.advise(AdviceScene.options(change)).best == nil)
    }
  }
}
