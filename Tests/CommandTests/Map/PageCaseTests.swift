import Foundation
import TestSupport
import Testing

/// Story tests that the pages write, which the command must pass.
@Suite("Cases from the pages", .serialized, .enabled(if: Browser.isInstalled, needsBrowser))
struct PageCaseTests {
  private static let walk = LiveSample.path("walk.gpx")

  /// Runs `fencepost test` on a text.
  private func test(_ text: String) throws -> Command.Result {
    let scratch = try Scratch()
    return try Command.run(["test", try scratch.write("cases.yaml", text)])
  }

  @Test("The studio keeps what happens to a story, under the rules that it shows")
  func studio() throws {
    let studio = try StudioPage([
      Self.walk, "--places", LiveSample.places, "--time-zone", "America/New_York",
    ])
    try studio.choose("firemans-hall")
    let alerts = try studio.browser.download("#keep-case")
    #expect(alerts.contains("{alert: firemans-hall, between: [\"12:00:17\", \"12:01:17\"]}"))
    #expect(alerts.contains("time-zone: \"America/New_York\""))
    // The fixed lookups miss it.
    try studio.choose("independence-hall")
    let misses = try studio.browser.download("#keep-case")
    #expect(
      misses.contains("expect:\n      - {no-alert: independence-hall}  # Independence Hall\n"))
    try studio.waitForNextAnswer { try studio.type("refresh", in: "rules", "adaptive") }
    let found = try studio.browser.download("#keep-case")
    #expect(found.contains("refresh: adaptive") && found.contains("{alert: independence-hall, "))
    for text in [alerts, misses, found] {
      let result = try test(text)
      #expect(result.output.hasSuffix("1 case: 1 passed, 0 failed\n"), "\(result)\n\(text)")
    }
    // Each says something that the other rules break.
    #expect(try test(found.replacing("refresh: adaptive", with: "refresh: fixed")).status == 1)
    // A change that is not saved counts.
    try studio.waitForNextAnswer { try studio.type("radius", in: "story", "1") }
    let small = try studio.browser.download("#keep-case")
    #expect(small.contains("{no-alert: independence-hall}"))
    #expect(try test(small).status == 1)
    #expect(studio.browser.complaints == [])
  }

  @Test("A report gives the chosen walk as a case, and the chosen story as one for each walk")
  func report() throws {
    let scratch = try Scratch()
    let (page, ride) = (scratch.path("report.html"), LiveSample.path("ride.gpx"))
    let written = try Command.run([
      "analyze", Self.walk, ride, "--places", LiveSample.places, "--report", page, "--quiet",
      "--cooldown", "1h", "-o", scratch.path("out"),
    ])
    #expect(written.status == 0, "\(written.errors)")
    let browser = try Browser()
    try browser.open("file://\(page)")
    try browser.wait("the report is not ready", until: "typeof casesButton === 'function'")
    var counts: [Int] = []
    for choice in ["{ kind: 'track', index: 0 }", "{ kind: 'track', index: 1 }"] {
      _ = try browser.value("choose(\(choice))")
      let text = try browser.download("#detail .as-cases")
      counts.append(text.split(separator: "\n").count { $0.hasPrefix("      - ") })
      #expect(text.contains("\"cooldown\":") && text.contains("\"time-zone\":"), "\(text)")
      let result = try test(text)
      #expect(result.output.hasSuffix("1 case: 1 passed, 0 failed\n"), "\(result)\n\(text)")
    }
    #expect(counts.allSatisfy { $0 > 20 })
    let story = "stories.findIndex(one => new Set(one.moments.map(each => each.track)).size === 2)"
    _ = try browser.value("choose({ kind: 'story', index: \(story) })")
    let text = try browser.download("#detail .as-cases")
    let result = try test(text)
    #expect(result.output.hasSuffix("2 cases: 2 passed, 0 failed\n"), "\(result)\n\(text)")
    // A story that no walk reaches has no case.
    _ = try browser.value(
      "choose({ kind: 'story', index: stories.findIndex(one => !one.moments.length) })")
    let isThere = try browser.value("document.querySelector('#detail .as-cases') !== null")
    #expect(isThere as? Bool == false)
    #expect(browser.complaints == [])
  }
}
