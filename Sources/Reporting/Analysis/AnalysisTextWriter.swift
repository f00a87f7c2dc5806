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

  init(stories: [Story], layout: TextLayout) {
    self.stories = stories
    self.layout = layout
  }

  func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer) {}

  mutating func write(
    _ analysis: TrackAnalysis, to output: inout OutputFile
  ) throws(OutputFailure) {
    accounts.append(analysis.account)
  }

  mutating func write(skipped track: String, error: String, to output: inout OutputBuffer) {
    skipped.append(error)
  }

  func end(_ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputBuffer) {
    writeTracks(to: &output)
    writeRejections(to: &output)
    writeStories(totals, to: &output)
    writeSilent(totals, to: &output)
    if let chance = settings.chance {
      ChanceTables(chance, stories, layout: layout, mostRows: Self.mostRows)
        .write(totals.profiles, to: &output)
    }
    writeCompanions(totals, to: &output)
    writeSpots(totals, to: &output)
    layout.writeHeading("Totals", to: &output)
    for line in AnalysisSummary(settings, totals).lines {
      output.append(verbatim: line)
      output.append("\n")
    }
  }

  private func writeTracks(to output: inout OutputBuffer) {
    let way = ShownUnits.current.long
    var table = TextTable([
      .left("Walk"), .right(way.name), "entries", "alerts", "held back", "late", "missed",
      "recall", .right("lookups/\(way.name)"),
    ])
    // If there are too many for a screen, show those that lost most.
    let shown =
      accounts.count <= Self.mostRows
      ? accounts
      : Array(
        accounts.enumerated().sorted {
          ($1.element.counts.late + $1.element.counts.missed, $0.offset)
            < ($0.element.counts.late + $0.element.counts.missed, $1.offset)
        }.prefix(Self.mostRows).map(\.element))
    for account in shown {
      var sum = RatioSum()
      sum.add(found: account.counts.foundAlerts, of: account.counts.oracleAlerts)
      let length = Double(account.lengthMillimeters) / 1000 / way.meters
      table.append([
        account.track, ReportNumber.text(length, decimals: 1), "\(account.counts.entries)",
        "\(account.counts.alerts)", "\(account.counts.suppressed.total)",
        "\(account.counts.late)", "\(account.counts.missed)",
        ReportNumber.percent(sum.ratio),
        length > 0 ? ReportNumber.text(Double(account.refreshes) / length, decimals: 2) : "–",
      ])
    }
    layout.writeHeading(
      shown.count < accounts.count ? "Walks that lost most" : "Walks", to: &output)
    table.write(to: &output, layout: layout)
    layout.writeMore(accounts.count - shown.count, to: &output)
    for sentence in skipped {
      output.append(verbatim: "skipped: \(sentence.forTerminal)\n")
    }
  }

  private func writeRejections(to output: inout OutputBuffer) {
    let accounts = accounts.enumerated().filter { $0.element.rejected > 0 }
      .sorted { ($1.element.rejected, $0.offset) < ($0.element.rejected, $1.offset) }
      .map(\.element)
    guard !accounts.isEmpty else { return }
    var table = TextTable([.left("Walk"), "accepted", "refused", .left("why")])
    for account in accounts.prefix(Self.mostRows) {
      table.append([
        account.track, ReportNumber.count(account.fixes), ReportNumber.count(account.rejected),
        ReportNumber.list(account.rejectedByReason),
      ])
    }
    layout.writeHeading("Refused fixes", to: &output)
    table.write(to: &output, layout: layout)
    layout.writeMore(accounts.count - Self.mostRows, to: &output)
  }

  private func writeStories(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    let entered = totals.stories.crossedStories.filter { totals.stories[$0].counts.entries > 0 }
    guard !entered.isEmpty else { return }
    var table = TextTable([
      .left("Story"), "walks", "alerted", "held back", "late", "missed", "alerts", "of",
    ])
    let ordered = entered.sorted { loss(totals, $1, $0) < loss(totals, $0, $1) }
    for story in ordered.prefix(Self.mostRows) {
      let account = totals.stories[story]
      let tracks =
        account.tracks[.alerted] + account.tracks[.suppressed] + account.tracks[.late]
        + account.tracks[.missed] + account.tracks[.insideAtStart]
      let numbers = [
        tracks, account.tracks[.alerted], account.tracks[.suppressed], account.tracks[.late],
        account.tracks[.missed], account.counts.alerts, account.counts.oracleAlerts,
      ]
      table.append([stories[story].name] + numbers.map(String.init))
    }
    layout.writeHeading("Stories on the way, most losses first", to: &output)
    table.write(to: &output, layout: layout)
    layout.writeMore(ordered.count - Self.mostRows, to: &output)
  }

  /// The sort key of stories: losses, then alerts, then ids.
  private func loss(
    _ totals: AnalysisTotals, _ story: Int, _ other: Int
  ) -> (Int, Int, Int) {
    let counts = totals.stories[story].counts
    return (counts.late + counts.missed, counts.alerts, other)
  }

  private func writeSilent(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    let silent = totals.stories.crossedStories.filter {
      totals.stories[$0].tracks[.alerted] == 0 && totals.stories[$0].counts.entries > 0
    }
    guard !silent.isEmpty else { return }
    layout.writeHeading("Stories on the way that never alerted, and why", to: &output)
    var table = TextTable([.left("Story"), .left("why")])
    for story in silent.prefix(Self.mostRows) {
      table.append([stories[story].name, AnalysisSummary.reasons(totals.stories[story])])
    }
    table.write(to: &output, layout: layout)
    layout.writeMore(silent.count - Self.mostRows, to: &output)
  }

  private func writeCompanions(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    let groups = totals.companions
    guard !groups.isEmpty else { return }
    layout.writeHeading("Stories that always fire together", to: &output)
    for group in groups.prefix(Self.mostRows) {
      let names = group.map { stories[$0].id }.joined(separator: ", ")
      output.append(
        verbatim: "\(ReportNumber.counted(totals.stories[group[0]].moments, "time")): "
          + "\(names.forTerminal)\n")
    }
    layout.writeMore(groups.count - Self.mostRows, to: &output)
  }

  private func writeSpots(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    let spots = totals.orderedSpots
    guard !spots.isEmpty else { return }
    layout.writeHeading("Spots where more circles overlap than can be watched", to: &output)
    for spot in spots.prefix(Self.mostRows) {
      let latitude = ReportNumber.text(spot.coordinate.latitudeDegrees, decimals: 5)
      let longitude = ReportNumber.text(spot.coordinate.longitudeDegrees, decimals: 5)
      output.append(
        verbatim: "\(latitude),\(longitude): \(ReportNumber.counted(spot.circles, "circle")), "
          + "\(ReportNumber.counted(spot.tracks, "walk"))\n")
    }
    layout.writeMore(spots.count - Self.mostRows, to: &output)
  }
}
