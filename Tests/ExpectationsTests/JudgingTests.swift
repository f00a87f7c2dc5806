import FencepostExpectations
import FencepostFormats
import Testing

// The walk passes the gate's edge after 150 m, at 17:01:47, and the mill's after 550 m, at 17:06:33.

@Suite("What a walk is held to")
struct JudgingTests {
  @Test(
    "passes what happened",
    arguments: [
      #"{"alert": "gate"}"#, #"{"alert": "City Gate"}"#, #"{"alert": {"category": "history"}}"#,
      #"{"alert": {"title": "gate"}}"#,
      #"{"alert": "gate", "between": ["17:01:40", "17:01:55"]}"#,
      #"{"alert": "gate", "between": ["23:00", "17:02"]}"#,
      #"{"alert": "gate", "between": ["2026-03-04T17:01:00Z", "2026-03-04T17:02:00Z"]}"#,
      #"{"alert": "gate", "within": "50m"}"#,
      #"{"alert": "gate", "within": 10, "of": [40, -74.99824]}"#,
      #"{"no-alert": "mill"}"#, #"{"no-alert": {"category": "sports"}}"#,
      #"{"suppressed": "mill"}"#, #"{"suppressed": "mill", "reason": "expired"}"#,
      #"{"at-most": 1}"#, #"{"at-least": {"alerts": 1, "per": "day"}}"#,
      #"{"at-most": {"alerts": 0, "of": {"category": "food"}}}"#,
    ])
  func passes(expect: String) throws {
    let finding = try Cases.findings(expect)[0]
    #expect(finding.outcome == .passed, "\(finding.found)")
    #expect(finding.found.isEmpty && finding.reasons.isEmpty)
  }

  @Test(
    "fails what did not, and says what happened instead",
    arguments: [
      (#"{"alert": "mill"}"#, "no alert"),
      (#"{"alert": "gate", "between": ["17:05", "17:06"]}"#, "gate at 17:01:47"),
      (#"{"alert": "gate", "within": "40m"}"#, "gate at 17:01:47"),
      (#"{"alert": {"category": "food"}}"#, "no alert"),
      (#"{"no-alert": {"category": "history"}}"#, "gate at 17:01:47"),
      (#"{"suppressed": "gate"}"#, "gate at 17:01:47"),
      (#"{"suppressed": "mill", "reason": "cooldown"}"#, "mill held back (expired) at 17:06:32"),
      (#"{"at-most": 0}"#, "1 alert: gate at 17:01:47"),
      (#"{"at-least": {"alerts": 2, "per": "day"}}"#, "1 alert on 2026-03-04: gate at 17:01:47"),
      (#"{"order": ["mill", "gate"]}"#, "no alert of mill"),
      (#"{"certified": true}"#, "no certificate, which needs refresh: adaptive"),
      (#"{"alert": "gate", "probability": ">= 0.5"}"#, "no simulated phone. A probability"),
      (#"{"no-alert": {"category": "sprots"}}"#, "there is not a story with category sprots"),
      (#"{"alert": "gate house"}"#, "no story matches “gate house”. Similar: gate (City Gate)"),
    ])
  func fails(expect: String, found: String) throws {
    let finding = try Cases.findings(expect)[0]
    #expect(finding.outcome == .failed)
    #expect(finding.found.hasPrefix(found), "\(finding.found)")
  }

  @Test("explains a failure in three sentences")
  func explains() throws {
    let held = try Cases.findings(#"{"alert": "mill"}"#)[0].reasons
    #expect(held.count == 3)
    #expect(held[0].hasPrefix("The walk entered the circle of Old Mill at 2026-03-04T17:06:32"))
    #expect(held[0].hasSuffix("but the rules held the alert back (expired)."))
    #expect(held[1].hasPrefix("It came within 0"))
    #expect(held[1].hasSuffix("50 m inside the edge."))
    #expect(held[2].hasPrefix("The rule “validity” decided: entered 2026-03-04T17:06:32"))
    let far = try Cases.findings(#"{"alert": "far"}"#)[0].reasons
    #expect(far[0] == "The walk never came into the circle of Far away.")
    #expect(far[2].hasPrefix("A radius of 111"))
    let missed = try Cases.run(
      """
      {"places": [{"id": "a", "lat": 40, "lon": -74.998, "radius": 50},
                  {"id": "b", "lat": 40, "lon": -74.997, "radius": 50}],
       "rules": {"limit": 1},
       "cases": [{"name": "n", "track": \(Cases.street), "expect": [{"alert": "b"}]}]}
      """)[0].findings[0].reasons
    #expect(missed[0].hasSuffix("but the phone was not watching it."))
    #expect(missed[2].hasPrefix("At the last lookup it was number 2 by distance"))
    #expect(missed[2].hasSuffix("and the phone watched only 1."))
  }

  @Test("carries cooldowns from walk to walk of a reader")
  func persons() throws {
    let walks = "[\(Cases.street), \(Cases.street.replacing("03-04", with: "03-06"))]"
    let both = #"{"at-most": {"alerts": 0}}, {"suppressed": "gate", "reason": "cooldown"}"#
    let findings = try Cases.findings(both, track: walks)
    #expect(findings.map(\.outcome) == [.failed, .passed])
    #expect(findings[0].found == "1 alert on way points: gate at 2026-03-04T17:01:47.015Z")
    let free = try Cases.findings(both, rules: #"{"cooldown": "none"}"#, track: walks)
    #expect(free[1].outcome == .failed)
  }

  @Test("judges order by the first alerts")
  func order() throws {
    let back = Cases.street.replacing(
      "[[40, -75], [40, -74.9883]]", with: "[[40, -74.9883], [40, -75]]")
    let places = #"""
      "places": [{"id": "a", "lat": 40, "lon": -74.998}, {"id": "b", "lat": 40, "lon": -74.99}]
      """#
    let results = try Cases.run(
      """
      {\(places), "cases": [
        {"name": "there", "track": \(Cases.street), "expect": [{"order": ["a", "b"]}]},
        {"name": "back", "track": \(back), "expect": [{"order": ["a", "b"]}]}]}
      """)
    #expect(results.map(\.isPassed) == [true, false])
    #expect(results[1].findings[0].found.hasPrefix("b at 17:00"))
  }

  @Test("decides a probability by its interval, and says when it cannot")
  func probability() throws {
    func outcome(_ bound: String, most: Int) throws -> CaseResult.Finding {
      try Cases.run(
        """
        {"places": "../stories/philadelphia.csv", "rules": {"refresh": "adaptive"}, "cases": [
          {"name": "n", "track": "walk.gpx", "profile": "iphone",
           "expect": [{"alert": "reading-terminal-market", "probability": "\(bound)"}]}]}
        """, mostTrials: most)[0].findings[0]
    }
    let text = try outcome(">= 0.999", most: 50).found
    let share = try #require(text.firstMatch(of: /^(\d+\.\d) %/).flatMap { Double($0.1) }) / 100
    #expect(text.contains("simulations alerted (95 % interval"))
    if share > 0.2, share < 0.8 {
      #expect(try outcome(">= \(share - 0.19)", most: 2000).outcome == .passed)
      #expect(try outcome("<= \(share + 0.19)", most: 2000).outcome == .passed)
      let unclear = try outcome(">= \(share)", most: 50)
      #expect(unclear.outcome == .undecided)
      #expect(unclear.found.hasSuffix("which does not decide it"))
    }
    let held = try outcome("<= 0.01", most: 50)
    #expect(held.outcome == .failed && held.reasons.count == 3)
  }

  @Test("refuses a case that expects nothing, and a walk that is missing")
  func refusals() throws {
    #expect(throws: JSONPathError.self) { try Cases.findings("") }
    #expect(
      throws: JSONPathError(
        path: "cases[0].track", sentence: "\(Cases.folder)none.gpx: no such file")
    ) {
      try Cases.findings(#"{"at-most": 1}"#, track: #""none.gpx""#)
    }
  }
}
