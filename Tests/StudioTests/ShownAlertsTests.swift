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
import Newsroom
import TestSupport
import Testing

/// A random world on a simulated phone, as every output tells of it.
private struct ToldWorld {
  static let trials = 40

  let places: [Place]
  let tracks: [RecordedTrack]
  var ndjson: [JSONNode] = []
  var terminal: [String] = []
  var page = ""
  var data = JSONNode(.null)
  var totals: AnalysisTotals
  var stories: [Story] = []

  init(seed: UInt64, hasPhone: Bool = true) async throws {
    let folder = try ScratchFolder()
    let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    var places = AnalysisScene(seed: seed, around: center, placeCount: 30).places
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
    var options = TrackAnalysisSession.Options()
    if hasPhone {
      var chance = ChanceOptions(
        profiles: [BuiltInProfile.iphone.profile], simulation: .init(trials: Self.trials, seed: 7))
      chance.measuresDoubts = false
      options.chance = chance
    }
    let settings = AnalysisSettings(
      session: options.session, zoneIdentifier: "Z", storyCount: places.count,
      chance: options.chance)
    let whatIf = try WhatIf(base: places, changes: PlaceChanges(), options: options.session)
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
    PageWriter(library: .init(script: "", style: ""), sweepLines: [])
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

  /// What the studio says of the same world.
  func studioHeadline() throws -> String {
    let phone = StudioPhone(word: "iphone", profile: BuiltInProfile.iphone.profile)
    let answers = try StudioAnswers(
      base: places, setting: StudioSetting(), phones: [phone], zone: .utc)
    for track in tracks { answers.add(track) }
    func ask(_ path: String, _ body: String = "") throws -> JSONNode {
      let answer = try answers.answer(path, Array(body.utf8).span)
      return JSONNode(try JSONValue(parsing: String(decoding: answer, as: UTF8.self)))
    }
    let hasPhone = !totals.profiles.isEmpty
    let question = """
      {"number":1,"track":0,"changes":{},"rules":{"limit":20,"distance":500,"rank":"center",\
      "refresh":"fixed","initial":"silent","margin":0,"cooldown":"604800","quiet":"","zone":"Z",\
      "dates":"recorded","speed":null,"interval":0,"hold":0,"fixes":1,"dwell":null,\
      "alertOn":"enter","test":"path","accuracy":"ignore","profile":"\(hasPhone ? "iphone" : "")",\
      "trials":\(Self.trials),"seed":7}}
      """
    _ = try ask("try", question)
    let early = try ask("headline").string("text")
    #expect(
      early.hasPrefix(hasPhone ? "No walk is simulated yet." : "So far, 1 of 3 walks: "), "\(early)"
    )
    while try ask("step").member("more").boolean() {}
    if hasPhone {
      _ = try ask("chance", question)
      _ = try ask("step", "chances")
      #expect(try ask("headline").string("text").hasPrefix("So far, 1 of 3 walks: "))
      while try ask("step", "chances").member("more").boolean() {}
    }
    return try ask("headline").string("text")
  }
}

@Suite("The alerts that phones show are the same everywhere")
struct ShownAlertsTests {
  @Test("Lists, walks, the grid, the terminal and NDJSON have the same alerts", arguments: 1...4)
  func agreement(seed: Int) async throws {
    let world = try await ToldWorld(seed: UInt64(seed))
    let trials = Double(ToldWorld.trials)
    // Whole alerts add up without rounding.
    func text(_ alerts: Int) -> String { ReportNumber.mean(Double(alerts) / trials) }
    func isMean(_ number: Double, of alerts: Int, within error: Double = 1e-6) -> Bool {
      abs(number - Double(alerts) / trials) < error
    }
    var byStory: [String: (alerts: Int, share: Double)] = [:]
    var byTrack: [String: (alerts: Int, shares: [String: Double])] = [:]
    for line in try world.lines("chance") {
      let due = try line.optionalMember("alerts")?.integer() ?? 0
      let shown = try due + line.integer("extra") + line.integer("later")
      let phones = try line.integer("phones")
      let share = Double(phones) / trials
      #expect(try line.integer("shown") == shown)
      #expect(isMean(try line.double("mean"), of: shown))
      #expect(try abs(line.double("share") - share) < 1e-6)
      #expect(phones <= shown)
      let (place, track) = (try line.string("place"), try line.string("track"))
      let known = byStory[place] ?? (0, 0)
      byStory[place] = (known.alerts + shown, max(known.share, share))
      byTrack[track, default: (0, [:])].alerts += shown
      byTrack[track]?.shares[place] = share
    }
    let sum = byStory.values.reduce(0) { $0 + $1.alerts }
    #expect(sum > 3 * ToldWorld.trials)
    #expect(isMean(try world.lines("chance-totals")[0].double("mean"), of: sum))
    #expect(world.terminal.contains { $0.hasPrefix("iphone: phones show \(text(sum)) alerts") })
    #expect(world.page.contains("on these walks: \(text(sum)) on iphone."))
    for line in try world.lines("chance-story") {
      let known = byStory[try line.string("place")]
      #expect(isMean(try line.double("mean"), of: known?.alerts ?? 0))
      #expect(try abs(line.double("share") - (known?.share ?? 0)) < 1e-6)
    }
    for row in try world.data.member("stories").elements() {
      let cells = try row.elements()
      let (id, known) = (try cells[0].string(), byStory[try cells[0].string()])
      guard case .array = cells[24].value, let odds = try cells[24].elements().first else {
        #expect(known == nil)
        continue
      }
      let values = try odds.elements()
      #expect(try abs(values[0].double() - (known?.share ?? 0)) < 1e-4)
      #expect(isMean(try values[5].double(), of: known?.alerts ?? 0, within: 1e-4))
      guard let known, known.share >= 0.05 else { continue }
      let told = try world.row(id, under: "Stories on iphone")
      #expect(told[0] == text(known.alerts))
      #expect(told[1...2].joined(separator: " ") == ReportNumber.phones(known.share, of: 40))
    }
    for row in try world.data.member("tracks").elements() {
      let (name, known) = (try row.string("name"), byTrack[try row.string("name")])
      let alerts = known?.alerts ?? 0
      #expect(isMean(try row.member("shown").elements()[0].double(), of: alerts, within: 1e-4))
      let cells = try row.member("chances").elements()
      for at in stride(from: 0, to: cells.count, by: 3) {
        let id = world.stories[try cells[at].integer()].id
        #expect(try abs(cells[at + 1].double() - (known?.shares[id] ?? -1)) < 1e-4)
      }
      #expect(cells.count == 3 * (known?.shares.count ?? 0))
      #expect(try world.row(name, under: "Walks")[0] == text(alerts))
    }
    for line in try world.lines("chance-track") {
      let known = byTrack[try line.string("track")]
      #expect(isMean(try line.double("mean"), of: known?.alerts ?? 0))
    }
  }

  @Test(
    "The headline's numbers add up to all stories, and terminal, report and studio say the same",
    arguments: 1...4, [true, false])
  func headline(seed: Int, hasPhone: Bool) async throws {
    let world = try await ToldWorld(seed: UInt64(seed) + 40, hasPhone: hasPhone)
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
