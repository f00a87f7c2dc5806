#if Command
import FencepostAnalysis
import FencepostFormats
import FencepostMonitoring
import FencepostReporting

/// The page's answer to which setting would lose nothing.
///
/// If the page has the rows of a sweep, it names what was tried. Otherwise it says what follows
/// from how many circles overlap on the walks.
struct PageAdvice {
  private let settings: AnalysisSettings
  private let totals: AnalysisTotals
  /// The rows of a sweep; empty without one.
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
      return "This analysis has no limit, so nothing can be lost. An iPhone watches 20 circles."
    }
    if let tried = ofSweep { return tried }
    let circles = ReportNumber.counted(limit, "circle")
    let counts = totals.counts
    if counts.entries > 0, counts.late + counts.missed == 0 {
      return "This one: the phone noticed every entry as it happened." + certificate
    }
    let most = ReportNumber.counted(totals.mostCircles, "circle")
    let spots = ReportNumber.counted(totals.spots.count, "spot")
    if settings.monitoring.refresh == .adaptive {
      return "None with \(circles) at a time. Lookups are already adaptive, and where more circles "
        + "than that overlap, no rule can watch them all. At \(spots) on these walks, up to \(most) "
        + "overlap. Fewer stories there, or circles of different sizes, would help."
    }
    if totals.mostCircles > limit {
      return "Try adaptive lookups, still with \(circles) at a time. They lose nothing, except "
        + "where more circles than that overlap. At \(spots) on these walks, up to \(most) overlap, so a "
        + "little may still be lost there. A sweep over several settings shows it."
    }
    return "Adaptive lookups, still with \(circles) at a time. They come just before the path can "
      + "reach a circle that is not watched, and at most \(most) overlap anywhere on these walks. "
      + "A sweep over several settings shows what they cost."
  }

  /// A sentence if no walk could have missed anything; empty otherwise.
  private var certificate: String {
    guard totals.certifiedTracks > 0, totals.uncertifiedTracks == 0 else { return "" }
    return " Nothing can have been missed: no unwatched circle was ever within reach."
  }

  /// What the sweep found; nil without one.
  private var ofSweep: String? {
    guard !rows.isEmpty else { return nil }
    let tried =
      ReportNumber.counted(rows.count, "setting") + (rows.count == 1 ? " that was" : " that were")
    guard let best = rows.first(where: { $0["cheapest"]?.boolean == true }) else {
      return "None of the \(tried) tried."
    }
    var text =
      "Of the \(tried) tried, the cheapest that loses nothing is \(Self.setting(best))."
    // A phone cannot watch more circles than its limit, whatever a sweep finds.
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
        " This analysis has \(ReportNumber.text(now, decimals: 2)) lookups per kilometer."
    }
    return text
  }

  /// The lookups per kilometer of a setting; infinite if unknown.
  private static func rate(_ row: JSONValue) -> Double {
    row["refreshesPerKilometer"]?.double ?? .infinity
  }

  /// A setting in words, with its cost.
  private static func setting(_ row: JSONValue) -> String {
    let circles =
      row["limit"]?.integer.map { ReportNumber.counted($0, "circle") } ?? "every circle"
    let cost = ReportNumber.text(rate(row), decimals: 2)
    guard row["refresh"]?.string != "adaptive" else {
      return "\(circles) with adaptive lookups, \(cost) per kilometer"
    }
    let meters = ReportNumber.text(row["significantChange"]?.double ?? .nan, decimals: 1)
    let rank = row["rank"]?.string == "edge" ? "edge" : "center"
    return "\(circles) by nearest \(rank), looked up after \(meters) m, "
      + "\(cost) times per kilometer"
  }
}
#endif
