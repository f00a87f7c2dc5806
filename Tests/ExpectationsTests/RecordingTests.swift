import FencepostSession
import FencepostAnalysis
import FencepostExpectations
import FencepostFormats
import FencepostMonitoring
import Foundation
import SampleStories
import Testing

@Suite("Recorded story tests")
struct RecordingTests {
  private static let tracks = [
    "walk.gpx", "walk.nmea", "ride.csv", "ride.gpsd.jsonl", "ride.owntracks.jsonl", "drive.gpx",
    "drive.nmea", "standstill.gpx",
  ]

  private static func skeleton(_ track: String, rules: String) -> String {
    """
    {"places": "../stories/philadelphia.csv", "rules": \(rules),
     "cases": [{"name": "recorded", "track": "\(track)"}]}
    """
  }

  /// A document with expectations in its only case.
  private static func filled(_ json: String, _ expect: [JSONValue]) throws -> CaseFile {
    guard case .object(var members) = try JSONValue(parsing: json),
      let cases = members.lastIndex(where: { $0.key == "cases" }),
      case .array(let list) = members[cases].value, case .object(var story) = list[0]
    else { throw CocoaError(.coderReadCorrupt) }
    story.append(.init(key: "expect", value: .array(expect)))
    members[cases].value = .array([.object(story)])
    return try CaseFile(JSONNode(.object(members))) { _ in [] }
  }

  @Test(
    "pass on the walk they were recorded on",
    arguments: tracks, [#"{}"#, #"{"refresh": "adaptive"}"#, #"{"cooldown": "none", "limit": 5}"#])
  func roundTrip(track: String, rules: String) throws {
    let json = Self.skeleton(track, rules: rules)
    let recorded = try Cases.runner(Cases.file(json)).recorded()
    let expect = try #require(recorded["cases[0]"])
    #expect(!expect.isEmpty)
    let result = try Cases.runner(try Self.filled(json, expect)).run()[0]
    #expect(result.isPassed, "\(result.failures.map(\.found))")
    #expect(result.findings.count == expect.count)
  }

  /// The time of every alert and entry held back, as a replay reports them.
  private func replayed(_ track: String, adaptive: Bool) throws -> [String] {
    try SampleStories.replay(SampleStories.track(track), selection: [.alert, .suppressed]) {
      if adaptive { $0.session.monitoring.refresh = .adaptive }
    }.events.compactMap { event in
      switch event {
      case .alert(let encounter, _): "alert \(encounter.placeID)"
      case .suppressed(let encounter, let reason): "\(reason) \(encounter.placeID)"
      default: nil
      }
    }
  }

  @Test("are of the run that replay shows", arguments: tracks, [false, true])
  func sameAsReplay(track: String, adaptive: Bool) throws {
    let rules = adaptive ? #"{"refresh": "adaptive"}"# : "{}"
    let recorded = try Cases.runner(Cases.file(Self.skeleton(track, rules: rules))).recorded()
    let lines = try #require(recorded["cases[0]"]).compactMap { value -> String? in
      if let story = value["alert"]?.string { return "alert \(story)" }
      return value["suppressed"]?.string.map { "\(value["reason"]?.string ?? "") \($0)" }
    }
    #expect(try lines.sorted() == replayed(track, adaptive: adaptive).sorted())
  }

  @Test("hold the share of phones that alert, which the same simulation keeps")
  func phones() throws {
    let json = Self.skeleton("walk.gpx", rules: #"{"profile": "iphone"}"#)
    let runner = try Cases.runner(Cases.file(json))
    let expect = try #require(try runner.recorded()["cases[0]"])
    #expect(expect.count > 5 && expect.contains { $0["probability"] != nil })
    let titles = expect.compactMap { runner.title(of: $0) }
    #expect(titles.count == expect.count && titles.contains("Independence Hall") || !titles.isEmpty)
    let result = try Cases.runner(try Self.filled(json, expect)).run()[0]
    #expect(result.isPassed, "\(result.failures.map(\.found))")
  }

  @Test("are not made of a table of parameters")
  func table() throws {
    let json = """
      {"places": "../stories/philadelphia.csv", "cases": [
        {"name": "n", "track": "walk.gpx", "parameters": [{"a": 1}, {"a": 2}]}]}
      """
    #expect(throws: JSONPathError.self) { try Cases.runner(Cases.file(json)).recorded() }
  }
}
