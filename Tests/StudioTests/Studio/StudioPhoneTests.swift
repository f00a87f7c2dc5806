import FencepostAnalysis
import FencepostFormats
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostSession
import FencepostStudio
import Foundation
import SampleStories
import TestSupport
import Testing

@Suite(
  "Phones in the studio", .serialized, .onOwnThreads,
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
struct StudioPhoneTests {

  private func waitForChances(_ studio: StudioPage) throws {
    try studio.browser.wait(
      "no chances", until: "document.body.dataset.simulated === String(studio.question().number)")
  }

  @Test("The chosen story and the list say how likely its alert is; another seed draws again")
  func story() throws {
    let studio = try StudioPage { $0.start(with: .iphone, seed: 3) }
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
    let lines = try OpenStudio.explanation(of: "liberty-bell-center", on: "walk.gpx", seed: 4)
    let shown = try #require(
      try studio.browser.value("document.getElementById('explanation').textContent") as? String)
    let last = try #require(lines.last { !$0.isEmpty })
    #expect(shown.contains(last), "\(last)")
    #expect(lines.contains { $0.hasSuffix(" \(dots).") } && shown.contains(dots))
    #expect(!shown.contains("●") && !shown.contains("○"))
    #expect(studio.browser.complaints == [])
  }

  @Test("With a phone, a change tells the alerts before and now, and who gains or loses them")
  func difference() async throws {
    let phone = ChanceOptions(
      profiles: [BuiltInProfile.iphone.profile], simulation: .init(trials: 200, seed: 1))
    let lines = try await Browser.page(
      of: [SampleStories.track("walk.gpx")], places: OpenStudio.stories, chance: phone
    ).ndjson.split(separator: "\n")
    let totals = try #require(lines.first { $0.contains("\"type\":\"chance-totals\"") })
    let mean = try JSONNode(try JSONValue(parsing: String(totals))).member("mean").double()
    let studio = try StudioPage { $0.start(with: .iphone) }
    func text(_ id: String) throws -> String {
      try #require(
        try studio.browser.value("document.getElementById('\(id)').textContent") as? String)
    }
    try waitForChances(studio)
    #expect(try text("chances-change") == "")
    try studio.waitForNextAnswer {
      _ = try studio.browser.value(
        "studio.edits.change('', [{ id: 'museum-american-revolution', after: null }])")
    }
    try waitForChances(studio)
    let told = try #require(
      try text("chances-change").wholeMatch(
        of: /Before ([\d.]+) alerts, now ([\d.]+): \+([\d.]+)\./))
    let numbers = try [told.1, told.2, told.3].map { try #require(Double($0)) }
    #expect(abs(numbers[0] - mean) <= 0.0501 && abs(numbers[0] + numbers[2] - numbers[1]) < 0.01)
    #expect(try text("chances-head").contains(" show \(told.2) alerts on this walk"))
    let stories = try text("shown-changed")
    #expect(
      stories.contains(/Gained.* \+1\.0.*Lost.*Museum of the American Revolution −0\.\d/),
      "\(stories)")
    // A perfect phone's numbers appear only under a heading that names it.
    #expect(try text("result-line") == "Numbers")
    try studio.waitForNextAnswer { try studio.click("undo") }
    try waitForChances(studio)
    #expect(try text("chances-change") == "" && text("shown-changed") == "")
    #expect(studio.browser.complaints == [])
  }

  @Test("With a phone, the studio's advice gains alerts that the phone shows")
  func advice() throws {
    let studio = try StudioPage { $0.start(with: .iphone) }
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
    let studio = try StudioPage { $0.start(with: .iphone, trials: 5000) }
    // So many trials take longer than the next change.
    try studio.waitForNextAnswer { try studio.type("trials", in: "rules", "50") }
    try waitForChances(studio)
    let rest = "document.getElementById('chances-rest').textContent"
    #expect((try studio.browser.value(rest) as? String)?.contains("50 runs") == true)
  }

  @Test("A profile from a file can be chosen beside the built-in ones")
  func file() throws {
    let file = "/phones/mine.json"
    let studio = try StudioPage {
      $0.start(with: .android)
      $0.phones.append(StudioPhone(word: file, profile: BuiltInProfile.iphone.profile))
    }
    #expect(try studio.browser.value("studio.edits.rules.profile") as? String == "android")
    let group = "document.querySelector(`#rules option[value='\(file)']`).closest('optgroup').label"
    #expect(try studio.browser.value(group) as? String == "Your own")
    try studio.waitForNextAnswer { try studio.type("profile", in: "rules", file) }
    #expect(try studio.browser.value("studio.command") as? String == "--profile \(file)")
  }
}
