import FencepostAnalysis
import FencepostReporting

/// The page's headline numbers, and the bar that divides all entries by outcome.
struct PageCards {
  private struct Card {
    var style: String
    var id: String
    var value: String
    var raw: String
    var title: String
    var note: String
  }

  private let totals: AnalysisTotals

  init(_ totals: AnalysisTotals) {
    self.totals = totals
  }

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
        } ?? "alerts found, of all there would be"),
      count(
        "alert", "alerts", counts.alerts, "Alerts",
        "\(rate(totals.alertsPerTrack)) a track"
          + (totals.alertsPerHour.map { ", \(rate($0)) an hour of travel" } ?? "")),
      count("missed", "missed", counts.missed, "Entries missed", "not watched, never noticed"),
      count("late", "late", counts.late, "Entries late", "noticed when inside already"),
      count("", "suppressed", counts.suppressed.total, "Entries held back", "by the alert policy"),
      count(
        "", "silentStories", totals.silentStories, "Stories that never alerted",
        "of \(ReportNumber.count(totals.stories.count))"),
      Card(
        style: "", id: "refreshesPerKilometer", value: rate(totals.refreshesPerKilometer),
        raw: raw(totals.refreshesPerKilometer, decimals: 4), title: "Refreshes a kilometre",
        note: "\(ReportNumber.count(totals.refreshes)) in all: what the battery pays"),
      count(
        "", "tracks", totals.tracks, "Tracks",
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
    output.append("<div class=\"")
    output.append(verbatim: card.style)
    output.append("\"><dt>")
    output.append(xml: card.title)
    output.append("</dt><dd id=\"n-")
    output.append(verbatim: card.id)
    output.append("\" data-value=\"")
    output.append(xml: card.raw)
    output.append("\">")
    output.append(xml: card.value)
    output.append("<span class=\"note\">")
    output.append(xml: card.note)
    output.append("</span></dd></div>")
  }

  /// Appends all entries as one divided bar with a legend.
  func writeBar(to output: inout OutputBuffer) {
    let counts = totals.counts
    let total = counts.entries
    guard total > 0 else { return }
    let parts = [
      ("seen as they happened", counts.found, "found"), ("late", counts.late, "late"),
      ("missed", counts.missed, "missed"),
    ]
    let sentence = parts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    output.append("<div class=\"bar\" role=\"img\" aria-label=\"")
    output.append(xml: "Of \(total) entries into circles: \(sentence).")
    output.append("\">")
    for (_, value, style) in parts where value > 0 {
      output.append("<span class=\"")
      output.append(verbatim: style)
      output.append("\" style=\"width:")
      output.append(Double(value) / Double(total) * 100, decimals: 3)
      output.append("%\"></span>")
    }
    output.append("</div><ul class=\"legend\">")
    for (name, value, style) in parts {
      output.append("<li><span class=\"block ")
      output.append(verbatim: style)
      output.append("\"></span> ")
      output.append(
        xml: "\(ReportNumber.counted(value, "entry", "entries")) \(name) "
          + "(\(ReportNumber.percent(Double(value) / Double(total))))")
      output.append("</li>")
    }
    output.append("</ul>")
  }

  private func rate(_ value: Double?) -> String {
    value.map { ReportNumber.text($0, decimals: 2) } ?? "–"
  }

  private func raw(_ value: Double?, decimals: Int = 6) -> String {
    var buffer = OutputBuffer(capacity: 64)
    buffer.append(value ?? .nan, decimals: decimals)
    return buffer.text
  }
}
