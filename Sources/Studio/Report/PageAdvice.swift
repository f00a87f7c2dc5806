import FencepostAnalysis
import FencepostFormats
import FencepostMonitoring
import FencepostReporting

/// The page's answer to which setting would lose nothing.
struct PageAdvice {
  private let settings: AnalysisSettings
  private let totals: AnalysisTotals
  private let rows: [JSONValue]

  init(_ settings: AnalysisSettings, _ totals: AnalysisTotals, sweepLines: [String]) {
    self.settings = settings
    self.totals = totals
    // Invalid lines were refused when the sweep was read.
    rows = sweepLines.compactMap { try? JSONValue(parsing: $0) }
  }

  /// One to three sentences.
  var text: String {
    guard let limit = settings.monitoring.limit else {
      return "This analysis has no limit. Set one (20 on an iPhone) to see what it costs."
    }
    if let tried = ofSweep { return tried }
    let places = ReportNumber.counted(limit, "place")
    let counts = totals.counts
    if counts.entries > 0, counts.late + counts.missed == 0 {
      return "This one: the phone saw each entry as it happened." + certificate
    }
    let most = totals.mostCircles
    let spots = ReportNumber.counted(totals.spots.count, "spot")
    if settings.monitoring.refresh == .adaptive {
      return "None with \(places). This is already the adaptive refresh, and where the edges of "
        + "more circles than that meet in one point, no rule can see them all. At \(spots) on these paths, "
        + "up to \(ReportNumber.counted(most, "circle")) overlap. Fewer stories there, or circles of "
        + "different sizes, would help."
    }
    if most > limit {
      return "Try the adaptive refresh, still with \(places): it loses nothing except where the "
        + "edges of more circles than that meet in one point. At \(spots) on these paths, up to "
        + "\(ReportNumber.counted(most, "circle")) overlap, so a little may still be lost there. To "
        + "find out, sweep over several settings."
    }
    return "The adaptive refresh, still with \(places): it looks them up just before the path can "
      + "reach a circle that is not watched, and no more than "
      + "\(ReportNumber.counted(most, "circle")) overlap anywhere on these paths. To see what it "
      + "costs, run the analysis with --refresh adaptive, or sweep over several settings."
  }

  private var certificate: String {
    guard totals.certifiedTracks > 0, totals.uncertifiedTracks == 0 else { return "" }
    return " Nothing can have been missed: no unwatched circle was ever within reach."
  }

  private var ofSweep: String? {
    guard !rows.isEmpty else { return nil }
    let tried =
      ReportNumber.counted(rows.count, "setting") + (rows.count == 1 ? " that was" : " that were")
    guard let best = rows.first(where: { $0["cheapest"]?.boolean == true }) else {
      return "None of the \(tried) tried."
    }
    var text =
      "Of the \(tried) tried, the cheapest that loses nothing is \(Self.setting(best))."
    // A phone cannot monitor more places than its limit, whatever a sweep finds.
    let limit = settings.monitoring.limit
    let same = rows.filter {
      $0["limit"]?.integer == limit && $0["losesNothing"]?.boolean == true
    }
    if best["limit"]?.integer != limit,
      let cheapest = same.min(by: { Self.rate($0) < Self.rate($1) })
    {
      text += " With the same limit as here, it is \(Self.setting(cheapest))."
    }
    if let now = totals.refreshesPerKilometer {
      text +=
        " The rule of this analysis refreshes \(ReportNumber.text(now, decimals: 2)) times per "
        + "kilometer."
    }
    return text
  }

  private static func rate(_ row: JSONValue) -> Double {
    row["refreshesPerKilometer"]?.double ?? .infinity
  }

  /// A setting in words, with its cost.
  private static func setting(_ row: JSONValue) -> String {
    let places =
      row["limit"]?.integer.map { ReportNumber.counted($0, "place") } ?? "every place watched"
    let cost = ReportNumber.text(rate(row), decimals: 2)
    guard row["refresh"]?.string != "adaptive" else {
      return "\(places), refreshed adaptively, \(cost) times per kilometer"
    }
    let meters = ReportNumber.text(row["significantChange"]?.double ?? .nan, decimals: 1)
    let rank = row["rank"]?.string == "edge" ? "edge" : "center"
    return "\(places) by nearest \(rank), refreshed after \(meters) m, \(cost) times per kilometer"
  }
}
