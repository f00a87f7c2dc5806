import FencepostAnalysis
import FencepostGeodesy
import FencepostNotifications
import FencepostPhones

/// Writes an analysis as tables and sentences for a terminal.
///
/// Columns are as wide as their contents, so nothing is written before the end. Until then it keeps
/// the numbers of each track, but no entries or paths.
struct AnalysisTextWriter: AnalysisWriter {
  /// The maximum number of rows in a table; other formats have all rows.
  private static let mostRows = 25

  private let stories: [Story]
  private let layout: TextLayout
  private var accounts: [TrackAccount] = []
  private var chances: [[TrackChances]] = []
  private var skipped: [String] = []

  init(stories: [Story], layout: TextLayout) { (self.stories, self.layout) = (stories, layout) }

  func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer) {}

  mutating func write(
    _ analysis: TrackAnalysis, to output: inout OutputFile
  ) throws(OutputFailure) {
    accounts.append(analysis.account)
    chances.append(analysis.chances)
  }

  mutating func write(skipped track: String, error: String, to output: inout OutputBuffer) {
    skipped.append(error)
  }

  /// Appends it all: phones, walks, refused fixes, stories, groups, crowded spots, and the totals.
  func end(_ settings: AnalysisSettings, _ totals: AnalysisTotals, to file: inout OutputFile) {
    let names = names
    writePhones(to: &file.buffer)
    writeTracks(to: &file.buffer)
    layout.writeTable(
      "Refused fixes", [.name("Walk"), "accepted", "refused", .left("why")],
      accounts.filter { $0.rejected > 0 }.largestFirst(by: \.rejected), most: Self.mostRows,
      to: &file.buffer
    ) { account in
      [
        names.name(of: account), ReportNumber.count(account.fixes),
        ReportNumber.count(account.rejected),
        ReportNumber.list(account.rejectedByReason),
      ]
    }
    if let chance = settings.chance {
      ChanceTables(chance, stories, layout: layout, mostRows: Self.mostRows)
        .write(totals.profiles, to: &file.buffer)
    }
    writeSilent(totals, to: &file.buffer)
    writeStories(totals, to: &file.buffer)
    writeList("Stories that always fire together" + perfect, totals.companions, to: &file.buffer) {
      group in
      ReportNumber.counted(totals.stories[group[0]].moments, "time") + ": "
        + group.map { stories[$0].id }.joined(separator: ", ")
    }
    writeList(
      "Spots where more circles overlap than can be watched", totals.orderedSpots, to: &file.buffer
    ) { spot in
      ReportNumber.position(spot.coordinate, decimals: 5)
        + ": \(ReportNumber.counted(spot.circles, "circle")), "
        + ReportNumber.counted(spot.tracks, "walk")
    }
    layout.writeHeading("Totals", to: &file.buffer)
    let summary = AnalysisSummary(settings, totals, stories)
    for line in summary.lines { file.buffer.append(verbatim: "\(line)\n") }
  }

  /// Appends the alerts that phones show on each walk.
  private func writePhones(to output: inout OutputBuffer) {
    guard let profiles = chances.first, !profiles.isEmpty else { return }
    let names = names
    let isShort = accounts.count > Self.mostRows
    layout.writeTable(
      isShort ? "Walks with most alerts" : "Walks",
      [.name("Walk")] + profiles.map { .right("alerts on \($0.profile)") },
      accounts.indices.largestFirst {
        isShort ? chances[$0].first?.stories.reduce(0) { $0 + $1.chance.shown.alerts } ?? 0 : 0
      }, most: Self.mostRows, to: &output
    ) { walk in
      [names.name(of: accounts[walk])]
        + chances[walk].map { $0.isTimed ? ReportNumber.mean($0.meanAlerts) : "–" }
    }
  }

  /// The names of the walks: their titles if unique, or else their files.
  private var names: TrackNames { TrackNames(accounts) }

  /// What the heading of a table says where simulated phones stand beside it.
  private var perfect: String { chances.contains { !$0.isEmpty } ? ", on a perfect phone" : "" }

  /// Appends the walks: all of them, or those with most losses if there are more than 25.
  private func writeTracks(to output: inout OutputBuffer) {
    let (way, names) = (ShownUnits.current.long, names)
    let isShort = accounts.count > Self.mostRows
    let rows =
      isShort
      ? accounts.largestFirst { $0.counts.late + $0.counts.missed }.prefix(Self.mostRows)
      : accounts[...]
    let table = TextTable(
      [
        .name("Walk"), .right(way.name), "entries", "alerts", "held back", "late", "missed",
        "recall", .right("lookups/\(way.name)"),
      ],
      rows.map { account in
        let counts = account.counts
        let length = Double(account.lengthMillimeters) / 1000 / way.meters
        var sum = RatioSum()
        sum.add(found: counts.foundAlerts, of: counts.dueAlerts)
        return [
          names.name(of: account), ReportNumber.text(length, decimals: 1), "\(counts.entries)",
          "\(counts.alerts)", "\(counts.suppressed.total)", "\(counts.late)",
          "\(counts.missed)", ReportNumber.percent(sum.ratio),
          length > 0 ? ReportNumber.text(Double(account.refreshes) / length, decimals: 2) : "–",
        ]
      })
    layout.writeHeading((isShort ? "Walks that lost most" : "Walks") + perfect, to: &output)
    table.write(to: &output, layout: layout)
    layout.writeMore(accounts.count - rows.count, to: &output)
    for sentence in skipped { output.append(verbatim: "skipped: \(sentence.forTerminal)\n") }
  }

  /// Appends the stories on the way, and why some of them never alerted.
  private func writeStories(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    let entered = totals.stories.crossedStories.map { ($0, totals.stories[$0]) }
      .filter { $0.1.counts.entries > 0 }
    // Losses come first, then alerts, then the order of the ids.
    func losses(_ account: StoryAccount) -> (Int, Int) {
      (account.counts.late + account.counts.missed, account.counts.alerts)
    }
    layout.writeTable(
      "Stories on the way, most losses first" + perfect,
      [.left("Story"), "walks", "alerted", "held back", "late", "missed", "alerts", "of"],
      entered.sorted {
        let (one, other) = (losses($0.1), losses($1.1))
        return one == other ? $0.0 < $1.0 : one > other
      }, most: Self.mostRows, to: &output
    ) { story, account in
      let verdicts = [Verdict.alerted, .suppressed, .late, .missed].map { account.tracks[$0] }
      let tracks = verdicts.reduce(account.tracks[.insideAtStart], +)
      let alerts = [account.counts.alerts, account.counts.dueAlerts]
      return [stories[story].name] + ([tracks] + verdicts + alerts).map(String.init)
    }
  }

  /// Appends the stories that never alert, and why, those with entries first, then the nearest.
  ///
  /// The reason is that of ``StoryHeadline``, so that the table and the headline agree.
  private func writeSilent(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    let fates = StoryHeadline(totals, stories).fates
    let silent = fates.indices.filter { fates[$0] != .alerts && fates[$0] != .seldom }
    func outside(_ story: Int) -> Double {
      totals.stories[story].nearestMillimeters.map {
        Double($0) / 1000 - stories[story].radiusMeters
      } ?? .infinity
    }
    layout.writeTable(
      "Stories that never alert, and why", [.left("Story"), .left("why")],
      silent.sorted {
        (fates[$0].rawValue, outside($0), $0) < (fates[$1].rawValue, outside($1), $1)
      }, most: Self.mostRows, to: &output
    ) { story in
      let loss = totals.profiles.first?.stories[story]?.chance.mainLoss
      let reasons = AnalysisSummary.reasons(totals.stories[story])
      let why =
        switch fates[story] {
        case .swapped: "latitude and longitude may be swapped"
        case .tooFar where outside(story) > 10_000: "no walk came near"
        case .tooFar: "walks pass \(ReportNumber.distance(outside(story))) from its edge"
        case .missed where loss != nil: loss.map { ChanceSentences.words($0.outcome) } ?? ""
        default: reasons
        }
      return [stories[story].name, why]
    }
  }

  /// Appends a heading and a line for each of the first 25 elements; nothing without any.
  private func writeList<Element>(
    _ heading: String, _ elements: [Element], to output: inout OutputBuffer,
    _ line: (Element) -> String
  ) {
    guard !elements.isEmpty else { return }
    layout.writeHeading(heading, to: &output)
    for element in elements.prefix(Self.mostRows) {
      output.append(verbatim: line(element).forTerminal + "\n")
    }
    layout.writeMore(elements.count - Self.mostRows, to: &output)
  }
}
