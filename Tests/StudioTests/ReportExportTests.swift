import FencepostAnalysis
import FencepostPhones
import FencepostReporting
import Foundation
import SampleStories
import TestSupport
import Testing

/// Charts and tables that leave the report, and the report on paper.
@Suite(
  "What leaves a report", .serialized, .onOwnThreads,
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
struct ReportExportTests {
  private func open(
    _ kind: BrowserKind = .chromium, chance: ChanceOptions? = nil
  ) async throws -> Browser {
    let scratch = try ScratchFolder()
    let (text, _, _) = try await Browser.page(
      of: ["walk.gpx", "ride.gpx"].map { SampleStories.track($0) }, places: OpenStudio.stories,
      chance: chance)
    let page = try scratch.write("report.html", text)
    let browser = try Browser(kind)
    try browser.open("file://\(page)")
    try browser.wait("not ready", until: "document.documentElement?.dataset.ready === 'true'")
    return browser
  }

  @Test(
    "Each chart is a picture with title and source that needs no style sheet",
    arguments: BrowserKind.installed)
  func charts(kind: BrowserKind) async throws {
    let browser = try await open(kind)
    let svg = try browser.download("#figures button[aria-label*=\"By hour\"][aria-label$=SVG]")
    let words = svg.split(separator: "<text").dropFirst().compactMap { part in
      part.split(separator: ">").dropFirst().first?.split(separator: "<").first.map(String.init)
    }
    #expect(svg.hasPrefix("<svg xmlns="))
    #expect(words.first?.hasPrefix("By hour") == true)
    #expect(words.last?.hasPrefix("Source: Fencepost, Which stories alert on 2 walks?") == true)
    #expect(svg.contains("fill=\"rgb(") && !svg.contains("class="))
    let size = try browser.value(
      """
      (async () => {
        const chart = document.querySelector('#figures svg[role=img]'), image = new Image();
        const { text, width } = pictureOf(chart, chartTitle(chart));
        image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
        await image.decode();
        return image.width === width;
      })()
      """)
    #expect(size as? Bool == true)
    #expect(browser.complaints == [])
  }

  @Test(
    "A table is saved with all rows that are found, also those of other pages",
    arguments: BrowserKind.installed)
  func tables(kind: BrowserKind) async throws {
    let browser = try await open(kind)
    _ = try browser.value(
      "(document.getElementById('stories-filter').value = 'all', storyTable.show())")
    let text = try browser.download("#all-stories button[aria-label$=CSV]")
    let lines = text.split(whereSeparator: \.isNewline)
    let stories = try #require(try browser.value("stories.length") as? Int)
    #expect(stories > 100 && lines.count == stories + 3)
    #expect(lines[1].hasPrefix("# Source: Fencepost"))
    #expect(lines[2].hasPrefix("Story,"))
    #expect(browser.complaints == [])
  }

  @Test(
    "With a phone the marks on the map stand for its chances",
    arguments: BrowserKind.installed)
  func marks(kind: BrowserKind) async throws {
    let browser = try await open(
      kind,
      chance: ChanceOptions(
        profiles: [BuiltInProfile.iphone.profile], simulation: .init(trials: 20)))
    let kinds = "['alert', 'late', 'missed', 'suppressed']"
    let shown = try browser.value("\(kinds).map(kind => reportDrawing.marks[kind].length)")
    let expected = try browser.value(
      """
      ['likely', 'never', 'unlikely', 'held'].map(look => moments.filter(({ kind, story, track }) => {
        // Rows of three numbers: a story, the share of phones that alert on this walk, and their alerts.
        const { chances } = data.tracks[track], at = chances.findIndex((one, at) => at % 3 === 0 && one === story);
        const share = at < 0 ? 0 : chances[at + 1];
        const isHeld = kind === 'suppressed' && share < .05;
        return look === (isHeld ? 'held' : share >= .5 ? 'likely' : 'unlikely');
      }).length)
      """)
    let numbers = try #require(shown as? [Int])
    #expect(numbers == expected as? [Int])
    #expect(numbers[0] > 0 && numbers[2] > 0)
    #expect(
      try browser.value("document.getElementById('show-late').closest('li').hidden") as? Bool
        == true)
    let words = try browser.value(
      """
      moments.filter(one => one.kind === 'missed').every(one => outcomeOf(one).endsWith(' of phones alert'))
      """)
    #expect(words as? Bool == true)
    #expect(browser.complaints == [])
  }

  @Test("On A4 nothing is wider than the paper")
  func paper() async throws {
    let browser = try await open()
    // Chromium prints A4 with margins of 1 cm at 718 pixels.
    _ = try browser.call("Emulation.setEmulatedMedia", ["media": "print"])
    try browser.resize(width: 718, height: 1000)
    _ = try browser.value("dispatchEvent(new Event('beforeprint'))")
    let wide = try browser.value(
      """
      [...document.querySelectorAll('main table, main svg, main p')].filter(one => one.offsetParent
        && one.getBoundingClientRect().right > 719).length
      """)
    #expect(wide as? Int == 0)
    let printed = try browser.call(
      "Page.printToPDF", ["paperWidth": 8.27, "paperHeight": 11.69])
    #expect((printed["data"] as? String)?.hasPrefix("JVBERi") == true)
  }
}
