import FencepostNotifications
import FencepostTime

/// The peak of each strategy and everything that it lost or kept waiting, in sentences.
struct ScheduleSentences {
  let report: ScheduleReport

  /// How many losses and waits a text names; NDJSON names all.
  private static let most = 5

  func write(to output: inout OutputBuffer) {
    output.append("\n")
    for result in report.results {
      line("\(result.strategy.rawValue): \(peak(result)), \(firstLost(result))", to: &output)
      names("lost", result.occurrences.filter { $0.fate == .dropped }, to: &output) {
        "\($0.reminderID) \(time($0.dueMilliseconds))\(behind($0.displacedBy))"
      }
      let circles = result.reminders.filter { $0.isAtCircle && $0.reason != .watched }
      names("left out", circles, to: &output) { "\($0.id)\(behind($0.displacedBy))" }
      names("waited", waited(result), to: &output) { $0 }
    }
    for one in report.neverShown {
      let name = "\"\(one.reminder.content.title)\" (\(one.reminder.id))"
      line(
        "\(one.strategy.rawValue) never shows \(name), which the user set up: "
          + "earlier reminders take every slot.", to: &output)
      if one.isShownByPriority { line("  To show it: --policy priority", to: &output) }
    }
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

  private func peak(_ result: SimulationResult) -> String {
    let slots = report.slots.map { " of \($0)" } ?? ""
    return "peak \(result.peakCount)\(slots) on \(day(result.peakMilliseconds))"
  }

  private func firstLost(_ result: SimulationResult) -> String {
    guard let lost = result.firstLost else { return "none lost" }
    return "first lost \(time(lost.dueMilliseconds))"
  }

  /// Names the first few of a list on one line.
  private func names<Element>(
    _ heading: String, _ elements: [Element], to output: inout OutputBuffer,
    _ name: (Element) -> String
  ) {
    guard !elements.isEmpty else { return }
    var text = elements.prefix(Self.most).map(name).joined(separator: ", ")
    let more = elements.count - Self.most
    if more > 0 { text += " and \(more) more (--format ndjson names all)" }
    line("  \(heading): \(text)", to: &output)
  }

  private func behind(_ other: String?) -> String { other.map { " (behind \($0))" } ?? "" }

  // MARK: Dates

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// A day such as `3 March`, with its year if the period has several.
  private func day(_ milliseconds: Int64) -> String {
    let date = LocalTime(atMilliseconds: milliseconds, in: report.zone).date
    let isLong = report.toMilliseconds - report.fromMilliseconds > 364 * 86_400_000
    return "\(date.day) \(Self.months[(date.month + 11) % 12])" + (isLong ? " \(date.year)" : "")
  }

  private func time(_ milliseconds: Int64) -> String {
    "\(day(milliseconds)) \(LocalTime(atMilliseconds: milliseconds, in: report.zone).time)"
  }
}
