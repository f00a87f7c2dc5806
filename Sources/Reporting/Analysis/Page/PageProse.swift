import Monitoring
import Notifications

/// The page's first part: what was found, in sentences and large numbers.
struct PageProse {
  private let settings: AnalysisSettings
  private let totals: AnalysisTotals

  init(_ settings: AnalysisSettings, _ totals: AnalysisTotals) {
    self.settings = settings
    self.totals = totals
  }

  func write(to output: inout ByteBuffer) {
    output.append("<section id=\"short\"><h2>In short</h2><p class=\"lede\">")
    output.append(xml: lede)
    output.append("</p>")
    writeBar(to: &output)
    output.append("<dl class=\"cards\">")
    for card in cards { write(card, to: &output) }
    output.append("</dl><p>")
    output.append(xml: advice)
    output.append("</p></section>\n")
  }

  /// The answer, for somebody who reads nothing else.
  private var lede: String {
    let counts = totals.counts
    guard counts.oracleAlerts > 0 else {
      return "None of these paths came into the circle of a story in a way that would alert, "
        + "even if every place could be watched at once."
    }
    let all = ReportNumber.counted(counts.oracleAlerts, "alert")
    let found = ReportNumber.count(counts.foundAlerts)
    let lost = counts.oracleAlerts - counts.foundAlerts
    guard let slots = settings.monitoring.limit else {
      return "With every place watched at once, these paths give \(all)."
    }
    let opening =
      "If a phone could watch every place at once, these paths would give \(all). It can watch "
      + "\(slots), and under this rule gives \(found) of them (\(percent(totals.recall)))"
    return lost == 0
      ? opening + ": nothing is lost."
      : opening + "; \(ReportNumber.counted(lost, "alert")) \(lost == 1 ? "is" : "are") lost."
  }

  private var advice: String {
    let counts = totals.counts
    let total = ReportNumber.counted(counts.entries, "time")
    var text =
      "The paths came into a story’s circle \(total). The phone saw "
      + "\(ReportNumber.count(counts.found)) of these entries as they happened; "
      + "\(ReportNumber.count(counts.late)) it found out about only at a later refresh, when the "
      + "device was inside already, and no alert came; \(ReportNumber.count(counts.missed)) it "
      + "never noticed. "
    text +=
      "Of what it saw, \(ReportNumber.count(counts.alerts)) alerted and "
      + "\(ReportNumber.count(counts.suppressed.total)) were held back by the policy"
    let parts = counts.suppressed.nonZero.map {
      "\($0.reason.rawValue) \(ReportNumber.count($0.count))"
    }
    text += parts.isEmpty ? ". " : " (\(parts.joined(separator: ", "))). "
    if totals.spots.isEmpty == false {
      text +=
        "At \(ReportNumber.counted(totals.spots.count, "spot")) more circles overlap than can be "
        + "watched; there no rule can see everything. "
    }
    return text
  }

  private struct Card {
    var style: String
    var id: String
    var value: String
    var raw: String
    var title: String
    var note: String
  }

  private var cards: [Card] {
    let counts = totals.counts
    return [
      Card(
        style: "recall", id: "recall", value: percent(totals.recall), raw: raw(totals.recall.ratio),
        title: "Recall",
        note: totals.recall.interval.map {
          "95 % interval \(ReportNumber.percent($0.lowerBound)) to "
            + "\(ReportNumber.percent($0.upperBound))"
        } ?? "alerts found, of all there would be"),
      count(
        "alert", "alerts", counts.alerts, "Alerts",
        "\(rate(totals.alertsPerTrack)) a track"
          + (totals.alertsPerHour.map { ", \(rate($0)) an hour" } ?? "")),
      count("missed", "missed", counts.missed, "Entries missed", "never noticed"),
      count("late", "late", counts.late, "Entries late", "found inside at a later refresh"),
      count("", "suppressed", counts.suppressed.total, "Entries suppressed", "by the policy"),
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

  private func write(_ card: Card, to output: inout ByteBuffer) {
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

  /// All entries as one bar of parts.
  private func writeBar(to output: inout ByteBuffer) {
    let counts = totals.counts
    let total = counts.entries
    guard total > 0 else { return }
    let parts = [
      ("seen as they happened", counts.found, "#00a878"),
      ("late", counts.late, "#f0b429"), ("missed", counts.missed, "#d6390b"),
    ]
    let sentence = parts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    output.append("<div class=\"bar\" role=\"img\" aria-label=\"")
    output.append(xml: "Of \(total) entries: \(sentence).")
    output.append("\">")
    for (_, value, color) in parts where value > 0 {
      output.append("<span style=\"background:")
      output.append(verbatim: color)
      output.append(";width:")
      output.append(Double(value) / Double(total) * 100, decimals: 3)
      output.append("%\"></span>")
    }
    output.append("</div><ul class=\"legend\">")
    for (name, value, color) in parts {
      output.append("<li><span class=\"swatch\" style=\"border-radius:0;background:")
      output.append(verbatim: color)
      output.append("\"></span> ")
      output.append(
        xml: "\(ReportNumber.counted(value, "entry", "entries")) \(name) "
          + "(\(ReportNumber.percent(Double(value) / Double(total))))")
      output.append("</li>")
    }
    output.append("</ul>")
  }

  private func percent(_ sum: RatioSum) -> String { ReportNumber.percent(sum.ratio) }

  private func rate(_ value: Double?) -> String {
    value.map { ReportNumber.text($0, decimals: 2) } ?? "–"
  }

  private func raw(_ value: Double?, decimals: Int = 6) -> String {
    var buffer = ByteBuffer(capacity: 64)
    buffer.append(value ?? .nan, decimals: decimals)
    return buffer.text
  }
}
