#if Command
import FencepostSession
package import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
package import FencepostReporting

/// Writes advice as a self-contained HTML page: a table of changes, and a map of both states.
///
/// It needs no server and can be sent to others. Street tiles are loaded only if the reader asks
/// for them.
package struct AdvicePage: Sendable {
  /// The most vertices of all paths together.
  private static let mostVertices = 60_000

  private let advice: Advice
  private let tracks: [RecordedTrack]
  /// The studio in which the changes open, if any.
  package var studio: StudioLink?

  /// Creates a writer; the map draws the tracks.
  package init(_ advice: Advice, tracks: [RecordedTrack]) {
    self.advice = advice
    self.tracks = tracks
  }

  /// Appends the page with the map library in it.
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
      case "headings":
        for one in headings { output.append(html: "<th scope=\"col\">\(one)</th>") }
      case "rows": writeRows(to: &output)
      case "data": writeData(to: &output)
      default: break
      }
    }
  }

  private var title: String {
    let changes = ReportNumber.counted(advice.proposals.count, "change")
    if let purpose = advice.options.purpose, !advice.proposals.isEmpty {
      let stories = ReportNumber.counted(purpose.weights.count, "story", "stories")
      return "Advice: \(changes) for \(stories)"
    }
    guard !advice.proposals.isEmpty else { return "Advice: no change would help" }
    if advice.phone != nil, let gain = advice.effect.simulated?.mean {
      return "Advice: \(changes) for \(ReportNumber.mean(gain)) more alerts"
    }
    let gain = advice.effect.alerts
    guard gain > 0 else { return "Advice: no change would help" }
    return "Advice: \(changes) for \(ReportNumber.counted(gain, "more alert"))"
  }

  /// The headings of the columns with numbers, which ``numbers(of:)`` fills.
  private var headings: [String] {
    advice.phone.map { ["Alerts on \($0)"] } ?? ["Alerts", "Readers", "Lookups"]
  }

  /// What a change gains: alerts of the phone, or else alerts, readers and lookups.
  private func numbers(of effect: Advice.Effect) -> [String] {
    guard advice.phone == nil else { return [AdviceWriter.gain(effect) ?? "–"] }
    return [effect.alerts, effect.persons, effect.refreshes].map(AdviceWriter.signed)
  }

  /// Appends a row for each change, whose button shows it on the map.
  private func writeRows(to output: inout OutputBuffer) {
    for (number, proposal) in advice.proposals.enumerated() {
      let sentences = AdviceSentences(proposal)
      let effect = proposal.effect
      output.append(
        html: """
          <tr><td class="left"><button type="button" data-number="\("\(number)")">\
          \(sentences.change)</button></td><td class="left">\(sentences.why).</td>
          """)
      for number in numbers(of: effect) { output.append(html: "<td>\(number)</td>") }
      output.append("</tr>\n")
    }
  }

  // MARK: Data

  /// Appends what the map draws: each story before and after its change, and all walks.
  private func writeData(to output: inout OutputBuffer) {
    output.appendObject {
      $0.array("changes", advice.proposals.map(\.change)) { output, change in
        output.appendObject {
          let story = change.story
          $0.array("before", [story?.before].compactMap { $0 }) { Self.write($1, to: &$0) }
          $0.array("after", [story?.after].compactMap { $0 }) { Self.write($1, to: &$0) }
        }
      }
      writeSteps(to: &$0)
      let most = Self.mostVertices / max(1, tracks.count)
      $0.array("tracks", tracks) { output, track in
        let lines = track.sketch(under: advice.options.session.monitoring, mostVertices: most)
        output.appendObject {
          $0.member("name", track.name)
          $0.array("line", lines) { $0.append(line: $1, step: 1) }
        }
      }
    }
  }

  /// Where each change opens in the studio, together with the changes before it.
  private func writeSteps(to output: inout OutputBuffer) {
    guard let studio else { return }
    var (changes, rule): ([String: Place?], MonitoringOptions?) = ([:], nil)
    let steps = advice.proposals.map(\.change).map { change in
      if let (_, after) = change.story { changes[after.id] = after }
      rule = change.rule ?? rule
      return studio.at(changes: changes, rule: rule)
    }
    output.array("steps", zip(steps, advice.proposals)) { output, step in
      output.appendObject {
        StudioLink(address: step.0.address, view: step.0.view).write(to: &$0)
        $0.member("story", step.1.change.story?.after.id)
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
}
#endif
