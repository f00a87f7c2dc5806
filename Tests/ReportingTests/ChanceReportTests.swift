import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostReporting
import Foundation
import TestSupport
import Testing

@Suite("What reports say of simulated phones")
struct ChanceReportTests {
  private let stories = ["a", "b"].map {
    Story(
      id: $0, title: "Story \($0)", coordinate: Coordinate(latitudeDegrees: 1, longitudeDegrees: 2),
      radiusMeters: 50)
  }

  private func sketch(_ values: [Double]) -> QuantileSketch {
    var sketch = QuantileSketch()
    for value in values { sketch.add(value) }
    return sketch
  }

  /// Ten trials of story a on a track, of which some alert and the rest is lost, and one extra of b.
  private func analysis(_ track: String, alerts: Int, lost: TrialOutcome) -> TrackAnalysis {
    var account = TrackAccount(track: track)
    account.fixes = 10
    account.alertsByDay = [20_516: 1]
    var chances = TrackChances(profile: "iphone", trials: 10)
    chances.stories = [
      .init(
        story: 0, isEntered: true,
        chance: StoryChance(
          [.alert: alerts, lost: 10 - alerts], runs(reached: alerts),
          delaySeconds: sketch(Array(repeating: 60, count: alerts)),
          fromEdgeMeters: sketch(Array(repeating: -40, count: alerts)))),
      .init(
        story: 1, isEntered: false,
        chance: StoryChance(
          [:], runs(others: 2), delaySeconds: sketch([]), fromEdgeMeters: sketch([]))),
    ]
    var analysis = TrackAnalysis(
      account: account, nearestMeters: [10, 90], crossed: [], entries: [], moments: [], crowds: [],
      lines: [])
    analysis.chances = [chances]
    analysis.phoneDays = ["iphone": [0: 4, 1: 5, 6: 1]]
    return analysis
  }

  private func runs(reached: Int = 0, others: Int = 0) -> StoryChance.Runs {
    var runs = StoryChance.Runs()
    (runs.all, runs.reached, runs.falseAlerts) = (10, reached, others)
    runs.alerting = max(reached, others)
    if reached > 0 { runs.lateAlerts = 1 }
    return runs
  }

  private var settings: AnalysisSettings {
    AnalysisSettings(
      session: TrackSessionOptions(), zoneIdentifier: "Z", storyCount: 2,
      chance: ChanceOptions(
        profiles: [BuiltInProfile.iphone.profile], simulation: .init(trials: 10)))
  }

  private var totals: AnalysisTotals {
    var totals = AnalysisTotals(storyCount: 2)
    totals.add(analysis("one", alerts: 2, lost: .smallRadius))
    totals.add(analysis("two", alerts: 4, lost: .limit))
    return totals
  }

  @Test("The summary names the alerts shown, arrival and losses")
  func summary() {
    let lines = AnalysisSummary(settings, totals, stories).lines.filter { $0.hasPrefix("iphone: ") }
    #expect(lines.count == 4)
    // 6 of 20 trials; 8 lost to the radius, 6 to the limit; 4 extra alerts in 10 runs.
    #expect(
      lines[0]
        == "iphone: phones show 1.0 alerts on average: 0.6 of the 2 that are due, and 0.4 others; "
        + "10 trials, seed 1, residential, background")
    var uncertain = totals
    var doubt = DoubtEffect(name: "a.value", basis: "assumed", low: "1", high: "2")
    (doubt.trials, doubt.lowAlerts, doubt.alerts, doubt.highAlerts) = (20, 3, 6, 5)
    uncertain.profiles[0].add(doubt)
    #expect(
      AnalysisSummary(settings, uncertain, stories).lines.contains {
        $0.hasSuffix("background; uncertain values, one at a time, leave 15 % to 30 %")
      })
    // Bins of 5 % around 60 s and 40 m.
    #expect(lines[1].contains("typically 6") || lines[1].contains("typically 5"))
    #expect(lines[1].contains(" m beyond the edge"))
    #expect(lines[1].contains("33 % only once the phone has gone back"))
    #expect(
      lines[2] == "iphone: of the due alerts, 40 % circle too small, "
        + "30 % nearer stories watched")
    #expect(lines[3] == "iphone: a reader gets 1 alert a day, and up to 1 on 9 of 10 days")
  }

  @Test("The stories that alert without an entry stand among the others")
  func extra() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path + "/analysis.txt"
    var report = AnalysisReport(
      format: .text, verdicts: .all, settings: settings, stories: stories,
      output: try OutputFile(path: path), layout: TextLayout())
    try report.finish(totals)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let heading = lines.firstIndex {
      $0.hasPrefix("Stories on iphone, least likely alerts first")
    }
    // 4 alerts on two tracks in 10 runs, of which 2 of 10 phones give one on each.
    #expect(heading.map { lines[$0 + 2].contains("  20 %  ") } == true)
    #expect(heading.map { lines[$0 + 2].hasSuffix("nobody enters it") } == true)
  }

  @Test("The shares of a story add up, and what parts need to be joined is there")
  func ndjson() throws {
    var output = OutputBuffer()
    AnalysisNDJSONWriter(stories: stories).end(totals, to: &output)
    let line = try #require(
      output.text.split(separator: "\n").first { $0.hasPrefix("{\"type\":\"chance-story\"") })
    #expect(
      line.contains(
        "\"place\":\"a\",\"tracks\":2,\"due\":2,\"trials\":20,\"alerts\":6,\"late\":2"))
    #expect(
      line.contains(
        "\"shares\":{\"alert\":0.3,\"limit\":0.3,\"refresh\":0,\"short-stay\":0,"
          + "\"small-radius\":0.4,\"chance\":0,\"held-back\":0}")
        || line.contains(
          "\"shares\":{\"alert\":0.3,\"limit\":0.3,\"refresh\":0.0,\"short-stay\":0.0,"
            + "\"small-radius\":0.4,\"chance\":0.0,\"held-back\":0.0}")
    )
    #expect(line.contains("\"delayBins\":{\"first\":"))
    let extra = try #require(
      output.text.split(separator: "\n").first { $0.contains("\"place\":\"b\",\"tracks\":0") })
    #expect(extra.contains("\"probability\":null"))
    #expect(extra.contains("\"extra\":4,\"extraTracks\":2"))
    #expect(
      extra.contains("\"shown\":4,\"phones\":2,\"simulations\":10,\"mean\":0.4,\"share\":0.2"))
  }

  @Test("A circle is too small if most alerts are lost to its radius")
  func tooSmall() throws {
    let profile = try #require(totals.profiles.first)
    let odds = try #require(profile.stories[0])
    #expect(odds.isTooSmall)
    var other = AnalysisTotals(storyCount: 2)
    other.add(analysis("one", alerts: 2, lost: .limit))
    #expect(other.profiles.first?.stories[0]?.isTooSmall == false)
    other.add(analysis("two", alerts: 9, lost: .smallRadius))
    #expect(other.profiles.first?.stories[0]?.isTooSmall == false)
  }

  @Test("The rule names what must happen before a crossing counts, and nothing by default")
  func stages() {
    var rule = MonitoringOptions()
    #expect(ConfirmationWords.sentence(rule, alertsOn: .enter) == "")
    rule.confirmation.holdMilliseconds = 30_000
    rule.confirmation.fixes = 3
    #expect(
      ConfirmationWords.sentence(rule, alertsOn: .exit)
        == ", crossings held for 30 s, crossings confirmed by 3 fixes, alerts on exits")
    rule = MonitoringOptions()
    rule.test = .fixes
    rule.accuracy = .contains
    rule.confirmation.dwellMilliseconds = 300_000
    #expect(
      ConfirmationWords.sentence(rule, alertsOn: .dwell)
        == ", tested at fixes only, by the whole accuracy circle, alerts on dwells of 5 min")
  }

  @Test("The summary of a track counts dwells if there are any")
  func dwells() {
    var summary = Samples.summary
    for (dwells, words) in [(nil, nil), (0, nil), (1, " and 1 dwell"), (4, " and 4 dwells")]
      as [(Int?, String?)]
    {
      summary.dwells = dwells
      #expect(summary.sentences[0].contains("dwell") == (words != nil))
      if let words { #expect(summary.sentences[0].contains(words)) }
    }
  }
}
