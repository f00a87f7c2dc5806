import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostStudio
import Foundation
import SampleStories
import TestSupport
import Testing

@Suite(
  "All stories in the pages", .serialized, .onOwnThreads,
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
struct StudioStoriesTests {
  private static let walks = ["walk.gpx", "ride.gpx"]

  /// The walks on which each story alerts, and its distance from the nearest, in millimeters.
  private func analysis() async throws -> [String: [Int]] {
    let result = try await SampleAnalysis.analyze(Self.walks.map { SampleStories.track($0) })
    var stories: [String: [Int]] = [:]
    for line in result.text.split(separator: "\n") where line.contains("\"type\":\"story\"") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      let tracks = try #require(object["tracks"] as? [String: Int])
      let id = try #require(object["place"] as? String)
      stories[id] = [tracks["alerted"] ?? -1, object["nearestMillimeters"] as? Int ?? -1]
    }
    return stories
  }

  private func waitForAll(_ studio: StudioPage) throws {
    try studio.browser.wait(
      "not all walks are followed",
      until: """
        document.body.dataset.complete === String(studio.question().number)
          && studio.storyOf('bourse').nearest !== null
        """)
  }

  @Test("A change reads no date and looks up no phone once for each story and walk")
  func workOfAChange() throws {
    let studio = try StudioPage(Self.walks)
    try waitForAll(studio)
    _ = try studio.browser.value(
      """
      (() => {
        window.dates = 0;
        window.phones = 0;
        const parse = Date.parse, find = studio.scene.phones.find;
        Date.parse = text => { window.dates += 1; return parse(text); };
        studio.scene.phones.find = function(test) { window.phones += 1; return find.call(this, test); };
        const place = studio.edits.places.get('bourse');
        studio.edits.change('Move', [{ id: 'bourse', after: { ...place, lat: place.lat + 1e-4 } }],
          { ...studio.rules, dates: 'recorded' });
      })()
      """)
    try waitForAll(studio)
    // 219 stories on two walks: what is looked up for each of them would be hundreds of times.
    #expect(try studio.number("window.dates") < 50)
    #expect(try studio.number("window.phones") < 50)
    #expect(try studio.number("studio.storyOf('bourse').nearest") > 0)
  }

  @Test(
    "The first tab lists every story as an analysis counts it, also those that never alert",
    arguments: BrowserKind.installed)
  func all(kind: BrowserKind) async throws {
    let studio = try StudioPage(Self.walks, in: kind)
    try waitForAll(studio)
    #expect(try studio.number("Number(document.body.dataset.stories)") == 219)
    let expected = try await analysis()
    #expect(expected.count == 219)
    let shown = try #require(
      try studio.browser.value(
        """
        Object.fromEntries([...studio.edits.places.keys()].map(id => {
          const row = studio.storyOf(id);
          return [id, [row.tracks, Math.round(row.nearest * 1000)]];
        }))
        """) as? [String: [Int]])
    #expect(shown == expected)
    // Only the rows in view are in the page.
    #expect(try studio.number("document.querySelectorAll('#stories .rows > *').length") < 40)
    try studio.browser.wait(
      "no headline",
      until:
        "document.getElementById('stories-summary').textContent.includes(' of your 219 stories alert')"
    )
    _ = try studio.browser.value(
      """
      (() => { const field = document.getElementById('stories-filter'); field.value = 'untouched';
      field.dispatchEvent(new Event('change')); })()
      """)
    let untouched = try studio.number("Number(document.body.dataset.stories)")
    #expect(untouched > 50 && untouched < 219)
    #expect(try studio.text("stories").contains(" outside"))
    // A story that moves is measured again.
    let before = try studio.number("studio.storyOf('academy-of-music').nearest")
    try studio.choose("academy-of-music")
    try studio.waitForNextAnswer { try studio.type("lat", in: "story", "39.9581") }
    try studio.browser.wait(
      "not measured again",
      until: "Math.abs(studio.storyOf('academy-of-music').nearest - \(before)) > 50")
    #expect(studio.browser.complaints == [])
  }

  @Test(
    "A choice lights up in the table, on the map and on the time line, and says why",
    arguments: BrowserKind.installed)
  func choice(kind: BrowserKind) throws {
    let studio = try StudioPage(Self.walks, in: kind)
    try waitForAll(studio)
    _ = try studio.browser.value(
      """
      (() => { const field = document.getElementById('stories-search'); field.value = 'bourse';
      field.dispatchEvent(new Event('input'));
      document.querySelector('#stories .rows button').click(); })()
      """)
    try studio.browser.wait(
      "no reasons", until: "document.querySelectorAll('#chosen-story .steps li').length === 3")
    #expect(try studio.browser.value("studio.chosen") as? String == "bourse")
    let current = "document.querySelector('#stories [aria-current] button').textContent"
    #expect(try studio.browser.value(current) as? String == "The Bourse")
    let steps = try studio.text("chosen-story")
    #expect(steps.contains("but the rules held the alert back."))
    #expect(steps.contains("The story was not published yet: entered "))
    #expect(steps.contains("With dates that include the walk, it would not be held back."))
    // The log is folded, a moment is a link, and the remedy a button that can be undone.
    let log = "document.querySelector('#chosen-story details').open"
    #expect(try studio.browser.value(log) as? Bool == false)
    _ = try studio.browser.value("document.querySelector('#chosen-story .steps button').click()")
    try studio.browser.wait(
      "the moment is not shown",
      until: """
        studio.run.entries.some(one => one.story === 'bourse'
          && Math.abs(one.at - studio.player.now) < 1000)
        """)
    let remedy = "document.querySelector('#chosen-story .actions button')"
    try studio.browser.wait(
      "no remedy", until: "/^Try .*no dates: \\+/.test(\(remedy).textContent)")
    try studio.waitForNextAnswer { _ = try studio.browser.value("\(remedy).click()") }
    let published = "Boolean(studio.edits.places.get('bourse').published)"
    #expect(try studio.browser.value(published) as? Bool == false)
    try waitForAll(studio)
    #expect(try studio.number("studio.storyOf('bourse').alerts") > 0)
    try studio.waitForNextAnswer { try studio.click("undo") }
    #expect(try studio.browser.value(published) as? Bool == true)
    #expect(studio.browser.complaints == [])
  }

  @Test("The grid has a cell for each story on each day of each walk, as the entries say")
  func days() throws {
    let studio = try StudioPage(Self.walks) { try $0.show(zone: "America/New_York") }
    try waitForAll(studio)
    try studio.click("as-grid")
    try studio.browser.wait(
      "no grid", until: "document.body.dataset.grid === String(studio.question().number)")
    let sums = try #require(
      try studio.browser.value(
        """
        import('./studio-wire.js').then(wire => wire.getCells()).then(({ stories, cells }) => {
          const sums = [0, 0, 0, 0];
          for (let at = 0; at < cells.length; at++)
            if (at % 8 > 2 && at % 8 < 7) sums[at % 8 - 3] += cells[at];
          return [...sums, new Set(cells.filter((_, at) => at % 8 === 2)).size, stories.length];
        })
        """) as? [Int])
    let totals = try #require(
      try studio.browser.value(
        "[1, 2, 3, 4].map(at => studio.stories.reduce((sum, row) => sum + row[at], 0))") as? [Int])
    #expect(Array(sums.prefix(4)) == totals && totals[0] > 20)
    #expect(try studio.number("document.querySelectorAll('#grid .grid-cell.alert').length") > 0)
    #expect(studio.browser.complaints == [])
  }

  @Test("With a phone its chance is the only answer, and the perfect phone folds away")
  func oneAnswer() throws {
    let studio = try StudioPage(Self.walks) { $0.start(with: .iphone, trials: 40) }
    try studio.browser.wait(
      "no chances", until: "document.body.dataset.simulated === String(studio.question().number)")
    let isOpen = "document.getElementById('perfect').open"
    #expect(try studio.browser.value(isOpen) as? Bool == false)
    try studio.browser.wait(
      "no headline",
      until:
        "document.getElementById('stories-summary').textContent.includes(' stories alert on most phones')"
    )
    try studio.choose("liberty-bell-center")
    let fate = "document.querySelector('#story .fate').textContent"
    #expect(try studio.browser.value(fate) as? String == "")
    try studio.click("tab-events")
    try studio.browser.wait(
      "the events have no chances",
      until: "document.getElementById('events').textContent.includes(' of phones alert')")
    #expect(try !studio.text("events").contains("missed"))
    try studio.waitForNextAnswer { try studio.type("profile", in: "rules", "") }
    #expect(try studio.browser.value(isOpen) as? Bool == true)
    #expect(studio.browser.complaints == [])
  }

  @Test("A screen reader follows a playback: a table of the moment, and a sentence now and then")
  func voice() throws {
    let studio = try StudioPage()
    try studio.click("tab-now")
    let inside = try studio.number("studio.events.find(one => one.kind === 'alert').at + 1000")
    _ = try studio.browser.value("studio.player.seek(\(inside))")
    try studio.browser.wait(
      "not told", until: "document.getElementById('spoken').textContent.includes('Inside ')")
    #expect(try studio.number("document.querySelectorAll('#nearby tbody tr').length") == 8)
    #expect(try studio.text("nearby").contains("inside"))
    let roles = "document.getElementById('spoken').getAttribute('role')"
    #expect(try studio.browser.value(roles) as? String == "status")
    // While playing it speaks of what happens.
    _ = try studio.browser.value(
      "studio.player.seek(0); studio.player.speed = 1000; studio.player.play()")
    try studio.browser.wait(
      "nothing is told", until: "document.getElementById('spoken').textContent.includes(': alert')")
    #expect(studio.browser.complaints == [])
  }

  @Test("A report begins with a table of all stories, and its grid agrees with it")
  func report() async throws {
    let scratch = try ScratchFolder()
    let (text, _, _) = try await Browser.page(
      of: Self.walks.map { SampleStories.track($0) }, places: OpenStudio.stories)
    let page = try scratch.write("report.html", text)
    let browser = try Browser()
    try browser.open("file://\(page)")
    try browser.wait(
      "the report is not ready", until: "document.documentElement?.dataset.ready === 'true'")
    let range = "document.getElementById('stories-range').textContent"
    #expect(try browser.value(range) as? String == "1–25 of 219")
    let order = """
      [...document.querySelectorAll('main > section')].map(one => one.id).slice(0, 3).join()
      """
    #expect(try browser.value(order) as? String == "short,all-stories,where")
    let top = """
      document.querySelector('#stories tbody tr').getBoundingClientRect().top < innerHeight
      """
    #expect(try browser.value(top) as? Bool == true)
    _ = try browser.value("document.getElementById('as-days').click()")
    let cells = """
      [...document.querySelectorAll('#stories-days tbody tr')].every(row => {
        const story = stories[Number(row.dataset.index)];
        const alerting = row.querySelectorAll('.day-cell.alert').length;
        return (alerting > 0) === (story.alerts > 0);
      })
      """
    #expect(try browser.value(cells) as? Bool == true)
    #expect(browser.complaints == [])
  }
}
