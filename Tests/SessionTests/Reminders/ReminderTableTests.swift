import FencepostSession
import FencepostNotifications
import FencepostReporting
import FencepostTime
import Foundation
import Testing

@Suite("Tables of reminders")
struct ReminderTableTests {
  private static func document(_ text: String, zone: ClockZone = .utc) throws -> ReminderDocument {
    let bytes = Array(text.utf8)
    return try ReminderDocument(parsingTable: bytes.span, zone: zone)
  }

  private static func zone(_ name: String) throws -> ClockZone {
    try #require(ClockZone(identifier: name))
  }

  /// A simulation from a time such as `2026-03-01T00:00:00Z`.
  private struct Period {
    let document: ReminderDocument
    let simulation: ScheduleSimulation
    private let options: ScheduleSimulationOptions

    init(
      _ document: ReminderDocument, from: String, days: Int64,
      _ change: (inout ScheduleSimulationOptions) -> Void = { _ in }
    ) throws {
      let start = try #require(ISO8601.milliseconds(parsing: from))
      var options = ScheduleSimulationOptions(
        fromMilliseconds: start, toMilliseconds: start + days * 86_400_000)
      change(&options)
      (self.document, self.options) = (document, options)
      simulation = ScheduleSimulation(document: document, options: options)
    }

    var unreachable: [ScheduleSimulation.Unreachable] {
      simulation.unreachable(besides: simulation.dueOccurrences())
    }

    /// What the naive strategy does, as text.
    func text() throws -> String {
      var report = ScheduleReport(
        fromMilliseconds: options.fromMilliseconds, toMilliseconds: options.toMilliseconds,
        deviceName: "ios", slots: 64, zone: document.zone)
      (report.reminders, report.phoneZone) = (document.reminders, document.zone)
      report.unreachable = unreachable
      report.results = simulation.run([.naive])
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: file) }
      var output = try OutputFile(path: file.path)
      try report.write(as: .text, to: &output)
      try output.finish()
      return try String(contentsOf: file, encoding: .utf8)
    }
  }

  /// The rows of the table in the README of `Data/reported/reminders`.
  private static let reported: [[String]] = {
    // Without the file there are no rows, which a test notices.
    let text = (try? String(contentsOfFile: reportedFolder + "README.md", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { $0.count == 5 && Int($0[2]) != nil }
  }()

  private static let reportedFolder =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    + "/Data/reported/reminders/"

  @Test("of the kinds that people reported are read, or refused with what to do")
  func reportedTables() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.reportedFolder)
    #expect(files.filter { $0 != "README.md" }.sorted() == Self.reported.map { $0[1] }.sorted())
    for row in Self.reported {
      let text = try String(contentsOfFile: Self.reportedFolder + row[1], encoding: .utf8)
      if row[3].isEmpty {
        #expect(try Self.document(text).reminders.count == Int(row[2]), "\(row[1])")
      } else {
        #expect { try Self.document(text) } throws: { "\($0)".contains(row[3]) }
      }
    }
  }

  @Test(
    "name a column that is not read, and the one that was meant",
    arguments: [
      ("Habit,Mon,Tues\nRun,07:00,07:00\n", "the column \"Tues\" is not read; did you mean Tue?"),
      ("Habit,Mo,Tue\nRun,07:00,07:00\n", "the column \"Mo\" is not read; did you mean Mon?"),
      ("Habit,Mo,Tu\nRun,07:00,07:00\n", "the column \"Mo\" is not read; did you mean Mon?"),
      ("Habit,Mon,Weekend\nRun,07:00,07:00\n", "the column \"Weekend\" is not read"),
      ("title,time,zone\nRun,07:00,Europe/Berlin\n", "\"zone\" is not read; name the phone's zone"),
      ("title,time,prioritty\nRun,07:00,1\n", "\"prioritty\" is not read; did you mean priority?"),
      ("title,time,repat,date\nRun,07:00,weekly,2026-03-20\n", "\"repat\" is not read; did you"),
      ("title,time,\nRun,07:00,1\n", "column 3 has no heading"),
      ("title,time\nRun,07:00,1\n", "a cell has no heading"),
      (
        "title,time,date,start\nRun,07:00,2026-03-20,2026-03-21\n",
        "\"date\" and \"start\" both name"
      ),
      (
        "title,Mon,Tue,time,days\nRun,07:00,,06:00,fri\n",
        "line 2: \"time\" and \"days\" cannot stand"
      ),
      ("title,time,date,until\nRun,07:00,2026-03-20,2026-03-21\n", "until needs a repeat"),
      (
        "title,time,date,repeat,until\nRun,07:00,2026-03-20,daily,2026-03-19\n",
        "the last day 2026-03-19 is before the first, 2026-03-20"
      ),
    ])
  func columns(text: String, sentence: String) {
    #expect { try Self.document(text) } throws: { "\($0)".contains(sentence) }
  }

  @Test("pass over notes, and columns without a cell")
  func notes() throws {
    let document = try Self.document("id,title,time,notes,Tues,\n7,Pill,08:00,with food,,\n")
    #expect(document.reminders.map(\.id) == ["reminder.7"])
  }

  @Test(
    "begin and end a repetition on the days that they name",
    arguments: [
      (
        "Pill,08:00,2026-03-20,daily,2026-03-22",
        ["2026-03-20T08:00", "2026-03-21T08:00", "2026-03-22T08:00"]
      ),
      ("Bins,19:00,2026-03-24,weekly,2026-04-01", ["2026-03-24T19:00", "2026-03-31T19:00"]),
      ("Rent,09:00,2026-04-15,monthly,", ["2026-04-15T09:00"]),
      ("Antibiotic,08:00,,daily,2026-03-02", ["2026-03-01T08:00", "2026-03-02T08:00"]),
    ])
  func days(row: String, due: [String]) throws {
    let document = try Self.document("title,time,date,repeat,until\n\(row)\n")
    let period = try Period(document, from: "2026-03-01T00:00:00Z", days: 60)
    for result in period.simulation.run([.naive, .window]) {
      #expect(result.occurrences.map(\.local.description) == due)
      #expect(result.total.onTime == due.count)
      // A repeating request knows no first and no last day, and single ones need neither.
      #expect((result.extra > 0) == (result.strategy == .naive), "\(result.strategy)")
    }
  }

  @Test("are of the phone's zone, also on the days on which clocks change")
  func clock() throws {
    let document = try Self.document(
      "title,time,days\nPill,07:30,daily\n", zone: Self.zone("Europe/Berlin"))
    let period = try Period(document, from: "2026-03-27T23:00:00Z", days: 3)
    let due = period.simulation.run([.naive])[0].occurrences.map(\.dueMilliseconds)
    #expect(
      due.map { ISO8601.string(milliseconds: $0) }
        == ["2026-03-28T06:30:00Z", "2026-03-29T05:30:00Z", "2026-03-30T05:30:00Z"])
    let text = try period.text()
    #expect(
      text.contains(
        """
        When they fire, on the phone's clock (Europe/Berlin):
          Pill: 28 March 07:30, 29 March 07:30, 30 March 07:30

        """), "\(text)")
  }

  @Test("with a reminder in the past never say that none is lost")
  func past() throws {
    let document = try Self.document("title,time,date\nA,09:00,2025-02-20\nB,09:00,2026-03-05\n")
    let text = try Period(document, from: "2026-03-02T00:00:00Z", days: 30).text()
    #expect(
      text.hasSuffix(
        """
        naive: peak 1 of 64 on 2 March, no other lost
        "A" (reminder.a) is over: its last time, 20 February 2025 09:00, has passed.

        """), "\(text)")
  }

  @Test("that have been repeated until a day say when they were due last")
  func repeatedUntil() throws {
    let rows = [
      // Monday 2 March is the last before Wednesday 4 March.
      "Bins,08:00,2026-01-05,2026-03-04,weekly", "Rent,09:00,2026-01-01,2026-02-15,monthly",
      "Leap,09:00,2024-02-01,2026-02-27,yearly",
    ]
    let document = try Self.document(
      "title,time,date,until,repeat\n" + rows.joined(separator: "\n") + "\n")
    let period = try Period(document, from: "2026-03-03T00:00:00Z", days: 3)
    #expect(
      period.unreachable.map { "\($0.reminder.content.title) \($0.local)" }
        == ["Bins 2026-03-02T08:00", "Rent 2026-02-01T09:00", "Leap 2026-02-01T09:00"])
  }

  @Test("name what is shown unexpectedly")
  func unexpected() throws {
    let document = try Self.document("title,time,date,repeat\nPill,08:00,2026-03-04,daily\n")
    let text = try Period(document, from: "2026-03-02T00:00:00Z", days: 4).text()
    #expect(
      text.contains("  shown unexpectedly: reminder.pill 2 March 08:00 and 1 time more\n"),
      "\(text)")
  }

  @Test("name the times that a change of the zone or the date line skips")
  func skipped() throws {
    func skipped(_ row: String, _ from: String, _ to: String, at time: String) throws -> [String] {
      let document = try Self.document("title,time,date\n\(row)\n", zone: Self.zone(from))
      let period = try Period(document, from: "2026-03-09T12:00:00Z", days: 5) {
        guard let time = ISO8601.milliseconds(parsing: time),
          let zone = ClockZone(identifier: to)
        else { return }
        $0.travel = [ZoneChange(timeMilliseconds: time, zone: zone)]
      }
      #expect(try !period.text().contains("none lost"))
      return period.unreachable.map { "\($0.local) \($0.reason)" }
    }
    #expect(
      try skipped(
        "Meeting,09:00,2026-03-10", "America/New_York", "Europe/London", at: "2026-03-10T12:30:00Z")
        == ["2026-03-10T09:00 zoneChange"])
    // From 11 March 13:00 in Honolulu to 12 March 12:00 in Auckland.
    #expect(
      try skipped("Pill,08:00,", "Pacific/Honolulu", "Pacific/Auckland", at: "2026-03-11T23:00:00Z")
        == ["2026-03-12T08:00 zoneChange"])
  }

  @Test("of more than 500 lose the rest on Android, which refuses more alarms")
  func android() throws {
    let rows = (0..<700).map { number in
      "Prayer \(number),\(7 + number % 10):00,2026-03-\(twoDigits(2 + number / 25))"
    }
    let document = try Self.document("title,time,date\n" + rows.joined(separator: "\n") + "\n")
    let period = try Period(document, from: "2026-03-02T00:00:00Z", days: 40) {
      ($0.limits, $0.sameSecondLimit) = (.android, nil)
    }
    let results = period.simulation.run([.naive, .window])
    #expect(results[0].total.onTime == 500 && results[0].total.dropped == 200)
    #expect(results[0].peakCount == 500)
    #expect(results[0].occurrences.allSatisfy { $0.fate == .onTime || $0.reason == .overflow })
    #expect(results[1].total.dropped == 0)
  }

  private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
