package import FencepostNotifications

/// What a phone delivered in a period under several strategies.
package struct ScheduleReport: Sendable {
  /// The output formats.
  package enum Format: String, CaseIterable, Sendable {
    /// A table for people, the strategies side by side.
    case text
    /// One JSON object a line: a `fate` for each time a reminder was due, and a `schedule` at the
    /// end of each strategy.
    case ndjson
    /// A table for spreadsheets: a row for each time a reminder was due.
    case csv
  }

  /// The beginning of the period, in milliseconds since 1970.
  package var fromMilliseconds: Int64
  /// The end of the period, in milliseconds since 1970.
  package var toMilliseconds: Int64
  /// The name of the phone's profile.
  package var deviceName: String
  /// What became of the reminders, one result a strategy.
  package var results: [SimulationResult]

  /// Makes a report of its parts.
  package init(
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
  package func write(
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
  package var countsByReason: [FateReason: Int] {
    var counts: [FateReason: Int] = [:]
    for record in occurrences where record.fate != .onTime {
      counts[record.reason, default: 0] += 1
    }
    return counts
  }
}
