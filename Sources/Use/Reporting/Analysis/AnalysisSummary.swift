import FencepostSession
package import FencepostAnalysis
import FencepostFormats
package import FencepostMonitoring
package import FencepostNotifications
import FencepostPhones

/// The results of an analysis in sentences, which the terminal and the report's page show.
///
/// Sentences that do not apply are left out. None has a final period, so that each can also stand
/// in a list.
package struct AnalysisSummary: Sendable {
  private let settings: AnalysisSettings
  private let totals: AnalysisTotals
  private let headline: StoryHeadline

  /// Prepares the sentences; the stories must be those of the totals, in the same order.
  package init(_ settings: AnalysisSettings, _ totals: AnalysisTotals, _ stories: [Story]) {
    (self.settings, self.totals) = (settings, totals)
    headline = StoryHeadline(totals, stories)
  }

  /// The sentences, the headline first.
  ///
  /// The headline and the input come first. Then come the simulated phones, if there are any, and
  /// what a perfect phone does: recall, entries, alerts, lookups and readers. Sentences about lost
  /// answers and about certainty are last.
  package var lines: [String] {
    let units = ShownUnits.current
    let (counts, fatigue) = (totals.counts, totals.persons.fatigue)
    let cause = settings.session.alertsOn.noun
    let input = [
      String(headline.text.dropLast()),
      headline.beyondEdits.map { String($0.dropLast()) },
      "\(ReportNumber.counted(totals.tracks, "walk")), "
        + "\(ReportNumber.distance(Double(totals.lengthMillimeters) / 1000)), "
        + ReportNumber.counted(totals.fixes, "fix")
        + (totals.skipped > 0 ? ", \(ReportNumber.counted(totals.skipped, "walk")) skipped" : "")
        + "; \(ReportNumber.counted(totals.stories.count, "story")); rule: \(settings.sentence)",
      rejections,
      settings.monitoring.sentence(gaps: totals.gaps, jumps: totals.jumps),
      ifAny(
        totals.fixesOutside,
        "\(ReportNumber.counted(totals.fixesOutside, "more fix")) outside the period or box, "
          + "not counted"),
    ]
    let lines = [
      "Recall \(Self.share(totals.recall)): \(ReportNumber.count(counts.foundAlerts)) of the "
        + "\(ReportNumber.counted(counts.dueAlerts, "alert")) that would come with every "
        + "story watched",
      "\(ReportNumber.counted(counts.entries, cause)): "
        + "\(ReportNumber.count(counts.found)) seen as they happened "
        + "(\(Self.share(totals.entryRecall))), \(ReportNumber.count(counts.late)) late, "
        + "\(ReportNumber.count(counts.missed)) missed",
      "\(ReportNumber.counted(counts.alerts, "alert")), "
        + "\(Self.rate(totals.alertsPerTrack)) per walk"
        + (totals.alertsPerHour.map { ", \(Self.rate($0)) per hour of travel" } ?? "")
        + "; \(ReportNumber.counted(counts.suppressed.total, cause)) held back"
        + Self.parts(counts),
      // Recall counts fewer.
      ifAny(
        totals.otherAlerts,
        "\(ReportNumber.counted(totals.otherAlerts, "alert")) came at a later entry, mostly "
          + "because an earlier alert was lost; recall counts only the other "
          + ReportNumber.count(counts.foundAlerts)),
      "\(ReportNumber.counted(totals.refreshes, "lookup")), "
        + "\(Self.rate(totals.refreshesPerKilometer.map(units.rate))) per \(units.long.name)",
      ifAny(
        totals.copies,
        totals.copies == 1
          ? "1 walk repeats the fixes of another and is not counted"
          : "\(ReportNumber.counted(totals.copies, "walk")) repeat the fixes of another and are "
            + "not counted"),
      persons(fatigue), totals.reminders?.sentence(days: fatigue.days),
    ]
    let ends = [
      ifAny(
        totals.failedRefreshes,
        "\(ReportNumber.counted(totals.failedRefreshes, "lookup")) got no answer"),
      ifAny(
        totals.certifiedTracks + totals.uncertifiedTracks,
        "Certain that nothing was missed on "
          + "\(ReportNumber.counted(totals.certifiedTracks, "walk")), not certain on "
          + ReportNumber.counted(totals.uncertifiedTracks, "walk")),
    ]
    let chances = settings.chance.map { chance in
      totals.profiles.flatMap { ChanceSentences(chance, $0).lines }
    }
    let perfect = chances == nil ? [] : ["On a perfect phone:"]
    return (input + (chances ?? []) + perfect + lines + Self.breakdownLines(totals) + ends)
      .compactMap { $0 }
  }

  /// A line about things that are counted, if there are any.
  private func ifAny(_ count: Int, _ line: @autoclosure () -> String) -> String? {
    count > 0 ? line() : nil
  }

  /// How many fixes were refused, and for which reasons.
  private var rejections: String? {
    guard totals.rejected > 0 else { return nil }
    let reasons = ReportNumber.list(totals.rejectedByReason)
    return "\(ReportNumber.counted(totals.rejected, "fix")) refused"
      + (reasons.isEmpty ? "" : ": \(reasons)")
  }

  /// The alerts per person and day, and what counts as a person.
  ///
  /// Nil without a day with fixes.
  private func persons(_ fatigue: Fatigue) -> String? {
    guard let median = fatigue.quantile(0.5), let ninetieth = fatigue.quantile(0.9),
      let most = fatigue.most
    else { return nil }
    let over = Double(fatigue.days(over: totals.fatigueLimit)) / Double(fatigue.days)
    let persons = totals.persons
    let others =
      persons.loneTracks > 0
      ? " and \(ReportNumber.counted(persons.loneTracks, "walk")) without one" : ""
    let who =
      persons.count == 0
      ? "each walk counts as a reader; group them with --person-by"
      : ReportNumber.counted(persons.count, "reader") + others
    return
      "Alerts per reader and day: median \(median), 90th percentile \(ninetieth), most \(most); "
      + "over \(totals.fatigueLimit) on \(ReportNumber.percent(over)) of "
      + "\(ReportNumber.counted(fatigue.days, "day")) (\(who))"
  }

  /// A ratio in percent with its interval, such as `77.0 % (95 % interval 70.1 % to 82.8 %)`.
  package static func share(_ sum: RatioSum) -> String {
    ReportNumber.percent(sum.ratio, sum.interval)
  }

  /// Why a story on the way never alerted: `found late on 2 walks; not watched on 1 walk`.
  package static func reasons(_ account: StoryAccount) -> String {
    func part(_ verdict: Verdict, _ words: String) -> String? {
      let count = account.tracks[verdict]
      return count > 0 ? "\(words) \(ReportNumber.counted(count, "walk"))" : nil
    }
    return [
      part(.suppressed, "held back on").map { $0 + Self.parts(account.counts) },
      part(.late, "found late on"), part(.missed, "not watched on"),
      part(.insideAtStart, "inside at the start of"),
    ].compactMap { $0 }.joined(separator: "; ")
  }

  /// A number with up to two decimals, or a dash.
  private static func rate(_ value: Double?) -> String {
    value.map { ReportNumber.text($0, decimals: 2) } ?? "–"
  }

  /// The reasons for which entries were held back, in parentheses; empty without any.
  private static func parts(_ counts: EntryCounts) -> String {
    let parts = counts.suppressed.nonZero.map {
      "\($0.reason.rawValue) \(ReportNumber.count($0.count))"
    }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }
}

extension ReminderCost {
  /// How many reminders the stories cost, also per reader and day.
  package func sentence(days: Int) -> String {
    func shown(_ tally: Tally) -> String {
      "\(ReportNumber.count(tally.due - tally.lost)) of \(ReportNumber.count(tally.due))"
    }
    let words =
      switch cost {
      case 0: "The stories cost no reminder"
      case 1...: "The stories cost \(ReportNumber.counted(cost, "reminder"))"
      default: "Beside the stories, \(ReportNumber.counted(-cost, "reminder")) more were shown"
      }
    let perDay = ReportNumber.text(abs(Double(cost)) / Double(max(1, days)), decimals: 2)
    let rate = cost == 0 || days == 0 ? "" : ", \(perDay) per reader and day"
    return "\(words)\(rate): \(shown(withStories)) were shown, and \(shown(withoutStories)) "
      + "without the stories; reminders waited for a slot "
      + "\(ReportNumber.counted(withStories.waits, "time")), and "
      + "\(ReportNumber.count(withoutStories.waits)) without the stories"
  }
}

extension AnalysisSettings {
  /// The rule in a few words, with what alerts and the dates that stories must have.
  package var sentence: String {
    session.monitoring.sentence(alertsOn: session.alertsOn, session.alerts.dates)
  }
}

extension MonitoringOptions {
  /// The rule in a few words, such as `20 stories by nearest center, looked up every 500 m`.
  func sentence(alertsOn trigger: AlertTrigger = .enter, _ dates: StoryDates? = nil) -> String {
    var text = "every story watched"
    if let limit {
      text = ReportNumber.counted(limit, "story")
      if refresh == .fixed {
        let change = ReportNumber.shortDistance(significantChangeMeters, decimals: 1)
        text += " by nearest \(rank == .center ? "center" : "edge"), looked up every \(change)"
      } else {
        text += ", looked up adaptively"
      }
    }
    return text + ConfirmationWords.sentence(self, alertsOn: trigger)
      + (dates.map { ", \($0.words)" } ?? "")
  }
}

extension AnalysisSummary {
  /// When alerts came, how fast the phone moved, and how long it stayed.
  static func breakdownLines(_ totals: AnalysisTotals) -> [String?] {
    let (measures, speed) = (totals.measures, ShownUnits.current.speed)
    return [
      busiest(totals),
      spread("Speed at the alert", measures.alertSpeed, speed.name, per: speed.metersPerSecond),
      spread("Late entries found after", seconds: measures.latenessSeconds),
      spread("Inside a circle", seconds: measures.insideSeconds),
      spread("Inside after the alert", seconds: measures.dwellSeconds),
    ]
  }

  /// Median and 90th percentile of durations, in seconds, or in minutes from 5 min on.
  private static func spread(_ title: String, seconds: QuantileSketch) -> String? {
    guard let ninetieth = seconds.quantile(0.9) else { return nil }
    return ninetieth < 300
      ? spread(title, seconds, "s", per: 1) : spread(title, seconds, "min", per: 60)
  }

  /// Median and 90th percentile of a distribution; nil if it is empty.
  private static func spread(
    _ title: String, _ sketch: QuantileSketch, _ unit: String, per divisor: Double
  ) -> String? {
    guard let median = sketch.quantile(0.5), let ninetieth = sketch.quantile(0.9) else {
      return nil
    }
    func text(_ value: Double) -> String { ReportNumber.text(value / divisor, decimals: 1) }
    return "\(title): median \(text(median)) \(unit), 90th percentile \(text(ninetieth)) \(unit)"
  }

  /// The hour, weekday and month with the most alerts, the first if several.
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

extension AlertTrigger {
  /// What people call the event: an entry, an exit or a dwell.
  var noun: String { self == .enter ? "entry" : rawValue }
}

/// Says in words what must be true of a crossing before it counts, and what alerts.
///
/// Summaries, the report's page and the map use the same words.
package enum ConfirmationWords {
  /// The options that differ from the defaults, each after a comma, or an empty text.
  ///
  /// An example is `, crossings held for 30 s, alerts on dwells of 5 min`.
  package static func sentence(
    _ rule: MonitoringOptions, alertsOn trigger: AlertTrigger
  ) -> String {
    var words: [String] = []
    switch rule.accuracy {
    case _ where rule.test != .fixes: break
    case .ignore: words.append("tested at fixes only")
    case .contains: words.append("tested at fixes only, by the whole accuracy circle")
    case .intersects: words.append("tested at fixes only, by any part of the accuracy circle")
    }
    let confirmation = rule.confirmation
    if confirmation.holdMilliseconds > 0 {
      words.append("crossings held for \(duration(confirmation.holdMilliseconds))")
    }
    if let fixes = confirmation.fixes {
      words.append("crossings confirmed by \(ReportNumber.counted(fixes, "fix"))")
    }
    let dwell = confirmation.dwellMilliseconds.map { " of \(duration($0))" } ?? ""
    if trigger != .dwell, !dwell.isEmpty { words.append("dwells\(dwell)") }
    switch trigger {
    case .enter: break
    case .exit: words.append("alerts on exits")
    case .dwell: words.append("alerts on dwells\(dwell)")
    }
    return words.map { ", \($0)" }.joined()
  }

  /// A duration of a rule, such as `10 min`.
  static func duration(_ milliseconds: Int64) -> String {
    let seconds = Double(milliseconds) / 1000
    let (value, unit) =
      seconds < 120
      ? (seconds, "s") : seconds < 7200 ? (seconds / 60, "min") : (seconds / 3600, "h")
    return "\(ReportNumber.text(value, decimals: 3)) \(unit)"
  }
}
