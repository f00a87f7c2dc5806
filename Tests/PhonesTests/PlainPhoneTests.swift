import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones
import Foundation
import TestSupport
import Testing

/// Simulated phones beside a model that was written from the guide and shares no code.
///
/// `Data/phones/plain_phone.py` computes the table with 100,000 trials a row.
@Suite("An independent model of a phone")
struct PlainPhoneTests {
  struct Way: Sendable, CustomStringConvertible {
    var profile: BuiltInProfile
    var side: CrossingSide
    var metersPerSecond, radius, offset, half, probability: Double
    var description: String {
      "\(profile.rawValue) \(side) at \(metersPerSecond) m/s, \(radius) m, \(offset) m beside"
    }
  }

  static let ways: [Way] = {
    let file = Document.project.appendingPathComponent("Data/phones/straight-ways.csv")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: ",")
      let numbers = fields.dropFirst(2).compactMap { Double($0) }
      guard fields.count == 7, numbers.count == 5,
        let profile = BuiltInProfile(rawValue: String(fields[0])),
        let side = CrossingSide(rawValue: String(fields[1]))
      else { return nil }
      return Way(
        profile: profile, side: side, metersPerSecond: numbers[0], radius: numbers[1],
        offset: numbers[2], half: numbers[3], probability: numbers[4])
    }
  }()

  @Test("agrees within 0.02 for enters and exits at five speeds on two phones")
  func straightWays() {
    #expect(Self.ways.count == 30)
    for way in Self.ways {
      let chance = Self.chance(way.profile.profile, way)
      #expect(
        abs(chance.share(.alert) - way.probability) <= 0.02,
        "\(way): \(chance.share(.alert)), not \(way.probability)")
      #expect(chance.trials == Self.trials)
    }
  }

  @Test("A position that is less sure never makes an alert more likely")
  func worsePositions() {
    for way in Self.ways where way.radius == 100 && way.profile == .iphone && way.side == .exit {
      var last = 1.0
      for sigma in [1.0, 50, 100] {
        var profile = way.profile.profile
        profile.position.sigmaMeters[.residential].value = sigma
        let share = Self.chance(profile, way, trials: 1000).share(.alert)
        #expect(share <= last + 0.04, "\(way), \(sigma) m: \(share) after \(last)")
        last = share
      }
    }
  }

  private static let trials = 4000

  private static func chance(
    _ profile: PhoneProfile, _ way: Way, trials: Int = trials
  ) -> StoryChance {
    let center = Coordinate(latitudeDegrees: 0, longitudeDegrees: 20)
    // At the equator a degree of longitude has 111,319.49 m, one of latitude 110,574 m.
    func point(_ east: Double) -> Coordinate {
      Coordinate(
        latitudeDegrees: way.offset / 110_574, longitudeDegrees: 20 + east / 111_319.49)
    }
    let path = PhonePath([
      .init(seconds: 0, coordinate: point(-way.half)),
      .init(seconds: 2 * way.half / way.metersPerSecond, coordinate: point(way.half)),
    ])
    let simulation = PhoneSimulation(
      profile: profile, options: .init(trials: trials, seed: 3, event: way.side), path: path,
      trackKey: 5)
    let story = PhoneStory(key: 7, coordinate: center, radiusMeters: way.radius)
    return simulation.chances(of: [story]) { _ in [0] }[0]
  }
}
