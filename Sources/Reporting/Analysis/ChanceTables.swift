package import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones

/// Writes what simulated phones make of a set of tracks as tables for people.
struct ChanceTables {
  /// The most rows of stories that alert without an entry.
  private static let mostExtra = 10

  private let options: ChanceOptions
  private let stories: [Place]
  private let layout: TextLayout
  private let mostRows: Int

  init(_ options: ChanceOptions, _ stories: [Place], layout: TextLayout, mostRows: Int) {
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
      .left("Story"), "tracks", "probability", "95 % interval", "delay", "9 of 10", "beyond edge",
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
      "Stories on \(profile.name), the least likely alerts first "
        + "(\(ChanceSentences.run(options)))", to: &output)
    table.write(to: &output, layout: layout)
    layout.writeMore(ordered.count - mostRows, to: &output)
    writeUnnoticed(entered, to: &output)
  }

  /// Warns of stories whose circles a phone does not notice.
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

  /// Appends the stories that alert although no path enters them, those that do most often first.
  private func writeExtra(_ profile: ProfileTotals, to output: inout OutputBuffer) {
    let extra = profile.ordered.filter { $0.odds.extraAlerts > 0 }
      .sorted { ($1.odds.extraAlerts, $0.story) < ($0.odds.extraAlerts, $1.story) }
    guard !extra.isEmpty, profile.trials > 0 else { return }
    var table = TextTable([.left("Story"), "tracks", "alerts a run"])
    for (story, odds) in extra.prefix(Self.mostExtra) {
      let alerts = Double(odds.extraAlerts) / Double(profile.trials)
      table.append([
        stories[story].name, "\(odds.extraTracks)", ReportNumber.text(alerts, decimals: 2),
      ])
    }
    layout.write(
      table, under: "Alerts on \(profile.name) that no entry justifies, the most frequent first",
      leavingOut: extra.count - Self.mostExtra, to: &output)
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
      "What \(profile.name) leaves open, one value at a time; \(share(first.alerts, first)) as it is "
        + "(\(ReportNumber.counted(options.doubtTrials, "trial")))", to: &output)
    table.write(to: &output, layout: layout)
    layout.writeMore(doubts.count - 8, to: &output)
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
        profile.name, ReportNumber.percent(profile.all.probability),
        profile.byTrack.interval.map {
          "\(ReportNumber.percent($0.lowerBound))–\(ReportNumber.percent($0.upperBound))"
        } ?? "–",
        hasTrials
          ? ReportNumber.percent(Double(chance.lateAlerts) / Double(chance.trials)) : "–",
        hasTrials ? ReportNumber.percent(1 - chance.share(.alert)) : "–",
        ChanceSentences.duration(chance.delaySeconds, 0.5),
        ChanceSentences.duration(chance.delaySeconds, 0.9),
        ChanceSentences.distance(chance.fromEdgeMeters, 0.5),
        ChanceSentences.distance(chance.fromEdgeMeters, 0.9),
        ReportNumber.text(profile.extraAlertsPerRun ?? .nan, decimals: 2),
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
    layout.write(
      table, under: "Probability of an alert, where the profiles differ most first",
      leavingOut: ordered.count - mostRows, to: &output)
  }
}

/// What simulated phones make of a set of tracks, in words.
package struct ChanceSentences {
  private let options: ChanceOptions
  private let totals: ProfileTotals
  private let personDays: Int

  /// Makes sentences.
  ///
  /// - Parameters:
  ///   - options: How the phones were simulated.
  ///   - totals: What they made of the tracks.
  ///   - personDays: On how many local days persons have fixes, over all tracks.
  package init(_ options: ChanceOptions, _ totals: ProfileTotals, personDays: Int) {
    self.options = options
    self.totals = totals
    self.personDays = personDays
  }

  /// One sentence a line.
  package var lines: [String] {
    var lines = [probability]
    guard totals.all.tracks > 0 else { return lines }
    if totals.all.chance[.alert] > 0 { lines.append(arrival) }
    lines.append("\(totals.name): lost to \(Self.losses(totals.all.chance))")
    if totals.all.extraAlerts > 0 { lines.append(extra) }
    if let alerts = totals.alertsPerPersonDay(days: personDays) {
      lines.append(
        "\(totals.name): \(ReportNumber.text(alerts, decimals: 2)) alerts a person-day in the mean, "
          + "over \(ReportNumber.counted(personDays, "day"))")
    }
    return lines
  }

  private var probability: String {
    let run = Self.run(options)
    guard totals.all.tracks > 0 else { return "\(totals.name): no alert is due; \(run)" }
    var line =
      "\(totals.name): \(Self.share(totals)) of the "
      + "\(ReportNumber.counted(totals.all.tracks, "alert")) that are due would come; \(run)"
    if totals.untimedTracks > 0 {
      line += "; \(ReportNumber.counted(totals.untimedTracks, "track")) without times left out"
    }
    return line
  }

  private var arrival: String {
    let chance = totals.all.chance
    let late = Double(chance.lateAlerts) / Double(chance[.alert])
    return
      "\(totals.name): delay \(Self.duration(chance.delaySeconds, 0.5)) in the median, "
      + "\(Self.duration(chance.delaySeconds, 0.9)) in 9 of 10 alerts; beyond the edge "
      + "\(Self.distance(chance.fromEdgeMeters, 0.5)) in the median, "
      + "\(Self.distance(chance.fromEdgeMeters, 0.9)) in 9 of 10; "
      + "\(ReportNumber.percent(late)) come too late"
  }

  private var extra: String {
    "\(totals.name): each run brings "
      + ReportNumber.text(totals.extraAlertsPerRun ?? .nan, decimals: 2)
      + " alerts that no entry justifies"
  }

  /// What a profile makes of one story, in a sentence.
  package static func story(_ profile: String, _ odds: StoryOdds) -> String {
    let (chance, interval) = (odds.chance, odds.chance.alertInterval)
    var text =
      "\(profile): alerts in \(ReportNumber.percent(odds.probability)) (95 % interval "
      + "\(ReportNumber.percent(interval.low)) to \(ReportNumber.percent(interval.high))) of the runs of "
      + ReportNumber.counted(odds.tracks, "track")
    if chance[.alert] > 0 {
      text +=
        "; after \(duration(chance.delaySeconds, 0.5)), \(distance(chance.fromEdgeMeters, 0.5)) "
        + "beyond the edge"
    }
    return text + "; lost to \(losses(chance))."
  }

  /// How the phones were simulated: `200 trials, seed 1, residential, background`.
  static func run(_ options: ChanceOptions) -> String {
    let simulation = options.simulation
    return ReportNumber.counted(simulation.trials, "trial") + ", seed \(simulation.seed), "
      + "\(simulation.surroundings.rawValue), \(simulation.state.rawValue)"
  }

  /// The probability over all, with its interval over tracks.
  static func share(_ totals: ProfileTotals) -> String {
    guard let interval = totals.byTrack.interval else {
      return ReportNumber.percent(totals.all.probability)
    }
    return "\(ReportNumber.percent(totals.all.probability)) (95 % interval "
      + "\(ReportNumber.percent(interval.lowerBound)) to "
      + "\(ReportNumber.percent(interval.upperBound)))"
  }

  /// What trials were lost to, the most first: `refresh 12.0 %, chance 5.0 %`; `nothing`.
  static func losses(_ chance: StoryChance) -> String {
    let losses = StoryChance.losses.enumerated().filter { chance[$0.element] > 0 }
      .sorted { (chance[$1.element], $0.offset) < (chance[$0.element], $1.offset) }
      .map { "\($0.element.name) \(ReportNumber.percent(chance.share($0.element)))" }
    return losses.isEmpty ? "nothing" : losses.joined(separator: ", ")
  }

  /// What most trials were lost to, and their share; a dash if none was.
  static func mainLoss(_ chance: StoryChance) -> String {
    chance.mainLoss.map { "\($0.outcome.name) \(ReportNumber.percent($0.share))" } ?? "–"
  }

  /// A quantile of delays: `23 s`, `4 min`, `2.5 h`; negative if the alert came before the crossing.
  static func duration(_ sketch: QuantileSketch, _ share: Double) -> String {
    sketch.quantile(share).map { duration(seconds: $0) } ?? "–"
  }

  /// A length of time to two digits or so.
  static func duration(seconds: Double) -> String {
    let size = abs(seconds)
    if size < 100 { return "\(Int(seconds.rounded())) s" }
    if size < 600 { return "\(ReportNumber.text(seconds / 60, decimals: 1)) min" }
    if size < 6000 { return "\(Int((seconds / 60).rounded())) min" }
    return "\(ReportNumber.text(seconds / 3600, decimals: 1)) h"
  }

  /// A quantile of distances beyond the edge, negative before it.
  static func distance(_ sketch: QuantileSketch, _ share: Double) -> String {
    guard let meters = sketch.quantile(share) else { return "–" }
    return abs(meters) < 10_000
      ? "\(Int(meters.rounded())) m" : "\(ReportNumber.text(meters / 1000, decimals: 1)) km"
  }
}
