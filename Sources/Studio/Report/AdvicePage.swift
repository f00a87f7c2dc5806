package import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
package import FencepostReporting

/// Writes advice as a self-contained HTML page: a table of changes, and a map of both states.
package struct AdvicePage: Sendable {
  private static let mostVertices = 60_000

  private let advice: Advice
  private let tracks: [RecordedTrack]
  /// The studio in which the changes open, if any.
  package var studio: StudioLink?

  package init(_ advice: Advice, tracks: [RecordedTrack]) {
    self.advice = advice
    self.tracks = tracks
  }

  package func write(_ library: PageWriter.MapLibrary, to output: inout OutputBuffer) {
    let lines = AdviceWriter(advice).lines
    Pages.write("advice.html", to: &output) { slot, output in
      switch slot {
      case "title": output.append(xml: title)
      case "subheading": output.append(xml: "\(lines.first { $0.contains("rule: ") } ?? "").")
      case "tracks": output.append(xml: "the walks used to choose the changes")
      case "library-style": output.append(verbatim: library.style)
      case "library-script": output.append(verbatim: library.script)
      case "style": output.append(file: "report.css")
      case "script": output.append(file: "advice.js")
      case "in-short":
        for line in lines where !line.contains("rule: ") { output.append(html: "<p>\(line).</p>") }
      case "kept-back-head" where advice.keptBack != nil:
        output.append("<th scope=\"col\">Alerts of test readers</th>")
      case "rows": writeRows(to: &output)
      case "data": writeData(to: &output)
      default: break
      }
    }
  }

  private var title: String {
    let changes = ReportNumber.counted(advice.proposals.count, "change")
    if let most = advice.options.mostAfterwards, !advice.proposals.isEmpty {
      return
        "Advice: \(changes) toward at most \(ReportNumber.counted(most, "alert")) per reader and day"
    }
    if let purpose = advice.options.purpose, !advice.proposals.isEmpty {
      let stories = ReportNumber.counted(purpose.weights.count, "story", "stories")
      return "Advice: \(changes) for \(stories)"
    }
    let gain = advice.effect.alerts
    guard gain > 0 else { return "Advice: no change would help" }
    return "Advice: \(changes) for \(ReportNumber.counted(gain, "more alert"))"
  }

  private func writeRows(to output: inout OutputBuffer) {
    for (number, proposal) in advice.proposals.enumerated() {
      let sentences = AdviceSentences(proposal, advice.options)
      let effect = proposal.effect
      output.append(
        html: """
          <tr><td class="left"><button type="button" data-number="\("\(number)")">\
          \(sentences.change)</button></td><td class="left">\(sentences.why).</td>\
          <td>\(Self.signed(effect.alerts))</td><td>\(Self.signed(effect.persons))</td>\
          <td>\(Self.signed(effect.refreshes))</td>\
          <td>\(effect.after.fatigue.most.map(String.init) ?? "–")</td>
          """)
      if let keptBack = proposal.keptBack {
        output.append(html: "<td>\(Self.signed(keptBack.alerts))</td>")
      }
      output.append("</tr>\n")
    }
  }

  private static func signed(_ value: Int) -> String {
    value == 0 ? "0" : (value < 0 ? "−" : "+") + ReportNumber.count(Int(value.magnitude))
  }

  // MARK: Data

  private func writeData(to output: inout OutputBuffer) {
    output.appendObject {
      $0.array("changes", advice.proposals.map(\.change)) { output, change in
        output.appendObject {
          $0.array("before", change.before) { Self.write($1, to: &$0) }
          $0.array("after", change.after.map { [$0] } ?? []) { Self.write($1, to: &$0) }
        }
      }
      writeSteps(to: &$0)
      let total = tracks.reduce(0) { $0 + $1.fixes.count }
      // Draw every n-th fix, so that a page can draw them all.
      let step = max(1, (total + Self.mostVertices - 1) / Self.mostVertices)
      $0.array("tracks", tracks) { output, track in
        output.appendObject {
          $0.member("name", track.name)
          $0.array("line", Self.lines(of: track)) { Self.write($1, step: step, to: &$0) }
        }
      }
    }
  }

  /// Where each change opens in the studio, together with the changes before it.
  private func writeSteps(to output: inout OutputBuffer) {
    guard let studio else { return }
    var (changes, rule): ([String: Place?], MonitoringOptions?) = ([:], nil)
    var hours: QuietHours?
    let steps = advice.proposals.map(\.change).map { change in
      for place in change.removed { changes[place.id] = .some(nil) }
      if let after = change.after { changes[after.id] = after }
      rule = change.rule ?? rule
      hours = change.quietHours ?? hours
      return studio.at(changes: changes, rule: rule, quietHours: hours)
    }
    output.array("steps", zip(steps, advice.proposals)) { output, step in
      output.appendObject {
        StudioLink(address: step.0.address, view: step.0.view).write(to: &$0)
        $0.member("story", (step.1.change.after ?? step.1.change.before.first)?.id)
      }
    }
  }

  private static func write(_ place: Place, to output: inout OutputBuffer) {
    output.appendObject {
      $0.member("title", place.title.isEmpty ? place.id : place.title)
      $0.member("lat", place.coordinate.latitudeDegrees, decimals: 6)
      $0.member("lon", place.coordinate.longitudeDegrees, decimals: 6)
      $0.member("radius", place.radiusMeters, decimals: 3)
    }
  }

  private static func lines(of track: RecordedTrack) -> [[Coordinate]] {
    var lines: [[Coordinate]] = []
    var last: Fix?
    for fix in track.fixes {
      if last?.segmentIndex != fix.segmentIndex || last?.trackIndex != fix.trackIndex {
        lines.append([])
      }
      lines[lines.count - 1].append(fix.coordinate)
      last = fix
    }
    return lines
  }

  private static func write(_ line: [Coordinate], step: Int, to output: inout OutputBuffer) {
    let kept = line.indices.filter { $0 % step == 0 || $0 == line.count - 1 }
    output.appendArray(kept) { output, index in
      output.append(line[index].latitudeDegrees, decimals: 6)
      output.append(",")
      output.append(line[index].longitudeDegrees, decimals: 6)
    }
  }
}
