package import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones

/// What a simulated phone showed on all tracks, in sentences.
///
/// The first tells how many alerts a reader would see, and the others why the rest did not come.
package struct ChanceSentences {
  private let options: ChanceOptions
  private let totals: ProfileTotals

  /// Prepares the sentences about one profile; the options must be those of its trials.
  package init(_ options: ChanceOptions, _ totals: ProfileTotals) {
    (self.options, self.totals) = (options, totals)
  }

  /// The sentences, at least one, without final periods.
  package var lines: [String] {
    var lines = [shown]
    guard totals.all.tracks > 0 else { return lines }
    if totals.all.chance[.alert] > 0 { lines.append(arrival) }
    lines.append(
      "\(totals.name): of the due alerts, "
        + Self.losses(totals.all.chance, of: totals.trials))
    if let fatigue { lines.append(fatigue) }
    return lines
  }

  /// Which uncertain value changes the probability most, and how much; nil if none was tried.
  ///
  /// A value is uncertain if the profile has a range for it; each is tried at both ends.
  package var mostUncertain: String? {
    guard let doubt = totals.largestDoubts.first, doubt.trials > 0 else { return nil }
    return "Most depends on \(doubt.words): with \(doubt.low), "
      + "\(options.share(doubt.lowAlerts, in: doubt)) of the due alerts would come; with "
      + "\(doubt.high), \(options.share(doubt.highAlerts, in: doubt))"
  }

  /// How many alerts a reader sees in a day, over days and trials; nil without days.
  private var fatigue: String? {
    let fatigue = totals.fatigue
    guard let median = fatigue.quantile(0.5), let ninetieth = fatigue.quantile(0.9),
      totals.trials > 0
    else { return nil }
    return
      "\(totals.name): a reader gets \(ReportNumber.counted(median, "alert")) a day, and up to "
      + "\(ninetieth) on 9 of 10 days"
  }

  /// How many alerts phones show, and how many of them the path explains.
  private var shown: String {
    var line =
      "\(totals.name): phones show \(ReportNumber.mean(totals.meanAlerts)) alerts on average"
    if totals.all.due > 0 {
      let came = Double(totals.all.chance[.alert]) / Double(max(1, totals.trials))
      let others = totals.meanAlerts - came
      line +=
        ": \(ReportNumber.mean(came)) of the \(ReportNumber.count(totals.all.due)) that are due"
        + (others >= 0.05 ? ", and \(ReportNumber.mean(others)) others" : "")
    }
    line += "; \(Self.run(options))"
    if totals.untimedTracks > 0 {
      line += "; \(ReportNumber.counted(totals.untimedTracks, "walk")) without times left out"
    }
    if let range = totals.doubtRange {
      line +=
        "; uncertain values, one at a time, leave "
        + "\(ReportNumber.phones(range.lowerBound, of: options.doubtTrials)) to "
        + ReportNumber.phones(range.upperBound, of: options.doubtTrials)
    }
    return line
  }

  /// When and where due alerts typically come, and how many only after the phone has gone back.
  private var arrival: String {
    let chance = totals.all.chance
    let late = Double(chance.runs.lateAlerts) / Double(chance[.alert])
    return "\(totals.name): typically \(Self.arrival(chance)); 9 of 10 alerts come at most "
      + "\(Self.duration(chance.delaySeconds, 0.9)) after the edge is crossed, and "
      + "\(ReportNumber.phones(late, of: totals.trials)) only once the phone has gone back"
  }

  /// What phones show of one story, in a line with a final period; the profile's name leads.
  package static func story(_ profile: String, _ odds: StoryOdds) -> String {
    let (chance, shown) = (odds.chance, odds.shown)
    let share = ReportNumber.phones(shown.share, of: shown.trials)
    let alerts = ReportNumber.mean(shown.mean)
    var text =
      "\(profile): \(share) of phones alert on the walk where most do; \(alerts) alerts in all"
    if chance[.alert] > 0 {
      text += "; typically \(arrival(chance))"
    }
    guard chance.trials > 0 else { return "\(text). Nobody enters it." }
    let lost =
      chance.orderedLosses.isEmpty ? "" : "; of its due alerts, \(losses(chance, of: shown.trials))"
    return "\(text)\(lost)."
  }

  /// When and where half of the alerts have come, such as `7 s early, 48 m before the edge`.
  ///
  /// Quantiles over all trials: half of the alerts come earlier, and half of them nearer.
  private static func arrival(_ chance: StoryChance) -> String {
    guard let seconds = chance.delaySeconds.quantile(0.5),
      let meters = chance.fromEdgeMeters.quantile(0.5)
    else { return "–" }
    let time = ReportNumber.duration(seconds: abs(seconds))
    let place = ReportNumber.distance(abs(meters).rounded())
    return "\(time) \(seconds < 0 ? "early" : "late"), "
      + "\(place) \(meters > 0 ? "before" : "beyond") the edge"
  }

  /// How the phones were simulated, such as `200 trials, seed 1, residential, background`.
  static func run(_ options: ChanceOptions) -> String {
    let simulation = options.simulation
    return ReportNumber.counted(simulation.trials, "trial") + ", seed \(simulation.seed), "
      + "\(simulation.surroundings.rawValue), \(simulation.state.rawValue)"
  }

  /// What trials were lost to, most first: `12 % looked up too late, 5 % bad luck`, or `none`.
  static func losses(_ chance: StoryChance, of trials: Int) -> String {
    let losses = chance.orderedLosses.map {
      "\(ReportNumber.phones($0.share, of: trials)) \(words($0.outcome))"
    }
    return losses.isEmpty ? "none" : losses.joined(separator: ", ")
  }

  /// What an outcome means, in a few words.
  static func words(_ outcome: TrialOutcome) -> String {
    switch outcome {
    case .alert: "alert"
    case .limit: "nearer stories watched"
    case .refresh: "looked up too late"
    case .smallRadius: "circle too small"
    case .shortStay: "stay too short"
    case .chance: "bad luck"
    case .heldBack: "held back when it came"
    }
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

/// Writes what simulated phones show as tables for a terminal.
///
/// One profile has a table of stories. Several stand side by side, with a table of the stories on
/// which they differ. Each profile has a table of its uncertain values, if these were tried.
struct ChanceTables {
  private let options: ChanceOptions
  private let stories: [Story]
  private let layout: TextLayout
  private let mostRows: Int

  init(_ options: ChanceOptions, _ stories: [Story], layout: TextLayout, mostRows: Int) {
    (self.options, self.stories, self.layout, self.mostRows) = (options, stories, layout, mostRows)
  }

  /// Appends the tables of all profiles; nothing without any.
  func write(_ profiles: [ProfileTotals], to output: inout OutputBuffer) {
    if profiles.count == 1 {
      writeStories(profiles[0], to: &output)
      writeDoubts(profiles[0], to: &output)
    } else if !profiles.isEmpty {
      writeEngines(profiles, to: &output)
      writeDifferences(profiles, to: &output)
      for profile in profiles { writeDoubts(profile, to: &output) }
    }
  }

  // MARK: One profile

  /// Appends a row for each story that phones show or should, the least likely first.
  private func writeStories(_ profile: ProfileTotals, to output: inout OutputBuffer) {
    layout.writeTable(
      "Stories on \(profile.name), least likely alerts first (\(ChanceSentences.run(options)))",
      [
        .left("Story"), "alerts", "phones", "95 % interval", "delay", "9 of 10",
        "beyond edge", "9 of 10", .left("lost most to"),
      ],
      profile.ordered.filter { $0.odds.tracks > 0 || !$0.odds.shown.isNever }.sorted {
        ($0.odds.shown.phones, $0.story) < ($1.odds.shown.phones, $1.story)
      }, most: mostRows, to: &output
    ) { story, odds in
      let shown = odds.shown
      return [
        stories[story].name, ReportNumber.mean(shown.mean),
        ReportNumber.phones(shown.share, of: shown.trials),
        span(shown.interval.range, of: shown.trials),
      ] + arrival(odds.chance) + [odds.tracks > 0 ? mainLoss(odds.chance) : "nobody enters it"]
    }
    let unnoticed = profile.ordered.filter { $0.odds.isTooSmall }
    guard !unnoticed.isEmpty else { return }
    let names = unnoticed.prefix(5).map { stories[$0.story].name }.joined(separator: ", ")
    let rest = unnoticed.count > 5 ? " and \(ReportNumber.count(unnoticed.count - 5)) more" : ""
    output.append(
      verbatim: "Circles too small for the phone to notice in time: \(names.forTerminal)\(rest)\n")
  }

  /// Appends how alerts depend on what is not known about a phone.
  private func writeDoubts(_ profile: ProfileTotals, to output: inout OutputBuffer) {
    let doubts = profile.largestDoubts
    guard let first = doubts.first, first.trials > 0 else { return }
    layout.writeTable(
      "Uncertain values of \(profile.name), changed one at a time; unchanged: "
        + "\(options.share(first.alerts, in: first)) (\(ReportNumber.counted(options.doubtTrials, "trial")))",
      [.left("Value"), .left("basis"), "low", "probability", "high", "probability"],
      doubts, most: 8, to: &output
    ) { doubt in
      [
        doubt.name, doubt.basis, doubt.low.cut(toColumns: 22),
        options.share(doubt.lowAlerts, in: doubt), doubt.high.cut(toColumns: 22),
        options.share(doubt.highAlerts, in: doubt),
      ]
    }
    if let words = ChanceSentences(options, profile).mostUncertain {
      output.append(verbatim: "\(words.forTerminal)\n")
    }
  }

  // MARK: Side by side

  /// Appends a row for each profile over all stories.
  private func writeEngines(_ profiles: [ProfileTotals], to output: inout OutputBuffer) {
    layout.writeTable(
      "Side by side (\(ChanceSentences.run(options)))",
      [
        .left("Profile"), "alerts", "of those due", "95 % interval", "too late", "delay",
        "9 of 10", "beyond edge", "9 of 10", .left("lost most to"),
      ], profiles, to: &output
    ) { profile in
      let chance = profile.all.chance
      let late = Double(chance.runs.lateAlerts) / Double(chance.trials)
      return [
        profile.name, ReportNumber.mean(profile.meanAlerts),
        ReportNumber.phones(profile.probability, of: profile.trials),
        profile.byTrack.interval.map { span($0, of: profile.trials) } ?? "–",
        ReportNumber.phones(late, of: profile.trials),
      ] + arrival(chance) + [mainLoss(chance)]
    }
  }

  /// Appends the probabilities of each story, those that differ most first.
  private func writeDifferences(_ profiles: [ProfileTotals], to output: inout OutputBuffer) {
    func shares(_ story: Int) -> [Double] { profiles.map { $0.shown(of: story).share } }
    func spread(_ story: Int) -> Double {
      let known = shares(story)
      return (known.max() ?? 0) - (known.min() ?? 0)
    }
    layout.writeTable(
      "Phones that alert, greatest difference between profiles first",
      [.left("Story")] + profiles.map { .right($0.name) },
      Set(profiles.flatMap(\.stories.keys))
        .sorted { (spread($1), $0) < (spread($0), $1) }, most: mostRows, to: &output
    ) { story in
      [stories[story].name]
        + profiles.map {
          ReportNumber.phones($0.shown(of: story).share, of: $0.trials)
        }
    }
  }

  // MARK: Cells

  /// An interval of a share of phones, such as `70 %–83 %`.
  private func span(_ range: ClosedRange<Double>, of trials: Int) -> String {
    "\(ReportNumber.phones(range.lowerBound, of: trials))"
      + "–\(ReportNumber.phones(range.upperBound, of: trials))"
  }

  /// The delay and the distance beyond the edge, each for half and for 9 of 10 alerts.
  private func arrival(_ chance: StoryChance) -> [String] {
    [0.5, 0.9].map { ChanceSentences.duration(chance.delaySeconds, $0) }
      + [0.5, 0.9].map { ChanceSentences.distance(chance.fromEdgeMeters, $0) }
  }

  /// What most trials were lost to and their share, or a dash.
  private func mainLoss(_ chance: StoryChance) -> String {
    chance.mainLoss.map {
      "\(ChanceSentences.words($0.outcome)) \(ReportNumber.phones($0.share, of: options.simulation.trials))"
    } ?? "–"
  }
}

extension ChanceOptions {
  /// The share of due alerts that come with a value that is uncertain.
  package func share(_ alerts: Int, in doubt: DoubtEffect) -> String {
    ReportNumber.phones(doubt.share(alerts), of: doubtTrials)
  }
}

extension DoubtEffect {
  /// What the value means to a reader; its name where no words are known.
  package var words: String {
    switch name {
    case "position.intervalSeconds": "how often the phone takes its position"
    case "refresh.distanceMeters": "how far it moves before it looks stories up"
    case "refresh.leastIntervalSeconds": "how often it looks stories up"
    case "refresh.noticedBeyondMeters": "how late it notices that it has moved"
    case "limits.leastRadiusMeters": "the smallest circle that it notices"
    case "confirmation.enterCushionMeters": "how far inside a circle it must be"
    case "confirmation.holdSeconds": "how long it waits before it alerts"
    default: name
    }
  }
}
