import FencepostMonitoring
package import FencepostNotifications
import FencepostTime

/// Writes a schedule report as a table with a column for each strategy, and sentences below.
///
/// The widths follow the layout and the number of strategies, so that a terminal shows all columns.
struct ScheduleTable {
  private let report: ScheduleReport
  private let layout: TextLayout
  private let labelColumns: Int
  private let valueColumns: Int

  /// Measures the labels and divides the rest of the line among the strategies.
  init(report: ScheduleReport, layout: TextLayout) {
    self.report = report
    self.layout = layout
    let names = report.results.first?.byKind.map(\.kind.name.displayWidth) ?? []
    let longest = max(Self.leastLabelColumns, names.max() ?? 0)
    labelColumns = layout.cuts ? min(longest, 40) : longest
    let free = layout.columns - labelColumns
    valueColumns = min(
      Self.mostValueColumns, max(Self.leastValueColumns, free / max(1, report.results.count)))
  }

  /// The width of `  dropped in silence`.
  private static let leastLabelColumns = 20
  /// Wider columns are harder to read across.
  private static let mostValueColumns = 16
  /// The width of `25.9 to 38.8`, with a gap before it.
  private static let leastValueColumns = 14

  /// Appends the heading, the rows, when reminders fire, and what was lost.
  func write(to output: inout OutputBuffer) {
    let from = report.zone.text(milliseconds: report.fromMilliseconds)
    let to = report.zone.text(milliseconds: report.toMilliseconds)
    let reminders = counted(report.results.first?.reminders.count ?? 0, "reminder")
    output.append(verbatim: "\(reminders) from \(from) to \(to) on \(report.deviceName)\n\n")
    let names = ScheduleRow(label: "", cells: report.results.map(\.strategy.rawValue), isBold: true)
    for row in [names] + report.rows { write(row, to: &output) }
    let sentences = ScheduleSentences(report: report)
    sentences.writeTimes(to: &output)
    sentences.write(to: &output)
  }

  /// Appends a row; a heading without cells takes the whole line.
  private func write(_ row: ScheduleRow, to output: inout OutputBuffer) {
    let style = layout.style(row.isBold ? .bold : .plain)
    output.begin(style)
    if row.cells.isEmpty {
      output.append(verbatim: row.label.forTerminal)
    } else {
      output.append(cell: row.label, columns: labelColumns)
      for cell in row.cells { output.append(cell: cell, columns: valueColumns, isRight: true) }
    }
    output.end(style)
    output.append(UInt8(ascii: "\n"))
  }
}

/// A row of the table that compares strategies.
///
/// The terminal and the page lay out the same rows.
package struct ScheduleRow: Sendable {
  /// The label, with two spaces before it for each level below a heading.
  package var label: String
  /// Empty for a heading without values.
  package var cells: [String]
  /// Whether the row stands out, as a heading or a total does.
  package var isBold = false
}

extension ScheduleReport {
  /// Compares the strategies: what was due, shown and dropped, by kind and in all.
  ///
  /// Each kind has a heading and four rows, and all kinds together have the same. Below them are
  /// the reasons for what was late or dropped, circles, the delivery rate and the app's refreshes.
  /// Rows about exceptions are left out if they are 0 under every strategy.
  package var rows: [ScheduleRow] {
    var rows: [ScheduleRow] = []
    for kind in results.first?.byKind.map(\.kind) ?? [] {
      rows.append(ScheduleRow(label: kind.name, cells: [], isBold: true))
      rows += tallies { result in result.byKind.first { $0.kind == kind }?.tally ?? result.total }
      rows += countsIfAny("  had to wait") { $0.evictions[kind.name] ?? 0 }
    }
    rows.append(ScheduleRow(label: "all kinds", cells: [], isBold: true))
    rows += tallies { $0.total }
    let reasons = results.map(\.countsByReason)
    for reason in FateReason.allCases where reasons.contains(where: { $0[reason] != nil }) {
      let cells = reasons.map { "\($0[reason] ?? 0)" }
      rows.append(ScheduleRow(label: "    \(reason.rawValue)", cells: cells))
    }
    rows += countsIfAny("  shown unexpectedly") { $0.extra }
    if results.contains(where: { $0.circles.count > 0 }) {
      rows.append(ScheduleRow(label: "circles", cells: [], isBold: true))
      rows.append(row("  watched") { "\($0.circles.watched)" })
      rows.append(row("  left out") { "\($0.circles.leftOut)" })
    }
    rows += rates
    rows.append(row("refreshes", isBold: true) { "\($0.refreshes)" })
    return rows + countsIfAny("  missed") { $0.missedRefreshes }
  }

  /// The four rows that count occurrences by fate.
  private func tallies(_ tally: (SimulationResult) -> SimulationTally) -> [ScheduleRow] {
    [
      row("  due") { "\(tally($0).due)" },
      row("  on time") { "\(tally($0).onTime)" },
      row("  late") { "\(tally($0).late)" },
      row("  dropped in silence") { "\(tally($0).dropped)" },
    ]
  }

  /// The delivery rate, its interval, and whether it is certain to be at least 95 %.
  private var rates: [ScheduleRow] {
    [
      row("delivery rate", isBold: true) { result in
        result.deliveryRate.rate.map { percent($0) + " %" } ?? "-"
      },
      row("  95 % confidence") { result in
        result.deliveryRate.interval.map { "\(percent($0.low)) to \(percent($0.high))" } ?? "-"
      },
      row("  at least 95 %") { result in
        switch result.deliveryRate.gate() {
        case .passed: "yes"
        // The rate passes, but not its interval.
        case .passedUncertainly: "uncertain"
        case .failed: "no"
        case .unknown: "-"
        }
      },
    ]
  }

  /// A row of counts, or nothing if all are 0.
  private func countsIfAny(_ label: String, _ count: (SimulationResult) -> Int) -> [ScheduleRow] {
    let counts = results.map(count)
    return counts.contains { $0 > 0 }
      ? [ScheduleRow(label: label, cells: counts.map(String.init))] : []
  }

  private func row(
    _ label: String, isBold: Bool = false, _ value: (SimulationResult) -> String
  ) -> ScheduleRow { ScheduleRow(label: label, cells: results.map(value), isBold: isBold) }

  private func percent(_ rate: Double) -> String { ReportNumber.fixed(rate * 100, decimals: 1) }
}

/// The peak of each strategy and everything that it lost or kept waiting, in sentences.
///
/// A table has only counts; the sentences name the reminders, at most five of a kind.
package struct ScheduleSentences: Sendable {
  let report: ScheduleReport
  /// Whether the sentences name options of the command; a page has none.
  private let namesOptions: Bool

  /// Prepares the sentences, which are made when asked for.
  package init(report: ScheduleReport, namesOptions: Bool = true) {
    (self.report, self.namesOptions) = (report, namesOptions)
  }

  /// How many reminders a text names; NDJSON names all.
  private static let most = 5

  /// Appends, for each strategy, its peak and the names of what it lost or kept waiting.
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
      names("shown unexpectedly", unexpected(result), to: &output) { $0 }
    }
    for text in neverShown + unreachable { line(text, to: &output) }
  }

  /// Lists when each reminder fires on the clock that it follows, the soonest first.
  func writeTimes(to output: inout OutputBuffer) {
    guard let result = report.results.first, result.total.due > 0 else { return }
    let due = Dictionary(grouping: result.occurrences, by: \.reminderID)
    let firing = report.reminders.filter { due[$0.id] != nil }.sorted {
      due[$0.id]?.first?.dueMilliseconds ?? 0 < due[$1.id]?.first?.dueMilliseconds ?? 0
    }
    output.append("\n")
    line("When they fire, on the phone's clock (\(report.phoneZone.name)):", to: &output)
    for reminder in firing.prefix(Self.mostListed) {
      let times = due[reminder.id] ?? []
      let more = times.count - Self.mostTimes
      let zone =
        if case .fixed(let zone) = reminder.anchor { ", clock of \(zone.name)" } else { "" }
      line(
        "  \(reminder.content.title): "
          + times.prefix(Self.mostTimes).map { text(of: $0.local) }.joined(separator: ", ")
          + (more > 0 ? " and \(more) more" : "") + zone, to: &output)
    }
    let more = firing.count - Self.mostListed
    if more > 0 {
      line("  … and \(counted(more, "more reminder")) (--format csv lists all)", to: &output)
    }
  }

  /// How many reminders and times of each a text lists.
  private static let (mostListed, mostTimes) = (10, 3)

  /// Each reminder that was shown when it was not due, with the first time.
  private func unexpected(_ result: SimulationResult) -> [String] {
    var seen: Set<String> = []
    let counts = Dictionary(grouping: result.extras, by: \.reminderID).mapValues(\.count)
    return result.extras.filter { seen.insert($0.reminderID).inserted }.map { extra in
      let count = counts[extra.reminderID] ?? 1
      return "\(extra.reminderID) \(time(extra.shownMilliseconds))"
        + (count > 1 ? " and \(counted(count - 1, "time")) more" : "")
    }
  }

  /// The reminders that no phone can show, and why.
  ///
  /// The time of each had passed when it was to be added, or a move to another zone skips it.
  package var unreachable: [String] {
    var lines = report.unreachable.prefix(Self.most).map { one in
      let name = "\"\(one.reminder.content.title)\" (\(one.reminder.id))"
      let time = "\(text(of: one.local, withYear: true))"
      return one.reason == .dead
        ? "\(name) is over: its last time, \(time), has passed."
        : "\(name) does not fire on \(time): the phone's clock was set past it."
    }
    let more = report.unreachable.count - Self.most
    if more > 0 { lines.append("And \(more) more do not fire\(whoNamesAll).") }
    return lines
  }

  /// The users' own reminders that no one sees, and the policy that would show each.
  ///
  /// With `namesOptions`, they say how to choose the policy.
  package var neverShown: [String] {
    var lines = report.neverShown.prefix(Self.most).flatMap { one in
      let name = "\"\(one.reminder.content.title)\" (\(one.reminder.id))"
      let text =
        "\(one.strategy.rawValue) never shows \(name), which the user set up: "
        + "earlier reminders take every slot."
      guard one.isShownByPriority else { return [text] }
      return [
        text,
        namesOptions ? "  To show it: --policy priority" : "Ranked by priority, it would be shown.",
      ]
    }
    let more = report.neverShown.count - Self.most
    if more > 0 { lines.append("And \(more) more are never shown\(whoNamesAll).") }
    return lines
  }

  private var whoNamesAll: String { namesOptions ? " (--format ndjson names all)" : "" }

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
    let slots = report.slots.map { " of \($0)" } ?? ""
    let lost =
      result.firstLost.map { "first lost \(time($0.dueMilliseconds))" }
      ?? (report.unreachable.isEmpty ? "none lost" : "no other lost")
    return "\(result.strategy.rawValue): peak \(result.peakCount)\(slots) on "
      + "\(day(result.peakMilliseconds)), \(lost)"
  }

  /// Appends a line with the first names of a list; nothing if it is empty.
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
    day(LocalTime(atMilliseconds: milliseconds, in: report.zone).date)
  }

  private func day(_ date: CivilDate, withYear: Bool = false) -> String {
    let isLong = report.toMilliseconds - report.fromMilliseconds > 364 * 86_400_000
    return "\(date.day) \(Self.months[(date.month + 11) % 12])"
      + (isLong || withYear ? " \(date.year)" : "")
  }

  /// A time on the clock that it follows.
  private func text(of local: LocalTime, withYear: Bool = false) -> String {
    "\(day(local.date, withYear: withYear)) \(local.time)"
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
