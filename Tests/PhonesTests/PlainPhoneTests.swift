import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones
import Foundation
import TestSupport
import Testing

/// Simulated phones beside a model that was written from the guide and shares no code.
///
/// `Data/phones/plain_phone.py` computes the tables with 100,000 trials a row.
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

  private static func rows(_ name: String) -> [[Substring]] {
    let file = Document.project.appendingPathComponent("Data/phones/\(name).csv")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
  }

  static let ways: [Way] = {
    rows("straight-ways").compactMap { fields in
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

  /// Sets a fault of the table; `own` keeps those of the profile.
  private static func set(_ fault: Substring, in faults: inout PhoneProfile.Faults) {
    switch fault {
    case "none", "own": break
    case "repeated": faults.repeatedShare.value = 0.4
    case "false-on-add": faults.falseOnAddShare.value = 0.3
    case "silent":
      faults.silencesPerHour.value = 3
      faults.silenceSeconds.value = .constant(600)
    case "stale": faults.staleLookupShare.value = 0.5
    case "no-regions": faults.noRegionsShare.value = 0.25
    case "late":
      faults.lateShare.value = 0.5
      faults.lateSeconds.value = .constant(1200)
    default: Issue.record("unknown fault \(fault)")
    }
  }

  @Test("agrees on what each fault of a system adds and loses")
  func systemFaults() throws {
    let rows = Self.rows("faults")
    #expect(rows.count == 27)
    for row in rows {
      var profile = try #require(BuiltInProfile(rawValue: String(row[0]))).profile
      Self.set(row[1], in: &profile.faults)
      let side = try #require(CrossingSide(rawValue: String(row[2])))
      let numbers = row.dropFirst(3).compactMap { Double($0) }
      let (pace, half, apart) = (numbers[0], numbers[1], numbers[2])
      let path = PhonePath(
        stride(from: -half, through: half, by: 100).map {
          PhonePath.Fix(seconds: ($0 + half) / pace, coordinate: Self.point($0))
        })
      let simulation = PhoneSimulation(
        profile: profile, options: .init(trials: Self.trials, seed: 4, event: side), path: path,
        trackKey: 6)
      let passages = [0, -apart].map { east in
        StoryPassage(
          PhoneStory(key: 8, coordinate: Self.point(east), radiusMeters: 150), on: path)
      }
      // Of the two circles, the phone watches the nearer at each lookup.
      let chance = simulation.chances(of: passages) { fix in
        apart > 0 && 100 * Double(fix) - half <= -apart / 2 ? [1] : [0]
      }[0]
      let others =
        Double(chance.runs.falseAlerts + chance.runs.laterAlerts) / Double(Self.trials)
      #expect(abs(chance.share(.alert) - numbers[3]) <= 0.02, "\(row): \(chance.share(.alert))")
      #expect(abs(others - numbers[4]) <= 0.03, "\(row): \(others)")
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

  private static let trials = 10_000

  /// At the equator a degree of longitude has 111,319.49 m, one of latitude 110,574 m.
  private static func point(_ east: Double, _ north: Double = 0) -> Coordinate {
    Coordinate(latitudeDegrees: north / 110_574, longitudeDegrees: 20 + east / 111_319.49)
  }

  private static func chance(
    _ profile: PhoneProfile, _ way: Way, trials: Int = trials
  ) -> StoryChance {
    let path = PhonePath([
      .init(seconds: 0, coordinate: point(-way.half, way.offset)),
      .init(
        seconds: 2 * way.half / way.metersPerSecond, coordinate: point(way.half, way.offset)),
    ])
    let simulation = PhoneSimulation(
      profile: profile, options: .init(trials: trials, seed: 3, event: way.side), path: path,
      trackKey: 5)
    let story = PhoneStory(key: 7, coordinate: point(0), radiusMeters: way.radius)
    return simulation.chances(of: [StoryPassage(story, on: path)]) { _ in [0] }[0]
  }
}
