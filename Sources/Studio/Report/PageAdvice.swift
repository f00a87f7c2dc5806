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
      return "This analysis knows no limit. Give one, 20 on an iPhone, to see what it costs."
    }
    if let tried = ofSweep { return tried }
    let places = ReportNumber.counted(limit, "place")
    let counts = totals.counts
    if counts.entries > 0, counts.late + counts.missed == 0 {
      return "This one: each entry was seen as it happened." + certificate
    }
    let most = totals.mostCircles
    let spots = ReportNumber.counted(totals.spots.count, "spot")
    if settings.monitoring.refresh == .adaptive {
      return "None with \(places): this is the adaptive refresh already, and where more "
        + "edges of circles than that meet in one point no rule can see them all. At \(spots) of "
        + "these paths up to \(ReportNumber.counted(most, "circle")) overlap; fewer stories there, or "
        + "circles of different sizes, would help."
    }
    if most > limit {
      return "The adaptive refresh, still with \(places), is the one to try: it loses "
        + "nothing except where more edges of circles than that meet in one point. At \(spots) of "
        + "these paths up to \(ReportNumber.counted(most, "circle")) overlap, so that a "
        + "little may remain lost there. A sweep over several settings tells."
    }
    return "The adaptive refresh, still with \(places): it renews them just before the path "
      + "can reach a circle that is not watched, and nowhere on these paths do more than "
      + "\(ReportNumber.counted(most, "circle")) overlap. Run the analysis with --refresh adaptive, "
      + "or a sweep over several settings, to see what it costs."
  }

  private var certificate: String {
    guard totals.certifiedTracks > 0, totals.uncertifiedTracks == 0 else { return "" }
    return " It is certain that nothing was missed: at no moment was an unwatched circle in reach."
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
      text += " With no more than here it is \(Self.setting(cheapest))."
    }
    if let now = totals.refreshesPerKilometer {
      text +=
        " This analysis' rule renews its places \(ReportNumber.text(now, decimals: 2)) times a "
        + "kilometre."
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
      return "\(places), renewed adaptively, \(cost) times a kilometre"
    }
    let meters = ReportNumber.text(row["significantChange"]?.double ?? .nan, decimals: 1)
    let rank = row["rank"]?.string == "edge" ? "edge" : "centre"
    return "\(places) by nearest \(rank), renewed after \(meters) m, \(cost) times a kilometre"
  }
}
