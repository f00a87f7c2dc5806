import FencepostNotifications

extension OutputBuffer {
  /// Appends the line of one time a reminder was due.
  mutating func append(jsonLineOf record: OccurrenceRecord, under strategy: ScheduleStrategy) {
    appendFate(record.reminderID, record.kind, strategy, record.reason, of: record)
  }

  /// Appends the line of a reminder that was never due in the period.
  mutating func append(jsonLineOf record: ReminderRecord, under strategy: ScheduleStrategy) {
    appendFate(record.id, record.kind, strategy, record.reason, of: nil)
  }

  private mutating func appendFate(
    _ reminderID: String, _ kind: NotificationKind, _ strategy: ScheduleStrategy,
    _ reason: FateReason, of record: OccurrenceRecord?
  ) {
    appendObject {
      $0.member("type", "fate")
      $0.member("strategy", strategy.rawValue)
      $0.member("reminder", reminderID)
      $0.member("kind", kind.name)
      $0.member("local", record?.local.description)
      $0.member("due", jsonTime: record?.dueMilliseconds)
      $0.member("shown", jsonTime: record?.shownMilliseconds)
      $0.member("fate", record?.fate.rawValue)
      $0.member("reason", reason.rawValue)
    }
    append("\n")
  }

  /// Appends the closing line of a strategy.
  mutating func append(jsonLineOf result: SimulationResult, in report: ScheduleReport) {
    appendObject {
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
      $0.member("reasons", counts: Dictionary(uniqueKeysWithValues: reasons))
      $0.member("evictions", counts: result.evictions.counts)
      $0.array("kinds", result.byKind) { array, entry in
        array.appendObject {
          $0.member("kind", entry.kind.name)
          $0.member("priority", entry.kind.priority)
          $0.append(membersOf: entry.tally)
        }
      }
    }
    append("\n")
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
      appendArray([interval.lower, interval.upper]) { $0.append($1, decimals: 4) }
    } else {
      append("null")
    }
    member("gate", rate.gate().rawValue)
  }

  /// Appends the CSV row of one time a reminder was due.
  mutating func append(csvRowOf record: OccurrenceRecord, under strategy: ScheduleStrategy) {
    append(csv: strategy.rawValue)
    append(",")
    append(csv: record.reminderID)
    append(",")
    append(csv: record.kind.name)
    append(",")
    append(csv: record.local.description)
    append(",")
    append(instant: record.dueMilliseconds)
    append(",")
    if let shown = record.shownMilliseconds { append(instant: shown) }
    append(",")
    append(csv: record.fate.rawValue)
    append(",")
    append(csv: record.reason.rawValue)
    append("\r\n")
  }

  /// Appends the CSV row of a reminder that was never due in the period.
  mutating func append(csvRowOf record: ReminderRecord, under strategy: ScheduleStrategy) {
    append(csv: strategy.rawValue)
    append(",")
    append(csv: record.id)
    append(",")
    append(csv: record.kind.name)
    append(",,,,,")
    append(csv: record.reason.rawValue)
    append("\r\n")
  }
}
