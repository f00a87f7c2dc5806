#if Command
import FencepostAnalysis
import FencepostReporting

/// The page's headline numbers, and a bar that divides all entries by outcome.
///
/// ``PageProse`` puts them below its answers.
struct PageCards {
  /// One number with a title.
  private struct Card {
    /// The class of the element, which sets its color; empty for the usual one.
    var style: String
    /// The name of the number, by which tests and scripts find it.
    var id: String
    /// The number as the page shows it.
    var value: String
    /// The same number in full, for programs.
    var raw: String
    var title: String
    /// What the number means, or what to compare it with.
    var note: String
  }

  private let totals: AnalysisTotals

  init(_ totals: AnalysisTotals) {
    self.totals = totals
  }

  /// Appends the cards as a list of definitions.
  func write(to output: inout OutputBuffer) {
    output.append("<dl class=\"cards\">")
    for card in cards { write(card, to: &output) }
    output.append("</dl>")
  }

  private var cards: [Card] {
    let counts = totals.counts
    return [
      Card(
        style: "recall", id: "recall", value: ReportNumber.percent(totals.recall.ratio),
        raw: raw(totals.recall.ratio), title: "Recall",
        note: totals.recall.interval.map {
          "95 % interval \(ReportNumber.percent($0.lowerBound)) to "
            + "\(ReportNumber.percent($0.upperBound))"
        } ?? "alerts that came, as a share of those due"),
      count(
        "alert", "alerts", counts.alerts, "Alerts",
        "\(rate(totals.alertsPerTrack)) per walk"
          + (totals.alertsPerHour.map { ", \(rate($0)) per hour of travel" } ?? "")
          + (totals.otherAlerts > 0
            ? "; \(ReportNumber.count(counts.foundAlerts)) of them count in the recall"
            : "")),
      count("missed", "missed", counts.missed, "Entries missed", "not watched, and never noticed"),
      count("late", "late", counts.late, "Entries late", "noticed only once inside"),
      count("", "suppressed", counts.suppressed.total, "Entries held back", "by the alert rules"),
      count(
        "", "silentStories", totals.silentStories, "Stories that never alerted",
        "of \(ReportNumber.count(totals.stories.count))"),
      Card(
        style: "", id: "refreshesPerKilometer", value: rate(totals.refreshesPerKilometer),
        raw: raw(totals.refreshesPerKilometer, decimals: 4), title: "Lookups per kilometer",
        note: "\(ReportNumber.count(totals.refreshes)) in all; each one costs battery power"),
      count(
        "", "tracks", totals.tracks, "Walks",
        totals.skipped > 0
          ? "\(ReportNumber.count(totals.skipped)) more could not be read"
          : ReportNumber.distance(Double(totals.lengthMillimeters) / 1000)),
    ]
  }

  private func count(
    _ style: String, _ id: String, _ value: Int, _ title: String, _ note: String
  ) -> Card {
    Card(
      style: style, id: id, value: ReportNumber.count(value), raw: "\(value)", title: title,
      note: note)
  }

  private func write(_ card: Card, to output: inout OutputBuffer) {
    output.append(
      html: """
        <div class="\(card.style)"><dt>\(card.title)</dt>\
        <dd id="n-\(card.id)" data-value="\(card.raw)">\(card.value)\
        <span class="note">\(card.note)</span></dd></div>
        """)
  }

  /// Appends all entries as one divided bar with a legend.
  func writeBar(to output: inout OutputBuffer) {
    let counts = totals.counts
    let total = counts.entries
    guard total > 0 else { return }
    let parts = [
      ("noticed in time", counts.found, "found"), ("late", counts.late, "late"),
      ("missed", counts.missed, "missed"),
    ]
    let sentence = parts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    output.append(
      html: """
        <div class="bar" role="img" aria-label="Of \(String(total)) entries into circles: \(sentence).">
        """)
    for (_, value, style) in parts where value > 0 {
      let width = raw(Double(value) / Double(total) * 100, decimals: 3)
      output.append(html: "<span class=\"\(style)\" style=\"width:\(width)%\"></span>")
    }
    output.append("</div><ul class=\"legend\">")
    for (name, value, style) in parts {
      let count = ReportNumber.counted(value, "entry", "entries")
      let share = ReportNumber.percent(Double(value) / Double(total))
      output.append(
        html: "<li><span class=\"block \(style)\"></span> \(count) \(name) (\(share))</li>")
    }
    output.append("</ul>")
  }

  /// A number with at most two decimals; a dash if it is unknown.
  private func rate(_ value: Double?) -> String {
    value.map { ReportNumber.text($0, decimals: 2) } ?? "–"
  }

  /// A number for programs; `null` if it is unknown.
  private func raw(_ value: Double?, decimals: Int = 6) -> String {
    var buffer = OutputBuffer(capacity: 64)
    buffer.append(value ?? .nan, decimals: decimals)
    return buffer.text
  }
}
#endif
