package import FencepostNotifications

/// What a phone delivered in a period under several strategies.
package struct ScheduleReport: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    /// A table for people, with the strategies side by side.
    case text
    /// One JSON object per line: `fate` per occurrence, and `schedule` at the end of a strategy.
    case ndjson
    /// A table for spreadsheets, with a row for each occurrence.
    case csv
    /// A calendar with an event for each occurrence.
    case ics
  }

  /// The start of the period, in milliseconds since 1970.
  package var fromMilliseconds: Int64
  /// The end of the period, in milliseconds since 1970.
  package var toMilliseconds: Int64
  package var deviceName: String
  /// The number of requests that the phone holds; nil for any number.
  package var slots: Int?
  package var zone: ClockZone
  /// The users' own reminders that are never shown because others come first.
  package var neverShown: [ScheduleSimulation.NeverShown] = []
  /// The titles of reminders by id, for calendars.
  package var titles: [String: String] = [:]
  package var results: [SimulationResult] = []

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
        output.buffer.append(jsonLineOf: result, in: self)
      }
    case .csv:
      output.buffer.append("strategy,reminder,kind,local,due,shown,fate,reason,displacedBy\r\n")
      for result in results { try write(result, to: &output) { $0.writeCSV(to: &$1) } }
    case .ics: try writeCalendar(to: &output)
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
  /// The number of occurrences dropped or late, by reason.
  package var countsByReason: [FateReason: Int] {
    var counts: [FateReason: Int] = [:]
    for record in occurrences where record.fate != .onTime {
      counts[record.reason, default: 0] += 1
    }
    return counts
  }
}
