import FencepostSession
import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostReporting
import FencepostStudio
import Foundation
import SampleStories
import TestSupport
import Testing

/// Random stories and walks, and what each output says about them on a given phone.
private struct ToldWorld {
  static let trials = 40

  let phone: BuiltInProfile?
  let places: [Place]
  let tracks: [RecordedTrack]
  let explainer: StoryExplainer
  var ndjson: [JSONNode] = []
  var terminal: [String] = []
  var page = ""
  var data = JSONNode(.null)
  var totals: AnalysisTotals
  var stories: [Story] = []

  init(
    seed: UInt64, phone: BuiltInProfile?,
    library: PageWriter.MapLibrary = .init(script: "", style: "")
  ) async throws {
    self.phone = phone
    let folder = try ScratchFolder()
    let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    // No more than a table of the terminal has.
    var places = AnalysisScene(seed: seed, around: center, placeCount: 27).places
    // One with its coordinates exchanged, one expired, one on the other side of the world.
    places[1].coordinate = Coordinate(latitudeDegrees: -75.1, longitudeDegrees: 39.9)
    places[2].expiresMilliseconds = 0
    places[3].coordinate = Coordinate(latitudeDegrees: -33, longitudeDegrees: 151)
    self.places = places
    tracks = try (1...3).map { number in
      let scene = AnalysisScene(
        seed: seed * 100 + UInt64(number), around: center, placeCount: 0, fixCount: 30)
      return try RecordedTrack(
        path: scene.write(to: folder.url, named: "walk-\(number).csv"))
    }
    var options = TrackAnalysisOptions()
    if let profile = phone?.profile {
      options.session.monitoring.limit = profile.limits.regions.value.value
      var chance = ChanceOptions(
        profiles: [profile], simulation: .init(trials: Self.trials, seed: 7))
      chance.measuresDoubts = false
      options.chance = chance
    }
    let settings = AnalysisSettings(
      session: options.session, zoneIdentifier: "Z", storyCount: places.count,
      chance: options.chance)
    let whatIf = try WhatIf(base: places, changes: PlaceChanges(), options: options.session)
    explainer = StoryExplainer(
      index: whatIf.stories, source: whatIf.places, session: options.session,
      chance: options.chance, triesChanges: false)
    let session = TrackAnalysisSession(index: whatIf.stories, options: options) { whatIf.places }
    let paths = [folder.path + "/a.ndjson", folder.path + "/a.txt"]
    stories = Array(session.stories)
    totals = AnalysisTotals(storyCount: stories.count)
    var pageData = PageData(stories: session.stories)
    var found: [TrackAnalysis] = []
    try await session.run(tracks) { outcome in
      if case .success(let analysis) = outcome { found.append(analysis) }
    }
    for analysis in found {
      totals.add(analysis)
      pageData.note(analysis)
    }
    for (format, path) in zip([AnalysisReport.Format.ndjson, .text], paths) {
      var report = AnalysisReport(
        format: format, verdicts: .crossed, settings: settings, stories: session.stories,
        output: try OutputFile(path: path), layout: TextLayout())
      for analysis in found { try report.write(analysis) }
      try report.finish(totals)
    }
    ndjson = try String(contentsOfFile: paths[0], encoding: .utf8).split(separator: "\n").map {
      JSONNode(try JSONValue(parsing: String($0)))
    }
    terminal = try String(contentsOfFile: paths[1], encoding: .utf8)
      .split(separator: "\n").map(String.init)
    var output = OutputBuffer()
    PageWriter(library: library, sweepLines: [])
      .write(pageData, settings, totals, to: &output)
    page = output.text
    let json = try #require(
      page.components(separatedBy: "<script type=\"application/json\" id=\"data\">").last?
        .components(separatedBy: "</script>").first)
    data = JSONNode(try JSONValue(parsing: json))
  }

  func lines(_ type: String) throws -> [JSONNode] {
    try ndjson.filter { try $0.string("type") == type }
  }

  /// The words of the terminal's row of a table, after the name with which it begins.
  func row(_ name: String, under heading: String) throws -> [String] {
    let first = try #require(terminal.firstIndex { $0.hasPrefix(heading) }, "\(heading)")
    let shown = name.cutInside(toColumns: 60)
    let row = try #require(terminal[first...].first { $0.hasPrefix(shown + " ") }, "\(name)")
    return row.dropFirst(shown.count).split(separator: " ").map(String.init)
  }

  // MARK: The studio

  /// The studio of the same world.
  func studio() throws -> StudioAnswers {
    let phones = [phone ?? .iphone].map { StudioPhone(word: $0.rawValue, profile: $0.profile) }
    let answers = try StudioAnswers(
      base: places, setting: StudioSetting(), phones: phones, zone: .utc)
    for track in tracks { answers.add(track) }
    return answers
  }

  /// What the page asks about a walk.
  func question(_ track: Int) -> String {
    let limit = phone?.profile.limits.regions.value.value ?? 20
    return """
      {"number":1,"track":\(track),"changes":{},"rules":{"limit":\(limit),"distance":500,\
      "rank":"center","refresh":"fixed","initial":"silent","margin":0,"cooldown":"604800",\
      "quiet":"","zone":"Z","dates":"recorded","speed":null,"interval":0,"hold":0,"fixes":1,\
      "dwell":null,"alertOn":"enter","test":"path","accuracy":"ignore",\
      "profile":"\(phone?.rawValue ?? "")","trials":\(Self.trials),"seed":7}}
      """
  }

  /// What the studio says about the same world.
  func studioHeadline() throws -> String {
    let studio = try studio()
    _ = try studio.ask("try", question(0))
    let early = try studio.ask("headline").string("text")
    #expect(
      early.hasPrefix(phone != nil ? "No walk is simulated yet." : "So far, 1 of 3 walks: "),
      "\(early)")
    try studio.finish("")
    if phone != nil {
      _ = try studio.ask("chance", question(0))
      _ = try studio.ask("step", "chances")
      #expect(try studio.ask("headline").string("text").hasPrefix("So far, 1 of 3 walks: "))
      try studio.finish("chances")
    }
    return try studio.ask("headline").string("text")
  }
}

extension StudioAnswers {
  fileprivate func ask(_ path: String, _ body: String = "") throws -> JSONNode {
    let answer = try answer(path, Array(body.utf8).span)
    return JSONNode(try JSONValue(parsing: String(decoding: answer, as: UTF8.self)))
  }

  /// Takes steps until none is left.
  fileprivate func finish(_ name: String) throws {
    while try ask("step", name).member("more").boolean() {}
  }
}

/// The alerts of NDJSON by story and walk.
private struct ToldAlerts {
  struct Cell {
    var alerts: Int
    var phones: Int

    var share: Double { Double(phones) / Double(ToldWorld.trials) }
    var mean: Double { Double(alerts) / Double(ToldWorld.trials) }
    /// The share as a page shows it.
    var words: String { ReportNumber.phones(share, of: ToldWorld.trials) }
  }

  /// What phones show of each story on each walk, by the names of both.
  private(set) var cells: [String: [String: Cell]] = [:]

  init(_ lines: [JSONNode]) throws {
    for line in lines {
      cells[try line.string("track"), default: [:]][try line.string("place")] = Cell(
        alerts: try line.integer("shown"), phones: try line.integer("phones"))
    }
  }

  subscript(story: String, track: String) -> Cell {
    cells[track]?[story] ?? Cell(alerts: 0, phones: 0)
  }

  /// The alerts of a story on all walks, and the phones on the walk where most alert.
  func story(_ id: String) -> Cell {
    cells.values.compactMap { $0[id] }.reduce(into: Cell(alerts: 0, phones: 0)) {
      $0.alerts += $1.alerts
      $0.phones = max($0.phones, $1.phones)
    }
  }

  /// The alerts of all stories on a walk, of as many phones.
  func track(_ name: String) -> Cell {
    Cell(alerts: cells[name]?.values.reduce(0) { $0 + $1.alerts } ?? 0, phones: 0)
  }
}

@Suite("The alerts that phones show are the same everywhere")
struct ShownAlertsTests {
  private static let phones: [BuiltInProfile] = [.iphone, .android]

  @Test(
    "Lists, walks, the grid, the terminal and NDJSON have the same alerts", arguments: 1...4, phones
  )
  func agreement(seed: Int, phone: BuiltInProfile) async throws {
    let world = try await ToldWorld(seed: UInt64(seed), phone: phone)
    let (trials, name) = (Double(ToldWorld.trials), phone.rawValue)
    // Whole alerts add up without rounding.
    func text(_ alerts: Int) -> String { ReportNumber.mean(Double(alerts) / trials) }
    func isMean(_ number: Double, of alerts: Int, within error: Double = 1e-6) -> Bool {
      abs(number - Double(alerts) / trials) < error
    }
    let told = try ToldAlerts(try world.lines("chance"))
    for line in try world.lines("chance") {
      let cell = told[try line.string("place"), try line.string("track")]
      let due = try line.optionalMember("alerts")?.integer() ?? 0
      #expect(try due + line.integer("extra") + line.integer("later") == cell.alerts)
      #expect(isMean(try line.double("mean"), of: cell.alerts))
      #expect(try abs(line.double("share") - cell.share) < 1e-6)
      #expect(cell.phones <= cell.alerts)
    }
    let sum = world.tracks.reduce(0) { $0 + told.track($1.name).alerts }
    #expect(sum > 3 * ToldWorld.trials)
    #expect(isMean(try world.lines("chance-totals")[0].double("mean"), of: sum))
    #expect(world.terminal.contains { $0.hasPrefix("\(name): phones show \(text(sum)) alerts") })
    #expect(world.page.contains("on these walks: \(text(sum)) on \(name)."))
    for line in try world.lines("chance-story") {
      let known = told.story(try line.string("place"))
      #expect(isMean(try line.double("mean"), of: known.alerts))
      #expect(try abs(line.double("share") - known.share) < 1e-6)
    }
    for row in try world.data.member("stories").elements() {
      let cells = try row.elements()
      let id = try cells[0].string()
      let known = told.story(id)
      guard case .array = cells[24].value, let odds = try cells[24].elements().first else {
        #expect(known.alerts == 0)
        continue
      }
      let values = try odds.elements()
      #expect(try abs(values[0].double() - known.share) < 1e-4)
      #expect(isMean(try values[5].double(), of: known.alerts, within: 1e-4))
      guard known.share >= 0.05 else { continue }
      let row = try world.row(id, under: "Stories on \(name)")
      #expect(row[0] == text(known.alerts))
      #expect(row[1...2].joined(separator: " ") == known.words)
    }
    for row in try world.data.member("tracks").elements() {
      let track = try row.string("name")
      let alerts = told.track(track).alerts
      #expect(isMean(try row.member("shown").elements()[0].double(), of: alerts, within: 1e-4))
      let cells = try row.member("chances").elements()
      for at in stride(from: 0, to: cells.count, by: 3) {
        let known = told[world.stories[try cells[at].integer()].id, track]
        #expect(try abs(cells[at + 1].double() - known.share) < 1e-4)
        #expect(isMean(try cells[at + 2].double(), of: known.alerts, within: 1e-4))
      }
      #expect(cells.count == 3 * (told.cells[track]?.count ?? 0))
      #expect(try world.row(track, under: "Walks")[0] == text(alerts))
    }
    for line in try world.lines("chance-track") {
      let known = told.track(try line.string("track"))
      #expect(isMean(try line.double("mean"), of: known.alerts))
    }
  }

  @Test(
    "An explanation has the share and the mean of the analysis, for each story on each walk",
    arguments: 1...3, phones)
  func explanations(seed: Int, phone: BuiltInProfile) async throws {
    let world = try await ToldWorld(seed: UInt64(seed) + 60, phone: phone)
    let told = try ToldAlerts(try world.lines("chance"))
    for track in world.tracks {
      for (number, story) in world.stories.enumerated() {
        let explanation = try #require(try world.explainer.explain(number, on: track))
        let writer = ExplanationWriter(explanation)
        var ndjson = OutputBuffer()
        var text = OutputBuffer()
        writer.writeNDJSON(to: &ndjson)
        writer.writeText(to: &text, layout: TextLayout())
        let last = try #require(ndjson.text.split(separator: "\n").last)
        let line = JSONNode(try JSONValue(parsing: String(last)))
        let known = told[story.id, track.name]
        #expect(try line.string("type") == "prediction")
        #expect(try line.integer("shown") == known.alerts)
        #expect(try line.integer("phones") == known.phones)
        #expect(try line.integer("simulations") == ToldWorld.trials)
        #expect(try abs(line.double("mean") - known.mean) < 1e-6)
        #expect(try abs(line.double("share") - known.share) < 1e-6)
        #expect(text.text.contains("; \(known.words) of them alerted ("))
        #expect(
          text.text.contains("), with \(ReportNumber.mean(known.mean)) alerts on average.\n"))
      }
    }
  }

  @Test(
    "The studio has the alerts of the analysis, for each story on each walk and on all",
    arguments: 1...3, phones)
  func studio(seed: Int, phone: BuiltInProfile) async throws {
    let world = try await ToldWorld(seed: UInt64(seed) + 80, phone: phone)
    let told = try ToldAlerts(try world.lines("chance"))
    let studio = try world.studio()
    for (number, track) in world.tracks.enumerated() {
      _ = try studio.ask("try", world.question(number))
      _ = try studio.ask("chance", world.question(number))
      try studio.finish("chances")
      let found = try studio.ask("chances")
      let shown = try found.member("shown").elements().map { try $0.elements() }
      #expect(shown.count == told.cells[track.name]?.count ?? 0)
      for row in shown {
        let known = told[try row[0].string(), track.name]
        #expect(try row[1].integer() == known.alerts && row[2].integer() == known.phones)
      }
      for row in try found.member("stories").elements().map({ try $0.elements() }) {
        let known = told.story(try row[0].string())
        #expect(try row[1].integer() == known.alerts && row[2].integer() == known.phones)
      }
    }
    // The grid has thousandths of the phones.
    try studio.finish("")
    let grid = try studio.ask("cells")
    let ids = try grid.member("stories").elements().map { try $0.string() }
    let cells = try grid.member("cells").elements().map { try $0.integer() }
    var shares: [String: [String: Int]] = [:]
    for at in stride(from: 0, to: cells.count, by: 8) where cells[at + 7] > 0 {
      shares[world.tracks[cells[at + 1]].name, default: [:]][ids[cells[at]]] = cells[at + 7]
    }
    for track in world.tracks {
      let known = (told.cells[track.name] ?? [:]).filter { $0.value.phones > 0 }
      #expect(shares[track.name] ?? [:] == known.mapValues { Int(($0.share * 1000).rounded()) })
    }
  }

  @Test(
    "Who reads the report's page reads the numbers of NDJSON",
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.absence)),
    arguments: 1...3, phones)
  func page(seed: Int, phone: BuiltInProfile) async throws {
    let world = try await ToldWorld(
      seed: UInt64(seed) + 20, phone: phone, library: try Browser.mapLibrary())
    let told = try ToldAlerts(try world.lines("chance"))
    let visit = try Browser.visit(world.page, probe: Self.reading)
    #expect(visit.console.isEmpty, "\(visit.console)")
    func read(_ name: String) throws -> JSONNode {
      JSONNode(try JSONValue(parsing: try #require(visit.probed(name), "\(name)")))
    }
    func rows(_ name: String) throws -> [[String: String]] {
      try read(name).elements().map { row in
        Dictionary(uniqueKeysWithValues: try row.keys().map { ($0, try row.string($0)) })
      }
    }
    // The headline: how many stories alert, and what becomes of the others.
    let fates = try world.lines("totals")[0].member("storyFates")
    let counts = try fates.keys().map { try fates.integer($0) }
    let headline = try read("headline").string("text")
    let numbers = headline.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(
      numbers == [counts[0], world.places.count] + counts.dropFirst().filter { $0 > 0 },
      "\(headline)")
    let sum = try world.lines("chance-totals")[0].double("mean")
    let overview = "walks: \(ReportNumber.mean(sum)) on \(phone.rawValue)."
    #expect(try read("headline").string("all").hasSuffix(overview))
    // The list, with a bar for each story.
    let stories = try rows("stories")
    #expect(Set(stories.compactMap { $0["Story"] }) == Set(world.stories.map { $0.id }))
    for row in stories {
      let known = told.story(try #require(row["Story"]))
      #expect(row["On \(phone.rawValue)"] == known.words, "\(row)")
      #expect(row["Alerts"] == ReportNumber.mean(known.mean), "\(row)")
      #expect(row["bar"] == "\(Int((known.share * 100).rounded())) %", "\(row)")
    }
    #expect(try read("headline").string("fold") == "true")
    for row in try rows("tracks") {
      let walk = try #require(row["Walk"])
      let name = try #require(world.tracks.map(\.name).first { $0.hasSuffix(walk) })
      let known = told.track(name)
      #expect(row["Alerts on \(phone.rawValue)"] == ReportNumber.mean(known.mean), "\(row)")
    }
    // Each story on each walk: in the days and beside the map.
    for (name, isShort) in [("days", true), ("details", false)] {
      let found = try rows(name)
      #expect(found.count == world.stories.count)
      for row in found {
        let story = try #require(row["Story"])
        for track in world.tracks {
          let known = told[story, track.name]
          let cell = row[URL(fileURLWithPath: track.name).lastPathComponent]
          guard known.share >= 0.05 else {
            // Gray, held back, or a share that says that the story never alerts.
            #expect(cell.map { Int($0) ?? 0 < 5 } ?? true, "\(name) \(row)")
            continue
          }
          #expect(
            cell == (isShort ? "\(Int((known.share * 100).rounded()))" : known.words),
            "\(name) \(row) \(track.name)")
        }
      }
    }
  }

  /// A script that reads the page as a person does: what is seen, and nothing else.
  private static let reading = """
    const seen = one => one.getClientRects().length > 0;
    const text = one => one.innerText.trim();
    const press = id => document.getElementById(id).click();
    const headsOf = table => [...table.tHead.rows[0].cells].filter(seen).map(text);
    /** The rows of all pages of a table. */
    const everyPage = (id, read) => {
      while (!document.getElementById(id + '-back').disabled) press(id + '-back');
      const rows = [];
      for (;;) {
        rows.push(...read());
        if (document.getElementById(id + '-next').disabled) return rows;
        press(id + '-next');
      }
    };
    const rowsOf = id => everyPage(id, () => {
      const table = document.getElementById(id), heads = headsOf(table);
      return [...table.tBodies[0].rows].map(row => {
        const found = Object.fromEntries([...row.cells].filter(seen).map((cell, at) => [heads[at], text(cell)]));
        const bar = row.querySelector('.share-bar');
        if (bar) found.bar = Math.round(bar.firstChild.getBoundingClientRect().width
          / bar.getBoundingClientRect().width * 100) + ' %';
        return found;
      });
    });
    const tenth = document.querySelectorAll('#stories tbody tr')[9].getBoundingClientRect().bottom;
    tell('headline', JSON.stringify({ text: text(document.querySelector('#short .headline')),
      all: text(document.querySelector('#short .headline + p')), fold: String(tenth <= 720) }));
    tell('stories', JSON.stringify(rowsOf('stories')));
    tell('tracks', JSON.stringify(rowsOf('tracks')));
    press('as-days');
    const days = document.querySelector('#stories-days table');
    tell('days', JSON.stringify(everyPage('stories', () => {
      const walks = headsOf(days).map(words => words.split(/\\s/)[0]);
      return [...days.tBodies[0].rows].map(row => Object.fromEntries([...row.cells].map((cell, at) =>
        [walks[at], at ? text(cell.firstElementChild ?? cell) : text(cell)])));
    })));
    tell('details', JSON.stringify(stories.map((story, index) => {
      choose({ kind: 'story', index });
      const facts = [...document.querySelectorAll('#detail > .facts')].flatMap(list =>
        [...list.querySelectorAll('dt')].map(one => [text(one), text(one.nextElementSibling)]));
      return { Story: text(document.querySelector('#detail h3')), ...Object.fromEntries(facts
        .map(([walk, words]) => [walk, words.replace(' of phones alert', '')])) };
    })));
    """

  @Test(
    "The headline's numbers add up to all stories, and terminal, report and studio say the same",
    arguments: 1...4, [BuiltInProfile.iphone, .android, nil])
  func headline(seed: Int, phone: BuiltInProfile?) async throws {
    let world = try await ToldWorld(seed: UInt64(seed) + 40, phone: phone)
    let headline = StoryHeadline(world.totals, world.stories)
    let counts = StoryFate.allCases.map { headline.count($0) }
    #expect(counts.reduce(0, +) == world.places.count)
    let numbers = headline.text.split { !$0.isNumber }.compactMap { Int($0) }
    // The second number is that of all stories.
    #expect(numbers.reduce(0, +) - world.places.count == world.places.count)
    #expect(numbers[1] == world.places.count)
    #expect(headline.text.contains("1 may have swapped coordinates"))
    #expect(world.terminal.contains(String(headline.text.dropLast())))
    #expect(world.page.contains("<p class=\"headline\">\(headline.text)</p>"))
    #expect(try world.studioHeadline() == headline.text)
    let fates = try world.lines("totals")[0].member("storyFates")
    #expect(try fates.keys().map { try fates.integer($0) } == counts)
    #expect(world.terminal.contains { $0.hasPrefix("Stories that never alert, and why") })
  }
}

extension JSONNode {
  fileprivate func string(_ key: String) throws -> String { try member(key).string() }
  fileprivate func integer(_ key: String) throws -> Int { try member(key).integer() }
  fileprivate func double(_ key: String) throws -> Double { try member(key).double() }
}
