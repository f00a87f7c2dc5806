import FencepostMonitoring
import FencepostAnalysis
import FencepostPhones

struct ChanceTables {
  private static let mostExtra = 10

  private let options: ChanceOptions
  private let stories: [Story]
  private let layout: TextLayout
  private let mostRows: Int

  init(_ options: ChanceOptions, _ stories: [Story], layout: TextLayout, mostRows: Int) {
    (self.options, self.stories, self.layout, self.mostRows) = (options, stories, layout, mostRows)
  }

  func write(_ profiles: [ProfileTotals], to output: inout OutputBuffer) {
    if profiles.count == 1 {
      writeStories(profiles[0], to: &output)
      writeExtra(profiles[0], to: &output)
      writeDoubts(profiles[0], to: &output)
    } else if !profiles.isEmpty {
      writeEngines(profiles, to: &output)
      writeDifferences(profiles, to: &output)
      for profile in profiles {
        writeExtra(profile, to: &output)
        writeDoubts(profile, to: &output)
      }
    }
  }

  // MARK: One profile

  private func writeStories(_ profile: ProfileTotals, to output: inout OutputBuffer) {
    let entered = profile.ordered.filter { $0.odds.tracks > 0 }
    layout.writeTable(
      "Stories on \(profile.name), least likely alerts first (\(ChanceSentences.run(options)))",
      [
        .left("Story"), "walks", "probability", "95 % interval", "delay", "9 of 10",
        "beyond edge", "9 of 10", .left("lost most to"),
      ],
      entered.sorted {
        ($0.odds.probability ?? 0, $0.story) < ($1.odds.probability ?? 0, $1.story)
      }, most: mostRows, to: &output
    ) { story, odds in
      [
        stories[story].name, "\(odds.tracks)", ReportNumber.percent(odds.probability),
        span(odds.chance.alertInterval.range),
      ] + arrival(odds.chance) + [mainLoss(odds.chance)]
    }
    let unnoticed = entered.filter { $0.odds.isTooSmall }
    guard !unnoticed.isEmpty else { return }
    let names = unnoticed.prefix(5).map { stories[$0.story].name }.joined(separator: ", ")
    let rest = unnoticed.count > 5 ? " and \(ReportNumber.count(unnoticed.count - 5)) more" : ""
    output.append(
      verbatim: "Circles too small for the phone to notice in time: \(names.forTerminal)\(rest)\n")
  }

  /// Appends the stories that alert without an entry, most often first.
  private func writeExtra(_ profile: ProfileTotals, to output: inout OutputBuffer) {
    guard profile.trials > 0 else { return }
    layout.writeTable(
      "Extra alerts on \(profile.name), without an entry, most frequent first",
      [.left("Story"), "walks", "alerts/run"],
      profile.ordered.filter { $0.odds.falseAlerts > 0 }.largestFirst { $0.odds.falseAlerts },
      most: Self.mostExtra, to: &output
    ) { story, odds in
      let alerts = Double(odds.falseAlerts) / Double(profile.trials)
      return [
        stories[story].name, "\(odds.falseTracks)", ReportNumber.text(alerts, decimals: 2),
      ]
    }
  }

  private func writeDoubts(_ profile: ProfileTotals, to output: inout OutputBuffer) {
    let doubts = profile.largestDoubts
    guard let first = doubts.first, first.trials > 0 else { return }
    func share(_ alerts: Int, _ doubt: DoubtEffect) -> String {
      ReportNumber.percent(doubt.share(alerts))
    }
    layout.writeTable(
      "Uncertain values of \(profile.name), changed one at a time; unchanged: "
        + "\(share(first.alerts, first)) (\(ReportNumber.counted(options.doubtTrials, "trial")))",
      [.left("Value"), .left("basis"), "low", "probability", "high", "probability"],
      doubts, most: 8, to: &output
    ) { doubt in
      [
        doubt.name, doubt.basis, doubt.low.cut(toColumns: 22), share(doubt.lowAlerts, doubt),
        doubt.high.cut(toColumns: 22), share(doubt.highAlerts, doubt),
      ]
    }
    if let words = ChanceSentences.mostUncertain(profile) {
      output.append(verbatim: "\(words.forTerminal)\n")
    }
  }

  // MARK: Side by side

  private func writeEngines(_ profiles: [ProfileTotals], to output: inout OutputBuffer) {
    layout.writeTable(
      "Side by side (\(ChanceSentences.run(options)))",
      [
        .left("Profile"), "probability", "95 % interval", "too late", "lost", "delay", "9 of 10",
        "beyond edge", "9 of 10", "extra", .left("lost most to"),
      ], profiles, to: &output
    ) { profile in
      let chance = profile.all.chance
      let late = Double(chance.runs.lateAlerts) / Double(chance.trials)
      let lost = chance.trials > 0 ? 1 - chance.share(.alert) : .nan
      return [
        profile.name, ReportNumber.percent(profile.probability),
        profile.byTrack.interval.map(span) ?? "–", ReportNumber.percent(late),
        ReportNumber.percent(lost),
      ] + arrival(chance) + [
        ReportNumber.text(profile.falseAlertsPerRun ?? .nan, decimals: 2), mainLoss(chance),
      ]
    }
  }

  /// Appends the probabilities of each story, those that differ most first.
  private func writeDifferences(_ profiles: [ProfileTotals], to output: inout OutputBuffer) {
    func probabilities(_ story: Int) -> [Double?] {
      profiles.map { $0.stories[story]?.probability }
    }
    func spread(_ story: Int) -> Double {
      let known = probabilities(story).compactMap { $0 }
      return (known.max() ?? 0) - (known.min() ?? 0)
    }
    layout.writeTable(
      "Probability of an alert, greatest difference between profiles first",
      [.left("Story")] + profiles.map { .right($0.name) },
      profiles[0].ordered.filter { $0.odds.tracks > 0 }.map(\.story)
        .sorted { (spread($1), $0) < (spread($0), $1) }, most: mostRows, to: &output
    ) { story in
      [stories[story].name] + probabilities(story).map { ReportNumber.percent($0) }
    }
  }

  // MARK: Cells

  private func span(_ range: ClosedRange<Double>) -> String {
    "\(ReportNumber.percent(range.lowerBound))–\(ReportNumber.percent(range.upperBound))"
  }

  /// The delay and the distance beyond the edge, each for half and for 9 of 10 alerts.
  private func arrival(_ chance: StoryChance) -> [String] {
    [0.5, 0.9].map { ChanceSentences.duration(chance.delaySeconds, $0) }
      + [0.5, 0.9].map { ChanceSentences.distance(chance.fromEdgeMeters, $0) }
  }

  /// What most trials were lost to and their share, or a dash.
  private func mainLoss(_ chance: StoryChance) -> String {
    chance.mainLoss.map { "\($0.outcome.name) \(ReportNumber.percent($0.share))" } ?? "–"
  }
}
