import FencepostAnalysis
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
  "The studio's page", .serialized, .onOwnThreads,
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
struct StudioPageTests {
  private static let walks = ["walk.gpx", "ride.gpx"]

  @Test("opens on the track with the alerts of a replay, and nothing is wrong in its console")
  func opens() throws {
    let studio = try StudioPage()
    let alerts = try SampleStories.replay(SampleStories.track("walk.gpx")).alerts
    #expect(try studio.result()[0] == "\(alerts.count)")
    #expect(try studio.result()[1...2] == ["0", "0"])
    let shown = try studio.browser.value(
      "studio.run.entries.filter(one => one.kind === 'alert').map(one => one.story)")
    #expect(shown as? [String] == alerts)
    // The view is where the track is.
    let isInView =
      "studioMap.getBounds().contains([studio.track.lat[0], studio.track.lon[0]])"
    #expect(try studio.browser.value(isInView) as? Bool == true)
    // The secret is not in the address any more.
    #expect(try studio.browser.value("location.search") as? String == "")
    try studio.browser.keep("studio-light")
    try studio.browser.prefer("prefers-color-scheme", "dark")
    try studio.browser.keep("studio-dark")
    for (width, height, isPhone) in [(390, 844, true), (3840, 2160, false)] {
      try studio.browser.resize(width: width, height: height, isPhone: isPhone)
      let isTooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
      #expect(try studio.browser.value(isTooWide) as? Bool == false, "\(width)")
    }
    #expect(studio.browser.complaints == [])
  }

  @Test("plays, steps by fix and by event, and scrubs by mouse and keys")
  func time() throws {
    let studio = try StudioPage()
    let now = "studio.player.now"
    _ = try studio.browser.value(
      """
      (() => { const field = document.getElementById('speed'); field.value = '1000';
      field.dispatchEvent(new Event('change')); })()
      """)
    try studio.click("play")
    try studio.browser.wait("it does not play", until: "\(now) > 30000")
    #expect(try studio.text("play") == "Pause")
    try studio.click("play")
    let paused = try studio.number(now)
    _ = try studio.browser.value(
      "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")
    #expect(try studio.number(now) == paused)

    _ = try studio.browser.value("document.getElementById('timeline').focus()")
    try studio.press("Home", code: 36)
    #expect(try studio.number(now) == 0)
    try studio.press("ArrowRight", code: 39)
    let fix = "studio.track.clock[1]"
    #expect(try studio.number(now) == (try studio.number(fix)))
    // With Shift, event by event: each is where its entry is, and a click in the list goes there too.
    try studio.press("Home", code: 36)
    for event in 0..<3 {
      try studio.press("ArrowRight", code: 39, modifiers: 8)
      #expect(try studio.number(now) == (try studio.number("studio.events[\(event)].at")))
    }
    try studio.press("ArrowLeft", code: 37, modifiers: 8)
    #expect(try studio.number(now) == (try studio.number("studio.events[1].at")))
    try studio.click("tab-events")
    try studio.browser.wait(
      "the event is not marked", until: "document.querySelector('#events [aria-current]') !== null")
    _ = try studio.browser.value("document.querySelectorAll('#events li button')[2].click()")
    #expect(try studio.number(now) == (try studio.number("studio.events[2].at")))

    let box = "document.getElementById('timeline').getBoundingClientRect()"
    let left = try studio.number("\(box).left")
    let width = try studio.number("\(box).width")
    let y = try studio.number("\(box).top + 10")
    try studio.drag(from: (left + 5, y), to: (left + width / 2, y))
    let share = try studio.number("\(now) / studio.player.end")
    #expect(abs(share - 0.5) < 0.01)
    try studio.browser.wait(
      "the slider does not tell it",
      until: """
        document.getElementById('timeline').getAttribute('aria-valuenow')
          === String(Math.round(\(now) / 1000))
        """)
    #expect(studio.browser.complaints == [])
  }

  @Test("shows at each refresh of a replay as many circles, and the same that came and went")
  func monitored() throws {
    let studio = try StudioPage()
    let refreshes = try SampleStories.replay(SampleStories.track("walk.gpx")).lines
      .filter { $0.type == "refresh" }
    let shown = try #require(
      try studio.browser.value(
        "studio.run.refreshes.map(one => [one.fix, one.added.length, one.removed.length])")
        as? [[Int]])
    let expected = refreshes.map { [$0.fix, $0.counts[1], $0.counts[2]] }
    #expect(shown == expected)
    _ = try studio.browser.value("studio.player.seek(studio.run.refreshes[5].at)")
    try studio.browser.wait(
      "the moment is not shown", until: "studio.state.refreshIndex === 5")
    #expect(try studio.text("monitored-count") == "20")
    let state = "studio.state"
    #expect(
      try studio.browser.value(
        """
        \(state).refresh.added.every(id => \(state).monitored.has(id))
          && !\(state).refresh.removed.some(id => \(state).monitored.has(id))
        """) as? Bool == true)
    // Where the set is refreshed next is 500 m from the refresh.
    #expect(try studio.number("\(state).refresh.next") == 500)
    // What is missed at a moment is inside and not monitored.
    _ = try studio.browser.value(
      "studio.player.seek(studio.run.entries.find(one => one.kind === 'missed').at)")
    try studio.browser.wait("nothing is missed", until: "\(state).missed.length > 0")
    #expect(
      try studio.browser.value(
        """
        \(state).missed.every(one =>
          \(state).inside.has(one.story) && !\(state).monitored.has(one.story))
        """) as? Bool == true)
  }

  @Test("A story is dragged, and its edge; verdicts follow, and undo and redo go back and forth")
  func drag() throws {
    let studio = try StudioPage()
    let alerts = try #require(Int(try studio.result()[0]))
    // A story that alerts, dragged far away from the path, is lost.
    let id = try #require(
      try studio.browser.value("studio.run.entries.find(one => one.kind === 'alert').story")
        as? String)
    try studio.choose(id)
    let center = try studio.handle(0)
    try studio.waitForNextAnswer {
      try studio.drag(from: center, to: (center.x - 60, center.y - 160))
    }
    try studio.browser.wait(
      "it is not lost", until: "studio.changed.find(one => one[0] === '\(id)')[1] === 0")
    #expect(try Int(studio.result()[2].dropFirst()) ?? 0 >= 1)
    #expect(
      try studio.browser.value("document.getElementById('changed').textContent.includes('Lost')")
        as? Bool == true)
    #expect(try studio.number("studio.edits.steps.length") == 1)
    let moved = try studio.handle(0)
    #expect(abs(moved.x - center.x + 60) < 2 && abs(moved.y - center.y + 160) < 2)

    let radius = try studio.number("studio.edits.places.get('\(id)').radius")
    let edge = try studio.handle(1)
    try studio.waitForNextAnswer {
      try studio.drag(from: edge, to: (edge.x + 50, edge.y))
    }
    #expect(try studio.number("studio.edits.places.get('\(id)').radius") > radius)

    try studio.waitForNextAnswer { try studio.click("undo") }
    #expect(try studio.number("studio.edits.places.get('\(id)').radius") == radius)
    try studio.waitForNextAnswer { try studio.press("z", code: 90, modifiers: 2) }
    #expect(try studio.result()[0] == "\(alerts)")
    #expect(try studio.result()[1...2] == ["0", "0"])
    try studio.waitForNextAnswer { try studio.click("redo") }
    #expect(try Int(studio.result()[2].dropFirst()) ?? 0 >= 1)
    #expect(studio.browser.complaints == [])
  }

  @Test("The address of a view opens it again: the moment, the story, the changes and the rules")
  func address() throws {
    let studio = try StudioPage()
    try studio.choose("liberty-bell-center")
    try studio.waitForNextAnswer { try studio.type("title", in: "story", "Glöckchen ✓") }
    try studio.waitForNextAnswer { try studio.type("limit", in: "rules", "9") }
    _ = try studio.browser.value("studio.player.seek(600000)")
    let hash = try #require(try studio.browser.value("studio.address()") as? String)
    let expected = try studio.result()
    try studio.browser.open("about:blank")
    let page = try #require(studio.address.split(separator: "?").first)
    try studio.browser.open(page + hash)
    try studio.waitForAnswer()
    #expect(try studio.number("studio.player.now") == 600_000)
    #expect(try studio.browser.value("studio.chosen") as? String == "liberty-bell-center")
    #expect(
      try studio.browser.value("studio.edits.places.get('liberty-bell-center').title") as? String
        == "Glöckchen ✓")
    #expect(try studio.number("studio.edits.rules.limit") == 9)
    #expect(try studio.result()[0] == expected[0])
    // One that is damaged shows the rest, and says so.
    try studio.browser.open("about:blank")
    try studio.browser.open(page + "#at=5000&edits=%%%")
    try studio.waitForAnswer()
    #expect(try studio.text("notices").contains("cannot be read"))
    #expect(try studio.number("studio.player.now") == 5000)
  }

  @Test("A story explains itself in the sentences of explain")
  func explains() throws {
    let studio = try StudioPage()
    try studio.choose("liberty-bell-center")
    try studio.click("why")
    try studio.browser.wait(
      "no explanation",
      until: "document.getElementById('explanation').textContent.includes('Watched')")
    let shown = try #require(
      try studio.browser.value("document.getElementById('explanation').textContent") as? String)
    for line in try OpenStudio.explanation(of: "liberty-bell-center", on: "walk.gpx") {
      #expect(shown.replacing(SampleStories.track("walk.gpx"), with: "walk.gpx").contains(line))
    }
    let meanings = "document.querySelectorAll('#explanation abbr[title]').length"
    #expect(try studio.number(meanings) > 0)
  }

  @Test("An empty store offers a sample; a dropped track is shown, a bad one refused in words")
  func empty() throws {
    let scratch = try ScratchFolder()
    let one = try scratch.write("one.csv", "id,lat,lon\na,1,2\n")
    let store = try OpenStudio.makeStore(scratch, from: one)
    let place = try OpenStudio.stored("a", in: store)
    _ = try PlaceStore(path: store).edit([PlaceEdit(id: "a", before: place, after: nil)])
    let studio = try StudioPage([], store: store, waits: false)
    try studio.browser.wait("no offer", until: "document.getElementById('sample') !== null")
    try studio.click("sample")
    try studio.waitForAnswer()
    try studio.browser.wait("no alerts", until: "studio.run.entries.length > 5")
    #expect(try studio.number("Object.keys(studio.edits.changes()).length") == 219)
    #expect(try studio.text("save").contains("219"))

    let drop = { (name: String, text: String) in
      """
      (() => { const data = new DataTransfer(); data.items.add(new File([\(text)], '\(name)'));
      dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true })); })()
      """
    }
    let csv = """
      'time,lat,lon\\n2026-03-04T17:00:00Z,39.95,-75.15\\n2026-03-04T17:01:00Z,39.951,-75.15\\n'
      """
    _ = try studio.browser.value(drop("mine.csv", csv))
    try studio.browser.wait(
      "the dropped track is not shown",
      until: "studio.track?.name === 'mine.csv' && studio.run !== null")
    #expect(try studio.number("studio.track.count") == 2)
    _ = try studio.browser.value(drop("bad.gpx", "'nothing of the kind'"))
    try studio.browser.wait(
      "no sentence", until: "document.getElementById('notices').innerText.includes('bad.gpx')")
    #expect(try studio.browser.value("studio.track.name") as? String == "mine.csv")
  }

  @Test("Several tracks add up to the numbers of an analysis")
  func severalTracks() async throws {
    let studio = try StudioPage(Self.walks)
    try studio.browser.wait(
      "not all tracks are followed", until: "document.body.dataset.complete !== undefined")
    let totals = try await SampleAnalysis.analyze(Self.walks.map { SampleStories.track($0) }).totals
    let shown = try studio.result("result-all").map { $0.filter(\.isNumber) }
    let counts = totals.counts
    #expect(
      [shown[0], shown[3], shown[4]] == [counts.alerts, counts.late, counts.missed].map { "\($0)" })
    _ = try studio.browser.value(
      """
      (() => { const field = document.getElementById('track'); field.value = '1';
      field.dispatchEvent(new Event('change')); })()
      """)
    try studio.browser.wait(
      "the other track is not shown",
      until: "studio.track?.name.endsWith('ride.gpx') && studio.run !== null")
  }

  @Test("says that a change is answered if it goes into the background before it is drawn")
  func background() throws {
    let studio = try StudioPage()
    try studio.choose("liberty-bell-center")
    // In the background a browser draws no frame.
    _ = try studio.browser.value(
      "studio.lastAnswer = -1; window.requestAnimationFrame = () => 0; 0")
    try studio.waitForNextAnswer {
      try studio.type("radius", in: "story", "300")
      try studio.browser.wait("no result", until: "studio.lastAnswer >= 0")
      _ = try studio.browser.value(
        """
        Object.defineProperty(document, 'hidden', { value: true });
        document.dispatchEvent(new Event('visibilitychange')); 0
        """)
    }
  }

  @Test("Everything that can be used has a name and can be reached by keyboard")
  func accessible() throws {
    let studio = try StudioPage()
    try studio.choose("liberty-bell-center")
    let nameless = """
      [...document.querySelectorAll('button, input, select, textarea, [role=slider], [role=tab]')]
        .filter(one => !(one.innerText || one.getAttribute('aria-label') || one.labels?.length
          || one.getAttribute('aria-labelledby'))).map(one => one.outerHTML)
      """
    #expect(try studio.browser.value(nameless) as? [String] == [])
    let unreachable = """
      [...document.querySelectorAll('button:not([role=tab]), input, select, #timeline, #map')]
        .filter(one => one.tabIndex < 0 && !one.closest('.rows')).map(one => one.outerHTML)
      """
    #expect(try studio.browser.value(unreachable) as? [String] == [])
    // The list of stories is one tab stop, too.
    let stops = "document.querySelectorAll('.rows button[tabindex=\"0\"]').length"
    #expect(try studio.browser.value(stops) as? Int == 1)
    // One tab stop for the tabs, arrows between them.
    _ = try studio.browser.value("document.querySelector('[role=tab][tabindex=\"0\"]').focus()")
    try studio.press("ArrowRight", code: 39)
    #expect(try studio.browser.value("document.activeElement.id") as? String == "tab-rules")
    #expect(
      try studio.browser.value("document.getElementById('panel-rules').hidden") as? Bool == false)
    #expect(
      try studio.browser.value("document.querySelectorAll('[role=tab][tabindex=\"0\"]').length")
        as? Int == 1)
    let twice = """
      (() => { const ids = [...document.querySelectorAll('[id]')].map(one => one.id);
      return ids.filter((id, index) => ids.indexOf(id) !== index); })()
      """
    #expect(try studio.browser.value(twice) as? [String] == [])
  }

  @Test("Hostile titles are shown as text and never run")
  func hostile() throws {
    let stories = SampleStories.data.appendingPathComponent("stories/hostile.csv").path
    let studio = try StudioPage(stories: stories)
    try studio.click("tab-events")
    _ = try studio.browser.value(
      "document.querySelectorAll('#events li button').forEach(one => one.click())")
    let found = """
      ['img', 'iframe', 'object', 'embed', 'a[href^=javascript]', '[onerror]', 'body script']
        .map(name => document.querySelectorAll('body ' + name).length)
      """
    #expect(try studio.browser.value(found) as? [Int] == [0, 0, 0, 0, 0, 0, 0])
    #expect(studio.browser.complaints == [])
  }

  @Test("Without the secret nobody gets in, nor pages of other sites with it")
  func access() throws {
    let server = try OpenStudio()
    let secret = try #require(server.address.split(separator: "=").last)
    #expect(secret.count >= 20)
    func status(_ path: String, _ fields: [String] = [], posts: Bool = false) throws -> Int? {
      let client = try RawClient(port: server.studio.port)
      let fields = ["Host: localhost"] + fields
      if posts {
        try client.post("/" + path, "{}", fields)
      } else {
        try client.get("/" + path, fields)
      }
      try client.waitForClose()
      return client.status
    }
    let bearer = ["Authorization: Bearer \(secret)"]
    let (json, evil) = (["Content-Type: application/json"], ["Origin: http://evil.example"])
    #expect(try status("") == 401)
    #expect(try status("scene") == 401)
    #expect(try status("save", json, posts: true) == 401)
    #expect(try status("scene", bearer) == 200)
    #expect(try status("scene", bearer + evil) == 403)
    #expect(try status("save", bearer + json + evil, posts: true) == 403)
    #expect(try status("export", bearer, posts: true) == 415)
    #expect(try status("export", bearer + json, posts: true) == 400)
    #expect(try status("zone?name=Europe/Berlin", bearer) == 200)
    #expect(try status("zone?name=../../../etc/passwd", bearer) == 404)
    #expect(try status("scene", bearer, posts: true) == 405)
    #expect(try status("..%2fetc%2fpasswd", bearer) == 404)
  }
}
