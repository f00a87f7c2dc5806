public import Analysis
import Formats
import Geodesy
public import Notifications

/// Writes the story of one story on one track.
public struct ExplanationWriter: Sendable {
  private let explanation: StoryExplanation
  private let zone: ClockZone

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - explanation: What is written.
  ///   - zone: By whose clock the text tells times; NDJSON has UTC.
  public init(_ explanation: StoryExplanation, zone: ClockZone = .utc) {
    self.explanation = explanation
    self.zone = zone
  }

  // MARK: NDJSON

  /// Appends lines of types `explanation`, `refresh`, `crossing` and `check`.
  public func writeNDJSON(to output: inout ByteBuffer) {
    let story = explanation.story
    output.append("{\"type\":\"explanation\",\"track\":")
    output.append(json: explanation.account.track)
    output.append(",\"place\":")
    output.append(json: story.id)
    output.append(",\"title\":")
    output.append(json: story.title)
    output.append(",\"radius\":")
    output.append(story.radiusMeters, decimals: 3)
    output.append(",\"verdict\":")
    output.append(json: explanation.verdict.verdict.rawValue)
    output.append(",\"reason\":")
    if let reason = explanation.verdict.reason {
      output.append(json: reason.rawValue)
    } else {
      output.append("null")
    }
    output.append(",\"inside\":")
    output.append(json: explanation.verdict.isInsideAtStart)
    output.append(jsonFieldsOf: explanation.verdict.counts)
    if let approach = explanation.approach {
      output.append(",\"nearest\":{\"distance\":")
      output.append(approach.distanceMeters, decimals: 2)
      output.append(field: "fix", approach.fix)
      output.append(",\"time\":")
      output.append(jsonTime: approach.timeMilliseconds)
      output.append(jsonFieldsOf: approach.coordinate)
      output.append("}")
    }
    output.append("}\n")
    for refresh in explanation.refreshes { write(refresh, to: &output) }
    for edge in explanation.edges { write(edge, to: &output) }
    for (entry, how) in zip(explanation.entries, explanation.explanations) {
      write(entry, how, to: &output)
    }
  }

  private func write(_ refresh: StoryExplanation.Refreshing, to output: inout ByteBuffer) {
    output.append("{\"type\":\"refresh\",\"fix\":")
    output.append(decimal: refresh.fix)
    output.append(",\"time\":")
    output.append(jsonTime: refresh.timeMilliseconds)
    output.append(jsonFieldsOf: refresh.coordinate)
    output.append(",\"monitored\":")
    output.append(json: refresh.isMonitored)
    if let ranking = refresh.ranking {
      output.append(field: "rank", ranking.rank)
      output.append(",\"distance\":")
      output.append(ranking.distanceMeters, decimals: 2)
      output.append(",\"lastDistance\":")
      output.append(ranking.lastDistanceMeters, decimals: 2)
    }
    output.append("}\n")
  }

  private func write(_ edge: StoryExplanation.Edge, to output: inout ByteBuffer) {
    output.append("{\"type\":\"crossing\",\"enter\":")
    output.append(json: edge.isEnter)
    output.append(field: "fix", edge.fix)
    output.append(",\"fraction\":")
    output.append(edge.fraction, decimals: Decimals.fraction)
    output.append(",\"time\":")
    output.append(jsonTime: edge.timeMilliseconds)
    output.append(jsonFieldsOf: edge.coordinate)
    if edge.acrossBreak { output.append(",\"across\":\"break\"") }
    output.append("}\n")
  }

  private func write(
    _ entry: EntryRecord, _ how: AlertExplanation?, to output: inout ByteBuffer
  ) {
    output.append("{\"type\":\"entry\",\"place\":")
    output.append(json: explanation.story.id)
    output.append(jsonFieldsOf: entry)
    output.append(",\"checks\":[")
    for (index, check) in (how?.checks ?? []).enumerated() {
      output.append(index > 0 ? ",{\"rule\":" : "{\"rule\":")
      output.append(json: check.rule.rawValue)
      output.append(",\"outcome\":")
      output.append(json: check.outcome.rawValue)
      for input in check.inputs {
        output.append(",")
        output.append(json: input.name)
        output.append(":")
        output.append(json: text(input.value, in: .utc))
      }
      output.append("}")
    }
    output.append("]}\n")
  }

  // MARK: Text

  /// Appends the story in sentences, about a screen of them.
  public func writeText(to output: inout ByteBuffer, layout: TextLayout) {
    let story = explanation.story
    let name = story.title.isEmpty ? story.id : "\(story.title) (\(story.id))"
    output.append(line: name, style: layout.isStyled ? .bold : .plain)
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
  }

  private func section(
    _ title: String, _ lines: [String], _ layout: TextLayout, to output: inout ByteBuffer
  ) {
    output.append("\n")
    output.append(line: title, style: layout.isStyled ? .bold : .plain)
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
    case .neverCrossed: return "never crossed"
    }
  }

  /// Stretches of refreshes with the same answer, the longest screens cut in the middle.
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
    if lines.count > 14 {
      let left = lines.count - 13
      lines.replaceSubrange(
        7..<(7 + left),
        with: ["… \(ReportNumber.counted(left, "more stretch", "more stretches")) …"])
    }
    return lines.isEmpty ? ["never: the store was not asked"] : lines
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
    var lines = explanation.edges.map { edge in
      let line =
        "\(edge.isEnter ? "enter" : "exit ") \(moment(edge.fix, edge.timeMilliseconds)) at "
        + Self.text(edge.coordinate) + (edge.acrossBreak ? ", across a break" : "")
      guard edge.isEnter, let entry = entries.next() else { return line }
      return line + ": " + outcome(of: entry)
    }
    if lines.count > 16 {
      let left = lines.count - 15
      lines.replaceSubrange(
        8..<(8 + left), with: ["… \(ReportNumber.counted(left, "more crossing")) …"])
    }
    return lines
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
    let inputs = check.inputs.map { "\($0.name) \(text($0.value, in: zone))" }.joined(
      separator: ", ")
    let outcome = check.outcome.rawValue
    let rule =
      check.rule.rawValue + String(repeating: " ", count: max(0, 12 - check.rule.rawValue.count))
    let verdict = outcome + String(repeating: " ", count: max(0, 12 - outcome.count))
    return inputs.isEmpty ? "\(rule)\(verdict)" : "\(rule)\(verdict)\(inputs)"
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
    let (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(two(hours)):\(two(minutes)):\(two(seconds))"
  }

  /// An instant by a zone's clock, with its offset from UTC: `2026-03-04T12:11:34.908-05:00`.
  private static func instant(_ milliseconds: Int64, in zone: ClockZone) -> String {
    let offset = zone.offsetSeconds(atMilliseconds: milliseconds)
    var buffer = ByteBuffer(capacity: 64)
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
