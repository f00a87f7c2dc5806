import FencepostExpectations
import FencepostFormats
import Testing

@Suite("A file of story tests")
struct CaseFileTests {
  private static let places = #""places": [{"id": "a", "lat": 40, "lon": -75}]"#

  private func fault(_ json: String) throws -> String {
    do {
      _ = try Cases.file(json)
      return "none"
    } catch let error as JSONPathError {
      return error.description
    }
  }

  @Test(
    "names the value that is wrong",
    arguments: [
      (#"{"places": "s.csv"}"#, #"the document: "cases" is missing"#),
      (#"{"places": "s.csv", "cases": []}"#, "cases: there is no case"),
      (#"{"places": "s.csv", "cases": [{"track": "w"}]}"#, #"cases[0]: "name" is missing"#),
      (
        #"{"places": "s.csv", "cases": [{"name": "n"}]}"#,
        #"cases[0]: needs either "track" or "person""#
      ),
      (
        #"{"places": "s.csv", "cases": [{"name": "n", "person": "eve"}]}"#,
        "cases[0].person: is not one of the file's persons"
      ),
      (
        #"{"places": "s.csv", "cases": [{"name": "n", "track": "w"}, {"name": "n", "track": "v"}]}"#,
        "cases[1]: “n” is the name of an earlier case"
      ),
      (
        #"{"places": [{"id": "a", "lat": 95, "lon": 0}], "cases": []}"#,
        "places[0].lat: must be within ±90°, and lon within ±180°"
      ),
      (
        #"{"places": [{"id": "a", "lat": 5, "lon": 0, "radius": "wide"}], "cases": []}"#,
        "places[0].radius: must be a distance such as 80m"
      ),
    ])
  func document(json: String, sentence: String) throws {
    #expect(try fault(json) == sentence)
  }

  @Test(
    "names the expectation that is wrong",
    arguments: [
      (#"{"alarm": "a"}"#, ".alarm: “alarm” is unknown here; use one of alert, no-alert"),
      ("{}", ": is empty; use one of alert, no-alert"),
      (#"{"alert": "a", "betwen": []}"#, ".betwen: “betwen” is unknown here; use alert, between"),
      (#"{"alert": "a", "between": ["17:10"]}"#, ".between: must be two times"),
      (#"{"alert": "a", "between": ["17:10", "2026-03-04T18:00Z"]}"#, ".between: must be two"),
      (#"{"alert": "a", "between": ["25:10", "26:00"]}"#, ".between[0]: expected a time"),
      (#"{"alert": {"kind": "x"}}"#, ".alert.kind: “kind” is unknown here"),
      (#"{"alert": {}}"#, ".alert: needs category, title or id"),
      (#"{"alert": "a", "of": [1, 2]}"#, ".of: needs “within”, a distance"),
      (#"{"suppressed": "a", "reason": "tired"}"#, ".reason: must be one of not-published"),
      (#"{"at-most": -1}"#, ".at-most: must not be negative"),
      (#"{"at-most": {"alerts": 2, "per": "week"}}"#, ".at-most.per: must be track or day"),
      (#"{"order": ["a"]}"#, ".order: an order needs at least two stories"),
      (#"{"reminder-shown": "a", "reason": "x"}"#, ".reason: “reason” is unknown here"),
      (#"{"reminder-lost": ["a"]}"#, ".reminder-lost: must be a text, not an array"),
      (#"{"certified": "yes"}"#, ".certified: expected true or false, found a string"),
      (#"{"alert": "a", "probability": ">= 1.5"}"#, ".probability: must be a bound"),
      (#"{"alert": {"id": "a"}, "probability": 0.5}"#, ".probability: is that of one story"),
    ])
  func expectation(json: String, sentence: String) throws {
    let found = try fault(
      "{\(Self.places), \"cases\": [{\"name\": \"n\", \"track\": \"w\", \"expect\": [\(json)]}]}")
    #expect(found.hasPrefix("cases[0].expect[0]" + sentence), "\(found)")
  }

  @Test(
    "names the way point that is wrong",
    arguments: [
      (#"{"points": [[40, -75]], "start": "2026-03-04"}"#, ".points: a walk needs at least two"),
      (#"{"points": [[40, -75], [95, 0]], "start": "2026-03-04"}"#, ".points[1]: is not a"),
      (#"{"points": [[40, -75], [41, 0]], "start": "2026-03-04"}"#, ": takes longer than a day"),
      (#"{"points": [[40, -75], [40, -74]]}"#, #": "start" is missing"#),
      (
        #"{"points": [[40, -75], [40, -74]], "speed": "0m/s", "start": "2026-03-04"}"#,
        ".speed: must be a speed above 0"
      ),
    ])
  func waypoints(json: String, sentence: String) throws {
    let found = try fault("{\(Self.places), \"cases\": [{\"name\": \"n\", \"track\": \(json)}]}")
    #expect(found.hasPrefix("cases[0].track" + sentence), "\(found)")
  }

  @Test("has a case for each row of a table of parameters")
  func parameters() throws {
    let track = Cases.street.replacing("}", with: #", "speed": "<speed>"}"#)
    let file = try Cases.file(
      """
      {\(Self.places), "rules": {"limit": 20, "cooldown": "none"}, "cases": [
        {"name": "at <speed>", "parameters": [{"speed": "1m/s", "n": 1}, {"speed": 30, "n": 2}],
         "rules": {"limit": "<n>"}, "track": \(track),
         "expect": [{"at-most": "<n>"}]},
        {"name": "plain", "parameters": [{"limit": 3}], "rules": {"limit": "<limit>"},
         "track": "w"}]}
      """)
    #expect(file.cases.map(\.name) == ["at 1m/s", "at 30", "plain (limit 3)"])
    #expect(file.cases.map { $0.rules.last?.values } == [["1"], ["2"], ["3"]])
    #expect(file.cases.map { $0.rules.first?.name } == ["cooldown", "cooldown", "cooldown"])
    #expect(
      file.cases[1].expectations.map(\.description) == ["at most 2 alerts per walk"])
  }

  @Test("takes rules from another file, and a case changes them")
  func rules() throws {
    let file = try Cases.file(
      """
      {\(Self.places), "rules": "city.yaml", "cases": [
        {"name": "a", "track": "w"}, {"name": "b", "track": "w", "profile": "iphone"},
        {"name": "c", "track": ["v", "w"], "rules": {"limit": 1}}]}
      """)
    #expect(
      file.cases.map { $0.rules.map(\.name) } == [["limit"], ["limit", "profile"], ["limit"]])
    #expect(file.cases.map { $0.rules[0].values } == [["3"], ["3"], ["1"]])
    #expect(file.cases[2].tracks.count == 2)
  }

  @Test("knows every file that it names")
  func files() throws {
    let file = try Cases.file(
      #"""
      {"places": "s.csv", "rules": {"reminders": "r.json"}, "persons": {"eve": ["v.gpx", "w.gpx"]},
       "cases": [{"name": "a", "person": "eve", "profile": "own.json"},
                 {"name": "b", "track": "v.gpx"}]}
      """#)
    #expect(file.files == ["s.csv", "r.json", "v.gpx", "w.gpx", "own.json"])
  }

  @Test(
    "writes values on one line that it reads as the same",
    arguments: [
      ("plain-id_2", "plain-id_2"), ("2026", #""2026""#), ("true", #""true""#), ("", #""""#),
      ("a: b", #""a: b""#), ("Straße", "Straße"), ("a\"b\n", #""a\"b\n""#), ("-x", #""-x""#),
    ])
  func flow(text: String, written: String) {
    let value = JSONValue.object([.init(key: "no-alert", value: .array([.string(text), .null]))])
    #expect(value.flowText == "{no-alert: [\(written), null]}")
    #expect(JSONValue(plain: "12.5") == .number(12.5, text: "12.5"))
  }

  @Test("finds the line of a value, or of what contains it")
  func lines() {
    let lines = ["": 1, "cases": 3, "cases[0]": 4, "cases[0].expect[1]": 9]
    #expect(lines.line(of: "cases[0].expect[1]") == 9)
    #expect(lines.line(of: "cases[0].expect[1].between[0]") == 9)
    #expect(lines.line(of: "cases[0].rules.limit") == 4)
    #expect(lines.line(of: "cases[7].name") == 3)
    #expect(lines.line(of: "places[2]") == 1)
  }
}
