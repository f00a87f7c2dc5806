package import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones

package struct ChanceSentences {
  private let options: ChanceOptions
  private let totals: ProfileTotals

  package init(_ options: ChanceOptions, _ totals: ProfileTotals) {
    (self.options, self.totals) = (options, totals)
  }

  package var lines: [String] {
    var lines = [probability]
    guard totals.all.tracks > 0 else { return lines }
    if totals.all.chance[.alert] > 0 { lines.append(arrival) }
    lines.append("\(totals.name): lost to \(Self.losses(totals.all.chance))")
    if totals.all.falseAlerts + totals.all.laterAlerts > 0 { lines.append(others) }
    if let fatigue { lines.append(fatigue) }
    return lines
  }

  /// Which uncertain value changes the probability most, and how much; nil if none was tried.
  package static func mostUncertain(_ totals: ProfileTotals) -> String? {
    guard let doubt = totals.largestDoubts.first, doubt.trials > 0 else { return nil }
    return "What matters most is \(doubt.name): with \(doubt.low), "
      + "\(ReportNumber.percent(doubt.share(doubt.lowAlerts))) of the due alerts would come; "
      + "with \(doubt.high), \(ReportNumber.percent(doubt.share(doubt.highAlerts)))"
  }

  /// How many alerts a reader sees in a day, over days and trials; nil without days.
  private var fatigue: String? {
    let fatigue = totals.fatigue
    guard let mean = fatigue.mean, let median = fatigue.quantile(0.5),
      let ninetieth = fatigue.quantile(0.9), totals.trials > 0
    else { return nil }
    let over = Double(fatigue.days(over: Fatigue.usualLimit)) / Double(fatigue.days)
    return "\(totals.name): \(ReportNumber.text(mean, decimals: 2)) alerts per reader and day on "
      + "average, \(median) (median), up to \(ninetieth) on 9 of 10 days, more than "
      + "\(Fatigue.usualLimit) on \(ReportNumber.percent(over)) of them, over "
      + ReportNumber.counted(fatigue.days / totals.trials, "day")
  }

  private var probability: String {
    let run = Self.run(options)
    guard totals.all.tracks > 0 else { return "\(totals.name): no alert is due; \(run)" }
    let share = ReportNumber.percent(totals.probability, totals.byTrack.interval)
    var line =
      "\(totals.name): \(share) of the "
      + "\(ReportNumber.counted(totals.all.due, "alert")) that are due would come; \(run)"
    if totals.untimedTracks > 0 {
      line += "; \(ReportNumber.counted(totals.untimedTracks, "walk")) without times left out"
    }
    if let range = totals.doubtRange {
      line +=
        "; uncertain values, one at a time, leave \(ReportNumber.percent(range.lowerBound)) to "
        + ReportNumber.percent(range.upperBound)
    }
    return line
  }

  private var arrival: String {
    let chance = totals.all.chance
    let late = Double(chance.runs.lateAlerts) / Double(chance[.alert])
    return "\(totals.name): delay \(Self.duration(chance.delaySeconds, 0.5)) (median), "
      + "up to \(Self.duration(chance.delaySeconds, 0.9)) for 9 of 10 alerts; "
      + "\(Self.distance(chance.fromEdgeMeters, 0.5)) beyond the edge (median), "
      + "up to \(Self.distance(chance.fromEdgeMeters, 0.9)) for 9 of 10; "
      + "\(ReportNumber.percent(late)) come too late"
  }

  private var others: String {
    var text =
      "\(totals.name): each run brings "
      + "\(ReportNumber.text(totals.falseAlertsPerRun ?? .nan, decimals: 2)) extra alerts, "
      + "without an entry"
    if totals.all.laterAlerts > 0 {
      text +=
        ", and \(ReportNumber.text(totals.laterAlertsPerRun ?? .nan, decimals: 2)) at later "
        + "entries, because the alert that was due did not come"
    }
    return text
  }

  package static func story(_ profile: String, _ odds: StoryOdds) -> String {
    let chance = odds.chance
    let share = ReportNumber.percent(odds.probability, chance.alertInterval.range)
    var text =
      "\(profile): alerts in \(share) of the runs of \(ReportNumber.counted(odds.tracks, "walk"))"
    if chance[.alert] > 0 {
      text +=
        "; after \(duration(chance.delaySeconds, 0.5)), \(distance(chance.fromEdgeMeters, 0.5)) "
        + "beyond the edge"
    }
    return text + "; lost to \(losses(chance))."
  }

  /// How the phones were simulated, such as `200 trials, seed 1, residential, background`.
  static func run(_ options: ChanceOptions) -> String {
    let simulation = options.simulation
    return ReportNumber.counted(simulation.trials, "trial") + ", seed \(simulation.seed), "
      + "\(simulation.surroundings.rawValue), \(simulation.state.rawValue)"
  }

  /// What trials were lost to, most first: `refresh 12.0 %, chance 5.0 %`, or `nothing`.
  static func losses(_ chance: StoryChance) -> String {
    let losses = chance.orderedLosses.map { "\($0.outcome.name) \(ReportNumber.percent($0.share))" }
    return losses.isEmpty ? "nothing" : losses.joined(separator: ", ")
  }

  /// A quantile of delays, such as `4 min`; negative if the alert preceded the crossing.
  static func duration(_ sketch: QuantileSketch, _ share: Double) -> String {
    sketch.quantile(share).map { ReportNumber.duration(seconds: $0) } ?? "–"
  }

  /// A quantile of distances beyond the edge; negative before the edge.
  static func distance(_ sketch: QuantileSketch, _ share: Double) -> String {
    guard let meters = sketch.quantile(share) else { return "–" }
    if ShownUnits.current == .imperial { return ReportNumber.distance(meters) }
    return abs(meters) < 10_000
      ? "\(Int(meters.rounded())) m" : "\(ReportNumber.text(meters / 1000, decimals: 1)) km"
  }
}

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
    ) { story in [stories[story].name] + probabilities(story).map { ReportNumber.percent($0) } }
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
