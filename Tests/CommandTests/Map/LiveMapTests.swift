import Foundation
import TestSupport
import Testing

extension LiveProcess {
  /// Waits until the program says where its map is, and returns the address.
  func mapAddress() throws -> String {
    try wait("no map") { $0.errorText.contains("the map is at http") }
    let text = try #require(errorText.firstMatch(of: /the map is at (http[^\s;]+)/)?.1)
    return String(text)
  }
}

/// Why a test of a page is skipped.
let needsBrowser = Comment(rawValue: Browser.absence)

@Suite("The map of a live session", .serialized)
struct LiveMapTests {
  private static func start(_ more: [String], places: String = LiveSample.places) throws
    -> LiveProcess
  {
    try LiveProcess(nil, ["live", "-", "--places", places, "--map", "127.0.0.1:0"] + more)
  }

  @Test(
    "shows the position, the circles, each alert and suppressions in a real browser",
    .enabled(if: Browser.isInstalled, needsBrowser))
  func browser() throws {
    let bytes = try LiveSample.track("walk.nmea")
    let live = try Self.start([])
    let address = try live.mapAddress()
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let half = lines.prefix(lines.count / 2).joined(separator: [0x0A]) + [0x0A]
    try live.write(Data(half))
    let browser = try Browser()
    try browser.open(address)
    try browser.wait(
      "no alert by name",
      until: "document.getElementById('alerts')?.innerText.includes('Liberty Bell Center') === true"
    )
    #expect(try browser.value("document.querySelectorAll('#monitored tr').length") as? Int == 20)
    let rings =
      "liveDrawing.circles.filter(group => !group.quiet).flatMap(group => group.circles).length"
    #expect(try browser.value(rings) as? Int == 20)
    #expect(try browser.value("liveDrawing.marks.place.length") as? Int == 60)
    // What is drawn is found where it stands.
    let here = "liveDrawing.marks.here0[0]"
    let found =
      "liveDrawing.find({ x: liveDrawing.x(\(here).x), y: liveDrawing.y(\(here).y) }).kind"
    #expect(try browser.value(found) as? String == "here0")
    try browser.wait(
      "the path is not drawn",
      until: "liveDrawing.tracks[0].lines.flat().length > 100")
    let reason = "It has alerted within the last 7 days."
    #expect(
      try browser.value("document.getElementById('quiet').innerText.includes('\(reason)')") as? Bool
        == true)
    let before = try browser.value("document.getElementById('monitored').innerText") as? String
    try browser.keep("live-light")

    try live.write(Data(bytes.dropFirst(half.count)))
    try browser.wait(
      "no later alert",
      until: "document.getElementById('alerts').innerText.includes('LOVE Park')")
    let expected = try LiveSample.replayed(bytes)
    for (id, type) in [("alert-count", "alert"), ("quiet-count", "suppressed")] {
      let shown = try browser.value("document.getElementById('\(id)').innerText") as? String
      #expect(shown == "\(expected.count { $0.contains("\"type\":\"\(type)\"") })")
    }
    // The circles have changed at a refresh.
    #expect(
      try browser.value("document.getElementById('monitored').innerText") as? String != before)
    #expect(try browser.value("document.getElementById('link').innerText") as? String == "live")
    try browser.keep("live-toast")
    try browser.prefer("prefers-color-scheme", "dark")
    try browser.keep("live-dark")
    try browser.resize(width: 390, height: 844, isPhone: true)
    try browser.keep("live-phone-dark")
    try browser.prefer("prefers-color-scheme", "light")
    try browser.keep("live-phone")
    let isTooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    #expect(try browser.value(isTooWide) as? Bool == false)

    try live.closeInput()
    try browser.wait(
      "the end is not told", until: "document.getElementById('link').innerText === 'ended'")
    #expect(try live.end() == 0)
    #expect(live.lines == expected)
    #expect(browser.complaints.filter { !$0.contains("ERR_CONNECTION_REFUSED") } == [])
  }

  @Test(
    "reconnects by itself when the program restarts, and shows the earlier state",
    .enabled(if: Browser.isInstalled, needsBrowser))
  func reconnect() throws {
    let scratch = try Scratch()
    let port = try Tool.holdPort()
    let arguments = [
      "live", "-", "--places", LiveSample.places, "--map", "127.0.0.1:\(port)", "--state",
      scratch.path("state"),
    ]
    let bytes = try LiveSample.track("walk.nmea")
    let first = try LiveProcess(nil, arguments)
    _ = try first.mapAddress()
    try first.write(bytes.prefix(bytes.count / 2))
    let browser = try Browser()
    try browser.open("http://127.0.0.1:\(port)/")
    try browser.wait("no alert", until: "document.querySelectorAll('#alerts li').length > 3")
    try first.stop()
    try browser.wait(
      "the loss is not told", until: "document.getElementById('link').innerText === 'ended'")
    let second = try LiveProcess(nil, arguments)
    try browser.wait(
      "it did not come back",
      until: "/^(live|stale)/.test(document.getElementById('link').innerText)")
    // What the state knows is there at once, before anything else comes.
    try browser.wait(
      "what is monitored is not known",
      until: "document.querySelectorAll('#monitored tr').length === 20")
    try second.write(Data(bytes.dropFirst(bytes.count / 2)))
    try browser.wait(
      "no later alert",
      until: "document.getElementById('alerts').innerText.includes('LOVE Park')")
    try second.stop(by: SIGINT)
  }

  @Test("whose port is taken ends the program before anything happens, with a message")
  func portTaken() throws {
    let first = try Self.start([])
    let address = try first.mapAddress()
    let port = try #require(address.firstMatch(of: /:(\d+)\//)?.1)
    let result = try Command.run([
      "live", "-", "--places", LiveSample.places, "--map", "127.0.0.1:\(port)",
    ])
    #expect(result.status == 74)
    #expect(
      result.errors
        == "fencepost: cannot listen on 127.0.0.1:\(port): another program is using that port\n")
    try first.stop()
  }

  @Test("takes the token from the environment, and asks for it")
  func token() throws {
    let live = try LiveProcess(
      nil, ["live", "-", "--places", LiveSample.places, "--map", "127.0.0.1:0"],
      environment: ["FENCEPOST_TOKEN": "s3cret"])
    let address = try live.mapAddress()
    #expect(!live.errorText.contains("s3cret"))
    #expect(try Curl.run([address]).status == 401)
    #expect(try Curl.run(["-u", "me:s3cret", address]).status == 200)
    #expect(try Curl.run(["-H", "Authorization: Bearer s3cret", address + "state"]).status == 200)
    #expect(try Curl.run(["-H", "Host: map.example", "-u", "me:s3cret", address]).status == 200)
    #expect(try Curl.run(["-H", "Host: map.example", address]).status == 401)
    try live.stop()
  }
}
