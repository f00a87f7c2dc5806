import Fencepost
public import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
public import FencepostNotifications
import FencepostPhones

/// Writes why one story alerted on one track, or why not.
public struct ExplanationWriter: Sendable {
  private let explanation: StoryExplanation
  private let zone: ClockZone

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - explanation: The explanation to write.
  ///   - zone: The zone of the times in the text form; NDJSON has UTC.
  public init(_ explanation: StoryExplanation, zone: ClockZone = .utc) {
    self.explanation = explanation
    self.zone = zone
  }

  // MARK: NDJSON

  /// Appends lines of types `explanation`, `refresh`, `crossing` and `check`.
  public func writeNDJSON(to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "explanation")
      $0.member("track", explanation.account.track)
      $0.member("place", explanation.story.id)
      $0.member("title", explanation.story.title)
      $0.member("radius", explanation.story.radiusMeters, decimals: 3)
      $0.member("verdict", explanation.verdict.verdict.rawValue)
      $0.member("reason", explanation.verdict.reason?.rawValue)
      $0.member("inside", explanation.verdict.isInsideAtStart)
      $0.members(of: explanation.verdict.counts)
      if let approach = explanation.approach {
        $0.object("nearest") {
          $0.member("distance", approach.distanceMeters, decimals: 2)
          $0.member("fix", approach.fix)
          $0.member("time", jsonTime: approach.timeMilliseconds)
          $0.members(of: approach.coordinate)
        }
      }
    }
    for refresh in explanation.refreshes { write(refresh, to: &output) }
    for edge in explanation.edges { write(edge, to: &output) }
    for (entry, how) in zip(explanation.entries, explanation.explanations) {
      write(entry, how, to: &output)
    }
    for prediction in explanation.predictions { output.append(jsonLineOf: prediction) }
  }

  private func write(_ refresh: StoryExplanation.Refreshing, to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "refresh")
      $0.member("fix", refresh.fix)
      $0.member("time", jsonTime: refresh.timeMilliseconds)
      $0.members(of: refresh.coordinate)
      $0.member("monitored", refresh.isMonitored)
      if let ranking = refresh.ranking { $0.members(of: ranking) }
    }
  }

  private func write(_ edge: StoryExplanation.Edge, to output: inout OutputBuffer) {
    output.appendLine {
      if edge.kind == .dwell {
        $0.member("type", "dwell")
      } else {
        $0.member("type", "crossing")
        $0.member("enter", edge.kind == .enter)
      }
      $0.member("fix", edge.fix)
      $0.member("fraction", edge.fraction, decimals: Decimals.fraction)
      $0.member("time", jsonTime: edge.timeMilliseconds)
      $0.members(of: edge.coordinate)
      if edge.acrossBreak { $0.member("across", "break") }
      if explanation.showsCrossed { $0.member("crossed", jsonTime: edge.crossedMilliseconds) }
      if !edge.isConfirmed { $0.member("confirmed", false) }
    }
  }

  private func write(
    _ entry: EntryRecord, _ how: AlertExplanation?, to output: inout OutputBuffer
  ) {
    output.appendLine {
      $0.member("type", "entry")
      $0.member("place", explanation.story.id)
      $0.members(of: entry)
      $0.array("checks", how?.checks ?? []) { array, check in
        array.appendObject {
          $0.member("rule", check.rule.rawValue)
          $0.member("outcome", check.outcome.rawValue)
          for input in check.inputs {
            $0.key(named: input.name)
            $0.append(json: text(input.value, in: .utc))
          }
        }
      }
    }
  }

  // MARK: Text

  /// Appends about a screen of sentences.
  public func writeText(to output: inout OutputBuffer, layout: TextLayout) {
    let story = explanation.story
    let name = story.title.isEmpty ? story.id : "\(story.title) (\(story.id))"
    output.append(line: name, style: layout.style(.bold))
    var lines = [
      "on \(explanation.account.track): \(verdictSentence)",
      "circle: \(ReportNumber.distance(story.radiusMeters)) around "
        + Self.text(story.coordinate),
    ]
    if let approach = explanation.approach {
      let edge = approach.distanceMeters - story.radiusMeters
      lines.append(
        "nearest: \(ReportNumber.distance(approach.distanceMeters)) from the centre, "
          + "\(ReportNumber.distance(abs(edge))) \(edge > 0 ? "outside" : "inside") the circle, "
          + moment(approach.fix, approach.timeMilliseconds) + " at "
          + Self.text(approach.coordinate))
    }
    for line in lines { output.append(verbatim: line.forTerminal + "\n") }
    section("Monitored", monitoringLines, layout, to: &output)
    section("Crossings", crossingLines, layout, to: &output)
    for (entry, how) in zip(explanation.entries, explanation.explanations) {
      guard let how else { continue }
      section(
        "Policy for the entry \(moment(entry.fix, entry.timeMilliseconds))",
        how.checks.map { sentence($0) }, layout, to: &output)
    }
    for prediction in explanation.predictions {
      section(
        "On a real phone: \(prediction.profile.title)",
        PredictionSentences(prediction, explanation.alertsOn).lines, layout, to: &output)
    }
  }

  private func section(
    _ title: String, _ lines: [String], _ layout: TextLayout, to output: inout OutputBuffer
  ) {
    output.append("\n")
    output.append(line: title, style: layout.style(.bold))
    for line in lines { output.append(verbatim: "  " + line.forTerminal + "\n") }
  }

  private var verdictSentence: String {
    let counts = explanation.verdict.counts
    switch explanation.verdict.verdict {
    case .alerted: return "alerted, \(ReportNumber.counted(counts.alerts, "time"))"
    case .suppressed:
      return "suppressed: \(explanation.verdict.reason?.rawValue ?? "by the policy")"
    case .late: return "late: found only because a later refresh saw the device inside"
    case .missed: return "missed: not monitored when it was entered"
    case .insideAtStart: return "inside when the track began, and never entered from outside"
    case .neverCrossed:
      return explanation.edges.isEmpty
        ? "never crossed" : "no \(explanation.alertsOn.rawValue) was confirmed"
    }
  }

  /// A line for each run of refreshes with the same answer; many lines are cut in the middle.
  private var monitoringLines: [String] {
    if explanation.monitorsAll { return ["always: every place is monitored"] }
    var lines: [String] = []
    var start = 0
    let refreshes = explanation.refreshes
    while start < refreshes.count {
      let isMonitored = refreshes[start].isMonitored
      var end = start
      while end < refreshes.count, refreshes[end].isMonitored == isMonitored { end += 1 }
      lines.append(stretch(refreshes[start..<end], until: end < refreshes.count ? end : nil))
      start = end
    }
    if lines.isEmpty { return ["never: the store was not asked"] }
    return Self.abridged(lines, keeping: 7) {
      ReportNumber.counted($0, "more stretch", "more stretches")
    }
  }

  private func stretch(
    _ refreshes: ArraySlice<StoryExplanation.Refreshing>, until end: Int?
  ) -> String {
    guard let first = refreshes.first else { return "" }
    var line = first.isMonitored ? "yes, from " : "no,  from "
    line += moment(first.fix, first.timeMilliseconds)
    if let end {
      let next = explanation.refreshes[end]
      line += " to \(moment(next.fix, next.timeMilliseconds))"
    } else {
      line += " to the end"
    }
    let rankings = refreshes.compactMap(\.ranking)
    if let best = rankings.min(by: { $0.rank < $1.rank }), let worst = rankings.map(\.rank).max() {
      line += best.rank == worst ? ", rank \(best.rank)" : ", rank \(best.rank) to \(worst)"
      line +=
        " (at best \(ReportNumber.distance(best.distanceMeters)); the last one let in: "
        + "\(ReportNumber.distance(best.lastDistanceMeters)))"
    }
    return line + ", \(ReportNumber.counted(refreshes.count, "refresh", "refreshes"))"
  }

  private var crossingLines: [String] {
    guard !explanation.edges.isEmpty else {
      return [explanation.verdict.isInsideAtStart ? "none; inside from the start" : "none"]
    }
    var entries = explanation.entries.makeIterator()
    let lines = explanation.edges.map { edge in
      let line =
        (edge.kind == .exit ? "exit " : edge.kind.rawValue)
        + " \(moment(edge.fix, edge.timeMilliseconds)) at "
        + Self.text(edge.coordinate) + (edge.acrossBreak ? ", across a break" : "")
        + crossed(edge) + (edge.isConfirmed ? "" : ", not confirmed")
      guard edge.isConfirmed, edge.kind == explanation.alertsOn, let entry = entries.next() else {
        return line
      }
      return line + ": " + outcome(of: entry)
    }
    return Self.abridged(lines, keeping: 8) { ReportNumber.counted($0, "more crossing") }
  }

  /// When the path met the edge, if that was not at the same time.
  private func crossed(_ edge: StoryExplanation.Edge) -> String {
    guard explanation.showsCrossed, let crossed = edge.crossedMilliseconds,
      crossed != edge.timeMilliseconds
    else { return "" }
    return ", crossed \(moment(edge.fix, crossed))"
  }

  /// The lines, of which too many lose their middle: `count` stay before it and one fewer behind it.
  private static func abridged(
    _ lines: [String], keeping count: Int, rest: (Int) -> String
  ) -> [String] {
    guard lines.count > 2 * count else { return lines }
    let left = lines.count - (2 * count - 1)
    return lines.prefix(count) + ["… \(rest(left)) …"] + lines.suffix(count - 1)
  }

  private func outcome(of entry: EntryRecord) -> String {
    switch entry.cause {
    case .found, .extra:
      if entry.isAlert { return "alert" }
      return "suppressed (\(entry.suppression?.rawValue ?? "by the policy"))"
    case .late:
      let found = entry.foundFix.map { moment($0, entry.foundMilliseconds) } ?? "later"
      return "late, found inside \(found)" + rank(entry)
    case .missed:
      return "missed, not monitored" + rank(entry)
    }
  }

  private func rank(_ entry: EntryRecord) -> String {
    guard let ranking = entry.atRefresh else { return "" }
    return
      "; rank \(ranking.rank) at the last refresh, \(ReportNumber.distance(ranking.distanceMeters))"
      + " away, the last one let in \(ReportNumber.distance(ranking.lastDistanceMeters))"
  }

  private func moment(_ fix: Int, _ milliseconds: Int64?) -> String {
    guard let milliseconds else { return "fix \(fix)" }
    return "\(Self.instant(milliseconds, in: zone)) (fix \(fix))"
  }

  private func sentence(_ check: AlertCheck) -> String {
    func padded(_ word: String) -> String {
      word + String(repeating: " ", count: max(0, 12 - word.count))
    }
    let inputs = check.inputs.map { "\($0.name) \(text($0.value, in: zone))" }
    return padded(check.rule.rawValue) + padded(check.outcome.rawValue)
      + inputs.joined(separator: ", ")
  }

  private func text(_ value: AlertCheck.Value, in zone: ClockZone) -> String {
    switch value {
    case .instant(let milliseconds): Self.instant(milliseconds, in: zone)
    case .seconds(let seconds): "\(ReportNumber.text(seconds, decimals: 1)) s"
    case .metersPerSecond(let speed): "\(ReportNumber.text(speed, decimals: 1)) m/s"
    case .meters(let meters): ReportNumber.distance(meters)
    case .count(let count): "\(count)"
    case .timeOfDay(let time): Self.clock(time.secondOfDay)
    case .place(let id): id
    case .unlimited: "unlimited"
    case .unknown: "unknown"
    }
  }

  private static func clock(_ second: Int) -> String {
    [second / 3600, second / 60 % 60, second % 60].map { $0.padded(2) }.joined(separator: ":")
  }

  /// An instant by a zone's clock, with its offset from UTC: `2026-03-04T12:11:34.908-05:00`.
  private static func instant(_ milliseconds: Int64, in zone: ClockZone) -> String {
    let offset = zone.offsetSeconds(atMilliseconds: milliseconds)
    var buffer = OutputBuffer(capacity: 64)
    buffer.append(instant: milliseconds + offset * 1000)
    guard offset != 0 else { return buffer.text }
    let hours = clock(Int(offset.magnitude)).prefix(5)
    return buffer.text.dropLast() + (offset < 0 ? "-" : "+") + hours
  }

  private static func text(_ coordinate: Coordinate) -> String {
    ReportNumber.text(coordinate.latitudeDegrees, decimals: 6) + ","
      + ReportNumber.text(coordinate.longitudeDegrees, decimals: 6)
  }
}

/// What a simulated phone makes of one story, as an editor would want to hear it.
struct PredictionSentences {
  private let prediction: StoryPrediction
  private let trigger: AlertTrigger

  init(_ prediction: StoryPrediction, _ trigger: AlertTrigger) {
    self.prediction = prediction
    self.trigger = trigger
  }

  private var chance: StoryChance { prediction.chance }

  /// The sentences, one a line.
  var lines: [String] {
    switch prediction.kind {
    case .untimed: ["The track has no times, so no phone can be simulated on it."]
    case .heldBack:
      ["The alert policy holds this story back on this track, whatever the phone notices."]
    case .notEntered: [notEntered, basis]
    case .entered: entered
    }
  }

  private var entered: [String] {
    var lines = ["\(Self.capitalized(Self.phones(chance.share(.alert)))) would alert."]
    if chance[.alert] > 0 { lines.append(arrival) }
    if chance[.alert] < chance.trials { lines.append(losses) }
    lines.append(advice)
    return lines + [basis]
  }

  private var notEntered: String {
    let event = trigger == .exit ? "leaves the circle" : "comes into the circle from outside"
    let none = "The path never \(event), so no alert is due"
    guard chance[.alert] > 0 else { return "\(none), and no simulated phone gave one." }
    return "\(none); all the same, \(Self.phones(chance.share(.alert))) would alert."
  }

  /// What the sentences rest on.
  private var basis: String {
    let interval = chance.alertInterval
    let simulation = prediction.simulation
    return "Simulated with the profile \(prediction.profile.name): "
      + "\(ReportNumber.counted(chance.trials, "trial")), seed \(simulation.seed), "
      + "\(simulation.surroundings.rawValue), \(simulation.state.rawValue); "
      + "\(ReportNumber.percent(chance.share(.alert))) alerted (95 % interval "
      + "\(ReportNumber.percent(interval.low)) to \(ReportNumber.percent(interval.high)))."
  }

  // MARK: When and where

  private var arrival: String {
    guard let delay = chance.delaySeconds.quantile(0.5),
      let edge = chance.fromEdgeMeters.quantile(0.5)
    else { return "" }
    var text = "Typically the alert comes \(Self.moment(delay)), \(Self.place(edge))"
    if let late = chance.delaySeconds.quantile(0.9), late >= max(5, delay + 5) {
      text += "; 1 of 10 comes \(ChanceSentences.duration(seconds: late)) after it or later"
    }
    text += "."
    if chance.lateAlerts * 10 >= chance[.alert] {
      let share = Self.phones(Double(chance.lateAlerts) / Double(chance[.alert]), of: "alerts")
      text += " \(Self.capitalized(share)) come when the phone has gone back over the edge."
    }
    return text
  }

  private static func moment(_ seconds: Double) -> String {
    let words = ChanceSentences.duration(seconds: abs(seconds))
    if seconds >= 5 { return "\(words) after the path crosses the edge" }
    if seconds <= -5 { return "\(words) before the path crosses the edge" }
    return "as the path crosses the edge"
  }

  /// Where the phone is at the notification.
  private static func place(_ meters: Double) -> String {
    let words = ReportNumber.distance(abs(meters).rounded())
    if abs(meters) < 5 { return "right at the edge" }
    return "\(words) \(meters > 0 ? "outside" : "inside") the circle"
  }

  // MARK: What is lost, and what would help

  private var losses: String {
    let parts = StoryChance.losses.enumerated().filter { chance[$0.element] > 0 }
      .sorted { (chance[$1.element], $0.offset) < (chance[$0.element], $1.offset) }
      .map { "\(Self.words($0.element)) (\(ReportNumber.percent(chance.share($0.element))))" }
    return "Where none comes: \(parts.joined(separator: "; "))."
  }

  private static func words(_ outcome: TrialOutcome) -> String {
    switch outcome {
    case .limit: "other places are nearer, and the phone watches only so many"
    case .refresh: "the phone looked the place up too late"
    case .smallRadius: "the circle is too small for the phone to notice in time"
    case .shortStay: "the path is inside for too short a time"
    case .chance: "the phone happened not to notice, or said nothing"
    case .alert, .notEntered: outcome.name
    }
  }

  private var advice: String {
    if let better = prediction.betterRadius {
      return "A radius of \(ReportNumber.distance(better.meters)) would make it "
        + "\(Self.phones(better.chance.share(.alert)))."
    }
    guard !prediction.tried.isEmpty, let loss = chance.mainLoss else {
      return "A larger radius could change little."
    }
    let none = "None of the larger radii that were tried makes a clear difference."
    switch loss.outcome {
    case .limit:
      return "\(none) Fewer stories around this one, or several joined into one, would help: "
        + "then it would be among the places that the phone watches."
    case .refresh:
      return "\(none) An app that looks up its places earlier would help; "
        + "‘sweep’ shows which refresh distance does."
    case .shortStay, .smallRadius:
      return "\(none) Moving the circle so that people walk through its middle may help."
    case .chance, .alert, .notEntered:
      return "\(none) What is lost here is up to the phone; no setting of the story changes it."
    }
  }

  // MARK: Words

  /// A share in round words that claim no certainty: `about 7 of 10 phones`.
  static func phones(_ share: Double, of things: String = "phones") -> String {
    if share <= 0 { return "hardly any of the \(things)" }
    if share < 0.05 { return "fewer than 1 of 20 \(things)" }
    if share > 0.95 { return "more than 19 of 20 \(things)" }
    let tenths = min(9, max(1, Int((share * 10).rounded())))
    return "about \(tenths) of 10 \(things)"
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}
