import Foundation
import TestSupport
import Testing

extension ScheduleCommandTests {
  // MARK: Forms and failures

  @Test("Text shows the strategies side by side")
  func text() throws {
    let output = try twoHundred("--format", "text").output
    #expect(output.contains(#/ naive +first-come +budget +window\n/#))
    #expect(output.contains(#/  on time +64 +64 +200 +200\n/#))
    #expect(output.contains(#/  dropped in silence +136 +136 +0 +0\n/#))
    #expect(output.contains(#/    overflow +136 +0 +0 +0\n/#))
    #expect(output.contains(#/delivery rate +32.0 % +32.0 % +100.0 % +100.0 %\n/#))
    #expect(
      output.contains("\nnaive: peak 64 of 64 on 2 March, first lost 2 March 09:04\n"), "\(output)")
    #expect(output.hasSuffix("\nwindow: peak 49 of 64 on 6 March, none lost\n"))
  }

  @Test("A report page changes nothing in the text, and names its zone and what is lost")
  func report() throws {
    let scratch = try Scratch()
    let page = scratch.path("page.html")
    #expect(try twoHundred("--report", page).output == twoHundred().output)
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.hasSuffix("</html>\n"))
    #expect(text.contains("Times: America/New_York."))
    #expect(
      text.contains(
        "Hand everything over at once, and 136 of 200 never appear. A seven-day window loses none."
      ))
    #expect(text.contains("<li>naive: peak 64 of 64 on 2 March, first lost 2 March 09:04</li>"))
  }

  // MARK: Tables

  @Test("A table of habits is read, with a column for each weekday or a row for each reminder")
  func tables() throws {
    let scratch = try Scratch()
    let grid = try scratch.write(
      "habits.csv", "Habit;Mon;Wed;Sun\nRun;7:00;7:00;9:30\nMeditate;06:30, 22:00;;\n")
    let rows = try scratch.write(
      "rows.csv",
      """
      title,time,date,days,repeat,kind,priority
      Water,"08:00, 20:00",,,,habit,0
      Rent,09:00,2026-03-05,,monthly,bill,1
      Standup,9:30,,weekdays,,habit,
      Dentist,2026-03-04 15:00,,,,,

      """)
    func due(_ path: String) throws -> [String] {
      let result = try Command.run([
        "schedule", path, "--from", "2026-03-02", "--for", "7d", "--strategy", "window",
        "--format", "csv",
      ])
      #expect(result.status == 0, "\(result.errors)")
      return result.output.split(separator: "\r\n").dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false)[1...3].joined(separator: " ")
      }
    }
    #expect(
      try due(grid) == [
        "reminder.meditate reminder 2026-03-02T06:30", "reminder.run reminder 2026-03-02T07:00",
        "reminder.meditate reminder 2026-03-02T22:00", "reminder.run reminder 2026-03-04T07:00",
        "reminder.run-2 reminder 2026-03-08T09:30",
      ])
    let found = try due(rows)
    #expect(found.count == 14 + 1 + 5 + 1)
    #expect(found.contains("bill.rent bill 2026-03-05T09:00"))
    #expect(found.contains("reminder.dentist reminder 2026-03-04T15:00"))
    for (text, sentence) in [
      ("title,time\nx,8.30\n", "line 2: expected a time such as 08:30, not \"8.30\""),
      ("name;day\nx;mon\n", "line 1: no column is called time, and none is a weekday"),
      ("title,time,days\nx,08:00,maandag\n", "line 2: expected weekdays such as mon"),
      ("title,time,repeat\nx,08:00,weekly\n", "line 2: repeat \"weekly\" needs a date"),
    ] {
      let path = try scratch.write("bad.csv", text)
      let result = try Command.run(["schedule", path])
      #expect(result.status == 65 && result.errors.contains(sentence), "\(result.errors)")
    }
  }

  @Test("A reminder file may come from standard input, compressed or not")
  func standardInput() throws {
    let text = try String(contentsOfFile: Self.path("snoozes.json"), encoding: .utf8)
    let period = ["--from", "2026-03-02T12:00:00Z", "--for", "14d"]
    let piped = try Command.run(["schedule", "-"] + period, input: text)
    let read = try Command.run(["schedule", Self.path("snoozes.json")] + period)
    #expect(piped.status == 0 && piped.output == read.output)
  }

  @Test("A fault in a document is reported with file and JSON path, and exits with 65")
  func badDocument() throws {
    let scratch = try Scratch()
    let period = ["--from", "2026-03-02T12:00:00Z", "--for", "14d"]
    let bad = try scratch.write(
      "bad.json", #"{"reminders":[{"id":"a","title":"x","times":["08:00","8:30"]}]}"#)
    let result = try Command.run(["schedule", bad] + period)
    #expect(result.status == 65 && result.output.isEmpty)
    #expect(
      result.errors
        == "fencepost: \(bad): reminders[0].times[1]: expected a time of day such as 08:30\n")
    let syntax = try scratch.write("cut.json", "{\"reminders\":[")
    #expect(try Command.run(["schedule", syntax] + period).errors.contains("cut.json: line 1"))
    let travel = try scratch.write("t.json", #"{"changes":[{"at":"soon","zone":"Z"}]}"#)
    let traveled = try Command.run(
      ["schedule", Self.path("traveler.json"), "--travel", travel] + period)
    #expect(traveled.status == 65)
    #expect(traveled.errors.contains("t.json: changes[0].at: expected a time"))
  }

  @Test("A start without an offset follows the clock of --time-zone, or of the machine")
  func clocks() throws {
    func text(_ from: String, _ arguments: [String] = [], zone: String = "UTC") throws -> String {
      let result = try Command.run(
        ["schedule", Self.path("snoozes.json"), "--from", from, "--for", "14d"] + arguments,
        isTyped: true, environment: ["TZ": zone])
      #expect(result.status == 0, "\(result.errors)")
      return result.output
    }
    let utc = try text("2026-03-02T05:00:00Z")
    // The reminders are in New York's time, and so is the text.
    #expect(utc.contains(" from 2026-03-02T00:00:00-05:00 to 2026-03-16T01:00:00-04:00 on "))
    let local = try text("2026-03-02", zone: "America/New_York")
    // The clocks change on the way.
    #expect(local.contains(" from 2026-03-02T00:00:00-05:00 to 2026-03-16T01:00:00-04:00 on "))
    let offset = try text("2.3.2026", ["--time-zone", "-05:00"])
    #expect(offset.split(separator: "\n").dropFirst() == utc.split(separator: "\n").dropFirst())
    #expect(try text("tomorrow").contains(" to "))
  }

  @Test("A file too long to be a reminder file is refused")
  func longFile() throws {
    let scratch = try Scratch()
    try scratch.write(
      "long.json", "{\"reminders\":[" + String(repeating: " ", count: 8 << 20) + "]}")
    let result = try Command.run(
      ["schedule", "long.json", "--from", "2026-03-04T00:00:00Z", "--for", "7d"], in: scratch.url)
    #expect(result.status == 65 && result.output.isEmpty)
    #expect(result.errors == "fencepost: long.json: larger than 8 MiB, so not a reminder file\n")
  }
}
