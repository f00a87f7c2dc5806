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

/// What must not go wrong while stories are edited in the studio.
@Suite(
  "Editing in the studio", .serialized, .onOwnThreads,
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
struct StudioEditTests {
  private static let id = "congress-hall"
  private static let place = "studio.edits.places.get('\(id)')"

  private func look(_ studio: StudioPage, zoom: Int) throws {
    _ = try studio.browser.value(
      """
      (() => { const place = \(Self.place); scrollTo(0, 0);
      studioMap.setView([place.lat, place.lon], \(zoom), { animate: false }); return true; })()
      """)
  }

  @Test(
    "A story that is dragged by its center moves and keeps its radius, however small its circle",
    arguments: [false, true])
  func moves(byTouch: Bool) throws {
    let studio = try StudioPage()
    if byTouch {
      try studio.browser.resize(width: 390, height: 844, isPhone: true)
      _ = try studio.browser.call("Emulation.setTouchEmulationEnabled", ["enabled": true])
    }
    let drag = byTouch ? studio.dragByTouch : studio.drag
    try studio.choose(Self.id)
    for zoom in [11, 14, 17] {
      try look(studio, zoom: zoom)
      let center = try studio.handle(0)
      let edge = try studio.handle(1)
      #expect(edge.x - center.x >= 40, "the handles are too near to each other at zoom \(zoom)")
      try studio.waitForNextAnswer { try drag(center, (center.x + 40, center.y - 48)) }
      #expect(try studio.number("\(Self.place).radius") == 50, "resized at zoom \(zoom)")
      let moved = try studio.handle(0)
      #expect(abs(moved.x - center.x - 40) < 2 && abs(moved.y - center.y + 48) < 2)
      try studio.waitForNextAnswer { try studio.click("undo") }
    }
    // Its other handle resizes it from where the circle is, without a jump.
    try studio.waitForNextAnswer {
      let edge = try studio.handle(1)
      try drag(edge, (edge.x + 30, edge.y))
    }
    let radius = try studio.number("\(Self.place).radius")
    #expect(radius > 60 && radius < 100)
    #expect(studio.browser.complaints == [])
  }

  @Test("A radius of more than a kilometer is asked about, by drag and by typing")
  func largeRadius() throws {
    let studio = try StudioPage()
    try studio.choose(Self.id)
    try look(studio, zoom: 11)
    let isOpen = "document.getElementById('dialog').open"
    func drag() throws {
      let edge = try studio.handle(1)
      try studio.drag(from: edge, to: (edge.x + 60, edge.y))
      try studio.browser.wait("nothing is asked", until: isOpen)
    }
    try drag()
    #expect(try studio.text("dialog").contains("Congress Hall: radius 50 m → "))
    try studio.waitForNextAnswer { try studio.click("keep-radius") }
    #expect(try studio.number("\(Self.place).radius") == 50)
    #expect(try studio.number("studio.edits.steps.length") == 0)
    try drag()
    try studio.waitForNextAnswer { try studio.click("use-radius") }
    #expect(try studio.number("\(Self.place).radius") > 2000)
    #expect(try studio.number("studio.edits.steps.length") == 1)
    try studio.waitForNextAnswer { try studio.click("undo") }
    try studio.type("radius", in: "story", "1500")
    try studio.browser.wait("nothing is asked", until: isOpen)
    try studio.click("keep-radius")
    #expect(try studio.number("\(Self.place).radius") == 50)
    let field = "document.querySelector('#story [name=radius]').value"
    #expect(try studio.browser.value(field) as? String == "50")
    try studio.waitForNextAnswer { try studio.type("radius", in: "story", "1000") }
    #expect(try studio.number("\(Self.place).radius") == 1000)
  }

  @Test(
    "Nothing is written before Save; what others have changed meanwhile is shown",
    arguments: BrowserKind.installed)
  func saves(kind: BrowserKind) throws {
    let scratch = try ScratchFolder()
    let store = try OpenStudio.makeStore(scratch)
    func stored() throws -> Place? { try OpenStudio.stored("liberty-bell-center", in: store) }
    let studio = try StudioPage(store: store, in: kind)
    try studio.choose("liberty-bell-center")
    try studio.waitForNextAnswer { try studio.type("radius", in: "story", "222") }
    #expect(try stored()?.radiusMeters == 75)
    try studio.click("save")
    #expect(
      try studio.text("dialog").contains("Liberty Bell Center: radius 75 m → 222 m"))
    try studio.waitForNextAnswer { try studio.click("save-now") }
    #expect(try stored()?.radiusMeters == 222)
    #expect(try studio.text("notices").contains("Saved 1 change."))
    #expect(try studio.browser.value("JSON.stringify(studio.edits.changes())") as? String == "{}")

    // Undo goes back beyond the save; then somebody else writes the same story.
    try studio.waitForNextAnswer { try studio.click("undo") }
    let theirs = try scratch.write(
      "theirs.csv", "id,title,lat,lon,radius\nliberty-bell-center,Theirs,39.9,-75.1,50\n")
    _ = try PlaceStore.importPlaces(from: [theirs], into: store)
    try studio.click("save")
    try studio.click("save-now")
    try studio.browser.wait(
      "no conflict",
      until: "document.getElementById('dialog').innerText.includes('Somebody else has changed')")
    // Only the field that both have changed is asked about, under the story's title.
    let cells =
      "[...document.querySelectorAll('.clashes tbody :is(th, td)')].map(one => one.innerText.trim())"
    #expect(
      try studio.browser.value(cells) as? [String]
        == ["Liberty Bell Center", "radius", "222 m", "50 m", "75 m"])
    let fits =
      "document.querySelector('.clashes').clientWidth <= document.getElementById('dialog').clientWidth"
    #expect(try studio.browser.value(fits) as? Bool == true)
    #expect(try stored()?.title == "Theirs")
    try studio.browser.keep("studio-clash")
    #expect(
      try studio.browser.value("document.getElementById('save-merged').disabled") as? Bool == true)
    try studio.click("overwrite")
    try studio.waitForNextAnswer { try studio.click("save-merged") }
    #expect(try stored()?.radiusMeters == 75)
    // What only they have changed stays theirs.
    #expect(try stored()?.title == "Theirs")
    #expect(try PlaceStore(path: store).check().isSound)
  }

  @Test("Changes of different fields are merged without a question, and an undo keeps theirs")
  func merges() throws {
    let scratch = try ScratchFolder()
    let store = try OpenStudio.makeStore(scratch)
    let studio = try StudioPage(store: store)
    try studio.choose(Self.id)
    try studio.waitForNextAnswer { try studio.type("radius", in: "story", "120") }
    // Somebody else renames it meanwhile.
    var theirs = try #require(try OpenStudio.stored(Self.id, in: store))
    let before = theirs
    theirs.title = "Congress Hall (renewed)"
    _ = try PlaceStore(path: store).edit([PlaceEdit(id: Self.id, before: before, after: theirs)])
    try studio.click("save")
    try studio.waitForNextAnswer { try studio.click("save-now") }
    try studio.browser.wait(
      "it is not saved",
      until: "document.getElementById('notices').innerText.includes('Saved 1 change.')")
    let stored = try OpenStudio.stored(Self.id, in: store)
    #expect(stored?.title == "Congress Hall (renewed)" && stored?.radiusMeters == 120)
    try studio.waitForNextAnswer { try studio.click("undo") }
    #expect(try studio.number("\(Self.place).radius") == 50)
    #expect(try studio.browser.value("\(Self.place).title") as? String == "Congress Hall (renewed)")
  }

  @Test("A page with changes that are not saved asks before it is left, one without does not")
  func leaves() throws {
    let studio = try StudioPage()
    // A browser asks only for a page that somebody has touched.
    _ = try studio.browser.call(
      "Runtime.evaluate", ["expression": "document.body.click()", "userGesture": true])
    let asks = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    #expect(try studio.browser.value(asks) as? Bool == false)
    try studio.choose(Self.id)
    try studio.waitForNextAnswer { try studio.type("radius", in: "story", "120") }
    #expect(try studio.browser.value(asks) as? Bool == true)
    _ = try studio.browser.value("(() => { setTimeout(() => location.replace('about:blank')); })()")
    try studio.browser.waitForLeavingQuestion()
    _ = try studio.browser.call("Page.handleJavaScriptDialog", ["accept": false])
    #expect(try studio.number("\(Self.place).radius") == 120)
  }

  @Test("A server that is gone shows at once, and the page goes on when it is there again")
  func reconnects() throws {
    let port = try Tool.holdPort()
    var server: OpenStudio? = try OpenStudio(port: port, token: "secret")
    let studio = try StudioPage(at: try #require(server).address, of: nil)
    try studio.choose(Self.id)
    try studio.waitForNextAnswer { try studio.type("radius", in: "story", "120") }
    let alerts = try studio.result()[0]
    server = nil
    try studio.browser.wait(
      "the loss is not shown",
      until: """
        document.getElementById('link').innerText === 'no answer'
          && Number(getComputedStyle(document.querySelector('.result')).opacity) < 1
        """)
    // Edited meanwhile, it says so once.
    try studio.type("radius", in: "story", "130")
    try studio.browser.wait(
      "not one notice", until: "document.querySelectorAll('#notices .notice').length === 1")
    #expect(try studio.text("notices").contains("does not answer"))
    try studio.type("radius", in: "story", "120")
    // Each run has a secret of its own for its cookies, and the page has the first one's.
    _ = try studio.browser.call(
      "Network.setExtraHTTPHeaders", ["headers": ["Authorization": "Bearer secret"]])
    server = try OpenStudio(port: port, token: "secret")
    try studio.waitForAnswer()
    #expect(try studio.text("notices") == "")
    #expect(try studio.result()[0] == alerts)
    #expect(try studio.number("\(Self.place).radius") == 120)
  }
}
