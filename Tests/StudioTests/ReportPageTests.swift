import FencepostSession
import FencepostAnalysis
import Foundation
import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones
import FencepostReporting
import FencepostStudio
import SampleStories
import TestSupport
import Testing

@Suite(
  "Choosing, finding and printing on the report's page, in a real browser", .serialized,
  .onOwnThreads)
struct ReportPageTests {
  private static let stories = SampleStories.data.appendingPathComponent("stories/philadelphia.csv")
    .path
  private static let samples = ["walk.gpx", "ride.gpx", "drive.gpx"].map { SampleStories.track($0) }

  @Test(
    "An address restores its choice, leads to each moment, and one of another page is ignored",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func addresses() async throws {
    let (text, _, _) = try await Browser.page(of: Self.samples, places: Self.stories)
    let visit = try Browser.visit(
      text,
      probe: """
        const $$ = query => document.querySelector(query);
        const go = hash => { location.hash = hash; dispatchEvent(new HashChangeEvent('hashchange')); };
        go('#story=independence-hall');
        tell('story', $$('#detail h3').textContent + '|' + $$('#stories tr.chosen td').textContent);
        const link = $$('#detail h3 a');
        tell('url', link.href + ' ' + link.rel);
        const moments = [...document.querySelectorAll('#detail .moments a')];
        tell('moments', moments.length + ' ' + moments[0].getAttribute('href'));
        go(moments[0].getAttribute('href'));
        const { chosenCircle, chosenTrack } = reportDrawing;
        tell('moment', `${chosenTrack.label} ${chosenCircle.kind} `
          + reportMap.getBounds().contains([chosenCircle.lat, chosenCircle.lon]));
        tell('current', String(document.querySelectorAll('#detail [aria-current]').length));
        go('#track=' + encodeURIComponent(tracks[0].name));
        tell('track', $$('#detail h3').textContent);
        go('#track=of-another-page');
        tell('unknown', $$('#detail h3').textContent);
        go('#when');
        tell('part', $$('#detail h3').textContent);
        dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
        tell('escaped', String(Boolean($$('#detail h3'))) + location.hash);
        choose({ kind: 'story', index: 3 });
        tell('written', location.hash === '#story=' + encodeURIComponent(stories[3].id) ? 'yes' : location.hash);
        """)
    #expect(visit.console.isEmpty)
    // The walk's own name, which its file states.
    let walk = "A walk from Elfreth's Alley to the Parkway"
    #expect(visit.probed("story") == "Independence Hall|Independence Hall")
    #expect(try #require(visit.probed("url")).hasSuffix(" noopener noreferrer"))
    #expect(visit.probed("moments") == "1 #story=independence-hall&moment=0")
    #expect(visit.probed("moment") == "\(walk) missed true")
    #expect(visit.probed("current") == "1")
    for name in ["track", "unknown", "part"] { #expect(visit.probed(name) == walk) }
    #expect(visit.probed("escaped") == "false")
    #expect(visit.probed("written") == "yes")
  }

  @Test(
    "What is chosen stays bright, and its details are beside the map",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func dims() async throws {
    let (text, _, totals) = try await Browser.page(of: Self.samples, places: Self.stories)
    let visit = try Browser.visit(
      text,
      probe: """
        // How much is drawn, in all.
        const ink = () => { const c = reportDrawing._container, copy = document.createElement('canvas');
          copy.width = c.width; copy.height = c.height;
          const area = copy.getContext('2d', { willReadFrequently: true });
          area.drawImage(c, 0, 0);
          const { data } = area.getImageData(0, 0, c.width, c.height);
          let sum = 0; for (let i = 3; i < data.length; i += 4) sum += data[i]; return sum; };
        const before = ink(), view = reportMap.getCenter(), zoom = reportMap.getZoom();
        choose({ kind: 'track', index: 1 });
        reportMap.setView(view, zoom, { animate: false });
        tell('dimmed', String(ink() < before * .7));
        const { focus } = reportDrawing, own = moments.filter(moment => focus.has(moment));
        tell('own', String(own.length === tracks[1].entries && own.every(moment => moment.track === 1)));
        tell('others', String(!focus.has(tracks[0]) && focus.has(tracks[1])
          && own.every(moment => focus.has(stories[moment.story]))));
        const map = document.getElementById('map').getBoundingClientRect();
        const detail = document.getElementById('detail').getBoundingClientRect();
        tell('beside', String(detail.left >= map.right && Math.abs(detail.top - map.top) < 2
          && Math.abs(detail.height - map.height) < 2));
        choose(null);
        reportMap.setView(view, zoom, { animate: false });
        tell('back', String(Math.abs(ink() - before) < before * .01));
        """)
    #expect(visit.console.isEmpty)
    #expect(totals.tracks == 3)
    for name in ["dimmed", "own", "others", "beside", "back"] {
      #expect(visit.probed(name) == "true", "\(name)")
    }
  }

  @Test(
    "A track far away does not make the city a dot, and can still be seen",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func outlier() async throws {
    let folder = try ScratchFolder()
    let far = folder.url.appendingPathComponent("tampa.csv")
    try "time,lat,lon\n2026-03-04T09:00:00Z,27.95,-82.45\n2026-03-04T09:01:00Z,27.951,-82.45\n"
      .write(to: far, atomically: true, encoding: .utf8)
    let probe = """
      const bounds = reportMap.getBounds();
      tell('size', bounds.getNorthEast().distanceTo(bounds.getSouthWest()) / 1000 < 120 ? 'city' : 'continent');
      tell('home', String(!document.getElementById('home').hidden));
      document.getElementById('whole').click();
      tell('all', String(reportMap.getBounds().contains([27.95, -82.45])));
      document.getElementById('home').click();
      tell('again', String(reportMap.getBounds().contains([27.95, -82.45])));
      tell('away', document.getElementById('away').textContent);
      """
    let with = try await Browser.page(of: Self.samples + [far.path], places: Self.stories)
    let visit = try Browser.visit(with.page, probe: probe)
    #expect(visit.console.isEmpty)
    #expect(visit.probed("size") == "city" && visit.probed("home") == "true")
    #expect(visit.probed("all") == "true" && visit.probed("again") == "false")
    #expect(visit.probed("away") == "1 of 4 walks is elsewhere.")
    let without = try await Browser.page(of: Self.samples, places: Self.stories)
    let plain = try Browser.visit(without.page, probe: probe)
    #expect(plain.probed("size") == "city" && plain.probed("home") == "false")
  }

  @Test(
    "Nothing is wider than the window at 1,440 and at 390 pixels",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)), arguments: [1440, 390])
  func widths(width: Int) async throws {
    let (text, _, _) = try await Browser.page(of: Self.samples, places: Self.stories)
    // A window of a browser is never that narrow; a frame can be.
    let escaped = text.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "\"", with: "&quot;")
    let frame = """
      <!DOCTYPE html><html><body><iframe id="frame" style="width:\(width)px;height:900px;border:0"
      srcdoc="\(escaped)"></iframe></body>
      </html>

      """
    let visit = try Browser.visit(
      frame,
      probe: """
        document.getElementById('frame').addEventListener('load', event => {
          const page = event.target.contentDocument, root = page.documentElement;
          tell('ready', root.dataset.ready);
          tell('wide', root.scrollWidth + ' ' + root.clientWidth);
          tell('tables', [...page.querySelectorAll('#all-stories .scroll, #all-tracks .scroll')]
            .filter(box => box.scrollWidth > box.clientWidth).length + ' clipped');
          const seen = [...page.querySelectorAll('#stories thead th')].filter(head => head.offsetWidth).length;
          tell('columns', String(seen));
          const empty = [...page.querySelectorAll('#tracks thead th')].filter(head => head.offsetWidth)
            .map(head => head.cellIndex).filter(at => [...page.querySelectorAll('#tracks tbody tr')]
            .every(row => row.cells[at].textContent === '–' || row.cells[at].textContent === ''));
          tell('empty', String(empty.length));
        });
        """)
    #expect(visit.probed("ready") == "true")
    let wide = try #require(visit.probed("wide")).split(separator: " ")
    #expect(wide[0] == wide[1])
    #expect(visit.probed("tables") == "0 clipped")
    #expect(visit.probed("columns") == (width == 390 ? "3" : "5"))
    #expect(visit.probed("empty") == "0")
  }

  @Test(
    "Many entries are drawn as density, in which each counts once, and hexagons stay in place",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func density() async throws {
    let folder = try ScratchFolder()
    var random = SplitMix64(seed: 5)
    var places = "id,title,lat,lon,radius\n"
    for number in 0..<2000 {
      let latitude = 39.95 + Double.random(in: -0.03...0.03, using: &random)
      let longitude = -75.16 + Double.random(in: -0.04...0.04, using: &random)
      places += "p\(number),Story \(number),\(latitude),\(longitude),100\n"
    }
    let file = folder.url.appendingPathComponent("places.csv")
    try places.write(to: file, atomically: true, encoding: .utf8)
    let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    let paths = try (0..<60).map { number in
      try AnalysisScene(seed: UInt64(number), around: center, placeCount: 0, fixCount: 60)
        .write(to: folder.url, named: "trip-\(100 + number).csv")
    }
    let (text, _, totals) = try await Browser.page(of: paths, places: file.path)
    let visit = try Browser.visit(
      text,
      probe: """
        document.getElementById('whole').click();
        const cells = () => reportDrawing.cells ?? [];
        tell('dense', String(cells().length > 20 && !document.getElementById('density-key').hidden));
        const sum = key => reportDrawing.allCells().reduce((all, cell) => all + cell[key], 0);
        tell('entries', String(sum('all')));
        tell('lost', String(sum('lost')));
        // Each mark is in the hexagon whose middle is nearest.
        const every = reportDrawing.allCells(), size = 15 / reportDrawing.scale;
        tell('near', String(moments.every(one => every.some(cell =>
          Math.hypot(cell.x - one.x, cell.y - one.y) <= size * 1.0001))));
        const first = cells()[0], at = [first.x, first.y].join();
        reportMap.panBy([37, 21], { animate: false });
        tell('still', String(reportDrawing.allCells().some(cell => [cell.x, cell.y].join() === at)));
        const found = reportDrawing.find({ x: reportDrawing.x(first.x), y: reportDrawing.y(first.y) });
        tell('found', found.kind + ' ' + (found.cell === first));
        for (const kind of ['alert', 'suppressed', 'late']) document.getElementById('show-' + kind).click();
        tell('missed', String(reportDrawing.allCells().reduce((all, cell) => all + cell.all, 0)));
        """)
    #expect(visit.console.isEmpty)
    let counts = totals.counts
    #expect(visit.probed("dense") == "true")
    #expect(visit.probed("entries") == "\(counts.entries)")
    #expect(visit.probed("lost") == "\(counts.late + counts.missed)")
    #expect(visit.probed("near") == "true" && visit.probed("still") == "true")
    #expect(visit.probed("found") == "cell true")
    #expect(visit.probed("missed") == "\(counts.missed)")
  }

  @Test(
    "The breakdowns, the frontier and a comparison are drawn, each with its numbers",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func plots() async throws {
    var options = SweepOptions()
    options.limits = [5, 20]
    options.refreshes = [.fixed, .adaptive]
    options.significantChangesMeters = [250, 1000]
    let rows = try await SweepSession(
      store: try SampleAnalysis.store(), options: options
    ).run(Self.samples) { _ in }
    let (text, ndjson, totals) = try await Browser.page(
      of: Self.samples, places: Self.stories, sweep: rows)
    let visit = try Browser.visit(
      text,
      probe: """
        const numbers = [...document.querySelectorAll('#figures figure')].map(figure =>
          [...figure.querySelectorAll('tbody tr')].reduce((sum, row) => sum + Number(row.cells[1].textContent), 0));
        tell('titles', [...document.querySelectorAll('#figures h3')].map(head => head.textContent).join());
        tell('numbers', numbers.join());
        tell('labeled', String([...document.querySelectorAll('svg[role=img]')].every(svg =>
          svg.getAttribute('aria-label'))));
        tell('best', String(document.querySelectorAll('#frontier-plot .best').length));
        tell('ringed', String(document.querySelectorAll('#frontier-plot .ringed').length));
        """)
    #expect(visit.console.isEmpty)
    let alerts = totals.counts.alerts
    let titles = [
      "By hour", "By weekday", "By month", "By category", "Speed at the alert", "How late",
      "Inside", "Inside after the alert",
    ]
    #expect(visit.probed("titles") == titles.joined(separator: ","))
    let measures = totals.measures
    let counts =
      [alerts, alerts, alerts, alerts]
      + [
        measures.alertSpeed, measures.latenessSeconds, measures.insideSeconds,
        measures.dwellSeconds,
      ].map(\.count)
    #expect(visit.probed("numbers") == counts.map(String.init).joined(separator: ","))
    #expect(visit.probed("labeled") == "true")
    #expect(visit.probed("best") == "\(rows.count { $0.isOnFrontier })")
    #expect(visit.probed("ringed") == "1")

    func side(_ text: String) throws -> AnalysisComparison.Side {
      var analysis = ComparedAnalysis(name: "a")
      for line in text.split(separator: "\n") { try analysis.take(String(line)) }
      return analysis.side
    }
    let adaptive = try await SampleAnalysis.analyze(Self.samples) {
      $0.session.monitoring.refresh = .adaptive
    }
    let comparison = AnalysisComparison(try side(ndjson), try side(adaptive.text))
    var output = OutputBuffer()
    ComparisonPageWriter(comparison, names: ("<b>now</b>", "then")).write(to: &output)
    var sweep = OutputBuffer()
    PageWriter(library: PageWriter.MapLibrary(script: "", style: ""), sweepLines: [])
      .write(sweepTo: &sweep)
    for page in [text, output.text, sweep.text] {
      let policy = try #require(
        page.firstRange(
          of: "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
      )
      // It comes before anything that it is about.
      #expect(!page[..<policy.lowerBound].contains("<script"))
      #expect(!page[..<policy.lowerBound].contains("<style"))
    }
    let compared = try Browser.visit(
      output.text,
      probe: """
        tell('headline', document.querySelector('.headline').textContent);
        tell('intervals', String(document.querySelectorAll('#measures svg').length));
        tell('gained', document.getElementById('gained-count').textContent);
        tell('rows', String(document.querySelectorAll('#gained tbody tr').length));
        tell('lost', document.getElementById('lost').textContent);
        tell('names', document.querySelector('.rules bdi').textContent);
        tell('recall', document.querySelector('#measures dd').textContent);
        const box = document.getElementById('changes-search');
        box.value = 'congress'; box.dispatchEvent(new Event('input'));
        tell('searched', document.querySelector('#gained tbody').textContent);
        """)
    #expect(compared.console.isEmpty)
    #expect(compared.tree.contains("data-ready=\"true\""))
    let told = try #require(compared.probed("headline"))
    #expect(
      told.wholeMatch(
        of:
          /A reader gets [\d.]+ alerts a day in A, and [\d.]+ in B\. \d+ stories gain alerts, 0 lose some\./
      )
        != nil, "\(told)")
    #expect(compared.probed("intervals") == "3")
    let gained = comparison.stories.count { $0.gained > 0 }
    #expect(gained > 3 && compared.probed("gained") == "\(gained)")
    #expect(compared.probed("rows") == "\(gained)")
    #expect(compared.probed("lost") == "None.")
    #expect(compared.probed("names") == "<b>now</b>")
    #expect(compared.probed("recall") == ReportNumber.percent(comparison.recall.first))
    #expect(compared.probed("searched") == "Congress Hall10")
  }
}
