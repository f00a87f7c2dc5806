import Foundation
import TestSupport
import Testing

@Suite(
  "Two settings side by side in the studio", .serialized,
  .enabled(if: Browser.isInstalled, needsBrowser))
struct StudioComparisonTests {
  private static let walk = LiveSample.path("walk.gpx")
  private static let ride = LiveSample.path("ride.gpx")
  private static let sample = [walk, "--places", LiveSample.places]

  private func compare(_ studio: StudioScene) throws {
    try studio.click("compare")
    try studio.browser.wait(
      "A is not followed", until: "document.body.dataset.pinned !== undefined")
  }

  /// The cells of a row of the comparison's first table: alerts, late, missed.
  private func row(_ studio: StudioScene, _ number: Int) throws -> [String] {
    try #require(
      try studio.browser.value(
        """
        [...document.querySelectorAll('#comparison tbody tr')[\(number)].querySelectorAll('td')]
          .map(cell => cell.innerText)
        """) as? [String])
  }

  private func replayed(_ options: [String]) throws -> Int {
    let result = try Command.run(
      ["replay", Self.walk, "--places", LiveSample.places, "--quiet", "--format", "ndjson"]
        + options)
    return result.output.split(separator: "\n").count { $0.contains("\"type\":\"alert\"") }
  }

  @Test("A stays as it was while B changes; the numbers of both are those of two replays")
  func numbers() throws {
    let studio = try StudioScene(Self.sample)
    try compare(studio)
    #expect(try studio.text("comparison").contains("the same so far"))
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "3") }
    let (a, b) = (try replayed([]), try replayed(["--limit", "3"]))
    #expect(a != b)
    #expect(try row(studio, 0)[0] == "\(a)")
    #expect(try row(studio, 1)[0] == "\(b)")
    #expect(try row(studio, 2)[0] == (a > b ? "−\(a - b)" : "+\(b - a)"))
    #expect(
      try studio.text("comparison").contains("Circles watched at a time: 20 with A, 3 with B"))
    #expect(try studio.text("comparison").contains("More alerts with A"))
    // The stories that are lost are those that only the first replay alerts on.
    let listed = try studio.browser.value(
      "[...document.querySelectorAll('#comparison [data-story]')].length")
    #expect(try #require(listed as? Int) >= abs(a - b))
    #expect(studio.browser.complaints == [])
  }

  @Test("The time line has a lane for each, and at each moment both sets are shown")
  func moment() throws {
    let studio = try StudioScene(Self.sample)
    #expect(
      try studio.browser.value("document.getElementById('timeline').dataset.lanes") as? String == ""
    )
    try compare(studio)
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "6") }
    try studio.browser.wait(
      "no lanes", until: "document.getElementById('timeline').dataset.lanes === 'AB'")
    _ = try studio.browser.value("studio.player.seek(studio.run.refreshes[3].at)")
    try studio.browser.wait("the moment is not shown", until: "studio.state.refreshIndex === 3")
    try studio.browser.wait(
      "A's set is not shown",
      until: "document.getElementById('both').innerText.includes('A watches 20')")
    #expect(try studio.text("monitored-count") == "6")
    #expect(try studio.text("both").contains("only A: "))
    let drawn = "studioDrawings.moving.circles.find(one => one.look === 'ringA').circles.length"
    #expect(try studio.number(drawn) == 20)
    // Everything of it is reached by keyboard, and fits a phone in the dark.
    #expect(
      try studio.browser.value(
        "[...document.querySelectorAll('#comparison button, #compare')].every(one => one.tabIndex >= 0)"
      )
        as? Bool == true)
    try studio.browser.prefer("prefers-color-scheme", "dark")
    try studio.browser.resize(width: 390, height: 844, isPhone: true)
    #expect(
      try studio.browser.value(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth") as? Bool
        == true)
    try studio.browser.keep("studio-compare-dark")
  }

  @Test("A and B are swapped in one step that can be undone, and comparing ends")
  func swap() throws {
    let studio = try StudioScene(Self.sample)
    try compare(studio)
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "3") }
    let (a, b) = (try row(studio, 0), try row(studio, 1))
    _ = try studio.browser.value("document.getElementById('swap').focus()")
    try studio.waitForNextAnswer { try studio.click("swap") }
    try studio.browser.wait(
      "A is not followed", until: "document.body.dataset.pinned !== undefined")
    #expect(try row(studio, 0) == b && row(studio, 1) == a)
    #expect(try studio.number("studio.edits.rules.limit") == 20)
    // Whoever works with the keys is still on the button.
    #expect(try studio.browser.value("document.activeElement.id") as? String == "swap")
    try studio.waitForNextAnswer { try studio.click("undo") }
    #expect(try studio.number("studio.edits.rules.limit") == 3)
    try studio.click("unpin")
    #expect(
      try studio.browser.value("document.getElementById('comparison').hidden") as? Bool == true)
    try studio.browser.wait(
      "two lanes are left", until: "document.getElementById('timeline').dataset.lanes === ''")
  }

  @Test("All tracks are compared, on the track that is chosen as well")
  func severalTracks() throws {
    let studio = try StudioScene([Self.walk, Self.ride, "--places", LiveSample.places])
    try compare(studio)
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "4") }
    try studio.browser.wait(
      "not all tracks are followed",
      until: "document.body.dataset.complete === String(studio.question().number)")
    let analyses = try [[], ["--limit", "4"]].map { options in
      let analysis = try Command.run(
        [
          "analyze", Self.walk, Self.ride, "--places", LiveSample.places, "--format", "ndjson",
          "--verdicts", "none", "--quiet",
        ] + options)
      return try #require(analysis.output.split(separator: "\n").last.map(String.init))
    }
    for (row, totals) in zip([3, 4], analyses) {
      #expect(totals.contains("\"alerts\":\(try self.row(studio, row)[0])"), "\(totals)")
    }
    _ = try studio.browser.value(
      """
      (() => { const field = document.getElementById('track'); field.value = '1';
      field.dispatchEvent(new Event('change')); })()
      """)
    try studio.browser.wait(
      "A is not shown on the other track",
      until: "studio.track?.name.endsWith('ride.gpx') && studio.pinned.run !== null")
  }

  @Test("The address of a comparison opens it again")
  func address() throws {
    let studio = try StudioScene(Self.sample)
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "12") }
    try compare(studio)
    try studio.choose("liberty-bell-center")
    try studio.waitForNextAnswer { try studio.type("radius", in: "story", "400") }
    let before = try [row(studio, 0), row(studio, 1)]
    let hash = try #require(try studio.browser.value("studio.address()") as? String)
    try studio.browser.open("about:blank")
    let page = try #require(studio.address.split(separator: "?").first)
    try studio.browser.open(page + hash)
    try studio.waitForAnswer()
    try studio.browser.wait(
      "A is not followed", until: "document.body.dataset.pinned !== undefined")
    #expect(try [row(studio, 0), row(studio, 1)] == before)
    #expect(try studio.number("studio.pinned.rules.limit") == 12)
    #expect(try studio.text("comparison").contains("1 story differs"))
  }

  @Test("A save of B leaves A as it was")
  func saving() throws {
    let scratch = try Scratch()
    let store = scratch.path("stories.sqlite")
    _ = try Command.run(["places", "import", LiveSample.places, "--store", store])
    let studio = try StudioScene([Self.walk, "--store", store])
    try compare(studio)
    let a = try row(studio, 0)
    let id = try #require(
      try studio.browser.value("studio.run.entries.find(one => one.kind === 'alert').story")
        as? String)
    try studio.choose(id)
    try studio.waitForNextAnswer { try studio.click("remove") }
    let b = try row(studio, 1)
    #expect(a != b)
    try studio.click("save")
    _ = try studio.browser.value("delete document.body.dataset.pinned")
    try studio.click("save-now")
    try studio.browser.wait(
      "it is not saved", until: "document.getElementById('notices').innerText.includes('Saved')")
    try studio.browser.wait(
      "A is not followed", until: "document.body.dataset.pinned !== undefined")
    try studio.waitForAnswer()
    #expect(try row(studio, 0) == a && row(studio, 1) == b)
  }
}
