import Foundation
import TestSupport
import Testing

@Suite(
  "Before and now in the studio", .serialized, .enabled(if: Browser.isInstalled, needsBrowser))
struct StudioDifferenceTests {
  private static let sample = [
    LiveSample.path("walk.gpx"), "--places", LiveSample.places, "--profile", "iphone",
  ]

  private func text(_ studio: StudioScene, _ id: String) throws -> String {
    try #require(
      try studio.browser.value("document.getElementById('\(id)').textContent") as? String)
  }

  private func waitForChances(_ studio: StudioScene) throws {
    try studio.browser.wait(
      "no chances", until: "document.body.dataset.simulated === String(studio.question().number)")
  }

  @Test("With a phone, a change tells the alerts before and now, and who gains or loses them")
  func phone() throws {
    let studio = try StudioScene(Self.sample)
    try waitForChances(studio)
    #expect(try text(studio, "chances-change") == "")
    let analysis = try Command.run(
      ["analyze"] + Self.sample + ["--format", "ndjson", "--quiet"])
    let totals = try #require(
      analysis.output.split(separator: "\n").first { $0.contains("\"type\":\"chance-totals\"") })
    let line = try JSONSerialization.jsonObject(with: Data(totals.utf8)) as? [String: Any]
    let mean = try #require(line?["mean"] as? Double)
    try studio.waitForNextAnswer {
      _ = try studio.browser.value(
        "studio.edits.change('', [{ id: 'museum-american-revolution', after: null }])")
    }
    try waitForChances(studio)
    let told = try #require(
      try text(studio, "chances-change").wholeMatch(
        of: /Before ([\d.]+) alerts, now ([\d.]+): \+([\d.]+)\./))
    let numbers = try [told.1, told.2, told.3].map { try #require(Double($0)) }
    #expect(abs(numbers[0] - mean) <= 0.0501 && abs(numbers[0] + numbers[2] - numbers[1]) < 0.01)
    #expect(try text(studio, "chances-head").contains(" show \(told.2) alerts on this walk"))
    let stories = try text(studio, "shown-changed")
    #expect(
      stories.contains(/Gained.* \+1\.0.*Lost.*Museum of the American Revolution −0\.\d/),
      "\(stories)")
    // Nothing is told of a perfect phone, unless it is named.
    #expect(try text(studio, "result-line") == "Numbers")
    try studio.waitForNextAnswer { try studio.click("undo") }
    try waitForChances(studio)
    #expect(try text(studio, "chances-change") == "" && text(studio, "shown-changed") == "")
    #expect(studio.browser.complaints == [])
  }
}
