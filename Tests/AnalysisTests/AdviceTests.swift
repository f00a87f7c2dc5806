import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import SampleStories
import TestSupport
import Testing

@Suite("Advice")
struct AdviceTests {
  /// A rule, and what else differs, by name.
  static let settings = ["fixed", "edge", "adaptive", "none", "held", "margin", "untimed"]

  static func options(_ setting: String) -> AdviceOptions {
    AdviceScene.options {
      switch setting {
      case "edge": $0.session.monitoring.rank = .edge
      case "adaptive": $0.session.monitoring.refresh = .adaptive
      case "none": $0.session.monitoring.limit = nil
      case "held": $0.session.monitoring.confirmation.holdMilliseconds = 20_000
      case "margin": $0.session.monitoring.exitMarginMeters = 30
      default: break
      }
      if setting == "edge" { $0.session.alerts.cooldown = .none }
      if setting == "adaptive" { $0.session.alerts.cooldown = .forever }
    }
  }

  private static func scene(_ seed: UInt64, _ setting: String) throws -> AdviceScene {
    try AdviceScene(seed: seed, persons: 3, walks: 2, isTimed: setting != "untimed")
  }

  @Test("The claimed totals are those of an analysis with the changes made", arguments: settings)
  func totals(setting: String) async throws {
    var proposals = 0
    for seed in 1...2 as ClosedRange<UInt64> {
      let scene = try Self.scene(seed, setting)
      let options = Self.options(setting)
      let advice = try await scene.advise(options)
      #expect(
        AdviceScene.Claim(advice.effect.before)
          == (try await scene.analyze(scene.places, options.session)))
      #expect(
        AdviceScene.Claim(advice.effect.after)
          == (try await scene.analyze(advice.places, advice.session)))
      proposals += advice.proposals.count
    }
    #expect(proposals > 2)
  }

  @Test("The gain of each proposal is the difference of two analyses", arguments: settings)
  func gains(setting: String) async throws {
    let scene = try Self.scene(7, setting)
    let options = Self.options(setting)
    let advice = try await scene.advise(options)
    var changes: [String: Place?] = [:]
    var session = options.session
    var before = try await scene.analyze(scene.places, session)
    for proposal in advice.proposals {
      if let (_, after) = proposal.change.story { changes[after.id] = after }
      if let rule = proposal.change.rule { session.monitoring = rule }
      let after = try await scene.analyze(
        PlaceChanges(changes).applied(to: scene.places), session)
      #expect(proposal.effect.alerts == after.counts.alerts - before.counts.alerts)
      #expect(proposal.effect.persons == after.reached - before.reached)
      #expect(proposal.effect.refreshes == after.refreshes - before.refreshes)
      #expect(proposal.effect.alerts >= 1)
      before = after
    }
    #expect(!advice.proposals.isEmpty)
  }

  @Test("Neither the number of jobs nor the order of the persons matters")
  func jobs() async throws {
    var scene = try AdviceScene(seed: 4, persons: 4, walks: 2)
    let one = try await scene.advise(AdviceScene.options())
    let three = try await scene.advise(AdviceScene.options { $0.jobs = 3 })
    #expect(one.proposals == three.proposals)
    #expect(one.tried == three.tried)
    scene.groups.reverse()
    let reversed = try await scene.advise(AdviceScene.options())
    #expect(one.proposals.map(\.change) == reversed.proposals.map(\.change))
    #expect(one.effect == reversed.effect)
  }

  @Test("No radius, tried blindly, gains more than the one that is proposed")
  func blindRadii() async throws {
    let scene = try AdviceScene(seed: 11, persons: 3, placeCount: 20)
    let options = AdviceScene.options {
      $0.kinds = [.radius]
      $0.mostChanges = 1
    }
    let advice = try await scene.advise(options)
    let best = try #require(advice.proposals.first)
    let before = try await scene.analyze(scene.places, options.session).counts.alerts
    for index in scene.places.indices {
      for radius in stride(from: 100.0, through: 300, by: 40) {
        var places = scene.places
        places[index].radiusMeters = radius
        let gain = try await scene.analyze(places, options.session).counts.alerts - before
        #expect(gain <= best.effect.alerts, "\(places[index].id) \(radius)")
      }
    }
  }

  @Test("Changes stay within their bounds, and only the wanted kinds are proposed")
  func bounds() async throws {
    let scene = try AdviceScene(seed: 6, persons: 4, placeCount: 60)
    for kind in AdviceOptions.Kind.allCases {
      let advice = try await scene.advise(
        AdviceScene.options {
          $0.kinds = [kind]
          $0.radiusRangeMeters = 120...170
          $0.moveWithinMeters = 80
          $0.mostChanges = 4
        })
      for change in advice.proposals.map(\.change) {
        #expect(change.kind == kind)
        guard let (before, after) = change.story else { continue }
        switch kind {
        case .radius:
          #expect((120...170).contains(after.radiusMeters))
          #expect(after.radiusMeters.truncatingRemainder(dividingBy: 5) == 0)
        case .position:
          let moved = Geodesic.distanceMeters(before.coordinate, after.coordinate)
          #expect(moved > 0 && moved <= 80.2)
          for other in advice.places where other.id != after.id {
            #expect(Geodesic.distanceMeters(other.coordinate, after.coordinate) > 10)
          }
        case .rule: break
        }
      }
      #expect(!advice.proposals.isEmpty)
    }
  }

  @Test("Nothing is proposed where nothing can be gained")
  func nothing() async throws {
    let far = Geodesic.direct(
      from: AdviceScene.center, azimuthDegrees: 10, distanceMeters: 50_000)
    let place = Place(id: "far", coordinate: far, radiusMeters: 100)
    let walk = (0..<10).map {
      Geodesic.direct(
        from: AdviceScene.center, azimuthDegrees: 90, distanceMeters: Double($0) * 50)
    }
    let scene = try AdviceScene(places: [place], paths: [walk])
    let advice = try await scene.advise(AdviceScene.options())
    #expect(advice.proposals.isEmpty)
    #expect(advice.effect.before == advice.effect.after)
    #expect(advice.places == [place].map { AdviceTests.keyed($0) })
    let none = try await AdviceScene(places: [], paths: [walk]).advise(AdviceScene.options())
    #expect(none.proposals.isEmpty)
  }

  private static func keyed(_ place: Place) -> Place {
    var place = place
    place.key = 1
    return place
  }
}
