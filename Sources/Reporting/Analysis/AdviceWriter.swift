import Fencepost
package import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

/// Writes advice.
///
/// NDJSON has a `proposal` line for each change, a `story` line for each story that alerts more or
/// less often, and an `advice` line with the totals.
package struct AdviceWriter: Sendable {
  private let advice: Advice

  package init(_ advice: Advice) { self.advice = advice }

  private func sentences(of proposal: Advice.Proposal) -> AdviceSentences {
    AdviceSentences(proposal, advice.options)
  }

  // MARK: NDJSON

  package func writeNDJSON(to output: inout OutputBuffer) {
    for number in advice.proposals.indices { output.appendLine { write(number, to: &$0) } }
    let titles = Dictionary(
      (advice.places + advice.proposals.flatMap(\.change.before)).map { ($0.id, $0.title) }
    ) { first, _ in first }
    for id in advice.changedStories {
      let (before, after) = (advice.whole.before.stories[id], advice.whole.after.stories[id])
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

  func write(_ number: Int, to output: inout OutputBuffer) {
    let proposal = advice.proposals[number]
    let sentences = sentences(of: proposal)
    output.member("type", "proposal")
    output.member("number", number + 1)
    output.member("kind", proposal.change.kind.rawValue)
    output.member("change", sentences.change)
    output.member("why", sentences.why)
    write(proposal.effect, to: &output)
    if let keptBack = proposal.keptBack { output.object("keptBack") { write(keptBack, to: &$0) } }
    let after = proposal.change.after
    output.array("places", proposal.change.before) { output, place in
      output.appendObject {
        $0.member("place", place.id)
        $0.member("title", place.title)
        $0.members(of: place.coordinate)
        $0.member("radius", place.radiusMeters, decimals: 3)
        guard let after, after.id == place.id else { return $0.member("removed", true) }
        if after.coordinate != place.coordinate {
          $0.member("newLat", after.coordinate.latitudeDegrees, decimals: 7)
          $0.member("newLon", after.coordinate.longitudeDegrees, decimals: 7)
        }
        if after.radiusMeters != place.radiusMeters {
          $0.member("newRadius", after.radiusMeters, decimals: 3)
        }
        if after.blurb != place.blurb { $0.member("newBlurb", after.blurb) }
        if after.publishedMilliseconds != place.publishedMilliseconds {
          $0.member("newPublished", jsonTime: after.publishedMilliseconds)
        }
        if after.expiresMilliseconds != place.expiresMilliseconds {
          $0.member("newExpires", jsonTime: after.expiresMilliseconds)
        }
      }
    }
    if let hours = proposal.change.quietHours { output.member("quietHours", hours.text) }
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

  private func write(_ effect: Advice.Effect, to output: inout OutputBuffer) {
    output.member("alerts", effect.alerts)
    if advice.options.purpose != nil { output.member("weighted", advice.points(effect)) }
    output.member("persons", effect.persons)
    output.member("refreshes", effect.refreshes)
    output.member("mostAlertsPerDay", effect.after.fatigue.most)
    guard effect.simulated != nil else { return }
    output.object("simulated") { Self.write(simulated: effect, to: &$0) }
  }

  private static func write(simulated effect: Advice.Effect, to output: inout OutputBuffer) {
    guard let gain = effect.simulated else { return }
    output.member("before", effect.before.simulated?.mean, decimals: 3)
    output.member("after", effect.after.simulated?.mean, decimals: 3)
    output.member("gain", gain.mean, decimals: 3)
    output.member("interval", gain.interval, decimals: 3)
  }

  private static func write(beforeAndAfter effect: Advice.Effect, to output: inout OutputBuffer) {
    output.object("before") { write(effect.before, to: &$0) }
    output.object("after") { write(effect.after, to: &$0) }
  }

  func writeTotals(to output: inout OutputBuffer) {
    output.member("type", "advice")
    output.member("proposals", advice.proposals.count)
    output.member("tried", advice.tried)
    if advice.isInterrupted { output.member("interrupted", true) }
    output.array("options", optionsOfRule) { $0.append(json: $1) }
    output.array("removed", advice.removedIDs) { $0.append(json: $1) }
    Self.write(beforeAndAfter: advice.whole, to: &output)
    if let chance = advice.options.chance {
      output.object("phone") {
        $0.member("profile", chance.profiles.first?.name ?? "")
        $0.member("trials", chance.simulation.trials)
        Self.write(simulated: advice.whole, to: &$0)
      }
    }
    writeStanding(to: &output)
    guard let keptBack = advice.keptBack else { return }
    output.object("advised") { Self.write(beforeAndAfter: advice.effect, to: &$0) }
    output.object("keptBack") { Self.write(beforeAndAfter: keptBack, to: &$0) }
  }

  /// Appends what the advice is for, and how near it comes to the best possible.
  private func writeStanding(to output: inout OutputBuffer) {
    let (before, after) = (advice.effect.before, advice.effect.after)
    if let purpose = advice.options.purpose {
      output.object("purpose") {
        $0.member("stories", purpose.weights.count)
        $0.member("before", advice.options.points(of: before))
        $0.member("after", advice.options.points(of: after))
      }
    }
    if let best = advice.best {
      output.object("best") {
        $0.member("reached", advice.options.points(of: after))
        $0.member("bound", best)
      }
    }
    guard let most = advice.options.mostAfterwards else { return }
    output.object("excess") {
      $0.member("over", most)
      $0.member("before", before.fatigue.excess(over: most))
      $0.member("after", after.fatigue.excess(over: most))
      $0.member("daysBefore", before.fatigue.days(over: most))
      $0.member("daysAfter", after.fatigue.days(over: most))
      $0.member("lost", before.counts.alerts - after.counts.alerts)
    }
  }

  private static func write(_ tally: AdviceTally, to output: inout OutputBuffer) {
    output.member("tracks", tally.tracks)
    output.member("persons", tally.persons)
    output.members(of: tally.counts)
    output.member("recall", tally.recall, decimals: 6)
    output.member("reached", tally.reached)
    output.member("refreshes", tally.refreshes)
    output.member("lengthMillimeters", tally.lengthMillimeters)
    output.member("refreshesPerKilometer", tally.refreshesPerKilometer, decimals: 4)
    output.member("personDays", tally.fatigue.days)
    output.member("mostAlertsPerDay", tally.fatigue.most)
  }

  /// The options that turn the rules before into the rules after all changes.
  package var optionsOfRule: [String] {
    let (before, after) = (advice.options.session, advice.session)
    let options = after.monitoring.arguments(insteadOf: before.monitoring)
    guard let hours = after.alerts.quietHours, hours != before.alerts.quietHours else {
      return options
    }
    return options + ["--quiet-hours", hours.text]
  }

  // MARK: CSV

  package func writeCSV(to output: inout OutputBuffer) {
    output.append("number,kind,places,change,why,alerts,persons,refreshes,most_alerts_per_day,")
    output.append("kept_back_alerts,kept_back_persons,weighted\r\n")
    for (number, proposal) in advice.proposals.enumerated() {
      let sentences = sentences(of: proposal)
      output.append(decimal: number + 1)
      output.fields(
        proposal.change.kind.rawValue, proposal.change.before.map(\.id).joined(separator: " "),
        sentences.change, sentences.why)
      output.fields(
        proposal.effect.alerts, proposal.effect.persons, proposal.effect.refreshes,
        proposal.effect.after.fatigue.most, proposal.keptBack?.alerts, proposal.keptBack?.persons,
        advice.options.purpose.map { _ in advice.points(proposal.effect) })
      output.append("\r\n")
    }
  }

  // MARK: Text

  package func writeText(to output: inout OutputBuffer, layout: TextLayout) {
    if !advice.proposals.isEmpty {
      writeTable(to: &output, layout)
      layout.writeHeading("Why", to: &output)
      for (number, proposal) in advice.proposals.enumerated() {
        let why = sentences(of: proposal).why
        output.append(verbatim: "\(number + 1)  \(why.forTerminal)\n")
      }
      output.append("\n")
    }
    for line in lines { output.append(verbatim: line.forTerminal + "\n") }
  }

  private func writeTable(to output: inout OutputBuffer, _ layout: TextLayout) {
    let hasTest = advice.keptBack != nil
    let hasPurpose = advice.options.purpose != nil
    let columns: [TextTable.Column] =
      [.left("Change"), "alerts", "readers", "lookups", "most per day"]
      + (hasPurpose ? ["weighted"] : []) + (phone.map { [.right("on \($0)")] } ?? [])
      + (hasTest ? ["kept back"] : [])
    let rows = advice.proposals.enumerated().map { number, proposal in
      let effect = proposal.effect
      return [
        "\(number + 1)  \(sentences(of: proposal).change)", Self.signed(effect.alerts),
        Self.signed(effect.persons), Self.signed(effect.refreshes), Self.most(effect.after),
      ] + (hasPurpose ? [Self.signed(advice.points(effect))] : [])
        + (phone == nil ? [] : [Self.gain(effect) ?? "–"])
        + (hasTest ? [Self.signed(proposal.keptBack?.alerts ?? 0)] : [])
    }
    TextTable(columns, rows).write(to: &output, layout: layout)
  }

  private static func most(_ tally: AdviceTally) -> String {
    tally.fatigue.most.map(String.init) ?? "–"
  }

  /// The totals in sentences without a final period.
  package var lines: [String] {
    let whole = advice.whole
    let walks =
      "\(ReportNumber.counted(whole.before.tracks, "walk")) of "
      + "\(ReportNumber.counted(whole.before.persons, "reader")); rule: "
      + advice.options.session.monitoring.sentence()
    var lines = [advice.proposals.isEmpty ? nothingGained : nil, heldBackByDates, walks, purpose]
      .compactMap { $0 }
    guard !advice.proposals.isEmpty else { return lines + standing }
    lines += [simulated] + Self.lines(whole) + standing
    if let keptBack = advice.keptBack {
      lines.append(
        "Alerts on the \(ReportNumber.counted(keptBack.before.tracks, "walk")) kept back: "
          + "\(Self.alerts(keptBack)); on the "
          + "\(ReportNumber.counted(advice.effect.before.tracks, "walk")) used to choose the "
          + "changes: \(Self.alerts(advice.effect))")
    } else {
      lines.append(
        "Measured on the walks used to choose the changes, so optimistic. "
          + "To keep some back for measuring: --test-share 0.3")
    }
    return lines
  }

  /// The name of the simulated phone; nil if none was asked.
  private var phone: String? { advice.options.chance?.profiles.first?.name }

  private var simulated: String {
    guard let phone, let chance = advice.options.chance else {
      return "Counted by the rule alone, no phone was asked. What a phone makes of it: --profile"
    }
    guard let before = advice.whole.before.simulated?.mean,
      let after = advice.whole.after.simulated?.mean, let gain = Self.gain(advice.whole)
    else { return "No phone could be simulated: the walks have no times" }
    let weighted = advice.options.purpose == nil ? "" : ", weighted"
    return
      "On \(phone), simulated\(weighted): \(ReportNumber.text(before, decimals: 1)) alerts before, "
      + "\(ReportNumber.text(after, decimals: 1)) after, a gain of \(gain) (95 % interval); "
      + ReportNumber.counted(chance.simulation.trials, "trial")
      + ", other random numbers than those that chose the changes"
  }

  /// Text such as `2.8 (1.9 to 3.7)`.
  private static func gain(_ effect: Advice.Effect) -> String? {
    effect.simulated.map { gain in
      func text(_ alerts: Double) -> String { ReportNumber.text(alerts, decimals: 1) }
      return "\(text(gain.mean)) (\(text(gain.interval.lowerBound)) to "
        + "\(text(gain.interval.upperBound)))"
    }
  }

  private var nothingGained: String {
    if let most = advice.options.mostAfterwards {
      let excess = advice.whole.before.fatigue.excess(over: most)
      return excess == 0
        ? "No day has more than \(ReportNumber.counted(most, "alert")); keep the stories as they are"
        : "No change within your limits brings a day nearer to \(ReportNumber.counted(most, "alert"))"
    }
    let fatigue = advice.whole.before.fatigue
    guard let most = advice.options.mostAlertsPerDay, fatigue.days(over: most) > 0 else {
      return "No change within your limits gains \(gainWanted); keep the stories as they are"
    }
    return "No change gains \(gainWanted) and keeps to \(most) per reader and day: "
      + "\(ReportNumber.count(fatigue.days(over: most))) of "
      + "\(ReportNumber.counted(fatigue.days, "day")) already have more"
  }

  private var purpose: String? {
    guard let purpose = advice.options.purpose else { return nil }
    let (options, effect) = (advice.options, advice.effect)
    let stories = ReportNumber.counted(purpose.weights.count, "story")
    let most = purpose.greatestWeight
    let weights = most == 1 ? "" : ", each 1 to \(ReportNumber.count(most)) by priority"
    let points = (options.points(of: effect.before), options.points(of: effect.after))
    return "Only alerts of \(stories) count\(weights): \(ReportNumber.change(points.0, points.1))"
  }

  /// How near the advice comes to the best possible.
  private var standing: [String] {
    let (effect, tally) = (advice.effect, advice.effect.after)
    let alerts = advice.options.purpose == nil ? "alerts" : "weighted alerts"
    if let most = advice.options.mostAfterwards {
      let (before, after) = (
        effect.before.fatigue.excess(over: most), tally.fatigue.excess(over: most)
      )
      guard before > 0 else { return [] }
      var lines = [
        "\(AdviceSentences.excess(effect, over: most)), on "
          + "\(ReportNumber.counted(tally.fatigue.days(over: most), "day"))"
      ]
      if after == 0 {
        lines.append(
          "The days with too many had to lose at least \(ReportNumber.count(before)); "
            + "with these changes \(ReportNumber.counted(-effect.alerts, "alert")) "
            + "\(effect.alerts == -1 ? "is" : "are") lost in all")
      }
      return lines
    }
    guard let best = advice.best else { return [] }
    let reached = advice.options.points(of: tally)
    let changes = ReportNumber.counted(advice.options.mostChanges, "change")
    guard reached < best else {
      return ["No \(changes) of these kinds can bring more \(alerts): this is the best possible"]
    }
    let share = ReportNumber.percent(Double(reached) / Double(best))
    return [
      "No \(changes) of these kinds can bring more than \(ReportNumber.count(best)) \(alerts); "
        + "these bring \(ReportNumber.count(reached)), at least \(share) of the best possible"
    ]
  }

  /// What dates hold back that `--only dates` could change; nil if it was asked, or nothing is.
  private var heldBackByDates: String? {
    let held = advice.whole.before.counts.suppressed
    let count = held[.notPublished, default: 0] + held[.expired, default: 0]
    guard count > 0, advice.options.mostAfterwards == nil,
      !advice.options.kinds.contains(.dates)
    else { return nil }
    return "The dates of stories held back \(ReportNumber.counted(count, "entry")). "
      + "To see which other dates would help: --only dates"
  }

  private var gainWanted: String {
    advice.options.leastGain == 1
      ? "an alert" : ReportNumber.counted(advice.options.leastGain, "alert")
  }

  private static func alerts(_ effect: Advice.Effect) -> String {
    ReportNumber.change(effect.before.counts.alerts, effect.after.counts.alerts)
  }

  private static func lines(_ effect: Advice.Effect) -> [String] {
    let (before, after) = (effect.before, effect.after)
    func recall(_ tally: AdviceTally) -> String { ReportNumber.percent(tally.recall) }
    return [
      "Alerts: \(alerts(effect)). Recall: \(recall(before)) before, \(recall(after)) after",
      "Stories reach \(ReportNumber.counted(after.reached, "reader")) instead of "
        + "\(ReportNumber.count(before.reached)), counting each reader once per story",
      "Lookups: \(ReportNumber.change(before.refreshes, after.refreshes)). Most alerts per reader "
        + "and day: \(most(before)) before, \(most(after)) after",
    ]
  }

  private static func signed(_ value: Int) -> String {
    value == 0 ? "0" : (value < 0 ? "−" : "+") + ReportNumber.count(Int(value.magnitude))
  }
}
