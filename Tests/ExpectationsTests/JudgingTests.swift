import FencepostSession
import FencepostAnalysis
import FencepostExpectations
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import SampleStories
import Testing

// The walk passes the gate's edge after 150 m, at 17:01:47, and the mill's after 550 m, at 17:06:33.

@Suite("What a walk is held to")
struct JudgingTests {
  @Test(
    "passes what happened",
    arguments: [
      #"{"alert": "gate"}"#, #"{"alert": "City Gate"}"#, #"{"alert": {"category": "History"}}"#,
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
      (#"{"no-alert": {"category": "sprots"}}"#, "no story has the category “sprots”"),
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
    #expect(held[0].hasPrefix("The walk entered the circle of Old Mill at 2026-03-04 17:06:32"))
    #expect(held[0].hasSuffix("but the rules held the alert back."))
    #expect(held[1].hasPrefix("The story had expired: entered 2026-03-04 17:06:32"))
    #expect(held[2] == "With dates that include the walk, it would not be held back.")
    let far = try Cases.findings(#"{"alert": "far"}"#)[0].reasons
    #expect(far[0] == "The walk never came into the circle of Far away.")
    #expect(far[1].hasPrefix("It came within 1") && far[1].hasSuffix(" outside the edge."))
    #expect(far.count == 2)
    let missed = try Cases.run(
      """
      {"places": [{"id": "a", "lat": 40, "lon": -74.998, "radius": 50},
                  {"id": "b", "lat": 40, "lon": -74.997, "radius": 50}],
       "rules": {"limit": 1},
       "cases": [{"name": "n", "track": \(Cases.street), "expect": [{"alert": "b"}]}]}
      """)[0].findings[0].reasons
    #expect(missed[0].hasSuffix("but the phone was not watching it."))
    #expect(missed[1].hasPrefix("At the last lookup it was number 2 by distance"))
    #expect(missed[1].hasSuffix("and the phone watched only 1."))
    #expect(missed[2] == "Adaptive lookups come before the path reaches an unwatched circle.")
  }

  @Test("carries cooldowns from walk to walk of a reader")
  func persons() throws {
    let walks = "[\(Cases.street), \(Cases.street.replacing("03-04", with: "03-06"))]"
    let both = #"{"at-most": {"alerts": 0}}, {"suppressed": "gate", "reason": "cooldown"}"#
    let findings = try Cases.findings(both, track: walks)
    #expect(findings.map(\.outcome) == [.failed, .passed])
    #expect(findings[0].found == "1 alert on waypoints: gate at 2026-03-04 17:01:47.015")
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
    let share = try #require(text.firstMatch(of: /^(\d+) %/).flatMap { Double($0.1) }) / 100
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

  @Test("on a phone, an alert is that of at least half of the phones, and never both come true")
  func opposites() throws {
    let places = try StoryIndex(SampleAnalysis.store()).places
    let near = try WhatIf(base: places, changes: PlaceChanges(), options: TrackSessionOptions())
    let recorded = try RecordedTrack(path: SampleStories.track("walk.gpx"))
    let phone = try #require(
      try near.chances(
        on: recorded, ChanceOptions(profiles: [BuiltInProfile.iphone.profile]))?.phones.first)
    var outcomes: Set<Bool> = []
    for one in phone.stories.prefix(12) {
      let id = near.stories.stories[one.story].id
      let result = try Cases.run(
        """
        {"places": "../stories/philadelphia.csv", "cases": [
          {"name": "n", "track": "walk.gpx", "profile": "iphone",
           "expect": [{"alert": "\(id)"}, {"no-alert": "\(id)"}]}]}
        """, mostTrials: 400)[0]
      let passed = result.findings.map { $0.outcome == CaseResult.Finding.Outcome.passed }
      #expect(passed.count { $0 } < 2, "\(id)")
      let share = one.chance.shown.share
      if share > 0.65 { #expect(passed == [true, false], "\(id) \(share)") }
      if share < 0.35 { #expect(passed == [false, true], "\(id) \(share)") }
      outcomes.insert(share > 0.5)
    }
    #expect(outcomes.count == 2)
  }

  @Test(
    "on a phone, counts are those of the alerts that it shows, and order needs half of the phones")
  func countsOnPhone() throws {
    let places = try StoryIndex(SampleAnalysis.store()).places
    let near = try WhatIf(base: places, changes: PlaceChanges(), options: TrackSessionOptions())
    let recorded = try RecordedTrack(path: SampleStories.track("walk.gpx"))
    // As many trials as `Cases` simulates.
    let phone = try #require(
      try near.chances(
        on: recorded,
        ChanceOptions(
          profiles: [BuiltInProfile.iphone.profile], simulation: .init(trials: 50)))?.phones.first)
    let ids = phone.stories.sorted { $0.chance.shown.share < $1.chance.shown.share }
      .map { near.stories.stories[$0.story].id }
    let (least, most) = (Int(phone.meanAlerts), Int(phone.meanAlerts.rounded(.up)))
    func findings(_ expect: String) throws -> [CaseResult.Finding] {
      try Cases.run(
        """
        {"places": "../stories/philadelphia.csv", "cases": [
          {"name": "n", "track": "walk.gpx", "profile": "iphone", "expect": [\(expect)]}]}
        """, mostTrials: 400)[0].findings
    }
    let counts = try findings(
      """
      {"at-most": \(most)}, {"at-most": \(least - 1)}, {"at-least": \(least)}, {"at-least": \(most + 1)},
      {"at-most": {"alerts": \(most), "per": "day"}}, {"at-least": {"alerts": \(most + 1), "per": "day"}}
      """)
    #expect(
      counts.map { $0.outcome == .passed } == [true, false, true, false, true, false])
    #expect(counts[1].found.contains(/^\d+\.\d alerts on average$/))
    #expect(counts[5].found.contains(/^\d+\.\d alerts on average on 2026-\d\d-\d\d$/))
    let order = try findings(#"{"order": ["\#(ids[0])", "\#(ids[ids.count - 1])"]}"#)[0]
    #expect(order.outcome == .failed && order.found.contains("simulations alerted"))
  }

  @Test("finds reminders shown or lost as a replay with them does", arguments: [64, 21])
  func reminders(slots: Int) throws {
    let ids = ["errand.bookshop", "habit.stretch", "nudge.01", "nudge.20", "nudge.day05"]
    var fates: [String] = []
    for id in ids {
      var options = try Cases.reminders("errands.json")
      (options.run.totalLimit, options.run.explainedID) = (slots, id)
      let moments = try SampleStories.replay(SampleStories.track("walk.gpx")) {
        $0.reminders = options
      }
      .summary?.budget?.moments
      let isLost = try #require(moments).compactMap { moment -> Bool? in
        switch moment.happening {
        case .due(let record): record.shownMilliseconds == nil
        case .fired(let other): other != nil
        case .crossedUnwatched: true
        case .waits, .pending: nil
        }
      }
      let fate = isLost.contains(true) ? "lost" : "shown"
      fates.append(isLost.isEmpty ? "neither due nor crossed" : fate)
    }
    let expect = ids.map {
      #"{"reminder-shown": "\#($0)"}, {"reminder-lost": "\#($0)"}"#
    }
    let findings = try Cases.run(
      """
      {"places": "../stories/philadelphia.csv", "cases": [
        {"name": "n", "track": "walk.gpx", "expect": [\(expect.joined(separator: ", "))],
         "rules": {"reminders": "errands.json", "pending-limit": \(slots)}}]}
      """)[0].findings
    for (index, fate) in fates.enumerated() {
      let (shown, lost) = (findings[2 * index], findings[2 * index + 1])
      #expect((shown.outcome == .passed) == (fate == "shown"), "\(ids[index]): \(shown)")
      #expect((lost.outcome == .passed) == (fate == "lost"), "\(ids[index]): \(lost)")
      #expect([shown, lost].filter { $0.outcome == .failed }.allSatisfy { $0.found == fate })
    }
    #expect(Set(fates).count == (slots == 64 ? 2 : 3), "\(fates)")
  }

  @Test("bounds reminders by time, and says why they were lost")
  func reminderTimes() throws {
    func findings(
      _ expect: String, rules: String = #"{"reminders": "errands.json"}"#
    ) throws -> [CaseResult.Finding] {
      try Cases.run(
        """
        {"places": "../stories/philadelphia.csv", "rules": \(rules),
         "cases": [{"name": "n", "track": "walk.gpx", "expect": [\(expect)]}]}
        """)[0].findings
    }
    // It is due at 12:30 in New York.
    let found = try findings(
      #"""
      {"reminder-shown": "habit.stretch", "between": ["17:29", "17:31"]},
      {"reminder-shown": "habit.stretch", "between": ["17:31", "17:40"]}
      """#)
    #expect(found.map(\.outcome) == [.passed, .failed])
    #expect(found[1].found == "neither due nor crossed" && found[1].reasons.isEmpty)
    let crowded = try findings(
      #"{"reminder-shown": "nudge.20"}"#,
      rules: #"{"reminders": "errands.json", "pending-limit": 15}"#)[0]
    #expect(crowded.found == "lost" && crowded.reasons.last?.contains("due and lost") == true)
    let unknown = try findings(#"{"reminder-lost": "no.such"}"#)[0]
    #expect(unknown.found == "no reminder no.such in the file of reminders")
    let without = try findings(#"{"reminder-lost": "a"}"#, rules: "{}")[0]
    #expect(without.found.hasPrefix("no reminders. Name their file"))
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
    #expect(
      throws: JSONPathError(
        path: "cases[0].track",
        sentence: Cases.folder
          + "../stories/philadelphia.csv looks like a list of stories, not a walk")
    ) {
      try Cases.findings(#"{"at-most": 1}"#, track: #""../stories/philadelphia.csv""#)
    }
    #expect(throws: JSONPathError(path: "places", sentence: "there is no story")) {
      try Cases.run(
        #"{"places": [], "cases": [{"name": "n", "track": "w", "expect": [{"at-most": 0}]}]}"#)
    }
  }
}
