import Foundation
import TestSupport
import Testing

@Suite(
  "Files of rules in the studio", .serialized, .enabled(if: Browser.isInstalled, needsBrowser))
struct StudioRulesFileTests {
  private static let walk = LiveSample.path("walk.gpx")
  private static let sample = [walk, "--places", LiveSample.places]

  /// Chooses a file for Open rules….
  private func open(_ studio: StudioPage, _ name: String, _ text: String) throws {
    let quoted = String(decoding: try JSONSerialization.data(withJSONObject: [text]), as: UTF8.self)
    _ = try studio.browser.value(
      """
      (() => { const data = new DataTransfer();
      data.items.add(new File(\(quoted), '\(name)'));
      const field = document.getElementById('rules-file');
      field.files = data.files; field.dispatchEvent(new Event('change')); })()
      """)
  }

  private func rules(_ studio: StudioPage) throws -> String {
    try #require(try studio.browser.value("JSON.stringify(studio.edits.rules)") as? String)
  }

  @Test("Saved rules open again as the same rules in one step, and mean the same to a command")
  func reopens() throws {
    let studio = try StudioPage(Self.sample)
    for (name, value) in [
      ("profile", "iphone"), ("limit", "7"), ("distance", "250.5"), ("interval", "60"),
      ("rank", "edge"), ("margin", "30"), ("initial", "enter"), ("cooldown", "3600"),
      ("quiet", "05:00-05:30"), ("zone", "Europe/Berlin"), ("speed", "100"), ("hold", "2"),
      ("fixes", "2"), ("seed", "11"), ("trials", "50"), ("dates", "2026-08-01"),
    ] {
      try studio.waitForNextAnswer { try studio.type(name, in: "rules", value) }
    }
    let (text, expected, result) = (
      try studio.browser.download("#rules-save"), try rules(studio), try studio.result()
    )
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "2") }
    try studio.waitForNextAnswer { try studio.type("profile", in: "rules", "android") }
    try studio.waitForNextAnswer { try open(studio, "rules.yaml", text) }
    #expect(try rules(studio) == expected)
    #expect(try studio.result() == result)
    #expect(try studio.text("notices") == "")
    try studio.waitForNextAnswer { try studio.click("undo") }
    #expect(try studio.browser.value("studio.edits.rules.profile") as? String == "android")
    #expect(try studio.number("studio.edits.rules.limit") == 2)
    #expect(studio.browser.complaints == [])

    let scratch = try Scratch()
    let file = try scratch.write("rules.yaml", text)
    let replay = try Command.run(
      ["replay"] + Self.sample + ["--rules", file, "--quiet", "--format", "ndjson"])
    #expect(replay.status == 0, "\(replay.errors)")
    let alerts = replay.output.split(separator: "\n").count { $0.contains("\"type\":\"alert\"") }
    #expect(result[0] == "\(alerts)")
    // The rules with which the studio starts are those that it opens.
    let started = try StudioPage(Self.sample + ["--rules", file])
    #expect(try rules(started) == expected)
  }

  @Test("A wrong file is named with its line and its option, and changes nothing")
  func faults() throws {
    let studio = try StudioPage(Self.sample)
    let before = try rules(studio)
    for (text, words) in [
      ("limt: 3\n", "bad.yaml, line 1: no option “limt”. Did you mean “limit”?"),
      ("rank: edge\nlimit: many\n", "bad.yaml, line 2: The value 'many' is invalid for '--limit"),
      ("# A phone.\nprofile: nokia\n", "bad.yaml, line 2: there is no profile “nokia”"),
      ("limit: [\n", "bad.yaml, line"),
    ] {
      try open(studio, "bad.yaml", text)
      try studio.waitForNotice(words)
    }
    #expect(try rules(studio) == before)
    #expect(try studio.number("studio.edits.steps.length") == 0)

    // What the page cannot change is said, and the rest is taken. JSON works too.
    try studio.waitForNextAnswer {
      try open(studio, "own.json", "{\"limit\": 4,\n \"max-gap\": \"300s\"}")
    }
    try studio.waitForNotice("own.json, line 2: the page cannot change max-gap;")
    #expect(try studio.number("studio.edits.rules.limit") == 4)
  }
}
