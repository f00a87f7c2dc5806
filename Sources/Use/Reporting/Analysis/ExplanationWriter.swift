import FencepostSession
package import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
package import FencepostNotifications
import FencepostPhones
import FencepostTime

/// Writes why one story did or did not alert on one track.
///
/// `fencepost explain` prints it. Text is for people, with the crossings and lookups in path order;
/// NDJSON has the same facts, a line for each.
package struct ExplanationWriter: Sendable {
  /// The facts that text and NDJSON are made of.
  let explanation: StoryExplanation
  /// The zone of times in text.
  let zone: ClockZone

  /// Creates a writer; the zone applies to text, while NDJSON always has UTC.
  package init(_ explanation: StoryExplanation, zone: ClockZone = .utc) {
    self.explanation = explanation
    self.zone = zone
  }

  /// Appends what happened in the order of the path, and why.
  package func writeText(to output: inout OutputBuffer, layout: TextLayout) {
    let story = explanation.story
    let name = story.title.isEmpty ? story.id : "\(story.title) (\(story.id))"
    output.append(line: name, style: layout.style(.bold))
    var lines = [
      "on \(explanation.account.track): \(verdictSentence)",
      "circle: \(ReportNumber.distance(story.radiusMeters)) around "
        + ReportNumber.position(story.coordinate, decimals: 6),
    ]
    if let approach = explanation.approach {
      let edge = approach.distanceMeters - story.radiusMeters
      lines.append(
        "nearest: \(ReportNumber.distance(approach.distanceMeters)) from the center, "
          + "\(ReportNumber.distance(abs(edge))) \(edge > 0 ? "outside" : "inside") the circle, "
          + moment(approach.fix, approach.timeMilliseconds) + " at "
          + ReportNumber.position(approach.coordinate, decimals: 6))
    }
    if hasTimes { lines.append("times are in \(zone.name)") }
    if let dates = explanation.dates { lines.append(dates.words) }
    for line in lines { output.append(verbatim: line.forTerminal + "\n") }
    section("Watched", monitoringLines, layout, to: &output)
    section("Crossings", crossingLines, layout, to: &output)
    for (entry, how) in zip(explanation.entries, explanation.explanations) {
      guard let how else { continue }
      section(
        "Alert rules for the entry \(moment(entry.fix, entry.timeMilliseconds))",
        how.checks.map { sentence($0) }, layout, to: &output)
    }
    for prediction in explanation.predictions {
      section(
        "On a real phone: \(prediction.profile.title)",
        PredictionSentences(prediction, explanation.alertsOn).linesWithDots, layout, to: &output)
    }
  }

  /// Appends an empty line, a heading and indented lines.
  private func section(
    _ title: String, _ lines: [String], _ layout: TextLayout, to output: inout OutputBuffer
  ) {
    output.append("\n")
    output.append(line: title, style: layout.style(.bold))
    for line in lines { output.append(verbatim: "  " + line.forTerminal + "\n") }
  }

  /// The verdict in words, with the number of alerts or the reason.
  private var verdictSentence: String {
    let counts = explanation.verdict.counts
    switch explanation.verdict.verdict {
    case .alerted: return "alerted, \(ReportNumber.counted(counts.alerts, "time"))"
    case .suppressed:
      return "held back: \(explanation.verdict.reason?.rawValue ?? "by the alert rules")"
    case .late: return "late: not watched when entered, noticed only once inside"
    case .missed: return "missed: not watched when entered"
    case .insideAtStart: return "inside when the walk began, and never entered from outside"
    case .neverCrossed:
      return explanation.edges.isEmpty
        ? "never crossed"
        : "no \(explanation.alertsOn == .enter ? "entry" : explanation.alertsOn.rawValue) was "
          + "confirmed"
    }
  }

  /// One line for each run of refreshes with the same result, with the middle left out if long.
  ///
  /// Each says from when to when the story was watched or not, and its rank by distance.
  private var monitoringLines: [String] {
    if explanation.monitorsAll { return ["always: every story is watched"] }
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
    if lines.isEmpty { return ["never: there was no lookup"] }
    return Self.abridged(lines, keeping: 7) { ReportNumber.counted($0, "more stretch") }
  }

  /// A line about lookups in a row that all watched the story, or all left it out.
  ///
  /// `end` is the index of the first lookup after them; nil for the last stretch.
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
    let rankings = refreshes.compactMap { $0.ranking }.sorted { $0.rank < $1.rank }
    if let best = rankings.first, let worst = rankings.last?.rank {
      line += best.rank == worst ? ", rank \(best.rank)" : ", rank \(best.rank) to \(worst)"
      line +=
        " (at best \(ReportNumber.distance(best.distanceMeters)); farthest one watched: "
        + "\(ReportNumber.distance(best.lastDistanceMeters)))"
    }
    return line + ", \(ReportNumber.counted(refreshes.count, "lookup"))"
  }

  /// One line for each crossing, with what became of the entries; the middle is cut if long.
  private var crossingLines: [String] {
    guard !explanation.edges.isEmpty else {
      return [explanation.verdict.isInsideAtStart ? "none; inside from the start" : "none"]
    }
    var entries = explanation.entries.makeIterator()
    let lines = explanation.edges.map { edge in
      let line =
        (edge.kind == .exit ? "exit " : edge.kind.rawValue)
        + " \(moment(edge.fix, edge.timeMilliseconds)) at "
        + ReportNumber.position(edge.coordinate, decimals: 6)
        + (edge.isAcrossBreak ? ", across a break" : "")
        + crossed(edge) + (edge.isConfirmed ? "" : ", not confirmed")
      guard edge.isConfirmed, edge.kind == explanation.alertsOn, let entry = entries.next() else {
        return line
      }
      return line + ": " + outcome(of: entry)
    }
    return Self.abridged(lines, keeping: 8) { ReportNumber.counted($0, "more crossing") }
  }

  /// When the path met the edge, if at another time.
  private func crossed(_ edge: StoryExplanation.Edge) -> String {
    guard explanation.showsCrossed, let crossed = edge.crossedMilliseconds,
      crossed != edge.timeMilliseconds
    else { return "" }
    return ", crossed \(moment(edge.fix, crossed))"
  }

  /// Cuts the middle of too many lines, keeping `count` before and one fewer after it.
  private static func abridged(
    _ lines: [String], keeping count: Int, rest: (Int) -> String
  ) -> [String] {
    guard lines.count > 2 * count else { return lines }
    let left = lines.count - (2 * count - 1)
    return lines.prefix(count) + ["… \(rest(left)) …"] + lines.suffix(count - 1)
  }

  /// What became of an entry: an alert, or why there was none.
  private func outcome(of entry: EntryRecord) -> String {
    switch entry.cause {
    case .found, .extra:
      if entry.isAlert { return "alert" }
      return "held back (\(entry.suppression?.rawValue ?? "by the alert rules"))"
    case .late:
      let found = entry.foundFix.map { "at \(moment($0, entry.foundMilliseconds))" } ?? "later"
      return "late, noticed inside \(found)" + rank(entry)
    case .missed: return "missed, not watched" + rank(entry)
    }
  }

  /// The story's rank at the lookup before, after a semicolon; empty if it is unknown.
  private func rank(_ entry: EntryRecord) -> String {
    guard let ranking = entry.atRefresh else { return "" }
    return
      "; rank \(ranking.rank) at the last lookup, \(ReportNumber.distance(ranking.distanceMeters))"
      + " away; farthest one watched: \(ReportNumber.distance(ranking.lastDistanceMeters))"
  }

  /// A time and the number of its fix, or only the number.
  private func moment(_ fix: Int, _ milliseconds: Int64?) -> String {
    guard let milliseconds else { return "fix \(fix)" }
    return "\(local(milliseconds)) (fix \(fix))"
  }

  private var hasTimes: Bool {
    [
      explanation.approach?.timeMilliseconds, explanation.refreshes.first?.timeMilliseconds,
      explanation.edges.first?.timeMilliseconds,
    ].contains { $0 != nil }
  }

  /// A line about one alert rule: its name, its outcome and the values that it compared.
  private func sentence(_ check: AlertCheck) -> String {
    func padded(_ word: String) -> String {
      word + String(repeating: " ", count: max(0, 12 - word.count))
    }
    let inputs = check.inputs.map { "\($0.name) \(text($0.value, local))" }
    return padded(check.rule.rawValue) + padded(check.outcome.rawValue)
      + inputs.joined(separator: ", ")
  }

  /// A value that a rule compared, with its unit; `instant` writes times.
  func text(_ value: AlertCheck.Value, _ instant: (Int64) -> String) -> String {
    switch value {
    case .instant(let milliseconds): instant(milliseconds)
    case .seconds(let seconds): "\(ReportNumber.text(seconds, decimals: 1)) s"
    case .metersPerSecond(let speed): ReportNumber.speed(speed)
    case .meters(let meters): ReportNumber.distance(meters)
    case .count(let count): "\(count)"
    case .timeOfDay(let time): Self.clock(time.secondOfDay)
    case .place(let id): id
    case .unlimited: "unlimited"
    case .unknown: "unknown"
    }
  }

  /// A time of day such as `22:00:00`.
  private static func clock(_ second: Int) -> String {
    let (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(two(hours)):\(two(minutes)):\(two(seconds))"
  }

  /// An instant on the zone's clock: `2026-03-04 12:11:34.908`.
  func local(_ milliseconds: Int64) -> String { Self.instant(milliseconds, in: zone) }

  /// An instant on a zone's clock: `2026-03-04 12:11:34.908`.
  package static func instant(_ milliseconds: Int64, in zone: ClockZone) -> String {
    let offset = zone.offsetSeconds(atMilliseconds: milliseconds)
    let text = ISO8601.string(milliseconds: milliseconds + offset * 1000)
    return String(text.dropLast().map { $0 == "T" ? " " : $0 })
  }
}
