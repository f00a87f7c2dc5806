import FencepostSession
package import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones

/// Writes the changes of stories or rules that would bring more alerts, with their reasons.
///
/// `fencepost advise` prints it. NDJSON has a `proposal` line for each change, a `story` line for
/// each story that alerts more or less often, and an `advice` line with the totals.
package struct AdviceWriter: Sendable {
  private let advice: Advice

  /// Creates a writer of both text and NDJSON.
  package init(_ advice: Advice) { self.advice = advice }

  // MARK: NDJSON

  /// Appends one JSON object per line, as the type describes.
  package func writeNDJSON(to output: inout OutputBuffer) {
    for number in advice.proposals.indices { output.appendLine { write(number, to: &$0) } }
    let titles = Dictionary(advice.places.map { ($0.id, $0.title) }) { first, _ in first }
    for id in advice.changedStories {
      let (before, after) = (advice.effect.before.stories[id], advice.effect.after.stories[id])
      output.appendLine {
        $0.member("type", "story")
        $0.member("place", id)
        $0.member("title", titles[id] ?? "")
        $0.member("alertsBefore", before?.alerts ?? 0)
        $0.member("alertsAfter", after?.alerts ?? 0)
        $0.member("personsBefore", before?.persons ?? 0)
        $0.member("personsAfter", after?.persons ?? 0)
      }
    }
    output.appendLine { writeTotals(to: &$0) }
  }

  /// Appends the members of a proposal, which people count from 1.
  ///
  /// A change of a story has its old and new values in `places`; a change of the rule has `rule`.
  private func write(_ number: Int, to output: inout OutputBuffer) {
    let proposal = advice.proposals[number]
    let sentences = AdviceSentences(proposal)
    output.member("type", "proposal")
    output.member("number", number + 1)
    output.member("kind", proposal.change.kind.rawValue)
    output.member("change", sentences.change)
    output.member("why", sentences.why)
    write(proposal.effect, to: &output)
    output.array("places", proposal.change.story.map { [$0] } ?? []) { output, story in
      let (before, after) = story
      output.appendObject {
        $0.member("place", before.id)
        $0.member("title", before.title)
        $0.members(of: before.coordinate)
        $0.member("radius", before.radiusMeters, decimals: 3)
        if after.coordinate != before.coordinate {
          $0.member("newLat", after.coordinate.latitudeDegrees, decimals: 7)
          $0.member("newLon", after.coordinate.longitudeDegrees, decimals: 7)
        }
        if after.radiusMeters != before.radiusMeters {
          $0.member("newRadius", after.radiusMeters, decimals: 3)
        }
      }
    }
    guard let rule = proposal.change.rule else { return }
    output.object("rule") {
      $0.member("limit", rule.limit)
      $0.member("refresh", rule.refresh.rawValue)
      $0.member(
        "significantChange", rule.refresh == .fixed ? rule.significantChangeMeters : nil,
        decimals: 3)
      $0.member("rank", rule.refresh == .adaptive ? "edge" : rule.rank.rawValue)
    }
  }

  /// Appends what a change gains; a negative number is a loss.
  private func write(_ effect: Advice.Effect, to output: inout OutputBuffer) {
    output.member("alerts", effect.alerts)
    if advice.options.purpose != nil {
      output.member("weighted", advice.options.points(of: effect))
    }
    output.member("persons", effect.persons)
    output.member("refreshes", effect.refreshes)
    guard effect.simulated != nil else { return }
    output.object("simulated") { Self.write(simulated: effect, to: &$0) }
  }

  /// Appends what simulated phones show on average before and after, and the gain.
  ///
  /// The gain has its 95 % interval. Nothing is appended if no phone was simulated.
  private static func write(simulated effect: Advice.Effect, to output: inout OutputBuffer) {
    guard let gain = effect.simulated else { return }
    output.member("before", effect.before.simulated?.mean, decimals: 3)
    output.member("after", effect.after.simulated?.mean, decimals: 3)
    output.member("gain", gain.mean, decimals: 3)
    output.member("interval", gain.interval, decimals: 3)
  }

  /// Appends the effect of all changes together.
  private func writeTotals(to output: inout OutputBuffer) {
    let effect = advice.effect
    output.member("type", "advice")
    output.member("proposals", advice.proposals.count)
    output.member("tried", advice.tried)
    if advice.isInterrupted { output.member("interrupted", true) }
    output.array("options", optionsOfRule) { $0.append(json: $1) }
    output.object("before") { Self.write(effect.before, to: &$0) }
    output.object("after") { Self.write(effect.after, to: &$0) }
    if let chance = advice.options.chance {
      output.object("phone") {
        $0.member("profile", chance.profiles.first?.name ?? "")
        $0.member("trials", chance.simulation.trials)
        Self.write(simulated: effect, to: &$0)
      }
    }
    guard let purpose = advice.options.purpose else { return }
    output.object("purpose") {
      $0.member("stories", purpose.weights.count)
      $0.member("before", advice.options.points(of: effect.before))
      $0.member("after", advice.options.points(of: effect.after))
    }
  }

  /// Appends the numbers of the walks under one set of rules and stories.
  private static func write(_ tally: AdviceTally, to output: inout OutputBuffer) {
    output.member("tracks", tally.tracks)
    output.member("persons", tally.persons)
    output.members(of: tally.counts)
    output.member("recall", tally.recall, decimals: 6)
    output.member("reached", tally.reached)
    output.member("refreshes", tally.refreshes)
    output.member("lengthMillimeters", tally.lengthMillimeters)
    output.member("refreshesPerKilometer", tally.refreshesPerKilometer, decimals: 4)
  }

  /// The options that turn the rule before into the rule after all changes.
  ///
  /// A user adds them to the command to try the rule; empty if only stories change.
  package var optionsOfRule: [String] {
    advice.session.monitoring.arguments(insteadOf: advice.options.session.monitoring)
  }

  // MARK: Text

  /// Appends a table of the changes, the reason for each, and the totals.
  package func writeText(to output: inout OutputBuffer, layout: TextLayout) {
    if !advice.proposals.isEmpty {
      writeTable(to: &output, layout)
      layout.writeHeading("Why", to: &output)
      for (number, proposal) in advice.proposals.enumerated() {
        let why = AdviceSentences(proposal).why
        output.append(verbatim: "\(number + 1)  \(why.forTerminal)\n")
      }
      output.append("\n")
    }
    for line in lines { output.append(verbatim: line.forTerminal + "\n") }
  }

  /// Appends a row for each change, with its counts or, on a simulated phone, its gain.
  private func writeTable(to output: inout OutputBuffer, _ layout: TextLayout) {
    let hasPurpose = advice.options.purpose != nil
    let columns: [TextTable.Column]
    if let phone {
      columns = [.left("Change"), .right((hasPurpose ? "weighted " : "") + "alerts on \(phone)")]
    } else {
      columns =
        [.left("Change"), "alerts", "readers", "lookups"] + (hasPurpose ? ["weighted"] : [])
    }
    let rows = advice.proposals.enumerated().map { number, proposal in
      let effect = proposal.effect
      let change = "\(number + 1)  \(AdviceSentences(proposal).change)"
      guard phone == nil else { return [change, Self.gain(effect) ?? "–"] }
      return [
        change, Self.signed(effect.alerts), Self.signed(effect.persons),
        Self.signed(effect.refreshes),
      ] + (hasPurpose ? [Self.signed(advice.options.points(of: effect))] : [])
    }
    TextTable(columns, rows).write(to: &output, layout: layout)
  }

  /// The totals in sentences without a final period.
  ///
  /// They begin with the walks and the rule. Without a proposal, the first says that nothing helps.
  /// On a simulated phone, counts and recall are left out, because they are those of a perfect
  /// phone.
  package var lines: [String] {
    let (before, after) = (advice.effect.before, advice.effect.after)
    let walks =
      "\(ReportNumber.counted(before.tracks, "walk")) of "
      + "\(ReportNumber.counted(before.persons, "reader")); rule: "
      + advice.options.session.monitoring.sentence()
    guard !advice.proposals.isEmpty else {
      let nothing = "No change within your limits gains an alert; keep the stories as they are"
      return [nothing, walks, purpose].compactMap { $0 }
    }
    guard phone == nil else {
      return [walks, purpose, simulated, Self.optimistic].compactMap { $0 }
    }
    return [
      walks, purpose, simulated,
      "Alerts: \(ReportNumber.change(before.counts.alerts, after.counts.alerts)). Recall: "
        + "\(ReportNumber.percent(before.recall)) before, \(ReportNumber.percent(after.recall)) after",
      "Stories reach \(ReportNumber.counted(after.reached, "reader")) instead of "
        + "\(ReportNumber.count(before.reached)), counting each reader once per story",
      "Lookups: \(ReportNumber.change(before.refreshes, after.refreshes))",
      Self.optimistic,
    ].compactMap { $0 }
  }

  private static let optimistic =
    "These gains are optimistic: the changes were chosen on the same walks"

  /// The name of the simulated phone; nil for a perfect one.
  private var phone: String? { advice.phone }

  /// Which phone the alerts are counted on, and what it shows before and after.
  private var simulated: String {
    guard let phone, let chance = advice.options.chance else {
      return "These are the alerts of a perfect phone"
    }
    guard let before = advice.effect.before.simulated?.mean,
      let after = advice.effect.after.simulated?.mean, let gain = Self.gain(advice.effect)
    else { return "No phone could be simulated: the walks have no times" }
    let weighted = advice.options.purpose == nil ? "" : ", weighted"
    return
      "Phones show \(ReportNumber.mean(before)) alerts before on \(phone)\(weighted), and "
      + "\(ReportNumber.mean(after)) after: \(gain) more (95 % interval), in "
      + ReportNumber.counted(chance.simulation.trials, "trial")
  }

  /// Text such as `2.8 (1.9 to 3.7)`.
  ///
  /// Nil if no phone was simulated.
  package static func gain(_ effect: Advice.Effect) -> String? {
    effect.simulated.map { gain in
      func text(_ alerts: Double) -> String { ReportNumber.mean(alerts) }
      return "\(text(gain.mean)) (\(text(gain.interval.lowerBound)) to "
        + "\(text(gain.interval.upperBound)))"
    }
  }

  /// Which stories count and how much, and how their alerts change; nil if all count alike.
  private var purpose: String? {
    guard let purpose = advice.options.purpose else { return nil }
    let (options, effect) = (advice.options, advice.effect)
    let stories = ReportNumber.counted(purpose.weights.count, "story")
    let most = purpose.weights.values.max() ?? 0
    let weights = most == 1 ? "" : ", each 1 to \(ReportNumber.count(most)) by priority"
    let points = (options.points(of: effect.before), options.points(of: effect.after))
    let change = phone == nil ? ": \(ReportNumber.change(points.0, points.1))" : ""
    return "Only alerts of \(stories) count\(weights)\(change)"
  }

  /// Text such as `+3` or `−1`.
  package static func signed(_ value: Int) -> String {
    value == 0 ? "0" : (value < 0 ? "−" : "+") + ReportNumber.count(Int(value.magnitude))
  }
}
