import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones
import Foundation
import SampleStories
import TestSupport
import Testing

/// What other engines document of themselves, or test, and what a session with their profile says.
@Suite("Engines by their own documentation")
struct EngineCaseTests {
  /// A case of `Data/conformance/profiles`.
  struct Case: Decodable, CustomTestStringConvertible {
    struct Rule: Decodable { var profile: String }

    struct Region: Decodable {
      var id: String
      var lat: Double
      var lon: Double
      var radius: Double
    }

    struct Position: Decodable {
      var time: String
      var lat: Double
      var lon: Double
      var accuracy: Float?
    }

    struct Occurrence: Decodable, Equatable {
      var type: String
      var place: String
      var fix: Int
    }

    var `case`: String
    var says: String
    var rule: Rule
    var places: [Region]
    var fixes: [Position]
    var events: [Occurrence]

    var testDescription: String { "\(`case`): \(says)" }

    /// Every case in the folder of a profile.
    static let all: [Case] = {
      let folder = Document.project.appendingPathComponent("Data/conformance/profiles")
      let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().map { name in
        do {
          return try JSONDecoder().decode(
            Case.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
        } catch {
          fatalError("\(name): \(error)")
        }
      }
    }()
  }

  @Test("There are cases of every engine that is not a phone's own")
  func engines() {
    let engines = Set(Case.all.map(\.rule.profile))
    #expect(engines == ["aws", "esri", "home-assistant", "owntracks", "tile38", "traccar"])
    #expect(Set(Case.all.map(\.case)).count == Case.all.count)
  }

  @Test("An engine's profile gives the events that the engine documents", arguments: Case.all)
  func events(of one: Case) throws {
    let profile = try #require(BuiltInProfile(rawValue: one.rule.profile)).profile
    let rules = PhoneRules(profile)
    var options = TrackSessionOptions()
    rules.apply(to: &options)
    let places = one.places.map {
      Place(
        id: $0.id, coordinate: Coordinate(latitudeDegrees: $0.lat, longitudeDegrees: $0.lon),
        radiusMeters: $0.radius)
    }
    var session = TrackSession(
      name: one.case, source: try PlaceIndex(rules.noticed(places)), options: options)
    var found: [Case.Occurrence] = []
    let note = { (event: Event) in
      if let line = EventLine(event), let place = line.place {
        found.append(Case.Occurrence(type: line.type, place: place, fix: line.fix))
      }
    }
    let clock = ISO8601DateFormatter()
    for position in one.fixes {
      let time = try #require(clock.date(from: position.time)).timeIntervalSince1970
      session.follow(
        Fix(
          coordinate: Coordinate(
            latitudeDegrees: position.lat, longitudeDegrees: position.lon),
          timeMilliseconds: Int64(time * 1000), accuracyMeters: position.accuracy ?? .nan),
        emit: note)
    }
    session.finish(rejected: [:], emit: note)
    #expect(found == one.events, "\(one.says)")
  }
}
