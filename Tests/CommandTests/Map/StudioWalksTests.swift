import TestSupport
import Testing

/// Several walks on the studio's map, parts of the time line, names and units.
@Suite("The studio's walks", .serialized, .enabled(if: Browser.isInstalled, needsBrowser))
struct StudioWalksTests {
  private func open() throws -> StudioScene {
    let studio = try StudioScene([
      LiveSample.path("walk.gpx"), LiveSample.path("ride.gpx"), "--places", LiveSample.places,
    ])
    try studio.browser.wait("no result", until: "document.body.dataset.complete !== undefined")
    return studio
  }

  private func choose(_ mode: String, in studio: StudioScene) throws {
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
          // Edges of circles are smoothed in another way if there are many; a fill is 40 or more.
          found.push(pixels.every((value, at) => Math.abs(value - whole[at]) < 40));
        }
        document.body.dataset.parts = `${found} ${parts > 0}`;
      })()
      """)
    try studio.browser.wait("no pictures", until: "document.body.dataset.parts !== undefined")
    let found = try studio.browser.value("document.body.dataset.parts") as? String
    #expect(found == "true,true,true,true true")
    #expect(studio.browser.complaints == [])
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
