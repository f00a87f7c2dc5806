#if Command
import FencepostAnalysis
import FencepostPhones
import FencepostReporting

/// What the page shows of simulated phones: a section, its data, and parts of tables and the map.
///
/// Numbers of several phones share their scales, so that plots can be compared.
struct PagePhones {
  /// The number of bars in a histogram.
  private static let spans = 24

  private let options: ChanceOptions
  private let totals: [ProfileTotals]
  private let stories: [Story]

  /// Nil if no phone was simulated.
  init?(_ settings: AnalysisSettings, _ totals: AnalysisTotals, stories: [Story]) {
    guard let chance = settings.chance, !totals.profiles.isEmpty else { return nil }
    options = chance
    self.totals = totals.profiles
    self.stories = stories
  }

  // MARK: Section

  /// Appends the text above and below the plots.
  func writeSummary(to output: inout OutputBuffer) {
    for (number, profile) in totals.enumerated() {
      let title = options.profiles.first { $0.name == profile.name }?.title ?? profile.name
      output.append(html: "<h3>\(title)</h3><div id=\"dots-\(String(number))\"></div>")
      let sentences = ChanceSentences(options, profile)
      for line in sentences.lines {
        output.append(html: "<p>\(line.dropFirst(profile.name.count + 2).sentenceCase).</p>")
      }
      if let words = sentences.mostUncertain {
        output.append(html: "<p>\(words).</p>")
      }
      writeDoubts(of: profile, to: &output)
      writeWarning(of: profile, to: &output)
    }
  }

  /// Appends the stories whose circles a phone does not notice.
  private func writeWarning(of profile: ProfileTotals, to output: inout OutputBuffer) {
    let small = profile.ordered.filter { $0.odds.isTooSmall }
    guard !small.isEmpty else { return }
    let circles =
      small.count == 1
      ? "1 circle is" : "\(ReportNumber.count(small.count)) circles are"
    output.append(
      html: """
        <div class="notice" role="note"><p><strong class="bad">\(circles) too small for \(profile.name) \
        to notice in time.</strong></p><ul class="plain">
        """)
    for (story, odds) in small.prefix(40) {
      let radius = ReportNumber.distance(stories[story].radiusMeters)
      let share = ReportNumber.phones(odds.shown.share, of: profile.trials)
      output.append(
        html: "<li><bdi>\(stories[story].pageName)</bdi>: \(radius), \(share) of phones alert</li>")
    }
    if small.count > 40 {
      output.append(html: "<li>… and \(ReportNumber.count(small.count - 40)) more</li>")
    }
    output.append("</ul></div>")
  }

  /// Appends how much depends on unknown properties of the phone.
  private func writeDoubts(of profile: ProfileTotals, to output: inout OutputBuffer) {
    let doubts = profile.largestDoubts.filter { $0.trials > 0 }
    guard let first = doubts.first else { return }
    let runs = ReportNumber.counted(options.doubtTrials, "run")
    let now = options.share(first.alerts, in: first)
    output.append(
      html: """
        <details><summary>How the result changes if an assumption about \(profile.name) is wrong</summary>\
        <p>The chance with the lowest and the highest plausible value of one assumption at a time, in \
        \(runs) each. With the values in use it is \(now).</p><div class="scroll" tabindex="0"><table><thead><tr>\
        <th scope="col">Assumption</th><th scope="col">Basis</th><th scope="col">Low</th>\
        <th scope="col">Chance</th><th scope="col">High</th><th scope="col">Chance</th>\
        </tr></thead><tbody>
        """)
    for doubt in doubts {
      output.append(
        html: """
          <tr><td>\(doubt.words)</td><td>\(doubt.basis)</td><td>\(doubt.low)</td>\
          <td>\(options.share(doubt.lowAlerts, in: doubt))</td><td>\(doubt.high)</td>\
          <td>\(options.share(doubt.highAlerts, in: doubt))</td></tr>
          """)
    }
    output.append("</tbody></table></div></details>")
  }

  // MARK: Data

  /// Appends the member `phones`, each with its numbers and distributions.
  func write(to output: inout OutputBuffer) {
    let delays = Self.range(totals.map(\.all.chance.delaySeconds))
    let distances = Self.range(totals.map(\.all.chance.fromEdgeMeters))
    output.array("phones", totals) { array, profile in
      array.appendObject {
        $0.member("name", profile.name)
        $0.member("mean", profile.meanAlerts, decimals: 4)
        $0.members(ofOddsIn: profile)
        write("delays", profile.all.chance.delaySeconds, delays, to: &$0)
        write("distances", profile.all.chance.fromEdgeMeters, distances, to: &$0)
        $0.key("dots")
        $0.append(PhoneDots(alerts: profile.all.chance))
      }
    }
  }

  /// Appends a distribution as counts in equal spans of the range, and five quantiles.
  private func write(
    _ key: StaticString, _ sketch: QuantileSketch, _ range: ClosedRange<Double>,
    to output: inout OutputBuffer
  ) {
    output.object(key) { output in
      output.member("from", range.lowerBound, decimals: 1)
      output.member("to", range.upperBound, decimals: 1)
      output.array(
        "counts",
        sketch.histogram(from: range.lowerBound, to: range.upperBound, spans: Self.spans)
      ) { $0.append(decimal: $1) }
      output.array("quantiles", [0.1, 0.25, 0.5, 0.75, 0.9]) {
        $0.append(sketch.quantile($1) ?? .nan, decimals: 1)
      }
    }
  }

  /// The range of nearly all values of all profiles, with rounded ends.
  private static func range(_ sketches: [QuantileSketch]) -> ClosedRange<Double> {
    let low = sketches.compactMap { $0.quantile(0.02) }.min() ?? 0
    let high = sketches.compactMap { $0.quantile(0.98) }.max() ?? 1
    let steps = [1.0, 10, 100, 1000, 10_000].flatMap { power in [1, 2, 5].map { $0 * power } }
    let step = steps.first { low + $0 * Double(spans - 1) >= high } ?? 100_000
    let from = (low / step).rounded(.down) * step
    return from...(from + step * Double(spans))
  }

  /// Appends what the phones do with a story, or `null`.
  func write(story: Int, to output: inout OutputBuffer) {
    let odds = totals.map { $0.stories[story] }
    guard odds.contains(where: { $0 != nil }) else { return output.append("null") }
    output.appendArray(zip(totals, odds)) { output, item in
      guard let odds = item.1 else { return output.append("null") }
      output.append("[")
      output.append(odds.shown.share, decimals: 4)
      output.append(odds.isTooSmall ? ",1," : ",0,")
      output.append(json: ChanceSentences.story(item.0.name, odds))
      output.append(",")
      output.append(PhoneDots(phones: odds.chance))
      output.append(",")
      output.append(json: odds.chance.mainLoss?.outcome.name ?? "")
      output.append(",")
      output.append(odds.shown.mean, decimals: 4)
      output.append(odds.tracks > 0 ? ",1]" : ",0]")
    }
  }
}

extension Substring {
  /// The text with its first letter in upper case.
  fileprivate var sentenceCase: String { prefix(1).uppercased() + dropFirst() }
}
#endif
