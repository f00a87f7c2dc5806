import FencepostHTTP
import FencepostMonitoring
import FencepostNotifications
import FencepostSession
import FencepostStudio
import FencepostTiles
import FencepostTime
import Foundation
import TestSupport
import Testing

/// The map of several devices, old fixes, hostile and long titles, in a real browser.
@Suite(
  "The live map", .serialized, .onOwnThreads,
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
struct LiveMapPageTests {
  private static let longTitle = String(repeating: "Très long ", count: 500)

  private static let places = """
    id,title,lat,lon,radius
    a,\(longTitle),40,-75,50
    b,Beta,40.02,-75,50
    far,Far away,-33.9,151.2,50

    """

  private let live: IngestScene
  private let browser: Browser

  init() throws {
    live = try Self.start()
    browser = try Browser()
    try open(live)
  }

  private static func start(
    places: String = places, _ change: (inout LiveMapOptions) throws -> Void = { _ in }
  ) throws -> IngestScene {
    try IngestScene(places: places) { options in
      options.site.library = try Browser.mapLibrary()
      options.session.alerts.cooldown = .none
      options.session.monitoring.maxGapMilliseconds = nil
      try change(&options)
    }
  }

  private func open(_ live: IngestScene) throws {
    try browser.open(live.scene.map.url)
    try browser.wait(
      "the page is not connected",
      until: "document.getElementById('link')?.innerText === 'live, no fixes yet'")
  }

  /// A device goes north by a degree's part, in minutes.
  private func send(
    _ device: String, _ latitudes: [Double], seconds: Int = 1_772_649_000,
    to live: IngestScene? = nil
  ) throws {
    let lines = latitudes.enumerated().map {
      #"{"time":\#(seconds + 60 * $0),"lat":\#($1),"lon":-75}"# + "\n"
    }
    let answer = try (live ?? self.live).post(
      "/fixes?device=" + Percent.encoded(device), lines.joined())
    #expect(answer.status == 200, "\(answer.text)")
  }

  private func text(_ id: String) throws -> String {
    try browser.value("document.getElementById('\(id)').innerText") as? String ?? ""
  }

  private func count(_ selector: String) throws -> Int? {
    try browser.value("document.querySelectorAll('\(selector)').length") as? Int
  }

  @Test("opens where most stories are, before anybody is on it")
  func home() throws {
    try browser.wait(
      "the map stays on the world",
      until:
        "window.liveDrawing?._map.getBounds().contains([40.01, -75]) && liveDrawing._map.getZoom() > 10"
    )
    // The stories are there with their circles before anybody moves.
    let circles = "liveDrawing.circles.find(one => one.look === 'waiting').circles.length"
    #expect(try browser.value(circles) as? Int == 3)
    _ = try browser.value("liveDrawing._map.setView([40.02, -75], 15, { animate: false }); 0")
    try browser.wait("no name", until: "liveNames.drawn?.names === 1")
    try send("ann", [40.01, 40.005])
    try browser.wait("they stay", until: "\(circles) === 0")
  }

  @Test("shows times in the zone of the server")
  func zone() throws {
    let live = try Self.start { $0.zone = try #require(ClockZone(identifier: "Asia/Tokyo")) }
    try open(live)
    try browser.wait(
      "no zone", until: "document.getElementById('zone')?.textContent === 'Asia/Tokyo'")
    // 2026-03-04T18:30:00Z
    try send("ann", [40.01], to: live)
    try browser.wait(
      "no time there",
      until: "document.getElementById('fact-time').innerText === '5 March 2026 at 03:30:00'")
  }

  @Test("gives each device a color and its name, and filters alerts by the chosen one")
  func devices() throws {
    try send("ann", [40.01, 40.0, 40.01])
    try send("bob", [40.01, 40.02, 40.01, 40.02])
    try browser.wait(
      "not all alerts", until: "document.querySelectorAll('#alerts li').length === 3")
    #expect(try count("#crew li") == 2)
    #expect(
      try browser.value(
        "[...document.querySelectorAll('#crew li')].map(one => one.dataset.color).join()")
        as? String == "0,1")
    #expect(
      try browser.value(
        "new Set(liveDrawing.tracks.filter(one => /^(other)?[pP]ath/.test(one.look)).map(one => liveDrawing.looks[one.look].stroke)).size"
      ) as? Int == 2)
    let colors =
      "[...document.querySelectorAll('#crew i')].map(one => getComputedStyle(one).backgroundColor)"
    #expect(try browser.value("new Set(\(colors)).size") as? Int == 2)
    // Ann is chosen first.
    #expect(try count("#alerts li:not([hidden])") == 1)
    #expect(try text("alert-count") == "1")
    _ = try browser.value("document.querySelectorAll('#crew button')[1].click()")
    #expect(try count("#alerts li:not([hidden])") == 2)
    #expect(try text("alerts").contains("Beta"))
    _ = try browser.value("document.querySelectorAll('#crew button')[1].click()")
    #expect(try count("#alerts li:not([hidden])") == 3)
    #expect(try text("alert-count") == "3")
    try browser.wait("no names on the map", until: "liveNames.drawn?.names >= 2")
    #expect(browser.complaints == [])
  }

  @Test(
    "says how old the last fix is, in full with year and zone, and is stale until a new one comes")
  func stale() throws {
    try send("ann", [40.01, 40.005])
    try browser.wait("no fix", until: "document.getElementById('link').innerText === 'live'")
    #expect(try text("fact-time").contains("March 2026"))
    #expect(try text("zone") == "UTC")
    #expect(try text("fact-age").contains("s ago, recorded "))
    #expect(try text("fact-age").hasSuffix("days ago"))
    // A page that is opened later says the same, because the server knows when the fix came.
    try browser.open(live.scene.map.url)
    try browser.wait(
      "the second page does not agree",
      until: "document.getElementById('link')?.innerText === 'live'")
    #expect(try text("fact-age").contains("s ago, recorded "))
    // As if a minute had passed.
    _ = try browser.value("(() => { const now = Date.now; Date.now = () => now() + 90000; })()")
    try browser.wait(
      "it is not stale",
      until: "document.getElementById('link').innerText.startsWith('stale: last fix') === true")
    try send("ann", [40.001], seconds: 1_772_649_600)
    try browser.wait(
      "it stays stale", until: "document.getElementById('link').innerText === 'live'")
  }

  @Test("draws the path on, point by point, as far as the device has come")
  func growingPath() throws {
    // The first two points are soon out of view, 1 km behind.
    let latitudes = (0..<24).map { 40.1 + 0.002 * Double($0) }
    try send("ann", Array(latitudes.prefix(2)))
    try browser.wait("no fix", until: "document.getElementById('link').innerText === 'live'")
    _ = try browser.value(
      "(() => { liveDrawing._map.setZoom(15, { animate: false }); return true; })()")
    for (index, latitude) in latitudes.enumerated().dropFirst(2) {
      try send("ann", [latitude], seconds: 1_772_649_000 + 60 * index)
      try browser.wait(
        "the fix is not shown",
        until: "document.getElementById('fact-fixes').innerText === '\(index + 1)'")
    }
    // Halfway between the last two points there is nothing but the path.
    let pixel = """
      (() => {
        const line = liveDrawing.tracks[0].lines[0], n = line.length, ratio = devicePixelRatio || 1;
        const middle = side => (line[n - 4 + side] + line[n - 2 + side]) / 2;
        const x = (liveDrawing.x(middle(0)) - liveDrawing.whole.left) * ratio;
        const y = (liveDrawing.y(middle(1)) - liveDrawing.whole.top) * ratio;
        const c = liveDrawing._container.getContext('2d');
        return c.getImageData(Math.round(x), Math.round(y), 1, 1).data[3];
      })()
      """
    let opacity = try #require(try browser.value(pixel) as? Int)
    #expect(opacity > 100, "nothing is drawn where the path is")
  }

  @Test("cuts a title of 5,000 letters, and has alerts above the fold on a phone")
  func longTitles() throws {
    try browser.resize(width: 390, height: 844, isPhone: true)
    try send("ann", [40.01, 40.0, 40.01])
    try browser.wait("no alert", until: "document.querySelectorAll('#alerts li').length === 1")
    let shown = try browser.value("document.querySelector('#alerts button').textContent") as? String
    #expect(shown.map { $0.count <= 141 && $0.hasSuffix("…") } == true)
    #expect(try browser.value("document.title.length < 100") as? Bool == true)
    #expect(
      try browser.value(
        "document.querySelector('#alerts li').getBoundingClientRect().top < innerHeight") as? Bool
        == true)
    #expect(
      try browser.value(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        as? Bool == true)
    try browser.keep("live-long-title")
  }

  @Test("calls with a sound only once it was asked to")
  func sound() throws {
    try browser.wait("no page", until: "document.getElementById('sound') !== null")
    #expect(
      try browser.value("document.getElementById('sound').getAttribute('aria-pressed')") as? String
        == "false")
    // Browsers make no sound before somebody has touched the page.
    _ = try browser.call(
      "Runtime.evaluate",
      ["expression": "document.getElementById('sound').click()", "userGesture": true])
    try browser.wait(
      "no sound is asked for",
      until: "document.getElementById('sound').getAttribute('aria-pressed') === 'true'")
    #expect(browser.complaints == [])
  }

  @Test("shows hostile names as text, and executes none")
  func hostile() throws {
    let title = "</script><img src=x onerror=\"document.title='broken'\"><b>bold</b>"
    let quoted = title.replacingOccurrences(of: "\"", with: "\"\"")
    let live = try Self.start(
      places: "id,title,lat,lon,radius,blurb,url\n"
        + "a,\"\(quoted)\",40,-75,50,\"\(quoted)\",javascript:alert(1)\n")
    try open(live)
    try send(title, [40.01, 40.0, 40.01, 40.0], to: live)
    try send("other", [40], to: live)
    try browser.wait(
      "no alert", until: "document.querySelectorAll('#alerts li').length === 2")
    let shown = try browser.value("document.querySelector('#alerts button').textContent")
    #expect(shown as? String == title)
    #expect(
      try browser.value("document.querySelectorAll('img, #alerts b, #alerts a').length") as? Int
        == 0)
    #expect(try browser.value("document.querySelectorAll('#device option').length") as? Int == 3)
    #expect(try browser.value("document.title === 'broken'") as? Bool == false)
    #expect(browser.complaints == [])
  }

  @Test("takes streets from a file, without a network")
  func tiles() throws {
    let scratch = try ScratchFolder()
    let file = scratch.path("map.mbtiles")
    // A picture of one gray pixel for the whole world.
    let picture =
      "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
      + "0000000a49444154789c636800000082008177cd72b60000000049454e44ae426082"
    let sqlite = try LiveProcess(
      "sqlite3",
      [
        file,
        """
        CREATE TABLE metadata (name TEXT, value TEXT);
        INSERT INTO metadata VALUES ('attribution', '<b onclick="x()">Grey</b> & Sons');
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        INSERT INTO tiles VALUES (0, 0, 0, x'\(picture)');
        """,
      ])
    try #require(try sqlite.end() == 0)
    let live = try Self.start { $0.site.tiles = try TileFile(path: file) }
    try open(live)
    try browser.wait(
      "no tile is shown",
      until: "document.querySelector('.street-tiles img.leaflet-tile-loaded') !== null")
    let credits = "document.querySelector('.leaflet-control-attribution').innerText"
    #expect(try browser.value(credits) as? String == "Leaflet | Grey & Sons")
    #expect(
      try browser.value(
        "performance.getEntriesByType('resource').every(one => "
          + "one.name.startsWith(location.origin))"
      )
        as? Bool == true)
    _ = try browser.value("document.getElementById('streets').click()")
    #expect(
      try browser.value("document.querySelector('.street-tiles') === null") as? Bool == true)
    #expect(browser.complaints == [])
  }
}
