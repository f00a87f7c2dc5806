import Fencepost
import FencepostMonitoring
public import FencepostNotifications

/// What a phone delivered in a period under several strategies.
public struct ScheduleReport: Sendable {
  /// The output formats.
  public enum Format: String, CaseIterable, Sendable {
    /// A table for people, the strategies side by side.
    case text
    /// One JSON object a line: a `fate` for each time a reminder was due, and a `schedule` at the
    /// end of each strategy.
    case ndjson
    /// A table for spreadsheets: a row for each time a reminder was due.
    case csv
  }

  /// The beginning of the period, in milliseconds since 1970.
  public var fromMilliseconds: Int64
  /// The end of the period, in milliseconds since 1970.
  public var toMilliseconds: Int64
  /// The name of the phone's profile.
  public var deviceName: String
  /// What became of the reminders, one result a strategy.
  public var results: [SimulationResult]

  /// Makes a report of its parts.
  public init(
    fromMilliseconds: Int64, toMilliseconds: Int64, deviceName: String,
    results: [SimulationResult]
  ) {
    self.fromMilliseconds = fromMilliseconds
    self.toMilliseconds = toMilliseconds
    self.deviceName = deviceName
    self.results = results
  }

  /// Writes the whole report; the caller finishes the output.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - layout: The width and style of text.
  ///   - output: Receives the report.
  /// - Throws: ``OutputFailure`` if the output cannot be written.
  public func write(
    as format: Format, layout: TextLayout = TextLayout(), to output: inout OutputFile
  ) throws(OutputFailure) {
    switch format {
    case .text: ScheduleTable(report: self, layout: layout).write(to: &output.buffer)
    case .ndjson:
      for result in results {
        try write(result, to: &output) { $0.writeJSON(to: &$1) }
        output.buffer.append(jsonLineOf: result, in: self)
      }
    case .csv:
      output.buffer.append("strategy,reminder,kind,local,due,shown,fate,reason\r\n")
      for result in results { try write(result, to: &output) { $0.writeCSV(to: &$1) } }
    }
  }

  private func write(
    _ result: SimulationResult, to output: inout OutputFile,
    _ writeLine: (FateLine, inout OutputBuffer) -> Void
  ) throws(OutputFailure) {
    for record in result.occurrences {
      writeLine(FateLine(record, under: result.strategy), &output.buffer)
      try output.flushIfFull()
    }
    for record in result.reminders where record.tally.due == 0 {
      writeLine(FateLine(neverDue: record, under: result.strategy), &output.buffer)
      try output.flushIfFull()
    }
  }
}

extension SimulationResult {
  /// How many occurrences were not shown, or late, for each reason.
  public var countsByReason: [FateReason: Int] {
    var counts: [FateReason: Int] = [:]
    for record in occurrences where record.fate != .onTime {
      counts[record.reason, default: 0] += 1
    }
    return counts
  }
}

/// One line of a schedule: a time at which a reminder was due, or a reminder that never was.
struct FateLine {
  private let strategy: ScheduleStrategy
  private let reminderID: String
  private let kind: NotificationKind
  private let reason: FateReason
  /// Nil for a reminder that was never due.
  private let occurrence: OccurrenceRecord?

  init(_ record: OccurrenceRecord, under strategy: ScheduleStrategy) {
    self.strategy = strategy
    (reminderID, kind, reason) = (record.reminderID, record.kind, record.reason)
    occurrence = record
  }

  init(neverDue record: ReminderRecord, under strategy: ScheduleStrategy) {
    self.strategy = strategy
    (reminderID, kind, reason) = (record.id, record.kind, record.reason)
    occurrence = nil
  }

  func writeJSON(to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "fate")
      $0.member("strategy", strategy.rawValue)
      $0.member("reminder", reminderID)
      $0.member("kind", kind.name)
      $0.member("local", occurrence?.local.description)
      $0.member("due", jsonTime: occurrence?.dueMilliseconds)
      $0.member("shown", jsonTime: occurrence?.shownMilliseconds)
      $0.member("fate", occurrence?.fate.rawValue)
      $0.member("reason", reason.rawValue)
    }
  }

  func writeCSV(to output: inout OutputBuffer) {
    output.append(csv: strategy.rawValue)
    output.field(reminderID)
    output.field(kind.name)
    output.field(occurrence?.local.description)
    output.field(instant: occurrence?.dueMilliseconds)
    output.field(instant: occurrence?.shownMilliseconds)
    output.field(occurrence?.fate.rawValue)
    output.field(reason.rawValue)
    output.append("\r\n")
  }
}

extension OutputBuffer {
  /// Appends the closing line of a strategy.
  mutating func append(jsonLineOf result: SimulationResult, in report: ScheduleReport) {
    appendLine {
      $0.member("type", "schedule")
      $0.member("strategy", result.strategy.rawValue)
      $0.member("device", report.deviceName)
      $0.member("from", jsonTime: report.fromMilliseconds)
      $0.member("to", jsonTime: report.toMilliseconds)
      $0.member("reminders", result.reminders.count)
      $0.append(membersOf: result.total)
      $0.member("extra", result.extra)
      $0.member("refreshes", result.refreshes)
      $0.member("missedRefreshes", result.missedRefreshes)
      $0.append(membersOf: result.deliveryRate)
      let reasons = result.countsByReason.map { ($0.key.rawValue, $0.value) }
      $0.member("reasons", Dictionary(uniqueKeysWithValues: reasons))
      $0.member("evictions", result.evictions.counts)
      $0.array("kinds", result.byKind) { array, entry in
        array.appendObject {
          $0.member("kind", entry.kind.name)
          $0.member("priority", entry.kind.priority)
          $0.append(membersOf: entry.tally)
        }
      }
    }
  }

  private mutating func append(membersOf tally: SimulationTally) {
    member("due", tally.due)
    member("onTime", tally.onTime)
    member("late", tally.late)
    member("dropped", tally.dropped)
  }

  private mutating func append(membersOf rate: DeliveryRate) {
    member("rate", rate.rate, decimals: 4)
    key("rateInterval")
    if let interval = rate.interval {
      appendArray([interval.low, interval.high]) { $0.append($1, decimals: 4) }
    } else {
      append("null")
    }
    member("gate", rate.gate().rawValue)
  }
}

extension BudgetSummary {
  /// The summary in a sentence for people.
  var sentence: String {
    let limit = slots.map { "\($0) slots" } ?? "any number of slots"
    var text = "Reminders: \(limit); at most \(counted(mostRegions, "region", "regions"))"
    text += " and \(counted(mostReminders, "reminder", "reminders")) at a time"
    text += "; \(due) due, \(onTime) on time"
    if late > 0 { text += ", \(late) late" }
    if dropped > 0 { text += ", \(dropped) dropped" }
    if circlesFired > 0 { text += "; \(counted(circlesFired, "circle", "circles")) fired" }
    return text + waitingParts
  }

  private var waitingParts: String {
    let forPlaces = displacements.count { $0.by == ["places"] }
    let forReminders = displacements.count { $0.by == ["reminders"] }
    let places = displacements.count - forPlaces - forReminders
    var text = ""
    if forPlaces > 0 {
      text += "; \(counted(forPlaces, "reminder", "reminders")) waited for places"
    }
    if forReminders > 0 {
      text += "; \(counted(forReminders, "reminder", "reminders")) for other reminders"
    }
    if places > 0 {
      text += "; \(counted(places, "place", "places")) gave way to reminders' circles"
    }
    return text
  }
}

extension OutputBuffer {
  /// Appends the summary as a JSON object.
  mutating func append(json budget: BudgetSummary) {
    appendObject {
      $0.member("slots", budget.slots)
      $0.member("plans", budget.plans)
      $0.member("mostRegions", budget.mostRegions)
      $0.member("mostReminders", budget.mostReminders)
      $0.member("due", budget.due)
      $0.member("onTime", budget.onTime)
      $0.member("late", budget.late)
      $0.member("dropped", budget.dropped)
      $0.member("circlesFired", budget.circlesFired)
      $0.array("displaced", budget.displacements) { $0.append(json: $1) }
    }
  }

  private mutating func append(json displacement: BudgetSummary.Displacement) {
    appendObject {
      switch displacement.displaced {
      case .reminder(let id): $0.member("reminder", id)
      case .place(let id): $0.member("place", id)
      }
      $0.array("by", displacement.by) { $0.append(json: $1) }
      $0.member("times", displacement.times)
      if case .reminder = displacement.displaced { $0.member("dropped", displacement.dropped) }
    }
  }
}
