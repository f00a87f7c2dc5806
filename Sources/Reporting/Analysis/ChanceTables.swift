import FencepostMonitoring
import FencepostAnalysis
import FencepostPhones

/// Writes the results of simulated phones as tables for people.
struct ChanceTables {
  private static let mostExtra = 10

  private let options: ChanceOptions
  private let stories: [Story]
  private let layout: TextLayout
  private let mostRows: Int

  init(_ options: ChanceOptions, _ stories: [Story], layout: TextLayout, mostRows: Int) {
    self.options = options
    self.stories = stories
    self.layout = layout
    self.mostRows = mostRows
  }

  /// Appends the tables of one profile, or of several side by side.
  func write(_ profiles: [ProfileTotals], to output: inout OutputBuffer) {
    if profiles.count == 1 {
      writeStories(profiles[0], to: &output)
      writeExtra(profiles[0], to: &output)
      writeDoubts(profiles[0], to: &output)
    } else if !profiles.isEmpty {
      writeEngines(profiles, to: &output)
      writeStories(profiles, to: &output)
      for profile in profiles {
        writeExtra(profile, to: &output)
        writeDoubts(profile, to: &output)
      }
    }
  }

  // MARK: One profile

  private func writeStories(_ profile: ProfileTotals, to output: inout OutputBuffer) {
    let entered = profile.ordered.filter { $0.odds.tracks > 0 }
    guard !entered.isEmpty else { return }
    var table = TextTable([
      .left("Story"), "walks", "probability", "95 % interval", "delay", "9 of 10", "beyond edge",
      "9 of 10", .left("lost most to"),
    ])
    let ordered = entered.sorted {
      ($0.odds.probability ?? 0, $0.story) < ($1.odds.probability ?? 0, $1.story)
    }
    for (story, odds) in ordered.prefix(mostRows) {
      let chance = odds.chance
      let interval = chance.alertInterval
      table.append([
        stories[story].name, "\(odds.tracks)", ReportNumber.percent(odds.probability),
        "\(ReportNumber.percent(interval.low))–\(ReportNumber.percent(interval.high))",
        ChanceSentences.duration(chance.delaySeconds, 0.5),
        ChanceSentences.duration(chance.delaySeconds, 0.9),
        ChanceSentences.distance(chance.fromEdgeMeters, 0.5),
        ChanceSentences.distance(chance.fromEdgeMeters, 0.9), ChanceSentences.mainLoss(chance),
      ])
    }
    layout.writeHeading(
      "Stories on \(profile.name), least likely alerts first "
        + "(\(ChanceSentences.run(options)))", to: &output)
    table.write(to: &output, layout: layout)
    layout.writeMore(ordered.count - mostRows, to: &output)
    writeUnnoticed(entered, to: &output)
  }

  /// Warns about stories whose circles a phone does not notice.
  private func writeUnnoticed(
    _ entered: [(story: Int, odds: StoryOdds)], to output: inout OutputBuffer
  ) {
    let unnoticed = entered.filter { $0.odds.isTooSmall }
    guard !unnoticed.isEmpty else { return }
    let names = unnoticed.prefix(5).map { stories[$0.story].name }.joined(separator: ", ")
    let rest = unnoticed.count > 5 ? " and \(ReportNumber.count(unnoticed.count - 5)) more" : ""
    output.append(
      verbatim: "Circles too small for the phone to notice in time: \(names.forTerminal)\(rest)\n")
  }

  /// Appends the stories that alert without an entry, most often first.
  private func writeExtra(_ profile: ProfileTotals, to output: inout OutputBuffer) {
    let extra = profile.ordered.filter { $0.odds.falseAlerts > 0 }
      .sorted { ($1.odds.falseAlerts, $0.story) < ($0.odds.falseAlerts, $1.story) }
    guard !extra.isEmpty, profile.trials > 0 else { return }
    var table = TextTable([.left("Story"), "walks", "alerts/run"])
    for (story, odds) in extra.prefix(Self.mostExtra) {
      let alerts = Double(odds.falseAlerts) / Double(profile.trials)
      table.append([
        stories[story].name, "\(odds.falseTracks)", ReportNumber.text(alerts, decimals: 2),
      ])
    }
    layout.writeHeading(
      "Extra alerts on \(profile.name), without an entry, most frequent first", to: &output)
    table.write(to: &output, layout: layout)
    layout.writeMore(extra.count - Self.mostExtra, to: &output)
  }

  private func writeDoubts(_ profile: ProfileTotals, to output: inout OutputBuffer) {
    let doubts = profile.largestDoubts
    guard let first = doubts.first, first.trials > 0 else { return }
    func share(_ alerts: Int, _ doubt: DoubtEffect) -> String {
      ReportNumber.percent(Double(alerts) / Double(doubt.trials))
    }
    var table = TextTable([
      .left("Value"), .left("basis"), "low", "probability", "high", "probability",
    ])
    for doubt in doubts.prefix(8) {
      table.append([
        doubt.name, doubt.basis, doubt.low.cut(toColumns: 22), share(doubt.lowAlerts, doubt),
        doubt.high.cut(toColumns: 22), share(doubt.highAlerts, doubt),
      ])
    }
    layout.writeHeading(
      "Uncertain values of \(profile.name), changed one at a time; unchanged: "
        + "\(share(first.alerts, first)) (\(ReportNumber.counted(options.doubtTrials, "trial")))",
      to: &output)
    table.write(to: &output, layout: layout)
    layout.writeMore(doubts.count - 8, to: &output)
    if let words = ChanceSentences.mostUncertain(profile) {
      output.append(verbatim: "\(words.forTerminal)\n")
    }
  }

  // MARK: Side by side

  private func writeEngines(_ profiles: [ProfileTotals], to output: inout OutputBuffer) {
    var table = TextTable([
      .left("Profile"), "probability", "95 % interval", "too late", "lost", "delay", "9 of 10",
      "beyond edge", "9 of 10", "extra", .left("lost most to"),
    ])
    for profile in profiles {
      let chance = profile.all.chance
      let hasTrials = chance.trials > 0
      table.append([
        profile.name, ReportNumber.percent(profile.probability),
        profile.byTrack.interval.map {
          "\(ReportNumber.percent($0.lowerBound))–\(ReportNumber.percent($0.upperBound))"
        } ?? "–",
        hasTrials
          ? ReportNumber.percent(Double(chance.runs.lateAlerts) / Double(chance.trials)) : "–",
        hasTrials ? ReportNumber.percent(1 - chance.share(.alert)) : "–",
        ChanceSentences.duration(chance.delaySeconds, 0.5),
        ChanceSentences.duration(chance.delaySeconds, 0.9),
        ChanceSentences.distance(chance.fromEdgeMeters, 0.5),
        ChanceSentences.distance(chance.fromEdgeMeters, 0.9),
        ReportNumber.text(profile.falseAlertsPerRun ?? .nan, decimals: 2),
        ChanceSentences.mainLoss(chance),
      ])
    }
    layout.writeHeading("Side by side (\(ChanceSentences.run(options)))", to: &output)
    table.write(to: &output, layout: layout)
  }

  /// Appends the probabilities of each story, those that differ most first.
  private func writeStories(_ profiles: [ProfileTotals], to output: inout OutputBuffer) {
    func probabilities(_ story: Int) -> [Double?] {
      profiles.map { $0.stories[story]?.probability }
    }
    func spread(_ story: Int) -> Double {
      let known = probabilities(story).compactMap { $0 }
      return (known.max() ?? 0) - (known.min() ?? 0)
    }
    let entered = profiles[0].ordered.filter { $0.odds.tracks > 0 }.map(\.story)
    guard !entered.isEmpty else { return }
    var table = TextTable([.left("Story")] + profiles.map { .init(stringLiteral: $0.name) })
    let ordered = entered.sorted { (spread($1), $0) < (spread($0), $1) }
    for story in ordered.prefix(mostRows) {
      table.append(
        [stories[story].name] + probabilities(story).map { ReportNumber.percent($0) })
    }
    layout.writeHeading(
      "Probability of an alert, greatest difference between profiles first", to: &output)
    table.write(to: &output, layout: layout)
    layout.writeMore(ordered.count - mostRows, to: &output)
  }
}
