import Foundation
import TestSupport
import Testing

@Suite("Phones in the studio", .serialized, .enabled(if: Browser.isInstalled, needsBrowser))
struct StudioPhoneTests {
  private static let walk = LiveSample.path("walk.gpx")
  private static let sample = [walk, "--places", LiveSample.places]

  /// How many alerts a command reports.
  private func alerts(_ arguments: [String]) throws -> Int {
    let result = try Command.run(arguments + ["--quiet", "--format", "ndjson"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").count { $0.contains("\"type\":\"alert\"") }
  }

  private func words(_ studio: StudioScene, _ name: String) throws -> [String] {
    let text = try #require(try studio.browser.value("studio.\(name)") as? String)
    return text.split(separator: " ").map(String.init)
  }

  private func waitForChances(_ studio: StudioScene) throws {
    try studio.browser.wait(
      "no chances", until: "document.body.dataset.simulated === String(studio.question().number)")
  }

  @Test("A profile's rules are those of a replay with it, and what is asked for goes before them")
  func rules() throws {
    let studio = try StudioScene(Self.sample)
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
    let studio = try StudioScene(Self.sample + ["--time-zone", "Z"])
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
    let studio = try StudioScene(Self.sample)
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
    let studio = try StudioScene(Self.sample + ["--profile", "iphone", "--trials", "60"])
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

  @Test("The chosen story and the list say how likely its alert is; another seed draws again")
  func story() throws {
    let studio = try StudioScene(Self.sample + ["--profile", "iphone", "--seed", "3"])
    try waitForChances(studio)
    try studio.choose("liberty-bell-center")
    let odds = "document.querySelector('#story .odds').innerText"
    let first = try #require(try studio.browser.value(odds) as? String)
    #expect(first.contains("200 runs, seed 3"))
    try studio.click("tab-events")
    try studio.browser.wait(
      "the list does not say it",
      until: "document.getElementById('events').innerText.includes(' of phones alert')")
    try studio.waitForNextAnswer { try studio.type("seed", in: "rules", "4") }
    try waitForChances(studio)
    let second = try #require(try studio.browser.value(odds) as? String)
    #expect(second.contains("200 runs, seed 4"))
    // The dots beside it say the same as the line of explain.
    let dots = try #require(
      try studio.browser.value(
        "document.querySelector('#story .odds-dots svg').getAttribute('aria-label')") as? String)
    let drawn = "document.querySelectorAll('#chance-dots svg[role=img] circle').length"
    #expect(try studio.browser.value(drawn) as? Int == 20)
    // Why? speaks as explain does with this phone.
    try studio.click("why")
    try studio.browser.wait(
      "no explanation",
      until: "document.getElementById('explanation').textContent.includes('On a real phone')")
    let explained = try Command.run([
      "explain", Self.walk, "--places", LiveSample.places, "--place", "liberty-bell-center",
      "--format", "text", "--profile", "iphone", "--seed", "4",
    ])
    let shown = try #require(
      try studio.browser.value("document.getElementById('explanation').textContent") as? String)
    let lines = explained.output.split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let last = try #require(lines.last { !$0.isEmpty })
    #expect(shown.contains(last), "\(last)")
    #expect(lines.contains { $0.hasSuffix(" \(dots).") } && shown.contains(dots))
    #expect(!shown.contains("●") && !shown.contains("○"))
    #expect(studio.browser.complaints == [])
  }

  @Test("With a phone, the studio's advice gains alerts that the phone shows")
  func advice() throws {
    let studio = try StudioScene(Self.sample + ["--profile", "iphone"])
    try waitForChances(studio)
    try studio.click("tab-advice")
    try studio.click("advice-find")
    try studio.browser.wait(
      "no advice", until: "document.querySelectorAll('#advice li').length > 0")
    let gain = try #require(
      try studio.browser.value("document.querySelector('#advice .gain').innerText") as? String)
    #expect(
      gain.contains(/^Expected: \+[\d.]+ alerts on phones \([\d.]+ to [\d.]+\)\.$/), "\(gain)")
    // Once it is applied, the same phone measures it.
    try studio.waitForNextAnswer {
      _ = try studio.browser.value("document.querySelectorAll('#advice button')[1].click()")
    }
    try waitForChances(studio)
    try studio.browser.wait(
      "not measured",
      until: "document.querySelector('#advice .gain').innerText.includes(' Measured here: +')")
    #expect(studio.browser.complaints == [])
  }

  @Test("Chances of an older question are dropped when a newer one comes")
  func newer() throws {
    let studio = try StudioScene(Self.sample + ["--profile", "iphone", "--trials", "100000"])
    // So many trials take longer than the next change.
    try studio.waitForNextAnswer { try studio.type("trials", in: "rules", "50") }
    try waitForChances(studio)
    let rest = "document.getElementById('chances-rest').textContent"
    #expect((try studio.browser.value(rest) as? String)?.contains("50 runs") == true)
  }

  @Test("A profile from a file can be chosen beside the built-in ones, an unknown one is refused")
  func file() throws {
    let scratch = try Scratch()
    let sound = try Command.run(["profiles", "show", "iphone"]).output
    let own = sound.replacingOccurrences(of: "\"name\": \"iphone\"", with: "\"name\": \"mine\"")
    let file = try scratch.write("mine.json", own)
    let studio = try StudioScene(Self.sample + ["--profile", "android,\(file)"])
    #expect(try studio.browser.value("studio.edits.rules.profile") as? String == "android")
    let group = "document.querySelector(`#rules option[value='\(file)']`).closest('optgroup').label"
    #expect(try studio.browser.value(group) as? String == "Your own")
    try studio.waitForNextAnswer { try studio.type("profile", in: "rules", file) }
    #expect(try words(studio, "command") == ["--profile", file])
    let wrong = try Command.run(["studio"] + Self.sample + ["--profile", "nokia"])
    #expect(wrong.status == 66 && wrong.errors.contains("no such profile or file"))
    let trials = try Command.run(["studio"] + Self.sample + ["--trials", "0"])
    #expect(trials.status == 64 && trials.errors.contains("--trials must be from 1 to 100,000"))
  }
}
