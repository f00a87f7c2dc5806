import Foundation
import TestSupport
import Testing

/// What the page and the commands say of the same rules.
@Suite(
  "The studio beside other commands", .serialized,
  .enabled(if: Browser.isInstalled, needsBrowser))
struct StudioCommandTests {
  private static let walk = LiveSample.path("walk.gpx")
  private static let sample = [walk, "--places", LiveSample.places]

  /// How many alerts a command reports.
  private func alerts(_ arguments: [String]) throws -> Int {
    let result = try Command.run(arguments + ["--quiet", "--format", "ndjson"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").count { $0.contains("\"type\":\"alert\"") }
  }

  private func words(_ studio: StudioPage, _ name: String) throws -> [String] {
    let text = try #require(try studio.browser.value("studio.\(name)") as? String)
    return text.split(separator: " ").map(String.init)
  }

  private func waitForChances(_ studio: StudioPage) throws {
    try studio.browser.wait(
      "no chances", until: "document.body.dataset.simulated === String(studio.question().number)")
  }

  @Test("says beside the rules how many reminders they cost, as an analysis does")
  func reminders() throws {
    let reminders = ["--reminders", LiveSample.reminders("errands.json"), "--pending-limit", "24"]
    func sentence(_ more: [String]) throws -> String {
      let text = try Command.run(
        ["analyze", Self.walk, "--places", LiveSample.places, "--format", "text"] + reminders + more
      ).output
      return try #require(text.split(separator: "\n").first { $0.contains("were shown, and") })
        + "."
    }
    func shows(_ sentence: String) -> String {
      "document.getElementById('reminders').textContent === '\(sentence)'"
    }
    let studio = try StudioPage(Self.sample + reminders)
    try studio.browser.wait("no figure", until: shows(try sentence([])))
    try studio.type("limit", in: "rules", "5")
    try studio.browser.wait("not the figure of 5", until: shows(try sentence(["--limit", "5"])))
    #expect(studio.browser.complaints == [])
  }

  @Test("What the page says of changed stories and rules is what a replay of its export says")
  func agrees() throws {
    let studio = try StudioPage(Self.sample)
    // A radius typed, a story removed, one added, and other rules.
    try studio.choose("liberty-bell-center")
    try studio.waitForNextAnswer { try studio.type("radius", in: "story", "300") }
    try studio.choose("city-hall-tower")
    try studio.waitForNextAnswer { try studio.click("remove") }
    try studio.waitForNextAnswer { try studio.click("add") }
    for (name, value) in [
      ("limit", "7"), ("rank", "edge"), ("distance", "250"), ("cooldown", "3600"),
      ("quiet", "05:00-05:30"),
    ] {
      try studio.waitForNextAnswer { try studio.type(name, in: "rules", value) }
    }
    let scratch = try Scratch()
    let stories = try #require(
      try studio.browser.value(
        """
        fetch('export', { method: 'POST', headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...studio.question(), form: 'geojson' }) }).then(answer => answer.text())
        """) as? String)
    let file = try scratch.write("stories.geojson", stories)
    let command = try #require(try studio.browser.value("studio.command") as? String)
    let options = command.split(separator: " ").map(String.init)
    #expect(options.contains("--limit") && options.contains("--quiet-hours"))
    let result = try Command.run(
      ["replay", Self.walk, "--places", file, "--quiet", "--format", "ndjson"] + options)
    let alerts = result.output.split(separator: "\n").count { $0.contains("\"type\":\"alert\"") }
    #expect(result.status == 0)
    #expect(try studio.result()[0] == "\(alerts)")
    // With every place monitored nothing can be missed.
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "") }
    #expect(try studio.result()[3...4] == ["0", "0"])
    // A rule that makes no sense is refused in words, and the page goes on.
    try studio.waitForNextAnswer { try studio.type("zone", in: "rules", "Nowhere/Land") }
    #expect(try studio.text("notices").contains("“Nowhere/Land” is not a time zone"))
  }

  @Test("A profile's rules are those of a replay with it, and what is asked for goes before them")
  func rules() throws {
    let studio = try StudioPage(Self.sample)
    for profile in ["tile38", "android", "traccar"] {
      try studio.waitForNextAnswer { try studio.type("profile", in: "rules", profile) }
      let options = try words(studio, "command")
      #expect(options == ["--profile", profile])
      let replayed = try alerts(["replay", Self.walk, "--places", LiveSample.places] + options)
      #expect(try studio.result()[0] == "\(replayed)", "\(profile)")
    }
    // A limit that somebody has asked for stays when the phone changes, and is marked.
    try studio.waitForNextAnswer { try studio.type("profile", in: "rules", "iphone") }
    #expect(try studio.number("studio.edits.rules.limit") == 20)
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "5") }
    #expect(try studio.text("rules").contains("Circles watched at a time, changed from iphone"))
    try studio.waitForNextAnswer { try studio.type("profile", in: "rules", "owntracks") }
    let options = try words(studio, "command")
    #expect(options.contains("--limit") && options.contains("owntracks"))
    #expect(
      try studio.result()[0]
        == "\(alerts(["replay", Self.walk, "--places", LiveSample.places] + options))")
    // Without a phone everything else is as it was.
    try studio.waitForNextAnswer { try studio.type("profile", in: "rules", "") }
    #expect(try words(studio, "command") == ["--limit", "5"])
    #expect(studio.browser.complaints == [])
  }

  @Test("Stories can be judged on another day, and whatever their dates, as a replay does")
  func dates() throws {
    let studio = try StudioPage(Self.sample + ["--time-zone", "Z"])
    let recorded = try #require(Int(try studio.result()[0]))
    for (dates, zone) in [("2026-08-01", ["--time-zone", "Z"]), ("ignore", [])] {
      try studio.waitForNextAnswer { try studio.type("dates", in: "rules", dates) }
      let options = try words(studio, "command")
      #expect(options == ["--dates", dates] + zone)
      let replayed = try alerts(["replay", Self.walk, "--places", LiveSample.places] + options)
      let shown = try studio.result()[0]
      #expect(replayed > recorded && shown == "\(replayed)", "\(dates)")
    }
    try studio.waitForNextAnswer { try studio.type("dates", in: "rules", "recorded") }
    #expect(try words(studio, "command") == [])
    #expect(studio.browser.complaints == [])
  }

  @Test("What counts as a crossing can be changed, as a replay of the exported line confirms")
  func confirmation() throws {
    let studio = try StudioPage(Self.sample)
    for (name, value) in [
      ("test", "fixes"), ("hold", "20"), ("fixes", "2"), ("initial", "enter"), ("interval", "60"),
      ("dwell", "90"), ("alertOn", "dwell"),
    ] {
      try studio.waitForNextAnswer { try studio.type(name, in: "rules", value) }
    }
    let options = try words(studio, "command")
    for option in [
      "--test", "--hold", "--confirm-fixes", "--initial", "--min-interval", "--dwell",
      "--alert-on",
    ] {
      #expect(options.contains(option), "\(option)")
    }
    let replayed = try alerts(["replay", Self.walk, "--places", LiveSample.places] + options)
    #expect(try studio.result()[0] == "\(replayed)")
    // A dwell that alerts must have a length: the page says so and goes on.
    try studio.waitForNextAnswer { try studio.type("dwell", in: "rules", "") }
    #expect(try studio.text("notices").contains("how long a dwell is"))
  }

  @Test("The chances are those that an analysis gives with the exported line")
  func chances() throws {
    let studio = try StudioPage(Self.sample + ["--profile", "iphone", "--trials", "60"])
    try studio.waitForNextAnswer { try studio.type("seed", in: "rules", "7") }
    try studio.waitForNextAnswer { try studio.type("distance", in: "rules", "800") }
    try waitForChances(studio)
    let options = try words(studio, "chanceCommand")
    #expect(options.contains("--seed") && options.contains("7") && options.contains("60"))
    let analysis = try Command.run(
      ["analyze", Self.walk, "--places", LiveSample.places, "--format", "ndjson", "--quiet"]
        + options)
    #expect(analysis.status == 0, "\(analysis.errors)")
    let expected = try analysis.output.split(separator: "\n").compactMap { line -> String? in
      let object =
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      guard object["type"] as? String == "chance", let id = object["place"] as? String,
        let shown = object["shown"] as? Int
      else { return nil }
      return "\(id) \(shown) \(object["entered"] as? Bool == true)"
    }
    let shown = try #require(
      try studio.browser.value(
        """
        import('./studio-wire.js').then(wire => wire.getChances()).then(({ shown }) =>
          [...shown].map(([id, { alerts, isDue }]) => `${id} ${alerts} ${isDue}`))
        """) as? [String])
    #expect(!expected.isEmpty && shown.sorted() == expected.sorted())
    let rest = "document.getElementById('chances-rest').textContent"
    #expect((try studio.browser.value(rest) as? String)?.contains("60 runs, seed 7.") == true)
  }

  @Test("The page to send is written as a file, and not if nothing is left of the walks")
  func export() throws {
    let scratch = try Scratch()
    let page = scratch.path("page.html")
    let written = try Command.run(["studio"] + Self.sample + ["--export", page])
    #expect(written.status == 0 && written.output.isEmpty)
    #expect(written.errors.hasSuffix("page.html opens without a server or a network\n"))
    #expect(try scratch.text("page.html").hasSuffix("</html>\n"))
    let none = try Command.run(
      ["studio"] + Self.sample
        + ["--hide-ends", "500km", "--round-clock", "1h", "--export", scratch.path("none.html")])
    #expect(none.status == 65 && none.errors.contains("so nothing is left to show"))
    #expect(try scratch.names() == ["page.html"])
  }
}
