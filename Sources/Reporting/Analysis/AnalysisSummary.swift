public import Fencepost
public import FencepostAnalysis
import FencepostFormats
public import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

/// The totals of an analysis in sentences.
public struct AnalysisSummary: Sendable {
  private let settings: AnalysisSettings
  private let totals: AnalysisTotals

  /// Makes the sentences of an analysis.
  public init(_ settings: AnalysisSettings, _ totals: AnalysisTotals) {
    self.settings = settings
    self.totals = totals
  }

  /// One sentence a line.
  public var lines: [String] {
    let counts = totals.counts
    var lines = [
      "\(ReportNumber.counted(totals.tracks, "track")), "
        + "\(ReportNumber.distance(Double(totals.lengthMillimeters) / 1000)), "
        + "\(ReportNumber.counted(totals.fixes, "fix", "fixes"))"
        + (totals.skipped > 0 ? ", \(ReportNumber.counted(totals.skipped, "track")) skipped" : "")
        + "; \(ReportNumber.counted(totals.stories.count, "story", "stories"));"
        + " rule: \(settings.sentence)",
      "Recall \(Self.share(totals.recall)): \(ReportNumber.count(counts.foundAlerts)) of the "
        + "\(ReportNumber.counted(counts.oracleAlerts, "alert")) there would be with every "
        + "place monitored",
      "\(ReportNumber.counted(counts.entries, "entry", "entries")): "
        + "\(ReportNumber.count(counts.found)) seen as they happened "
        + "(\(Self.share(totals.entryRecall))), \(ReportNumber.count(counts.late)) late, "
        + "\(ReportNumber.count(counts.missed)) missed",
      "\(ReportNumber.counted(counts.alerts, "alert")), "
        + "\(Self.rate(totals.alertsPerTrack)) a track"
        + (totals.alertsPerHour.map { ", \(Self.rate($0)) an hour of travel" } ?? "")
        + "; \(ReportNumber.counted(counts.suppressed.total, "entry", "entries")) suppressed"
        + Self.parts(counts),
      "\(ReportNumber.counted(totals.refreshes, "refresh", "refreshes")), "
        + "\(Self.rate(totals.refreshesPerKilometer)) a kilometre",
      "\(ReportNumber.counted(totals.silentStories, "story", "stories")) never alerted",
    ]
    lines.append(contentsOf: Self.personLines(totals))
    lines.append(contentsOf: Self.breakdownLines(totals))
    if let others = otherAlerts { lines.insert(others, at: 4) }
    if totals.fixesOutside > 0 {
      let fixes = ReportNumber.counted(totals.fixesOutside, "more fix", "more fixes")
      lines.insert("\(fixes) outside of the period and box, which do not count", at: 1)
    }
    if totals.rejected > 0 { lines.insert(rejections, at: 1) }
    if totals.failedRefreshes > 0 {
      lines.append(
        "\(ReportNumber.counted(totals.failedRefreshes, "refresh", "refreshes")) got no answer")
    }
    if totals.certifiedTracks > 0 || totals.uncertifiedTracks > 0 {
      lines.append(
        "Certain that nothing was missed on "
          + "\(ReportNumber.counted(totals.certifiedTracks, "track")), not certain on "
          + "\(ReportNumber.counted(totals.uncertifiedTracks, "track"))")
    }
    if let chance = settings.chance {
      let days = totals.persons.fatigue.days
      lines += totals.profiles.flatMap { ChanceSentences(chance, $0, personDays: days).lines }
    }
    return lines
  }

  /// Why there are more alerts than those that the recall counts; nil if there are not.
  private var otherAlerts: String? {
    guard totals.otherAlerts > 0 else { return nil }
    return "\(ReportNumber.count(totals.counts.foundAlerts)) of these alerts count for the recall; "
      + "\(ReportNumber.count(totals.otherAlerts)) more come at a later entry than with every place "
      + "monitored, most in place of a lost one"
  }

  /// The number of refused fixes by reason.
  private var rejections: String {
    let reasons = ReportNumber.list(totals.rejectedByReason)
    return "\(ReportNumber.counted(totals.rejected, "fix", "fixes")) refused"
      + (reasons.isEmpty ? "" : ": \(reasons)")
  }

  /// A ratio in percent with its interval.
  public static func share(_ sum: RatioSum) -> String {
    guard let interval = sum.interval else { return ReportNumber.percent(sum.ratio) }
    return "\(ReportNumber.percent(sum.ratio)) (95 % interval "
      + "\(ReportNumber.percent(interval.lowerBound)) to "
      + "\(ReportNumber.percent(interval.upperBound)))"
  }

  /// Why a story on the way never alerted: `found late on 2 tracks; not monitored on 1 track`.
  public static func reasons(_ account: StoryAccount) -> String {
    func part(_ verdict: Verdict, _ words: String) -> String? {
      let count = account.tracks[verdict]
      return count > 0 ? "\(words) \(ReportNumber.counted(count, "track"))" : nil
    }
    return [
      part(.suppressed, "suppressed on").map { $0 + Self.parts(account.counts) },
      part(.late, "found late on"),
      part(.missed, "not monitored on"),
      part(.insideAtStart, "inside at the start of"),
    ].compactMap { $0 }.joined(separator: "; ")
  }

  private static func rate(_ value: Double?) -> String {
    value.map { ReportNumber.text($0, decimals: 2) } ?? "–"
  }

  private static func parts(_ counts: EntryCounts) -> String {
    let parts = counts.suppressed.nonZero.map {
      "\($0.reason.rawValue) \(ReportNumber.count($0.count))"
    }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }
}

extension AnalysisSettings {
  /// The rule in a few words: `20 places by nearest centre, refreshed after 500 m`.
  public var sentence: String {
    monitoring.refreshSentence + StageWords.sentence(monitoring, alertsOn: alertsOn)
  }
}

extension MonitoringOptions {
  /// The limit and when the store is asked, in a few words.
  var refreshSentence: String {
    guard let limit else { return "every place monitored" }
    let places = ReportNumber.counted(limit, "place")
    guard refresh == .fixed else { return "\(places), refreshed adaptively" }
    let meters = ReportNumber.text(significantChangeMeters, decimals: 1)
    return
      "\(places) by nearest \(rank == .center ? "centre" : "edge"), refreshed after \(meters) m"
  }
}

extension AnalysisSummary {
  /// When, where and how fast devices were at alerts, and how long they stayed.
  static func breakdownLines(_ totals: AnalysisTotals) -> [String] {
    let measures = totals.measures
    return [
      busiest(totals),
      spread("Speed at the alert", measures.alertSpeed, "km/h", per: 1 / 3.6),
      spread("Late entries found after", seconds: measures.latenessSeconds),
      spread("Inside a circle", seconds: measures.insideSeconds),
      spread("Inside after the alert", seconds: measures.dwellSeconds),
    ].compactMap { $0 }
  }

  /// In seconds, or in minutes where most take that long.
  private static func spread(_ title: String, seconds: QuantileSketch) -> String? {
    guard let ninetieth = seconds.quantile(0.9) else { return nil }
    return ninetieth < 300
      ? spread(title, seconds, "s", per: 1) : spread(title, seconds, "min", per: 60)
  }

  private static func spread(
    _ title: String, _ sketch: QuantileSketch, _ unit: String, per divisor: Double
  ) -> String? {
    guard let median = sketch.quantile(0.5), let ninetieth = sketch.quantile(0.9) else {
      return nil
    }
    func text(_ value: Double) -> String { ReportNumber.text(value / divisor, decimals: 1) }
    return "\(title): median \(text(median)) \(unit), 90th percentile \(text(ninetieth)) \(unit)"
  }

  /// The hour, weekday and month with most alerts, of equal ones the first.
  private static func busiest(_ totals: AnalysisTotals) -> String? {
    let hours = totals.alertsByHour.enumerated().map { ($0.element, $0.offset) }
    let weekdays = totals.calendar.weekdays.enumerated().map { ($0.element.alerts, $0.offset) }
    func most(_ counts: [(alerts: Int, index: Int)]) -> (alerts: Int, index: Int)? {
      counts.max { ($0.alerts, $1.index) < ($1.alerts, $0.index) }
    }
    guard let hour = most(hours), hour.alerts > 0, let weekday = most(weekdays),
      let month = totals.calendar.months.max(by: {
        ($0.value.alerts, $1.key) < ($1.value.alerts, $0.key)
      })
    else { return nil }
    let name = Self.weekdayNames[weekday.index]
    return
      "Most alerts: from \(hour.index):00 to \(hour.index):59 (\(ReportNumber.count(hour.alerts))), "
      + "on \(name)s (\(ReportNumber.count(weekday.alerts))), in \(month.key.text) "
      + "(\(ReportNumber.count(month.value.alerts)))"
  }

  private static let weekdayNames = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
}

extension AnalysisSummary {
  /// Alerts a person-day, and what is counted as a person.
  static func personLines(_ totals: AnalysisTotals) -> [String] {
    var lines: [String] = []
    if totals.copies > 0 {
      lines.append(
        "\(ReportNumber.counted(totals.copies, "track")) repeat\(totals.copies == 1 ? "s" : "") "
          + "the fixes of another and \(totals.copies == 1 ? "is" : "are") not counted")
    }
    let fatigue = totals.persons.fatigue
    guard let median = fatigue.quantile(0.5), let ninetieth = fatigue.quantile(0.9),
      let most = fatigue.most
    else { return lines }
    let over = fatigue.days(over: totals.fatigueLimit)
    let persons = totals.persons
    let who =
      persons.count == 0
      ? "each track counts as a person; --person-by joins them"
      : ReportNumber.counted(persons.count, "person")
        + (persons.loneTracks > 0
          ? " and \(ReportNumber.counted(persons.loneTracks, "track")) of nobody" : "")
    lines.append(
      "Alerts a person-day: median \(median), 90th percentile \(ninetieth), most \(most); "
        + "\(ReportNumber.percent(Double(over) / Double(fatigue.days))) of "
        + "\(ReportNumber.counted(fatigue.days, "person-day")) over \(totals.fatigueLimit) (\(who))"
    )
    return lines
  }
}

/// What must happen before a crossing counts, in words.
public enum StageWords {
  /// The options that differ from the defaults: `, crossings held for 30 s, alerts on dwells of 5 min`; empty
  /// if none does.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - trigger: Which event alerts.
  /// - Returns: The words, each behind a comma.
  public static func sentence(_ rule: MonitoringOptions, alertsOn trigger: AlertTrigger) -> String {
    (test(rule) + confirmation(rule) + alerts(rule, trigger)).map { ", \($0)" }.joined()
  }

  private static func test(_ rule: MonitoringOptions) -> [String] {
    guard rule.test == .fixes else { return [] }
    return switch rule.accuracy {
    case .ignore: ["sides judged at fixes"]
    case .contains: ["sides judged at fixes by whole accuracy circles"]
    case .intersects: ["sides judged at fixes by any part of accuracy circles"]
    }
  }

  private static func confirmation(_ rule: MonitoringOptions) -> [String] {
    var words: [String] = []
    let confirmation = rule.confirmation
    if confirmation.holdMilliseconds > 0 {
      words.append("crossings held for \(duration(confirmation.holdMilliseconds))")
    }
    if let fixes = confirmation.fixes {
      words.append("crossings confirmed by \(ReportNumber.counted(fixes, "fix", "fixes"))")
    }
    return words
  }

  private static func alerts(_ rule: MonitoringOptions, _ trigger: AlertTrigger) -> [String] {
    let dwell = rule.confirmation.dwellMilliseconds.map { " of \(duration($0))" } ?? ""
    switch trigger {
    case .enter: return dwell.isEmpty ? [] : ["dwells\(dwell)"]
    case .exit: return dwell.isEmpty ? ["alerts on exits"] : ["dwells\(dwell)", "alerts on exits"]
    case .dwell: return ["alerts on dwells\(dwell)"]
    }
  }

  private static func duration(_ milliseconds: Int64) -> String {
    let seconds = Double(milliseconds) / 1000
    let (value, unit) =
      seconds < 120
      ? (seconds, "s") : seconds < 7200 ? (seconds / 60, "min") : (seconds / 3600, "h")
    return "\(ReportNumber.text(value, decimals: 3)) \(unit)"
  }
}
