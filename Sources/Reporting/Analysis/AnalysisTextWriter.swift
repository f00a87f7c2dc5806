import FencepostAnalysis
import FencepostGeodesy
import FencepostNotifications

struct AnalysisTextWriter: AnalysisWriter {
  /// The maximum number of rows in a table; other formats have all rows.
  private static let mostRows = 25

  private let stories: [Story]
  private let layout: TextLayout
  private var accounts: [TrackAccount] = []
  private var skipped: [String] = []

  init(stories: [Story], layout: TextLayout) { (self.stories, self.layout) = (stories, layout) }

  func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer) {}

  mutating func write(
    _ analysis: TrackAnalysis, to output: inout OutputFile
  ) throws(OutputFailure) { accounts.append(analysis.account) }

  mutating func write(skipped track: String, error: String, to output: inout OutputBuffer) {
    skipped.append(error)
  }

  func end(_ settings: AnalysisSettings, _ totals: AnalysisTotals, to file: inout OutputFile) {
    writeTracks(to: &file.buffer)
    layout.writeTable(
      "Refused fixes", [.name("Walk"), "accepted", "refused", .left("why")],
      accounts.filter { $0.rejected > 0 }.largestFirst(by: \.rejected), most: Self.mostRows,
      to: &file.buffer
    ) { account in
      [
        account.track, ReportNumber.count(account.fixes), ReportNumber.count(account.rejected),
        ReportNumber.list(account.rejectedByReason),
      ]
    }
    writeStories(totals, to: &file.buffer)
    if let chance = settings.chance {
      ChanceTables(chance, stories, layout: layout, mostRows: Self.mostRows)
        .write(totals.profiles, to: &file.buffer)
    }
    writeList("Stories that always fire together", totals.companions, to: &file.buffer) { group in
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
    let summary = AnalysisSummary(settings, totals)
    for line in summary.lines { file.buffer.append(verbatim: "\(line)\n") }
  }

  private func writeTracks(to output: inout OutputBuffer) {
    let way = ShownUnits.current.long
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
        sum.add(found: counts.foundAlerts, of: counts.oracleAlerts)
        return [
          account.track, ReportNumber.text(length, decimals: 1), "\(counts.entries)",
          "\(counts.alerts)", "\(counts.suppressed.total)", "\(counts.late)",
          "\(counts.missed)", ReportNumber.percent(sum.ratio),
          length > 0 ? ReportNumber.text(Double(account.refreshes) / length, decimals: 2) : "–",
        ]
      })
    layout.writeHeading(isShort ? "Walks that lost most" : "Walks", to: &output)
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
      "Stories on the way, most losses first",
      [.left("Story"), "walks", "alerted", "held back", "late", "missed", "alerts", "of"],
      entered.sorted {
        let (one, other) = (losses($0.1), losses($1.1))
        return one == other ? $0.0 < $1.0 : one > other
      }, most: Self.mostRows, to: &output
    ) { story, account in
      let verdicts = [Verdict.alerted, .suppressed, .late, .missed].map { account.tracks[$0] }
      let tracks = verdicts.reduce(account.tracks[.insideAtStart], +)
      let alerts = [account.counts.alerts, account.counts.oracleAlerts]
      return [stories[story].name] + ([tracks] + verdicts + alerts).map(String.init)
    }
    layout.writeTable(
      "Stories on the way that never alerted, and why", [.left("Story"), .left("why")],
      entered.filter { $0.1.tracks[.alerted] == 0 }, most: Self.mostRows, to: &output
    ) { story, account in [stories[story].name, AnalysisSummary.reasons(account)] }
  }

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
