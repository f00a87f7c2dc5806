import FencepostCalendars
import FencepostNotifications
import FencepostTime
import Foundation
import TestSupport
import Testing

/// A recurring event, and when it begins by another program; see `Tools/generate/recurrences`.
private struct Case: Decodable {
  /// The program, or the specification that has the example.
  var by: String
  /// The lines of an event, or whole events.
  var event: String
  var after: String
  var before: String
  var starts: [String]

  var calendar: String {
    let events =
      event.hasPrefix("BEGIN:") ? event : "BEGIN:VEVENT\nUID:a\n\(event)\nEND:VEVENT"
    return "BEGIN:VCALENDAR\nVERSION:2.0\n\(events)\nEND:VCALENDAR\n"
  }
}

/// Reads a time such as `20260304T090000` as UTC.
private func milliseconds(_ text: String) throws -> Int64 {
  let (date, time) = (text.prefix(8), text.dropFirst(9).prefix(6))
  return try #require(
    ISO8601.milliseconds(
      parsing: "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
        + "T\(time.prefix(2)):\(time.dropFirst(2).prefix(2)):\(time.suffix(2))Z"))
}

@Suite("Recurring events compared with other programs")
struct RecurrenceTableTests {
  private static func cases() throws -> [Case] {
    let url = Document.project.appendingPathComponent("Data/calendars/recurrences.jsonl")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
      try JSONDecoder().decode(Case.self, from: Data($0.utf8))
    }
  }

  /// Why another program begins an event at other times; nil if nothing explains it.
  private static func explanation(of event: String) -> String? {
    if event.contains("BYSETPOS"), event.contains("BYHOUR") {
      return "libical 3.0 counts positions among days, not among all times of a set"
    }
    if event.contains("UNTIL"), event.contains("RDATE") || event.contains("EXDATE"),
      !event.contains("BYHOUR")
    {
      return "the start of an event counts even behind the end of its rule (RFC 5545, 3.8.5.3)"
    }
    if event.contains("EXDATE"), event.contains("BYHOUR") {
      return "recurring-ical-events leaves out the whole day of an excluded time"
    }
    return nil
  }

  @Test("Events begin when python-dateutil, recurring-ical-events and RFC 5545 say")
  func agree() throws {
    let cases = try Self.cases()
    #expect(cases.count == 541)
    var differing: [Case] = []
    for one in cases {
      let (start, end) = (try milliseconds(one.after), try milliseconds(one.before))
      let found = try? CalendarFile(parsing: Array(one.calendar.utf8)).reminders(
        after: start, before: end, in: .utc
      ).flatMap {
        $0.occurrences(after: start, before: end, in: .utc, askedMilliseconds: start)
      }.map(\.dueMilliseconds).sorted()
      if found != (try one.starts.map(milliseconds)) { differing.append(one) }
    }
    #expect(differing.count == 9)
    for one in differing {
      #expect(one.by != "RFC 5545" && Self.explanation(of: one.event) != nil, "\(one.event)")
    }
  }

  @Test("A year of a calendar with 5,000 events is expanded in bounded time")
  func manyEvents() throws {
    let rules = [
      "", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE\n", "RRULE:FREQ=MONTHLY;BYDAY=-1FR\n",
      "RRULE:FREQ=DAILY;COUNT=20\n",
    ]
    let events = (0..<5000).map { number -> String in
      let (month, day, hour) = (10 + number % 3, 10 + number % 18, number % 10)
      let rule = rules[number % 50 < 3 ? number % 50 + 1 : 0]
      return """
        BEGIN:VEVENT
        UID:\(number)
        SUMMARY:x
        DTSTART;TZID=Europe/Berlin:2026\(month)\(day)T0\(hour)0000
        \(rule)END:VEVENT

        """
    }
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\n" + events.joined() + "END:VCALENDAR\n"
    let start = try milliseconds("20260101T000000")
    let reminders = try CalendarFile(parsing: Array(text.utf8)).reminders(
      after: start, before: start + 366 * 86_400_000, in: .utc)
    #expect(reminders.count == 5000)
  }
}
