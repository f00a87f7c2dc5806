package import FencepostNotifications
import FencepostTime

/// The peak of each strategy and everything that it lost or kept waiting, in sentences.
package struct ScheduleSentences: Sendable {
  let report: ScheduleReport

  package init(report: ScheduleReport) { self.report = report }

  /// How many reminders a text names; NDJSON names all.
  private static let most = 5

  func write(to output: inout OutputBuffer) {
    output.append("\n")
    for result in report.results {
      line(ending(of: result), to: &output)
      names("lost", result.occurrences.filter { $0.fate == .dropped }, to: &output) {
        "\($0.reminderID) \(time($0.dueMilliseconds))\(behind($0.displacedBy))"
      }
      let circles = result.reminders.filter { $0.isAtCircle && $0.reason != .watched }
      names("left out", circles, to: &output) { "\($0.id)\(behind($0.displacedBy))" }
      names("waited", waited(result), to: &output) { $0 }
    }
    for text in neverShown { line(text, to: &output) }
  }

  /// The users' own reminders that no one sees, and the policy that would show each.
  package var neverShown: [String] {
    var lines = report.neverShown.prefix(Self.most).flatMap { one in
      let name = "\"\(one.reminder.content.title)\" (\(one.reminder.id))"
      let text =
        "\(one.strategy.rawValue) never shows \(name), which the user set up: "
        + "earlier reminders take every slot."
      return one.isShownByPriority ? [text, "  To show it: --policy priority"] : [text]
    }
    let more = report.neverShown.count - Self.most
    if more > 0 { lines.append("And \(more) more are never shown (--format ndjson names all).") }
    return lines
  }

  /// Each reminder that waited and then got its slot once, with what it waited for first.
  private func waited(_ result: SimulationResult) -> [String] {
    var seen: Set<String> = []
    var counts: [String: Int] = [:]
    let waits = result.waits.filter { $0.untilMilliseconds != nil }
    for wait in waits { counts[wait.reminderID, default: 0] += 1 }
    return waits.filter { seen.insert($0.reminderID).inserted }.map { wait in
      let count = counts[wait.reminderID] ?? 1
      return wait.reminderID + (count > 1 ? " \(count) times" : "") + behind(wait.displacedBy)
    }
  }

  private func line(_ text: String, to output: inout OutputBuffer) {
    output.append(line: text, style: .plain)
  }

  /// The largest number of pending requests and the first loss of a strategy.
  package func ending(of result: SimulationResult) -> String {
    "\(result.strategy.rawValue): \(peak(result)), \(firstLost(result))"
  }

  private func peak(_ result: SimulationResult) -> String {
    let slots = report.slots.map { " of \($0)" } ?? ""
    return "peak \(result.peakCount)\(slots) on \(day(result.peakMilliseconds))"
  }

  private func firstLost(_ result: SimulationResult) -> String {
    guard let lost = result.firstLost else { return "none lost" }
    return "first lost \(time(lost.dueMilliseconds))"
  }

  private func names<Element>(
    _ heading: String, _ elements: [Element], to output: inout OutputBuffer,
    _ name: (Element) -> String
  ) {
    guard !elements.isEmpty else { return }
    line("  \(heading): \(ReportNumber.names(elements.map(name)))", to: &output)
  }

  private func behind(_ other: String?) -> String { other.map { " (behind \($0))" } ?? "" }

  // MARK: Dates

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// A day such as `3 March`, with its year if the period has several.
  package func day(_ milliseconds: Int64) -> String {
    let date = LocalTime(atMilliseconds: milliseconds, in: report.zone).date
    let isLong = report.toMilliseconds - report.fromMilliseconds > 364 * 86_400_000
    return "\(date.day) \(Self.months[(date.month + 11) % 12])" + (isLong ? " \(date.year)" : "")
  }

  private func time(_ milliseconds: Int64) -> String {
    "\(day(milliseconds)) \(LocalTime(atMilliseconds: milliseconds, in: report.zone).time)"
  }
}

extension FateReason {
  /// Why something was late or never shown.
  package var sentence: String {
    switch self {
    case .shown: "It was shown when it was due."
    case .lowPower: "The phone was saving power."
    case .overflow: "The phone held too many requests and dropped it."
    case .sameSecond: "Too many fired in that second."
    case .zoneChange: "The clock was set past its time."
    case .notAdded: "The phone was full, and the app left it out."
    case .stored: "It waited too long for a slot."
    case .notRefreshed: "No refresh came before it was due."
    case .restored: "The phone was replaced, and the request was not added again."
    case .dead: "Its time had passed when it was added."
    case .watched: "Its circle is watched."
    case .notDue: "It was not due within the period."
    }
  }
}
