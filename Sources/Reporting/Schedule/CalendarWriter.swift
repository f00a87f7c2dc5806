import FencepostFormats
import FencepostNotifications
import FencepostTime

/// Writes an iCalendar document (RFC 5545), so that a plan can be looked at in any calendar.
struct CalendarWriter {
  /// The time in milliseconds since 1970 that every event gives as its own.
  let stampMilliseconds: Int64

  func begin(_ output: inout OutputBuffer) {
    line("BEGIN:VCALENDAR", to: &output)
    line("VERSION:2.0", to: &output)
    line("PRODID:-//Fencepost//Schedule//EN", to: &output)
  }

  func end(_ output: inout OutputBuffer) { line("END:VCALENDAR", to: &output) }

  func event(
    _ id: String, atMilliseconds milliseconds: Int64, _ summary: String, _ description: String,
    to output: inout OutputBuffer
  ) {
    line("BEGIN:VEVENT", to: &output)
    line("UID:\(Self.escaped(id))@fencepost", to: &output)
    line("DTSTAMP:\(Self.time(stampMilliseconds))", to: &output)
    line("DTSTART:\(Self.time(milliseconds))", to: &output)
    line("SUMMARY:\(Self.escaped(summary))", to: &output)
    line("DESCRIPTION:\(Self.escaped(description))", to: &output)
    line("TRANSP:TRANSPARENT", to: &output)
    line("END:VEVENT", to: &output)
  }

  /// Appends a line, folded after at most 75 bytes.
  private func line(_ text: String, to output: inout OutputBuffer) {
    var count = 0
    for scalar in text.unicodeScalars {
      let length = UTF8.width(scalar)
      if count + length > 75 {
        output.append("\r\n ")
        count = 1
      }
      output.append(verbatim: String(scalar))
      count += length
    }
    output.append("\r\n")
  }

  private static func time(_ milliseconds: Int64) -> String {
    String(ISO8601.string(milliseconds: milliseconds).prefix(19)).filter { $0 != "-" && $0 != ":" }
      + "Z"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\", ";", ",": escaped += "\\\(character)"
      case _ where character.isNewline: escaped += "\\n"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

extension ScheduleReport {
  func writeCalendar(to output: inout OutputFile) throws(OutputFailure) {
    let writer = CalendarWriter(stampMilliseconds: fromMilliseconds)
    writer.begin(&output.buffer)
    for result in results {
      for record in result.occurrences {
        let title = titles[record.reminderID] ?? record.reminderID
        let summary =
          switch record.fate {
          case .onTime: title
          case .late: "Late: \(title)"
          case .dropped: "Lost: \(title)"
          }
        let behind = record.displacedBy.map { ", behind \($0)" } ?? ""
        writer.event(
          "\(result.strategy.rawValue).\(record.reminderID).\(record.dueMilliseconds)",
          atMilliseconds: record.shownMilliseconds ?? record.dueMilliseconds, summary,
          "\(result.strategy.rawValue): \(record.reason.rawValue)\(behind)", to: &output.buffer)
        try output.flushIfFull()
      }
    }
    writer.end(&output.buffer)
  }
}
