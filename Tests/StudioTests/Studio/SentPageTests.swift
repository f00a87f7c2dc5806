import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostPlaces
import FencepostReporting
import FencepostSession
import FencepostStudio
import Foundation
import SampleStories
import TestSupport
import Testing

/// The studio as one file to send.
@Suite(
  "A page to send", .serialized, .onOwnThreads,
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
struct SentPageTests {
  private static let walks = ["walk.gpx", "ride.gpx"]

  /// Writes a page and returns its path.
  private func export(
    _ scratch: ScratchFolder, _ walks: [String] = walks, _ privacy: WalkPrivacy = WalkPrivacy(),
    _ change: (inout StudioScene) -> Void = { _ in }
  ) throws -> String {
    var scene = try OpenStudio.scene(walks)
    change(&scene)
    let page = try SentPage(
      scene, scene.store.allPlaces(), privacy: privacy, library: try Browser.mapLibrary())
    return try scratch.write("walk.html", String(decoding: try page.make(), as: UTF8.self))
  }

  /// How many alerts a replay of the walk has.
  private func alerts(_ change: (inout ReplayOptions) -> Void = { _ in }) throws -> Double {
    let alerts = try SampleStories.replay(SampleStories.track("walk.gpx"), change).alerts
    #expect(!alerts.isEmpty)
    return Double(alerts.count)
  }

  private func open(_ page: String, in kind: BrowserKind = .chromium) throws -> Browser {
    let browser = try Browser(kind)
    try browser.open("file://\(page)")
    try browser.wait("not ready", until: "document.body?.dataset.ready === 'true'")
    try browser.wait("no answer", until: "document.body.dataset.complete !== undefined")
    return browser
  }

  @Test(
    "It opens from a file with the numbers of replay, plays and explains",
    arguments: BrowserKind.installed)
  func plays(kind: BrowserKind) throws {
    let scratch = try ScratchFolder()
    let browser = try open(try export(scratch), in: kind)
    #expect(
      try browser.number("studio.events.filter(one => one.kind === 'alert').length") == alerts())
    _ = try browser.value("studio.player.speed = 1000; studio.player.play()")
    try browser.wait("it does not play", until: "studio.player.now > 100000")
    _ = try browser.value("studio.player.pause()")
    // The other walk is in the file as well.
    _ = try browser.value(
      "document.getElementById('track').value = '1'; "
        + "document.getElementById('track').dispatchEvent(new Event('change'))")
    try browser.wait("no other walk", until: "studio.number === 1 && studio.run !== null")
    _ = try browser.value(
      "document.querySelector('#find').value = [...studio.edits.places.values()][0].title; "
        + "document.querySelector('#find').dispatchEvent(new Event('input'))")
    try browser.wait("no story", until: "document.getElementById('why') !== null")
    _ = try browser.value("document.getElementById('why').click()")
    try browser.wait(
      "no explanation",
      until: "document.getElementById('explanation').innerText.length > 40")
    #expect(browser.complaints == [])
  }

  @Test("A story can be dragged in it and a rule changed, which nobody else hears of")
  func tries() async throws {
    let scratch = try ScratchFolder()
    // A seed that needs more than 32 bits.
    let seed: Int64 = 5_000_000_000
    let browser = try open(
      try export(scratch) { $0.start(with: .iphone, trials: 20, seed: seed) })
    // The chances are those of an analysis.
    try browser.wait("no chances", until: "document.body.dataset.simulated !== undefined")
    let analysis = try await SampleAnalysis.analyze([SampleStories.track("walk.gpx")]) {
      $0.session.monitoring.significantChangeMeters = 500
      $0.chance = ChanceOptions(
        profiles: [BuiltInProfile.iphone.profile],
        simulation: .init(trials: 20, seed: UInt64(seed)))
    }.text
    let track = try #require(
      analysis.split(separator: "\n").first { $0.hasPrefix(#"{"type":"chance-track""#) })
    let shown = try browser.number(
      """
      import('studio-wire.js').then(wire => wire.getChances()).then(({ shown }) => [...shown.values()]
        .filter(one => one.isDue).reduce((sum, one) => sum + one.alerts, 0))
      """)
    #expect(shown > 20)
    #expect(track.contains("\"alerts\":\(Int(shown)),"), "\(track)")
    let id = try #require(
      try browser.value("studio.run.entries.find(one => one.kind === 'alert').story") as? String)
    try browser.choose(id)
    let center = try browser.handle(0)
    try browser.drag(from: center, to: (center.x - 60, center.y - 160))
    try browser.wait(
      "it is not lost", until: "studio.changed.find(one => one[0] === '\(id)')?.[1] === 0")
    try browser.wait(
      "no chances", until: "document.body.dataset.simulated === String(studio.question().number)")
    try browser.wait(
      "the loss is not said",
      until: "document.getElementById('changed').textContent.includes('Lost')")
    _ = try browser.value("studio.edits.undo()")
    _ = try browser.value(
      "studio.edits.setRules('Rules', { ...studio.scene.plain, limit: 5 })")
    try browser.wait(
      "not all walks are replayed",
      until: "document.body.dataset.complete === String(studio.question().number)")
    #expect(
      try browser.number("studio.run.entries.filter(one => one.kind === 'alert').length")
        == alerts { $0.session.monitoring.limit = 5 })
    let loaded =
      "performance.getEntriesByType('resource').filter(one => !one.name.startsWith('data:')).length"
    #expect(try browser.number(loaded) == 0)
    #expect(browser.complaints == [])
  }

  @Test("What is hidden is nowhere in the file, and everything else is worked out without it")
  func hides() throws {
    let scratch = try ScratchFolder()
    let page = try export(
      scratch, ["walk.gpx"], WalkPrivacy(endsMeters: 200, clockMilliseconds: 3_600_000))
    let browser = try open(page)
    // What the page holds is compressed.
    let held = try #require(
      try browser.value(
        """
        new Response(new Blob([Uint8Array.from(atob(document.getElementById('sent').textContent),
          letter => letter.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
        """) as? String)
    let text = try String(contentsOfFile: page, encoding: .utf8) + held
    for hidden in ["walk.gpx", "tracks/", scratch.path("")] { #expect(!text.contains(hidden)) }
    let whole = try StudioPage()
    let ends = "[0, studio.track.count - 1].map(i => [studio.track.lat[i], studio.track.lon[i]])"
    let hidden = try #require(try whole.browser.value("JSON.stringify(\(ends))") as? String)
    // A distance of the page's own arithmetic is exact enough for one meter in 200.
    let nearest = try browser.number(
      """
      Math.min(...\(hidden).flatMap(([lat, lon]) => [...studio.track.lat].map((_, i) => {
        const radians = Math.PI / 180;
        const north = (studio.track.lat[i] - lat) * 111050;
        const east = (studio.track.lon[i] - lon) * 111320 * Math.cos(lat * radians);
        return Math.hypot(north, east);
      })))
      """)
    #expect(nearest > 198 && nearest < 260, "\(nearest)")
    #expect(try browser.number("studio.track.time[0] % 3600000") == 0)
    #expect(
      try browser.number("studio.track.count") < (try whole.number("studio.track.count")))
    // Steps of time stay as they are.
    #expect(try browser.number("studio.track.time[1] - studio.track.time[0]") == 1000)
    let note = try browser.value("document.getElementById('sent-note').innerText") as? String
    #expect(note?.contains("within 200 m of each walk’s start and end is left out") == true)
    #expect(browser.complaints == [])
  }

  @Test("Where every walk stays within its ends, nothing is left to show")
  func nothingLeft() throws {
    #expect {
      try export(try ScratchFolder(), Self.walks, WalkPrivacy(endsMeters: 500_000))
    } throws: {
      "\($0)".contains("so nothing is left to show")
    }
  }

  @Test(
    "The studio writes the same page, with changes that are not saved",
    arguments: BrowserKind.installed)
  func button(kind: BrowserKind) throws {
    let studio = try StudioPage(in: kind)
    try studio.choose("firemans-hall")
    try studio.waitForNextAnswer { try studio.type("radius", in: "story", "1") }
    try studio.click("export")
    try studio.click("export-page")
    try studio.browser.wait("no dialog", until: "document.getElementById('page-now') !== null")
    let text = try studio.browser.download("#page-now")
    let scratch = try ScratchFolder()
    let browser = try open(try scratch.write("page.html", text), in: kind)
    #expect(try browser.number("studio.edits.places.get('firemans-hall').radius") == 1)
    #expect(
      try browser.number("studio.run.entries.length")
        == (try studio.number("studio.run.entries.length")))
    #expect(try browser.value("studio.chosen") as? String == "firemans-hall")
    #expect(studio.browser.complaints == [])
    #expect(browser.complaints == [])
  }
}
