#if Command
package import FencepostAnalysis
package import FencepostReporting

/// Writes a comparison of two analyses as one self-contained HTML page.
///
/// It has the sentences of `ComparisonWriter`, and a table of the stories that changed.
package struct ComparisonPageWriter: Sendable {
  /// The most walks of one analysis that are named as left out.
  private static let mostNames = 40

  private let comparison: AnalysisComparison
  private let names: (first: String, second: String)

  /// Creates a writer; the names are those of the compared files.
  package init(_ comparison: AnalysisComparison, names: (first: String, second: String)) {
    self.comparison = comparison
    self.names = names
  }

  /// Appends the page.
  package func write(to output: inout OutputBuffer) {
    Pages.write("compare.html", to: &output) { slot, output in
      switch slot {
      case "title": output.append(xml: "What changes from A to B")
      case "subheading":
        let walks = ReportNumber.counted(comparison.pairs, "walk")
        let same = comparison.pairs == 1 ? "one walk" : "the same \(walks)"
        output.append(
          xml: "Two analyses of \(comparison.unpaired == nil ? same : "different walks").")
      case "headline":
        output.append(xml: ComparisonWriter(comparison, names: names).headline)
      case "style": output.append(file: "report.css")
      case "script": output.append(file: "compare.js")
      case "rules": writeRules(to: &output)
      case "drawn": output.append(xml: drawn)
      case "changes":
        output.append(
          xml: comparison.phones == nil
            ? "A story is gained on a walk if it alerts there only in B, and lost if it alerts there "
              + "only in A. The last column counts the walks on which it alerts in both."
            : "How many more alerts phones show in B than in A, on all walks.")
      case "unpaired": writeUnpaired(to: &output)
      case "words": output.append(file: "words-section.html")
      case "data": writeData(to: &output)
      default: break
      }
    }
  }

  /// The differences in sentences, and how their intervals are meant.
  private var drawn: String {
    let sentences = ComparisonWriter(comparison, names: names).sentences.joined(separator: ". ")
    guard !comparison.isIdentical else { return "\(sentences)." }
    return
      "\(sentences). The interval is that of the difference, B minus A, in \(ReportNumber.count(1000)) random draws."
      + " If it contains 0, the difference may be chance."
  }

  private func writeRules(to output: inout OutputBuffer) {
    let (first, second) = comparison.rules
    output.append(
      html: """
        <dl class="rules"><dt>A</dt><dd><bdi>\(names.first)</bdi>: \(first)</dd>\
        <dt>B</dt><dd><bdi>\(names.second)</bdi>: \(second)</dd></dl>
        """)
  }

  /// Appends the walks that only one analysis has, folded away.
  private func writeUnpaired(to output: inout OutputBuffer) {
    for (name, tracks) in [
      (names.first, comparison.onlyFirst), (names.second, comparison.onlySecond),
    ] where !tracks.isEmpty {
      let count = ReportNumber.counted(tracks.count, "walk")
      output.append(
        html: """
          <details><summary>\(count) only in <bdi>\(name)</bdi>, left out</summary><ul class="plain">
          """)
      for track in tracks.prefix(Self.mostNames) {
        output.append(html: "<li><bdi>\(track)</bdi></li>")
      }
      if tracks.count > Self.mostNames {
        let more = ReportNumber.count(tracks.count - Self.mostNames)
        output.append(html: "<li>… and \(more) more</li>")
      }
      output.append("</ul></details>")
    }
  }

  /// Appends the lines of the comparison's ndjson output, which the page's script reads.
  private func writeData(to output: inout OutputBuffer) {
    var lines = OutputBuffer()
    ComparisonWriter(comparison, names: names).writeNDJSON(to: &lines)
    let all = lines.text.split(separator: "\n").map(String.init)
    output.append("{\"comparison\":")
    appendLines(Array(all.prefix(1)), to: &output)
    output.append(",\"changes\":[")
    appendLines(all.filter { $0.hasPrefix("{\"type\":\"story\"") }, to: &output)
    output.append("]}")
  }
}
#endif
