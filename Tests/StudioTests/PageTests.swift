import FencepostAnalysis
import FencepostSession
import Foundation
import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones
import SampleStories
import FencepostPlaces
import FencepostReporting
import TestSupport
import Testing

@Suite("The page in a real browser", .serialized, .onOwnThreads)
struct PageTests {
  private static let stories = SampleStories.data.appendingPathComponent("stories/philadelphia.csv")
    .path
  private static let samples = SampleAnalysis.tracks.map { SampleStories.track($0) }

  /// What the page shows under an id.
  private func value(_ id: String, in tree: String) -> String? {
    guard let start = tree.range(of: "id=\"n-\(id)\" data-value=\"") else { return nil }
    return String(tree[start.upperBound...].prefix { $0 != "\"" })
  }

  private static func sweep() async throws -> [SweepRow] {
    var options = SweepOptions()
    options.limits = [10, 20]
    options.refreshes = [.fixed, .adaptive]
    options.significantChangesMeters = [250, 500]
    return try await SweepSession(
      store: try SampleAnalysis.store(), options: options
    ).run(samples) { _ in }
  }

  @Test(
    "The page opens without an error and has the numbers of the analysis",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func opens() async throws {
    let (text, ndjson, totals) = try await Browser.page(
      of: Self.samples, places: Self.stories, sweep: try await Self.sweep())
    let visit = try Browser.visit(text, keeping: "analysis")

    #expect(visit.console.isEmpty)
    #expect(visit.tree.contains("data-ready=\"true\""), "the script ran to its end")
    let last = try #require(ndjson.split(separator: "\n").last)
    let line = try #require(
      try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
    for name in ["alerts", "missed", "late", "silentStories", "tracks"] {
      #expect(value(name, in: visit.tree) == "\(try #require(line[name] as? Int))", "\(name)")
    }
    let suppressed = try #require(line["suppressed"] as? [String: Int])
    #expect(value("suppressed", in: visit.tree) == "\(suppressed.values.reduce(0, +))")
    for name in ["recall", "refreshesPerKilometer"] {
      let shown = try #require(value(name, in: visit.tree).flatMap { Double($0) })
      #expect(abs(shown - (try #require(line[name] as? Double))) < 1e-6, "\(name)")
    }
    let lost = totals.counts.dueAlerts - totals.counts.foundAlerts
    #expect(
      visit.tree.contains("\(lost) of \(totals.counts.dueAlerts) alerts were lost"), "headline")
    // The tables are made by the script: every track has its row, and all settings have theirs.
    #expect(visit.tree.contains("1–\(totals.tracks) of \(totals.tracks)"))
    #expect(visit.tree.contains("cheapest that loses nothing"))
    #expect(visit.tree.contains("<canvas"))
  }

  @Test("The page refers to no other file and no address but the street tiles'")
  func selfContained() async throws {
    try #require(
      Browser.isInstalled, "needs the map library of Debian's package libjs-leaflet")
    let (text, _, _) = try await Browser.page(of: Self.samples, places: Self.stories)
    #expect(!text.contains("url(images"))
    #expect(!text.contains("src=\"http"))
    #expect(!text.contains("<link rel=\"stylesheet\""))
    #expect(!text.contains("sourceMappingURL"))
  }

  @Test(
    "Searching, sorting, filtering and choosing work, each without an error",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func interaction() async throws {
    let (text, _, totals) = try await Browser.page(of: Self.samples, places: Self.stories)
    let visit = try Browser.visit(
      text,
      probe: """
        const $$ = query => document.querySelector(query);
        const first = () => $$('#stories tbody tr td').textContent;
        const send = (node, name) => node.dispatchEvent(new Event(name, { bubbles: true }));
        const search = $$('#stories-search'), filter = $$('#stories-filter');
        search.value = 'liberty bell'; send(search, 'input');
        tell('found', $$('#stories tbody').rows.length + ' ' + first());
        search.value = ''; filter.value = 'all'; send(filter, 'change');
        tell('all', $$('#stories-range').textContent);
        filter.value = 'lost'; send(filter, 'change');
        $$('#stories th button[data-key=recall]').click();
        const at = $$('#stories th button[data-key=recall]').closest('th').cellIndex;
        const cell = row => parseFloat(row.cells[at].textContent) || 0;
        const shares = [...$$('#stories tbody').rows].map(cell);
        tell('sorted', String(shares.every((x, i) => !i || shares[i - 1] >= x)));
        $$('#stories td button').click();
        tell('story', $$('#detail h3').textContent + '|' + first());
        tell('chosen', String(Boolean(reportDrawing.chosenCircle)));
        $$('#tracks td button').click();
        tell('track', $$('#detail h3').textContent);
        const mark = reportDrawing.marks.missed[0];
        const point = { x: reportDrawing.x(mark.x), y: reportDrawing.y(mark.y) };
        document.getElementById('whole').click();
        tell('none', String(reportDrawing.focus) + location.hash);
        tell('under', reportDrawing.find({ x: reportDrawing.x(mark.x), y: reportDrawing.y(mark.y) }).kind);
        const box = document.getElementById('show-missed');
        box.checked = false; send(box, 'change');
        tell('hidden', String(reportDrawing.hidden.has('missed')));
        dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'));
        tell('focus', String([...document.querySelectorAll('td button, th button, input, select, #map')]
          .every(node => node.tabIndex >= 0)));
        """)
    #expect(visit.console.isEmpty)
    #expect(visit.probed("found") == "1 Liberty Bell Center")
    #expect(visit.probed("all") == "1–25 of 219")
    #expect(visit.probed("sorted") == "true")
    let story = try #require(visit.probed("story")).split(separator: "|")
    #expect(story.count == 2 && story[0] == story[1])
    #expect(visit.probed("chosen") == "true")
    #expect(visit.probed("track")?.isEmpty == false)
    #expect(visit.probed("none") == "null")
    #expect(visit.probed("under") == "missed")
    #expect(visit.probed("hidden") == "true")
    #expect(visit.probed("focus") == "true")
    #expect(totals.counts.missed > 0)
  }

  @Test(
    "The map names stories and walks; a story that no walk enters shows the gap to the nearest walk",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func gap() async throws {
    let (text, _, totals) = try await Browser.page(of: Self.samples, places: Self.stories)
    let visit = try Browser.visit(
      text,
      probe: """
        const missed = stories.find(one => one.miss > 0 && one.miss < 300000);
        choose({ kind: 'story', index: missed.index });
        const gap = reportDrawing.tracks.find(one => one.look === 'gap');
        tell('gap', gap.words + '|' + reportDrawing.focus.has(gap.track));
        tell('nearest', missed.nearestTrack === gap.track.name);
        choose(null);
        tell('none', String(reportDrawing.tracks.some(one => one.look === 'gap')));
        tell('colors', new Set(tracks.map(one => reportDrawing.looks[one.look].stroke)).size);
        tell('ends', reportDrawing.marks.start.length + reportDrawing.marks.end.length);
        tell('keys', document.querySelectorAll('.walk-key').length);
        tell('folded', document.querySelector('#when details').open);
        """)
    #expect(visit.console.isEmpty, "\(visit.console)")
    let words = try #require(visit.probed("gap"))
    #expect(words.contains(/^[\d.]+ m, .+\|true$/), "\(words)")
    #expect(visit.probed("nearest") == "true" && visit.probed("none") == "false")
    for name in ["colors", "keys"] { #expect(visit.probed(name) == "\(totals.tracks)") }
    #expect(visit.probed("ends") == "\(2 * totals.tracks)")
    #expect(visit.probed("folded") == "false")
  }

  @Test(
    "Simulated phones have a section, a column, colors on the map and plots",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func phones() async throws {
    let profiles = [BuiltInProfile.iphone.profile, BuiltInProfile.tile38.profile]
    let (text, _, totals) = try await Browser.page(
      of: Self.samples, places: Self.stories,
      chance: ChanceOptions(profiles: profiles, simulation: .init(trials: 20)))
    let visit = try Browser.visit(
      text,
      probe: """
        const $$ = query => document.querySelector(query);
        const head = $$('#stories th button[data-key=phone0]');
        tell('column', head.textContent);
        head.click(); head.click();
        const at = [...$$('#stories thead tr').cells].indexOf(head.closest('th'));
        const shares = [...$$('#stories tbody').rows].map(row => row.cells[at].textContent)
          .filter(text => text !== '–').map(parseFloat);
        tell('sorted', String(shares.length > 5
          && (shares.every((x, i) => !i || shares[i - 1] <= x)
            || shares.every((x, i) => !i || shares[i - 1] >= x))));
        tell('plots', String(document.querySelectorAll('#phones .plots svg[role=img][aria-label]').length));
        tell('tables', String(document.querySelectorAll('#phones .plots table tbody tr').length));
        tell('looks', reportDrawing.circles.filter(group => group.circles.length)
          .map(group => group.look).join());
        tell('wide', String(document.documentElement.scrollWidth <= innerWidth));
        """)
    #expect(visit.console.isEmpty)
    #expect(visit.tree.contains("data-ready=\"true\""))
    #expect(visit.probed("column") == "On iphone")
    #expect(visit.probed("sorted") == "true")
    #expect(visit.probed("plots") == "2")
    #expect(visit.probed("tables") == "4")
    #expect(try #require(visit.probed("looks")).contains("likely"))
    #expect(visit.probed("wide") == "true")
    #expect(visit.tree.contains("id=\"phones\"") && visit.tree.contains("href=\"#phones\""))
    let without = try await Browser.page(of: Self.samples, places: Self.stories).page
    #expect(!without.contains("id=\"phones\"") && totals.profiles.count == 2)
  }

  @Test(
    "Twenty dots stand beside each chance, in words too, and fit a phone of 360 pixels",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func dots() async throws {
    let (text, _, totals) = try await Browser.page(
      of: Self.samples, places: Self.stories,
      chance: ChanceOptions(
        profiles: [BuiltInProfile.iphone.profile], simulation: .init(trials: 20)))
    let visit = try Browser.visit(
      text,
      probe: """
        const words = box => box.querySelector('svg[role=img]').getAttribute('aria-label');
        const all = document.querySelector('#phones .dots');
        tell('all', words(all));
        tell('dots', String(all.querySelectorAll('svg[role=img] circle').length));
        tell('key', [...all.querySelectorAll('figcaption span')]
          .reduce((sum, item) => sum + parseInt(item.textContent), 0));
        tell('hidden', all.querySelector('figcaption').getAttribute('aria-hidden'));
        const first = stories.findIndex(one => one.odds[0]?.[3]);
        choose({ kind: 'story', index: first });
        const own = document.querySelector('#detail .dots');
        tell('own', String(words(own) === stories[first].odds[0][3][1]));
        own.style.width = '200px';
        tell('narrow', String(own.scrollWidth <= own.clientWidth));
        """)
    #expect(visit.console.isEmpty)
    let dots = try #require(totals.profiles.first.flatMap { PhoneDots(alerts: $0.all.chance) })
    #expect(visit.probed("all") == dots.sentence)
    #expect(visit.probed("dots") == "20" && visit.probed("key") == "20")
    #expect(visit.probed("hidden") == "true")
    #expect(visit.probed("own") == "true" && visit.probed("narrow") == "true")
  }

  @Test(
    "Hostile titles are shown as text and never run",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func hostile() async throws {
    let (text, _, totals) = try await Browser.page(
      of: [SampleStories.track("walk.gpx")],
      places: SampleStories.data.appendingPathComponent("stories/hostile.csv").path)
    #expect(totals.counts.alerts == 14)
    let visit = try Browser.visit(
      text,
      probe: """
        document.querySelectorAll('#stories tbody button').forEach((_, index) =>
          document.querySelectorAll('#stories tbody button')[index].click());
        for (const mark of reportDrawing.marks.alert) {
          reportMap.fire('mousemove', { latlng: reportMap.getCenter(),
            containerPoint: { x: reportDrawing.x(mark.x), y: reportDrawing.y(mark.y) } });
          const found = reportDrawing.find({ x: reportDrawing.x(mark.x), y: reportDrawing.y(mark.y) });
          if (!found) tell('lost', 'a mark that is not found');
        }
        tell('page-title', document.title);
        tell('elements', ['img', 'iframe', 'object', 'embed', 'a[href^=javascript]', '[onerror]']
          .map(name => document.querySelectorAll('body ' + name).length).join());
        tell('titles', JSON.stringify([...document.querySelectorAll('#stories tbody tr')]
          .map(row => row.cells[0].textContent).sort()));
        tell('scripts', String(document.scripts.length));
        """)
    #expect(visit.console.isEmpty)
    #expect(visit.probed("lost") == nil)
    #expect(visit.probed("page-title") == "Story alerts on 1 walk")
    #expect(visit.probed("elements") == "0,0,0,0,0,0")
    // The page's data, the map library, the page's own script and the probe.
    #expect(visit.probed("scripts") == "4")
    let shown = try #require(visit.probed("titles"))
    let titles = try JSONDecoder().decode([String].self, from: Data(shown.utf8))
    let store = try PlaceStore.inMemory(
      from: [SampleStories.data.appendingPathComponent("stories/hostile.csv").path]
    ).store
    let expected = try StoryIndex(store).places.map(\.title)
    // HTML reads a carriage return as a line feed.
    func plain(_ title: String) -> String { title.replacingOccurrences(of: "\r\n", with: "\n") }
    #expect(Set(titles.map(plain)) == Set(expected.map(plain)))
  }

  @Test(
    "Five hundred tracks and ten thousand stories make a small DOM, and all are counted",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)))
  func large() async throws {
    let scratch = try ScratchFolder()
    var random = SplitMix64(seed: 11)
    var places = "id,title,lat,lon,radius\n"
    for number in 0..<10_000 {
      let latitude = 39.95 + Double.random(in: -0.08...0.08, using: &random)
      let longitude = -75.16 + Double.random(in: -0.1...0.1, using: &random)
      places += "p\(10_000 + number),Story \(number),\(latitude),\(longitude),100\n"
    }
    let file = scratch.url.appendingPathComponent("places.csv")
    try places.write(to: file, atomically: true, encoding: .utf8)
    let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    let paths = try (0..<500).map { number in
      try AnalysisScene(seed: UInt64(number), around: center, placeCount: 0, fixCount: 40)
        .write(to: scratch.url, named: "trip-\(1000 + number).csv")
    }
    let (text, _, totals) = try await Browser.page(of: paths, places: file.path)
    #expect(totals.tracks == 500 && totals.counts.entries > 5000)
    #expect(text.utf8.count < 6_000_000)
    let visit = try Browser.visit(
      text,
      probe: """
        tell('nodes', String(document.querySelectorAll('*').length));
        tell('marks', String(Object.values(reportDrawing.marks).reduce((sum, list) => sum
          + list.reduce((part, mark) => part + (mark.times || 0), 0), 0)));
        tell('lines', String(reportDrawing.tracks.length));
        """)
    #expect(visit.console.isEmpty)
    #expect(visit.tree.contains("data-ready=\"true\""))
    #expect(try #require(visit.probed("nodes").flatMap { Int($0) }) < 2500)
    #expect(visit.probed("lines") == "500")
    #expect(visit.probed("marks") == "\(totals.counts.entries)")
    #expect(value("alerts", in: visit.tree) == "\(totals.counts.alerts)")
    #expect(visit.tree.contains("1–25 of 500"))
  }
}
