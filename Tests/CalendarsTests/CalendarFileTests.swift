import FencepostCalendars
import FencepostNotifications
import FencepostTime
import Testing

private func calendar(_ lines: String) throws -> CalendarFile {
  try CalendarFile(parsing: Array("BEGIN:VCALENDAR\nVERSION:2.0\n\(lines)\nEND:VCALENDAR\n".utf8))
}

private func milliseconds(_ text: String) throws -> Int64 {
  try #require(ISO8601.milliseconds(parsing: text))
}

/// The reminders of events in March 2026, as `id time`, with times in UTC.
private func reminders(
  _ lines: String, from: String = "2026-03-01T00:00:00Z", to: String = "2026-04-01T00:00:00Z",
  phone: ClockZone = .utc
) throws -> [String] {
  let (start, end) = (try milliseconds(from), try milliseconds(to))
  return try calendar(lines).reminders(after: start, before: end, in: phone).flatMap { reminder in
    reminder.occurrences(after: start, before: end, in: phone, askedMilliseconds: start).map {
      "\(reminder.id) \(ISO8601.string(milliseconds: $0.dueMilliseconds))"
    }
  }
}

private func event(_ lines: String, uid: String = "a") -> String {
  "BEGIN:VEVENT\nUID:\(uid)\nSUMMARY:x\n\(lines)\nEND:VEVENT"
}

private func alarm(_ lines: String) -> String {
  "BEGIN:VALARM\nACTION:DISPLAY\n\(lines)\nEND:VALARM"
}

@Suite("Reminders of a calendar file")
struct CalendarFileTests {
  @Test("A rule or date that cannot be read is reported with its event; an empty text is not")
  func malformed() throws {
    let start = "DTSTART:20260304T090000Z\n"
    #expect(throws: CalendarError.badRule(uid: "a", rule: "FREQ=NEVER")) {
      try reminders(event(start + "RRULE:FREQ=NEVER"))
    }
    #expect(throws: CalendarError.badTime(uid: "a", property: "EXDATE", value: "tomorrow")) {
      try reminders(event(start + "EXDATE:tomorrow"))
    }
    #expect(throws: CalendarError.badTime(uid: "a", property: "RDATE", value: "x: y")) {
      try reminders(event(start + "RDATE:x: y"))
    }
    #expect(try reminders(event(start + "LOCATION:")) == ["event.a 2026-03-04T09:00:00Z"])
  }

  @Test("An event without an alarm reminds when it begins, and at nine if it lasts whole days")
  func starts() throws {
    #expect(try reminders(event("DTSTART:20260304T090000Z")) == ["event.a 2026-03-04T09:00:00Z"])
    #expect(
      try reminders(event("DTSTART;VALUE=DATE:20260304")) == ["event.a 2026-03-04T09:00:00Z"])
  }

  @Test("Floating times follow the phone's clock, and times with a zone stay")
  func clocks() throws {
    let berlin = try #require(ClockZone(identifier: "Europe/Berlin"))
    #expect(
      try reminders(event("DTSTART:20260304T090000"), phone: berlin)
        == ["event.a 2026-03-04T08:00:00Z"])
    #expect(
      try reminders(event("DTSTART;TZID=America/New_York:20260304T090000"), phone: berlin)
        == ["event.a 2026-03-04T14:00:00Z"])
  }

  @Test("A weekly event keeps its local time when clocks change")
  func daylightSaving() throws {
    #expect(
      try reminders(
        event("DTSTART;TZID=Europe/Berlin:20260325T090000\nRRULE:FREQ=WEEKLY;COUNT=2"),
        to: "2026-05-01T00:00:00Z")
        == ["event.a 2026-03-25T08:00:00Z", "event.a 2026-04-01T07:00:00Z"])
  }

  @Test("A skipped time moves forward, and of a repeated one the first counts")
  func gapsAndFolds() throws {
    #expect(
      try reminders(event("DTSTART;TZID=Europe/Berlin:20260329T023000"))
        == ["event.a 2026-03-29T01:30:00Z"])
    #expect(
      try reminders(
        event("DTSTART;TZID=Europe/Berlin:20261025T023000"), from: "2026-10-01T00:00:00Z",
        to: "2026-11-01T00:00:00Z") == ["event.a 2026-10-25T00:30:00Z"])
  }

  @Test("Alarms are relative to the start or the end, at an instant, or repeated")
  func alarms() throws {
    let times = "DTSTART:20260304T090000Z\nDTEND:20260304T100000Z\n"
    func due(_ lines: String) throws -> [String] {
      try reminders(event(times + alarm(lines))).map { String($0.dropFirst(8)) }
    }
    #expect(try due("TRIGGER:-PT15M") == ["2026-03-04T08:45:00Z"])
    #expect(try due("TRIGGER:PT5M") == ["2026-03-04T09:05:00Z"])
    #expect(try due("TRIGGER;RELATED=END:-PT10M") == ["2026-03-04T09:50:00Z"])
    #expect(try due("TRIGGER;VALUE=DATE-TIME:20260303T180000Z") == ["2026-03-03T18:00:00Z"])
    #expect(
      try due("TRIGGER:-PT15M\nREPEAT:2\nDURATION:PT5M")
        == ["2026-03-04T08:45:00Z", "2026-03-04T08:50:00Z", "2026-03-04T08:55:00Z"])
    #expect(try due("TRIGGER:-P1W").isEmpty)
  }

  @Test("A day before is the same time of day, although clocks change in between")
  func nominalDay() throws {
    #expect(
      try reminders(
        event("DTSTART;TZID=Europe/Berlin:20260329T090000\n" + alarm("TRIGGER:-P1D")))
        == ["event.a 2026-03-28T08:00:00Z"])
  }

  @Test("A task reminds when it is due, and one without a time does not")
  func tasks() throws {
    #expect(
      try reminders("BEGIN:VTODO\nUID:t\nDUE:20260304T170000Z\nEND:VTODO")
        == ["task.t 2026-03-04T17:00:00Z"])
    #expect(try reminders("BEGIN:VTODO\nUID:t\nSUMMARY:some day\nEND:VTODO").isEmpty)
    #expect(
      try reminders(
        "BEGIN:VTODO\nUID:t\nDTSTART:20260302T080000Z\nDUE:20260303T170000Z\n"
          + "RRULE:FREQ=WEEKLY;COUNT=2\n\(alarm("TRIGGER;RELATED=END:-PT1H"))\nEND:VTODO")
        == ["task.t 2026-03-03T16:00:00Z", "task.t 2026-03-10T16:00:00Z"])
  }

  @Test("Dates are added, left out and replaced")
  func recurrenceSet() throws {
    let lines =
      event(
        "DTSTART;TZID=Europe/Berlin:20260302T090000\nRRULE:FREQ=DAILY;COUNT=5\n"
          + "RDATE;TZID=Europe/Berlin:20260320T100000,20260321T100000\n"
          + "EXDATE;TZID=Europe/Berlin:20260303T090000\nEXDATE:20260304T080000Z")
      + "\n"
      + event("RECURRENCE-ID;TZID=Europe/Berlin:20260305T090000\nDTSTART:20260305T150000Z")
    #expect(
      try reminders(lines) == [
        "event.a 2026-03-02T08:00:00Z", "event.a 2026-03-06T08:00:00Z",
        "event.a 2026-03-20T09:00:00Z", "event.a 2026-03-21T09:00:00Z",
        "event.a#20260305T090000 2026-03-05T15:00:00Z",
      ])
    #expect(try reminders(event("DTSTART:20260304T090000Z\nSTATUS:CANCELLED")).isEmpty)
  }

  @Test("The end of a rule in UTC is on the event's clock")
  func until() throws {
    let rule = "RRULE:FREQ=DAILY;UNTIL=20260304T080000Z"
    #expect(
      try reminders(event("DTSTART;TZID=Europe/Berlin:20260303T090000\n" + rule)).count == 2)
    #expect(
      try reminders(event("DTSTART;TZID=Europe/Berlin:20260303T090001\n" + rule)).count == 1)
  }

  @Test("A zone that only the file describes counts by its own rules")
  func describedZone() throws {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:W. Europe Standard Time
      BEGIN:STANDARD
      DTSTART:16010101T030000
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0100
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:16010101T020000
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0200
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
      END:DAYLIGHT
      END:VTIMEZONE
      """
    func due(_ time: String) throws -> [String] {
      try reminders(
        zone + "\n" + event("DTSTART;TZID=W. Europe Standard Time:\(time)"),
        to: "2026-12-31T00:00:00Z"
      ).map { String($0.dropFirst(8)) }
    }
    let berlin = try #require(ClockZone(identifier: "Europe/Berlin"))
    for time in [
      "20260328T090000", "20260329T015959", "20260329T023000", "20260329T030000",
      "20260701T120000", "20261025T015959", "20261025T023000", "20261025T030000",
    ] {
      let local = try #require(
        LocalTime(
          "\(time.prefix(4))-\(time.dropFirst(4).prefix(2))-\(time.dropFirst(6).prefix(5))"
            + ":\(time.dropFirst(11).prefix(2)):\(time.suffix(2))"))
      let expected = berlin.milliseconds(date: local.date, secondOfDay: local.time.secondOfDay)
      #expect(try due(time) == [ISO8601.string(milliseconds: expected)], "\(time)")
    }
  }

  @Test("Zones are found in the long names of other programs")
  func longNames() throws {
    let name = "/freeassociation.sourceforge.net/Europe/Berlin"
    #expect(
      try reminders(event("DTSTART;TZID=\(name):20260304T090000"))
        == ["event.a 2026-03-04T08:00:00Z"])
  }

  @Test(
    "What is no calendar is refused with a sentence",
    arguments: [
      ("", "the file has no calendar; expected BEGIN:VCALENDAR"),
      ("title,time\nx,09:00\n", "the file has no calendar; expected BEGIN:VCALENDAR"),
      ("BEGIN:VCALENDAR\u{0}END:VCALENDAR", "the file has no calendar; expected BEGIN:VCALENDAR"),
      (String(repeating: "BEGIN:VEVENT\n", count: 9000), "components are nested too deeply"),
    ])
  func refused(text: String, sentence: String) throws {
    let error = #expect(throws: CalendarError.self) { try CalendarFile(parsing: Array(text.utf8)) }
    #expect(error?.description == sentence)
  }

  @Test("A bad time or an endless rule is refused with the event")
  func faults() throws {
    let time = #expect(throws: CalendarError.self) { try calendar(event("SUMMARY:y")) }
    #expect(time?.description == "event a: no DTSTART that is a time")
    let rule = #expect(throws: CalendarError.self) {
      try reminders(event("DTSTART:20200304T090000Z\nRRULE:FREQ=SECONDLY"))
    }
    #expect(rule?.description == "event a: the rule \"FREQ=SECONDLY\" cannot be followed")
  }

  @Test("Any cut of a file is read or refused, and never ends the program")
  func cuts() throws {
    let text =
      "BEGIN:VCALENDAR\nVERSION:2.0\n"
      + event(
        "DTSTART;TZID=Europe/Berlin:20260302T090000\nRRULE:FREQ=DAILY;COUNT=5\n"
          + alarm("TRIGGER:-PT15M")) + "\nEND:VCALENDAR\n"
    let bytes = Array(text.utf8)
    let (start, end) = (
      try milliseconds("2026-03-01T00:00:00Z"), try milliseconds("2026-04-01T00:00:00Z")
    )
    for count in 0..<bytes.count {
      do throws(CalendarError) {
        let file = try CalendarFile(parsing: Array(bytes.prefix(count)))
        _ = try file.reminders(after: start, before: end, in: .utc)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
