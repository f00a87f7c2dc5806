import Notifications

extension ByteBuffer {
  /// Appends the line of one time a reminder was due.
  mutating func append(jsonLineOf record: OccurrenceRecord, under strategy: ScheduleStrategy) {
    beginFate(record.reminderID, record.kind, strategy)
    append(",\"local\":")
    append(json: record.local.description)
    append(",\"due\":")
    append(jsonTime: record.dueMilliseconds)
    append(",\"shown\":")
    append(jsonTime: record.shownMilliseconds)
    append(",\"fate\":")
    append(json: record.fate.rawValue)
    append(",\"reason\":")
    append(json: record.reason.rawValue)
    append("}\n")
  }

  /// Appends the line of a reminder that was never due in the period.
  mutating func append(jsonLineOf record: ReminderRecord, under strategy: ScheduleStrategy) {
    beginFate(record.id, record.kind, strategy)
    append(",\"local\":null,\"due\":null,\"shown\":null,\"fate\":null,\"reason\":")
    append(json: record.reason.rawValue)
    append("}\n")
  }

  private mutating func beginFate(
    _ reminderID: String, _ kind: NotificationKind, _ strategy: ScheduleStrategy
  ) {
    append("{\"type\":\"fate\",\"strategy\":")
    append(json: strategy.rawValue)
    append(",\"reminder\":")
    append(json: reminderID)
    append(",\"kind\":")
    append(json: kind.name)
  }

  /// Appends the closing line of a strategy.
  mutating func append(jsonLineOf result: SimulationResult, in report: ScheduleReport) {
    append("{\"type\":\"schedule\",\"strategy\":")
    append(json: result.strategy.rawValue)
    append(",\"device\":")
    append(json: report.deviceName)
    append(",\"from\":")
    append(jsonTime: report.fromMilliseconds)
    append(",\"to\":")
    append(jsonTime: report.toMilliseconds)
    append(",\"reminders\":")
    append(decimal: result.reminders.count)
    append(fieldsOf: result.total)
    append(",\"extra\":")
    append(decimal: result.extra)
    append(",\"refreshes\":")
    append(decimal: result.refreshes)
    append(",\"missedRefreshes\":")
    append(decimal: result.missedRefreshes)
    append(fieldsOf: result.deliveryRate)
    append(",\"reasons\":")
    append(
      jsonCounts: Dictionary(
        uniqueKeysWithValues: result.countsByReason.map { ($0.key.rawValue, $0.value) }))
    append(",\"evictions\":")
    append(jsonCounts: result.evictions.counts)
    append(",\"kinds\":[")
    for (index, entry) in result.byKind.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append("{\"kind\":")
      append(json: entry.kind.name)
      append(",\"priority\":")
      append(decimal: entry.kind.priority)
      append(fieldsOf: entry.tally)
      append(UInt8(ascii: "}"))
    }
    append("]}\n")
  }

  private mutating func append(fieldsOf tally: SimulationTally) {
    append(",\"due\":")
    append(decimal: tally.due)
    append(",\"onTime\":")
    append(decimal: tally.onTime)
    append(",\"late\":")
    append(decimal: tally.late)
    append(",\"dropped\":")
    append(decimal: tally.dropped)
  }

  private mutating func append(fieldsOf rate: DeliveryRate) {
    append(",\"rate\":")
    append(rate.rate ?? .nan, decimals: 4)
    append(",\"rateInterval\":")
    if let interval = rate.interval {
      append(UInt8(ascii: "["))
      append(interval.lower, decimals: 4)
      append(UInt8(ascii: ","))
      append(interval.upper, decimals: 4)
      append(UInt8(ascii: "]"))
    } else {
      append("null")
    }
    append(",\"gate\":")
    append(json: rate.gate().rawValue)
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
