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

/// Several walks on the studio's map, parts of the time line, names and units.
@Suite(
  "The studio's walks", .serialized, .onOwnThreads,
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
struct StudioWalksTests {

  private static let walks = ["walk.gpx", "ride.gpx"]

  private func open() throws -> StudioPage {
    let studio = try StudioPage(Self.walks)
    try studio.browser.wait(
      "no result", until: "document.body.dataset.complete !== undefined && studio.run !== null")
    return studio
  }

  private func choose(_ mode: String, in studio: StudioPage) throws {
    _ = try studio.browser.value(
      "document.getElementById('play-mode').value = '\(mode)'; "
        + "document.getElementById('play-mode').dispatchEvent(new Event('change'))")
  }

  @Test("All walks play at once, aligned at their starts or by the clock, and can be hidden")
  func playsAll() throws {
    let studio = try open()
    let own = try studio.number("studio.player.end")
    try choose("starts", in: studio)
    let others = "studio.walks.others(studio.player.now)"
    try studio.browser.wait("nobody else", until: "\(others).length === 1")
    // At the start, each is at its own first fix.
    #expect(try studio.number("\(others)[0].fix") == 0)
    #expect(try studio.number("studio.player.end") >= own)
    try choose("clock", in: studio)
    try studio.browser.wait("no clock", until: "studio.walks.mode === 'clock'")
    // Every moment of the walk goes there and back.
    let back = "studio.walks.own(studio.walks.toShared(at))"
    let worst = try studio.number(
      "Math.max(...[...studio.track.clock].map(at => Math.abs(\(back) - at)))")
    #expect(worst < 1)
    let before = try studio.number("studioDrawings.still.tracks.length")
    _ = try studio.browser.value("document.querySelectorAll('#walk-list input')[1].click()")
    #expect(try studio.number("studioDrawings.still.tracks.length") == before - 1)
    #expect(studio.browser.complaints == [])
  }

  @Test("A part of the time line limits the events and the marks to itself")
  func part() throws {
    let studio = try open()
    let all = try studio.number("studio.events.length")
    _ = try studio.browser.value("studio.player.seek(studio.events[1].at)")
    try studio.click("range-from")
    _ = try studio.browser.value("studio.player.seek(studio.events[3].at)")
    try studio.click("range-to")
    #expect(try studio.number("studio.events.length") < all)
    try studio.browser.wait("no words", until: "!document.getElementById('range').hidden")
    let shown = "Object.values(studioDrawings.marked.marks).flat().length"
    // The marks are drawn at the next frame.
    try studio.browser.wait("other marks", until: "\(shown) === studio.events.length")
    try studio.click("range-all")
    #expect(try studio.number("studio.events.length") == all)
    #expect(studio.browser.complaints == [])
  }

  @Test("Where a story changes, the map looks as if all of it had been drawn again")
  func parts() throws {
    let studio = try open()
    _ = try studio.browser.value(
      """
      (async () => {
        const { still } = studioDrawings, found = [], around = still.drawAround;
        let parts = 0;
        still.drawAround = (...circles) => { parts += 1; around.apply(still, circles); };
        const frame = () => new Promise(requestAnimationFrame);
        const picture = () => {
          const { width, height } = still._container, copy = document.createElement('canvas');
          Object.assign(copy, { width, height });
          const c = copy.getContext('2d', { willReadFrequently: true });
          c.drawImage(still._container, 0, 0);
          const { data } = c.getImageData(0, 0, width, height);
          return data.map((value, at) => at % 4 < 3 ? value * data[at | 3] / 255 : value);
        };
        for (const id of [...new Set(studio.run.entries.map(one => one.story))].slice(0, 4)) {
          const place = studio.edits.places.get(id), asked = Number(document.body.dataset.complete);
          const moved = { ...place, lat: place.lat + 3e-4 };
          studio.chosen = id;
          studio.edits.change('Move', [{ id, after: moved }], studio.edits.rules, 'drag');
          while (!(Number(document.body.dataset.complete) > asked)) await frame();
          await frame();
          const pixels = picture();
          still.draw();
          const whole = picture();
          // Edges of circles are smoothed in another way if there are many, and so is a pixel where a
          // line is cut; a fill is 40 or more in hundreds of pixels.
          found.push(pixels.filter((value, at) => Math.abs(value - whole[at]) >= 40).length < 4);
        }
        document.body.dataset.parts = `${found} ${parts > 0}`;
      })()
      """)
    try studio.browser.wait("no pictures", until: "document.body.dataset.parts !== undefined")
    let found = try studio.browser.value("document.body.dataset.parts") as? String
    #expect(found == "true,true,true,true true")
    #expect(studio.browser.complaints == [])
  }

  @Test("A walk is removed and dropped in steps that can be undone, which other windows follow")
  func removes() throws {
    let server = try OpenStudio(Self.walks)
    let (mine, theirs) = (try StudioPage(of: server), try StudioPage(of: server))
    let names = "studio.scene.tracks.map(one => one.name.replace(/.*[/]/, '')).join()"
    try mine.browser.wait(
      "not all walks are followed", until: "document.body.dataset.complete !== undefined")
    let alerts = try mine.result("result-all")[0]
    _ = try mine.browser.value("document.querySelector('#walk-list .remove').click()")
    try mine.browser.wait(
      "not removed", until: "\(names) === 'ride.gpx' && studio.run !== null")
    try theirs.browser.wait("not told", until: "\(names) === 'ride.gpx' && studio.run !== null")
    #expect(try mine.browser.value("studio.track.name.endsWith('ride.gpx')") as? Bool == true)
    try mine.click("undo")
    try mine.browser.wait(
      "not back", until: "\(names) === 'walk.gpx,ride.gpx' && studio.run !== null")
    try mine.waitForAnswer()
    try mine.browser.wait(
      "not counted", until: "document.querySelector('#result-all td').textContent === '\(alerts)'")
    try mine.click("redo")
    try mine.browser.wait("not redone", until: "\(names) === 'ride.gpx'")
    #expect(mine.browser.complaints == [] && theirs.browser.complaints == [])
  }

  @Test("Names stand beside their points, on no other circle, and stay there during a drag")
  func calm() throws {
    let studio = try open()
    try studio.browser.wait("no names", until: "studioDrawings.names.drawn?.names > 3")
    let strays = """
      (() => { const { names } = studioDrawings, rings = names.rings;
      return names.seenNames(names._container.getContext('2d')).filter(one => {
        const spot = names.spots.get(one.key);
        if (!spot || one.wanted) return false;
        const box = names.boxAt(one, spot);
        return rings.some(({ x, y, r }) => Math.hypot(x - one.left, y - one.top) > r
          && Math.hypot(Math.max(box.left - x, 0, x - box.right),
            Math.max(box.top - y, 0, y - box.bottom)) < r - .01);
      }).map(one => one.words); })()
      """
    #expect(try studio.browser.value(strays) as? [String] == [])
    let story = try #require(
      try studio.browser.value("studio.run.entries.find(one => one.kind === 'alert').story")
        as? String)
    try studio.choose(story)
    let spots = "JSON.stringify([...studioDrawings.names.spots])"
    let from = try studio.handle(0)
    // The spots while the pointer is down, at each step.
    _ = try studio.browser.value(
      """
      window.seen = []; (() => { const { names } = studioDrawings, draw = names.draw;
      names.draw = () => { draw.call(names); if (names.isCalm) seen.push(\(spots)); }; })()
      """)
    try studio.waitForNextAnswer {
      try studio.drag(from: from, to: (from.x + 60, from.y + 40))
    }
    // A busy machine may draw a single frame of the drag.
    #expect(try studio.number("seen.length") >= 1)
    #expect(try studio.number("new Set(seen).size") == 1)
    #expect(studio.browser.complaints == [])
  }

  @Test("A walk that is not followed everywhere says so, without the name of an option")
  func gaps() throws {
    let studio = try StudioPage(["drive.gpx"])
    try studio.waitForNotice("1 gap over 10 min was not followed.")
    #expect(try !studio.text("notices").contains("--"))
  }

  @Test("At rest the fill is the answer; a story that no walk enters shows the gap to the nearest")
  func answer() throws {
    let studio = try open()
    let looks = """
      studioDrawings.moving.circles.filter(one => one.circles.length).map(one => one.look).join()
      """
    #expect(try studio.browser.value(looks) as? String == "")
    _ = try studio.browser.value("studio.player.seek(studio.player.end / 2)")
    try studio.browser.wait("no rings", until: "\(looks).includes('ring')")
    try studio.browser.wait(
      "no distances", until: "[...studio.edits.places.keys()].some(id => studio.missOf(id))")
    let missed = try #require(
      try studio.browser.value(
        "[...studio.edits.places.keys()].find(id => studio.missOf(id)?.meters < 2000)") as? String)
    try studio.choose(missed)
    try studio.browser.wait(
      "no gap", until: "studioDrawings.moving.tracks.some(one => one.look === 'gap')")
    try studio.browser.wait(
      "no meters", until: "studioDrawings.names.names.some(one => one.id === 'gap')")
    let words = try studio.browser.value(
      "studioDrawings.names.names.find(one => one.id === 'gap').text")
    #expect((words as? String)?.contains(/^[\d.]+ k?m, (A walk|The Market-Frankford)/) == true)
    // The legend has a line for what is drawn, and no other.
    let legend = try studio.text("legend-keys")
    #expect(legend.contains("missed by") && !legend.contains("changed"))
  }

  @Test("The time line has hours in the zone of the studio, and a tip with the time and the events")
  func hours() throws {
    let studio = try open()
    _ = try studio.browser.value(
      """
      (() => { const line = document.getElementById('timeline'), box = line.getBoundingClientRect();
      const entry = studio.run.entries.find(one => one.kind === 'alert');
      line.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientY: box.top + 20,
        clientX: box.left + entry.at / studio.player.end * box.width })); })()
      """)
    let tip = try studio.text("time-tip")
    #expect(tip.contains(/\d{2}:\d{2}:\d{2}/) && tip.contains(": alert"))
  }

  @Test("At least ten stories are above the fold of a small window, each with its title and a bar")
  func fold() throws {
    let studio = try StudioPage(Self.walks, width: 1280, height: 720)
    try studio.browser.wait("no rows", until: "document.querySelectorAll('.story-row').length > 10")
    let shown = """
      [...document.querySelectorAll('.rows .story-row')].filter(one => {
        const box = one.getBoundingClientRect();
        const list = document.querySelector('.row-box').getBoundingClientRect();
        return box.top >= list.top && box.bottom <= Math.min(innerHeight, list.bottom)
          && one.querySelector('.share-bar') && one.querySelector('button').scrollWidth
            <= one.querySelector('button').clientWidth;
      }).length
      """
    #expect(try studio.number(shown) >= 10)
  }

  @Test("The map names stories and has a scale, without a network")
  func names() throws {
    let studio = try open()
    try studio.browser.wait("no names", until: "studioDrawings.names.drawn?.names > 3")
    #expect(try studio.text("map").contains(/\d+ (m|km)\n\d+ (ft|mi)/))
  }

  @Test("Distances and speeds can be in miles, and times in another zone")
  func units() throws {
    let studio = try open()
    _ = try studio.browser.value(
      "document.getElementById('units').value = 'imperial'; "
        + "document.getElementById('units').dispatchEvent(new Event('change'))")
    try studio.browser.wait(
      "no feet", until: "/ (ft|mi)/.test(document.getElementById('next-lookup').innerText)")
    let zone = try studio.browser.value("document.getElementById('shown-zone').value")
    #expect(zone as? String == "UTC")
    #expect(studio.browser.complaints == [])
  }
}
