#if Command
import FencepostNotifications
package import FencepostReporting
import FencepostTime

/// Writes what a phone held and lost under several strategies, day by day, as one self-contained
/// HTML page.
///
/// The results must have days; see ``ScheduleSimulationOptions/dayZone``.
package struct SchedulePage: Sendable {
  /// The most names that a day lists as waiting and as lost; its counts include all.
  private static let (mostWaiting, mostLost) = (12, 20)

  private let report: ScheduleReport
  private let sentences: ScheduleSentences
  /// The first day of the period in the report's zone, in days since 1970.
  private let firstDay: Int
  /// The names of the kinds of reminders, the most important first.
  private let kinds: [String]

  /// Creates a writer of a report whose strategies have been simulated.
  package init(_ report: ScheduleReport) {
    self.report = report
    sentences = ScheduleSentences(report: report, namesOptions: false)
    firstDay =
      LocalTime(atMilliseconds: report.fromMilliseconds, in: report.zone).date
      .daysSince1970
    kinds = Set(report.results.first?.reminders.map(\.kind) ?? []).sorted {
      ($0.priority, $0.name) < ($1.priority, $1.name)
    }.map(\.name)
  }

  /// Appends the page.
  package func write(to output: inout OutputBuffer) {
    Pages.write("schedule.html", to: &output) { slot, output in
      switch slot {
      case "title": output.append(xml: title)
      case "subheading": output.append(xml: subheading)
      case "style": output.append(file: "report.css")
      case "script": output.append(file: "schedule.js")
      case "headline": output.append(xml: headline)
      case "endings":
        for result in report.results {
          output.append(html: "<li>\(sentences.ending(of: result))</li>")
        }
      case "never-shown": writeNeverShown(to: &output)
      case "table": writeTable(to: &output)
      case "data": writeData(to: &output)
      default: break
      }
    }
  }

  // MARK: Words

  private var title: String {
    "\(ReportNumber.counted(report.results.first?.reminders.count ?? 0, "reminder")) "
      + "from \(sentences.day(report.fromMilliseconds)) to "
      + sentences.day(report.toMilliseconds - 1)
  }

  private var subheading: String {
    let slots = report.slots.map { ReportNumber.counted($0, "slot") } ?? "any number of slots"
    return "The phone: \(report.deviceName), \(slots). Times: \(report.zone.name)."
  }

  /// The strategies that lose most and least.
  private var headline: String {
    let results = report.results.sorted { $0.total.dropped > $1.total.dropped }
    guard let worst = results.first, let best = results.last, worst.total.dropped > 0 else {
      return sentences.unreachable.isEmpty
        ? "Nothing is lost in this period." : "Some reminders cannot fire in this period."
    }
    let (most, least) = (worst.total.dropped, best.total.dropped)
    let head =
      "\(Self.doing(worst.strategy)), and \(ReportNumber.count(most)) of "
      + "\(ReportNumber.count(worst.total.due)) never appear."
    if most == least { return head }
    return "\(head) \(Self.named(best.strategy)) "
      + "\(least == 0 ? "loses none" : "loses \(ReportNumber.count(least))")."
  }

  /// What a strategy does, as an order.
  private static func doing(_ strategy: ScheduleStrategy) -> String {
    switch strategy {
    case .naive: "Hand everything over at once"
    case .firstCome: "Stop when the phone is full"
    case .budget: "Give the phone the most important"
    case .window: "Hand over seven days at a time"
    }
  }

  /// What a strategy does, as the subject of a sentence.
  private static func named(_ strategy: ScheduleStrategy) -> String {
    switch strategy {
    case .naive: "Handing everything over at once"
    case .firstCome: "Stopping when the phone is full"
    case .budget: "Giving the phone the most important"
    case .window: "A seven-day window"
    }
  }

  private func writeNeverShown(to output: inout OutputBuffer) {
    let notices = sentences.neverShown + sentences.unreachable
    guard !notices.isEmpty else { return }
    output.append("<div class=\"notice\">")
    for text in notices { output.append(html: "<p>\(text)</p>") }
    output.append("</div>")
  }

  /// Appends the rows of the text report as a table, a column for each strategy.
  private func writeTable(to output: inout OutputBuffer) {
    output.append("<thead><tr><td></td>")
    for result in report.results {
      output.append(html: "<th scope=\"col\">\(result.strategy.rawValue)</th>")
    }
    output.append("</tr></thead><tbody>\n")
    for row in report.rows {
      let level = row.label.prefix { $0 == " " }.count / 2
      guard let label = Self.label(String(row.label.dropFirst(2 * level))) else { continue }
      output.append(html: "<tr><th scope=\"row\" class=\"level-\("\(level)")\">\(label)</th>")
      for cell in row.cells { output.append(html: "<td>\(cell)</td>") }
      if row.cells.isEmpty {
        output.append(html: "<td colspan=\"\("\(report.results.count)")\"></td>")
      }
      output.append("</tr>\n")
    }
    output.append("</tbody>")
  }

  /// A row's label as the page says it; nil for a row that the page leaves out.
  private static func label(_ label: String) -> String? {
    switch label {
    // Nothing in a simulated schedule is left to chance.
    case "95 % confidence": nil
    case "at least 95 %": "goal of 95 % met"
    case "dropped in silence": "never shown"
    case "delivery rate": "shown"
    default: FateReason(rawValue: label).map { String($0.sentence.dropLast()) } ?? label
    }
  }

  // MARK: Data

  /// The reminders that the page names, each by its index.
  ///
  /// Ids repeat thousands of times in a long schedule; numbers keep the page small.
  private struct Names {
    private(set) var ids: [String] = []
    private var indices: [String: Int] = [:]

    /// The index of an id, which is added if it is new.
    mutating func index(of id: String) -> Int {
      if let index = indices[id] { return index }
      indices[id] = ids.count
      ids.append(id)
      return ids.count - 1
    }
  }

  /// Appends what the page's script draws: for each strategy its days, stays, waits and losses.
  private func writeData(to output: inout OutputBuffer) {
    var names = Names()
    output.appendObject {
      $0.member("firstDay", firstDay)
      $0.member("slots", report.slots)
      $0.array("kinds", kinds) { $0.append(json: $1) }
      $0.array("reasons", FateReason.allCases) { output, reason in
        output.append(row: [.text(reason.rawValue), .text(reason.sentence)])
      }
      $0.array("strategies", report.results) { output, result in
        output.appendObject { write(result, &names, to: &$0) }
      }
      $0.array("names", names.ids) { output, id in
        output.append(row: [.text(id), .text(report.titles[id] ?? "")])
      }
    }
  }

  /// Appends what happens under one strategy, as rows that `schedule.js` reads.
  ///
  /// A day has the minute at which it was looked at, how many reminders were due, late and lost,
  /// and how many of each kind the phone held and kept waiting. Reminders are named by their index,
  /// and times are in minutes since the midnight before the period.
  private func write(
    _ result: SimulationResult, _ names: inout Names, to output: inout OutputBuffer
  ) {
    let due = Dictionary(grouping: result.occurrences) { day(of: $0.dueMilliseconds) }
    output.member("name", result.strategy.rawValue)
    output.array("days", result.days.enumerated()) { output, one in
      let (number, day) = one
      let fates = due[number] ?? []
      output.append(row: [
        .count(minute(of: day.milliseconds) - number * 1440), .count(fates.count),
        .count(fates.count { $0.fate == .late }), .count(fates.count { $0.fate == .dropped }),
        .counts(kinds.map { day.pendingByKind[$0] ?? 0 }),
        .counts(kinds.map { day.waitingByKind[$0] ?? 0 }),
      ])
    }
    output.array("pending", stays(of: result)) { output, stay in
      let (request, days) = stay
      output.append(row: [
        .count(names.index(of: request.reminderID)),
        // -1 for a circle, and -2 for what repeats.
        .count(request.fireMilliseconds.map { request.repeats ? -2 : minute(of: $0) } ?? -1),
        .count(days.lowerBound), .count(days.upperBound),
      ])
    }
    let waiting = result.days.enumerated().flatMap { number, day in
      day.waiting.prefix(Self.mostWaiting).map { (number, $0) }
    }
    output.array("waiting", waiting) { output, one in
      output.append(row: [
        .count(one.0), .count(names.index(of: one.1.reminderID)),
        .count(one.1.displacedBy.map { names.index(of: $0) }),
      ])
    }
    let lost = result.days.indices.flatMap { number in
      (due[number] ?? []).lazy.filter { $0.fate == .dropped }.prefix(Self.mostLost)
    }
    output.array("lost", lost) { output, one in
      output.append(row: [
        .count(names.index(of: one.reminderID)), .count(minute(of: one.dueMilliseconds)),
        .count(FateReason.allCases.firstIndex(of: one.reason)),
        .count(one.displacedBy.map { names.index(of: $0) }),
      ])
    }
  }

  /// The named pending requests, each with the days in a row on which the phone holds it.
  private func stays(
    of result: SimulationResult
  ) -> [(request: SimulationResult.Held, days: ClosedRange<Int>)] {
    var stays: [(request: SimulationResult.Held, days: ClosedRange<Int>)] = []
    var open: [String: Int] = [:]
    for (number, day) in result.days.enumerated() {
      var now: [String: Int] = [:]
      for request in day.pending {
        if let index = open[request.identifier],
          request.repeats || stays[index].request.fireMilliseconds == request.fireMilliseconds
        {
          stays[index].days = stays[index].days.lowerBound...number
          now[request.identifier] = index
        } else {
          now[request.identifier] = stays.count
          stays.append((request, number...number))
        }
      }
      open = now
    }
    return stays
  }

  /// Days since the first day of the period.
  private func day(of milliseconds: Int64) -> Int {
    LocalTime(atMilliseconds: milliseconds, in: report.zone).date.daysSince1970 - firstDay
  }

  /// The minutes that a local clock shows since the midnight before the period.
  private func minute(of milliseconds: Int64) -> Int {
    let local = LocalTime(atMilliseconds: milliseconds, in: report.zone)
    return (local.date.daysSince1970 - firstDay) * 1440 + local.time.secondOfDay / 60
  }
}
#endif
