import Foundation
import TestSupport
import Testing

/// The map of several devices, old fixes and long titles, in a real browser.
@Suite("The live map", .enabled(if: Browser.isInstalled, needsBrowser))
struct LiveMapDevicesTests {
  private static let longTitle = String(repeating: "Très long ", count: 500)

  private let scratch: Scratch
  private let live: LiveProcess
  private let browser: Browser

  init() throws {
    scratch = try Scratch()
    let places = try scratch.write(
      "places.csv",
      """
      id,title,lat,lon,radius
      a,\(Self.longTitle),40,-75,50
      b,Beta,40.02,-75,50
      far,Far away,-33.9,151.2,50

      """)
    live = try LiveProcess(
      nil,
      [
        "live", "-", "--places", places, "--map", "127.0.0.1:0", "--device-field", "device",
        "--cooldown", "none", "--max-gap", "none",
      ])
    browser = try Browser()
    try browser.open(try live.mapAddress())
    try browser.wait(
      "the page is not connected",
      until: "document.getElementById('link')?.innerText === 'live, no fixes yet'")
  }

  /// A device goes north by a degree's part, in minutes.
  private func send(_ device: String, _ latitudes: [Double], seconds: Int = 1_772_649_000) throws {
    for (index, latitude) in latitudes.enumerated() {
      try live.write(
        Data(
          #"{"device":"\#(device)","time":\#(seconds + 60 * index),"lat":\#(latitude),"lon":-75}"#
            .utf8
        ) + [0x0A])
    }
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
    let places = try scratch.write("one.csv", "id,title,lat,lon,radius\na,A,40,-75,50\n")
    let live = try LiveProcess(
      nil,
      [
        "live", "-", "--places", places, "--map", "127.0.0.1:0", "--time-zone", "Asia/Tokyo",
      ])
    try browser.open(try live.mapAddress())
    try browser.wait(
      "no zone", until: "document.getElementById('zone')?.textContent === 'Asia/Tokyo'")
    // 2026-03-04T18:30:00Z
    try live.write(Data(#"{"time":1772649000,"lat":40.01,"lon":-75}"#.utf8) + [0x0A])
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
    try browser.open(try live.mapAddress())
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
}
