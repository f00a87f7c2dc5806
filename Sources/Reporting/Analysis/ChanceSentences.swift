import FencepostMonitoring
package import FencepostAnalysis
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
