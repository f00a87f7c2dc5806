import FencepostMonitoring
package import FencepostNotifications

/// Writes what became of reminders in a period, under one strategy or several.
///
/// A strategy decides which reminders get the phone's few slots. Results of different strategies
/// are comparable, because the reminders and the phone are the same. `fencepost schedule` prints
/// it, and the report's page shows the same rows.
package struct ScheduleReport: Sendable {
  /// The form of the report.
  package enum Format: String, CaseIterable, Sendable {
    /// A table for people, with the strategies side by side.
    case text
    /// One JSON object per line: `fate` per occurrence, and `schedule` at the end of a strategy.
    case ndjson
    /// A table for spreadsheets, with a row for each occurrence.
    case csv
  }

  /// The start of the period, in milliseconds since 1970.
  package var fromMilliseconds: Int64
  /// The end of the period, in milliseconds since 1970.
  package var toMilliseconds: Int64
  /// The phone's name for the heading.
  package var deviceName: String
  /// The number of requests that the phone holds; nil for any number.
  package var slots: Int?
  /// The zone in which the text shows the period, and times of losses and plans.
  package var zone: ClockZone
  /// The users' own reminders that are never shown because others come first.
  package var neverShown: [ScheduleSimulation.NeverShown] = []
  /// The reminders, whose times in the period the text lists.
  package var reminders: [Reminder] = []
  /// The zone in which the phone begins.
  package var phoneZone = ClockZone.utc
  /// The times that no phone can show, because they had passed or a move skips them.
  package var unreachable: [ScheduleSimulation.Unreachable] = []
  /// The titles of reminders by id.
  package var titles: [String: String] = [:]
  /// The result of each strategy, in the order of the columns.
  package var results: [SimulationResult] = []

  /// Creates a report without results; set the other properties before it is written.
  package init(
    fromMilliseconds: Int64, toMilliseconds: Int64, deviceName: String, slots: Int?,
    zone: ClockZone
  ) {
    (self.fromMilliseconds, self.toMilliseconds) = (fromMilliseconds, toMilliseconds)
    (self.deviceName, self.slots, self.zone) = (deviceName, slots, zone)
  }

  /// Writes the whole report; the caller must finish the output.
  package func write(
    as format: Format, layout: TextLayout = TextLayout(), to output: inout OutputFile
  ) throws(OutputFailure) {
    switch format {
    case .text: ScheduleTable(report: self, layout: layout).write(to: &output.buffer)
    case .ndjson:
      for result in results {
        try write(result, to: &output) { $0.writeJSON(to: &$1) }
        for wait in result.waits {
          output.buffer.append(jsonLineOf: wait, under: result.strategy)
          try output.flushIfFull()
        }
        for extra in result.extras {
          output.buffer.append(jsonLineOf: extra, under: result.strategy)
          try output.flushIfFull()
        }
        output.buffer.append(jsonLineOf: result, in: self)
      }
    case .csv:
      output.buffer.append("strategy,reminder,kind,local,due,shown,fate,reason,displacedBy\r\n")
      for result in results { try write(result, to: &output) { $0.writeCSV(to: &$1) } }
    }
  }

  /// Writes a line for each occurrence, and for each reminder that was never due.
  private func write(
    _ result: SimulationResult, to output: inout OutputFile,
    _ writeLine: (FateLine, inout OutputBuffer) -> Void
  ) throws(OutputFailure) {
    for record in result.occurrences {
      writeLine(FateLine(record, under: result.strategy), &output.buffer)
      try output.flushIfFull()
    }
    for record in result.reminders where record.tally.due == 0 {
      let known = unreachable.first { $0.reminder.id == record.id }
      writeLine(
        FateLine(neverDue: record, known?.reason ?? record.reason, under: result.strategy),
        &output.buffer)
      try output.flushIfFull()
    }
  }
}

extension ScheduleReport {
  /// Which reminders an app would lose, as a sentence; nil if none.
  ///
  /// Of several strategies budget and window count, which are those of an app.
  ///
  /// - Parameter isOfUsersOwn: Whether only reminders count that users set up.
  /// - Returns: The first strategy that loses any, with their ids.
  package func loss(ofUsersOwn isOfUsersOwn: Bool) -> String? {
    let planned = results.filter { [.budget, .window].contains($0.strategy) }
    for result in planned.isEmpty ? results : planned {
      let lost = result.reminders.filter { reminder in
        (reminder.tally.dropped > 0 || reminder.isAtCircle && reminder.reason != .watched)
          && (!isOfUsersOwn || reminder.kind.priority == NotificationKind.userSetPriority)
      }
      guard !lost.isEmpty else { continue }
      return "\(result.strategy.rawValue) loses \(counted(lost.count, "reminder")): "
        + ReportNumber.names(lost.map(\.id))
    }
    return nil
  }
}

extension SimulationResult {
  /// The number of occurrences dropped or late, by reason.
  package var countsByReason: [FateReason: Int] {
    var counts: [FateReason: Int] = [:]
    for record in occurrences where record.fate != .onTime {
      counts[record.reason, default: 0] += 1
    }
    return counts
  }
}

/// One line of a schedule: an occurrence of a reminder, or a reminder that was never due.
///
/// NDJSON and CSV have the same lines.
struct FateLine {
  private let strategy: ScheduleStrategy
  private let reminderID: String
  private let kind: NotificationKind
  private let reason: FateReason
  private let occurrence: OccurrenceRecord?
  /// The id of the reminder that took its slot or second; nil if none did.
  private let displacedBy: String?

  init(_ record: OccurrenceRecord, under strategy: ScheduleStrategy) {
    (self.strategy, reminderID, kind) = (strategy, record.reminderID, record.kind)
    (reason, occurrence, displacedBy) = (record.reason, record, record.displacedBy)
  }

  /// Makes the line of a reminder that was never due in the period, and why.
  init(neverDue record: ReminderRecord, _ reason: FateReason, under strategy: ScheduleStrategy) {
    (self.strategy, reminderID, kind) = (strategy, record.id, record.kind)
    (self.reason, occurrence, displacedBy) = (reason, nil, record.displacedBy)
  }

  /// Appends a line of type `fate`; a reminder that was never due has `null` for times and fate.
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
      if let displacedBy { $0.member("displacedBy", displacedBy) }
    }
  }

  func writeCSV(to output: inout OutputBuffer) {
    output.append(csv: strategy.rawValue)
    output.fields(reminderID, kind.name, occurrence?.local.description)
    output.fields(instants: occurrence?.dueMilliseconds, occurrence?.shownMilliseconds)
    output.fields(occurrence?.fate.rawValue, reason.rawValue, displacedBy)
    output.append("\r\n")
  }
}

extension OutputBuffer {
  /// Appends a line about a request that waited for a slot; `until` is `null` if it never got one.
  mutating func append(jsonLineOf wait: SimulationResult.Wait, under strategy: ScheduleStrategy) {
    appendLine {
      $0.member("type", "wait")
      $0.member("strategy", strategy.rawValue)
      $0.member("reminder", wait.reminderID)
      $0.member("request", wait.identifier)
      $0.member("from", jsonTime: wait.fromMilliseconds)
      $0.member("until", jsonTime: wait.untilMilliseconds)
      $0.member("displacedBy", wait.displacedBy)
    }
  }

  /// Appends a line about a reminder that was shown when it was not due.
  mutating func append(jsonLineOf extra: SimulationResult.Extra, under strategy: ScheduleStrategy) {
    appendLine {
      $0.member("type", "extra")
      $0.member("strategy", strategy.rawValue)
      $0.member("reminder", extra.reminderID)
      $0.member("shown", jsonTime: extra.shownMilliseconds)
    }
  }

  /// Appends a strategy's totals: occurrences by fate, reason and kind, and the delivery rate.
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
      $0.object("peak") {
        $0.member("pending", result.peakCount)
        $0.member("at", jsonTime: result.peakMilliseconds)
      }
      if result.circles.count > 0 {
        $0.object("circles") {
          $0.member("watched", result.circles.watched)
          $0.member("leftOut", result.circles.leftOut)
        }
      }
      let never = report.neverShown.filter { $0.strategy == result.strategy }
      if !never.isEmpty {
        $0.array("neverShown", never) { array, one in
          array.appendObject {
            $0.member("reminder", one.reminder.id)
            $0.member("policy", one.isShownByPriority ? "priority" : nil)
          }
        }
      }
      if !report.unreachable.isEmpty {
        $0.array("unreachable", report.unreachable) { array, one in
          array.appendObject {
            $0.member("reminder", one.reminder.id)
            $0.member("local", one.local.description)
            $0.member("reason", one.reason.rawValue)
          }
        }
      }
      $0.append(membersOf: result.deliveryRate)
      let reasons = result.countsByReason.map { ($0.key.rawValue, $0.value) }
      $0.member("reasons", counts: Dictionary(uniqueKeysWithValues: reasons))
      $0.member("evictions", counts: result.evictions)
      $0.array("kinds", result.byKind) { array, entry in
        array.appendObject {
          $0.member("kind", entry.kind.name)
          $0.member("priority", entry.kind.priority)
          $0.append(membersOf: entry.tally)
        }
      }
    }
  }

  /// Appends how many occurrences were due, and what became of them.
  private mutating func append(membersOf tally: SimulationTally) {
    member("due", tally.due)
    member("onTime", tally.onTime)
    member("late", tally.late)
    member("dropped", tally.dropped)
  }

  /// Appends the share shown on time, its 95 % interval, and whether it passes.
  private mutating func append(membersOf rate: DeliveryRate) {
    member("rate", rate.rate, decimals: 4)
    member("rateInterval", rate.interval?.range, decimals: 4)
    member("gate", rate.gate().rawValue)
  }
}
