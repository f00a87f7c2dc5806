import FencepostSession
import FencepostTime
import FencepostFormats
import Foundation
import FencepostNotifications
import Testing

private func run(
  _ name: String, from: String, days: Int64, _ strategies: [ScheduleStrategy],
  _ adjust: (inout ScheduleSimulationOptions) throws -> Void = { _ in }
) throws -> [SimulationResult] {
  let start = try #require(ISO8601.milliseconds(parsing: from))
  var options = ScheduleSimulationOptions(
    fromMilliseconds: start, toMilliseconds: start + days * oneDay)
  try adjust(&options)
  return ScheduleSimulation(document: try sample(name), options: options).run(strategies)
}

private let twoHundred = (name: "two-hundred-reminders.json", from: "2026-03-02T05:00:00Z")

@Suite("Simulated periods")
struct ScheduleSimulationTests {
  @Test("the window delivers all of 200 reminders, the naive app what 64 slots allow")
  func twoHundredReminders() throws {
    let results = try run(
      twoHundred.name, from: twoHundred.from, days: 30, ScheduleStrategy.allCases)
    #expect(results.allSatisfy { $0.total.due == 200 })
    #expect(results.map(\.total.onTime) == [64, 64, 200, 200])
    #expect(
      results[0].occurrences.filter { $0.fate == .dropped }.allSatisfy { $0.reason == .overflow })
    #expect(
      results[1].occurrences.filter { $0.fate == .dropped }.allSatisfy { $0.reason == .notAdded })
  }

  @Test(
    "each day of a result is the moment when the phone held most, with everything that waited",
    arguments: ["two-hundred-reminders.json", "seven-habits.json", "snoozes.json"])
  func days(name: String) throws {
    let start = try #require(ISO8601.milliseconds(parsing: twoHundred.from))
    var options = ScheduleSimulationOptions(
      fromMilliseconds: start, toMilliseconds: start + 14 * oneDay)
    options.dayZone = ClockZone(identifier: "America/New_York")
    options.dailyLaunches = [try #require(TimeOfDay("12:30"))]
    let simulation = ScheduleSimulation(document: try sample(name), options: options)
    let plain = try run(name, from: twoHundred.from, days: 14, ScheduleStrategy.allCases) {
      $0.dailyLaunches = options.dailyLaunches
    }
    for (result, plain) in zip(simulation.run(), plain) {
      // The clocks change on the seventh day, so the period ends an hour into the fifteenth.
      #expect(result.days.count == 15)
      let counts = result.days.map { $0.pendingByKind.values.reduce(0, +) }
      #expect(counts.max() == result.peakCount)
      #expect(
        counts.firstIndex(of: result.peakCount).map { result.days[$0].milliseconds }
          == result.peakMilliseconds)
      for day in result.days {
        let (pending, plan) = simulation.plan(
          under: result.strategy, atMilliseconds: day.milliseconds)
        #expect(
          day.pending.map(\.identifier).sorted() == pending.map(\.identifier).sorted())
        #expect(day.waitingByKind.values.reduce(0, +) == plan.waiting.count)
        let stored = plan.waiting.map(\.request.identifier)
        #expect(day.waiting.map(\.identifier) == Array(stored.prefix(64)))
      }
      #expect(result.occurrences == plain.occurrences && result.trace == plain.trace)
    }
  }

  @Test("which 64 the naive app keeps depends on the phone")
  func documentedRetention() throws {
    let observed = try run(twoHundred.name, from: twoHundred.from, days: 30, [.naive])[0]
    let documented = try run(twoHundred.name, from: twoHundred.from, days: 30, [.naive]) {
      $0.limits = .iosDocumented
    }[0]
    let android = try run(twoHundred.name, from: twoHundred.from, days: 30, [.naive]) {
      $0.limits = .android
    }[0]
    #expect(documented.occurrences.prefix(64).allSatisfy { $0.fate == .onTime })
    #expect(observed.occurrences.prefix(64).contains { $0.fate == .dropped })
    #expect(android.total.onTime == 200)
  }

  @Test("the window survives missed refreshes for as long as it looks ahead")
  func missedRefreshes() throws {
    let some = try run(twoHundred.name, from: twoHundred.from, days: 30, [.window]) {
      $0.missedRefreshShare = 0.3
      $0.seed = 7
    }[0]
    #expect(some.missedRefreshes > 0 && some.refreshes + some.missedRefreshes == 29)
    #expect(some.total.onTime == 200)
    let none = try run(twoHundred.name, from: twoHundred.from, days: 30, [.window]) {
      $0.missedRefreshShare = 1
    }[0]
    #expect(none.total.dropped > 100)
    #expect(
      none.occurrences.filter { $0.fate == .dropped }.allSatisfy { $0.reason == .notRefreshed })
  }

  @Test("seven habits and twenty nudges all arrive by budget and window")
  func sevenHabits() throws {
    let results = try run(
      "seven-habits.json", from: "2026-03-01T21:00:00Z", days: 7, ScheduleStrategy.allCases)
    for result in results where result.strategy != .naive {
      #expect(result.byKind.first?.kind.name == "habit")
      #expect(result.byKind.first?.tally.onTime == 49)
    }
  }

  @Test("a medication stays on Istanbul's clock and a meeting follows the traveler")
  func traveler() throws {
    let bytes = try sampleBytes("zone-changes.json")
    let changes = try ZoneChange.list(parsing: bytes.span)
    let results = try run(
      "traveler.json", from: "2026-03-06T00:00:00Z", days: 14, [.naive, .window]
    ) { $0.travel = changes }
    for result in results {
      let medication = result.occurrences.filter { $0.reminderID == "medication.thyroid" }
      #expect(medication.count == 14)
      #expect(medication.allSatisfy { $0.dueMilliseconds % oneDay == 5 * 3_600_000 })
      let meetings = result.occurrences.filter { $0.reminderID == "meeting.standup" }
      // At seven in UTC from Istanbul, at ten from London.
      #expect(Set(meetings.map { $0.dueMilliseconds % oneDay / 3_600_000 }) == [7, 10])
      #expect(result.total.dropped == 0 && result.total.due == result.total.onTime)
      #expect(result.occurrences.contains { $0.reminderID == "meeting.dinner" })
    }
  }

  @Test("snoozes on a full phone arrive with a budget; the naive app loses other requests for them")
  func snoozes() throws {
    let results = try run(
      "snoozes.json", from: "2026-03-02T12:00:00Z", days: 14, [.naive, .budget, .window])
    #expect(results[0].total.dropped == 8)
    #expect(results[1].total.dropped == 0)
    #expect(results[2].total.dropped == 0)
  }

  @Test("every occurrence and every reminder has one record, and two runs agree")
  func records() throws {
    for name in ["sixty-six-requests.json", "seven-habits.json", "snoozes.json", "traveler.json"] {
      let strategies = ScheduleStrategy.allCases
      let first = try run(name, from: "2026-03-01T21:00:00Z", days: 20, strategies) {
        $0.missedRefreshShare = 0.3
        $0.lowPowerDelay = LowPowerDelay(longestMilliseconds: 300_000, share: 0.2, seed: 3)
      }
      let second = try run(name, from: "2026-03-01T21:00:00Z", days: 20, strategies) {
        $0.missedRefreshShare = 0.3
        $0.lowPowerDelay = LowPowerDelay(longestMilliseconds: 300_000, share: 0.2, seed: 3)
      }
      #expect(first == second)
      for result in first {
        let total = result.total
        #expect(total.due == total.onTime + total.late + total.dropped)
        #expect(result.occurrences.count == total.due)
        #expect(result.reminders.count == (try sample(name).reminders.count))
        #expect(result.reminders.reduce(0) { $0 + $1.tally.due } == total.due)
        #expect(result.extra == 0)
      }
    }
  }
}

@Suite("Periods that begin when reminders are due")
struct StaggeredPeriodTests {
  private func results(
    _ reminders: [Reminder], days: Int64 = 7, _ strategies: [ScheduleStrategy]
  ) -> [SimulationResult] {
    let options = ScheduleSimulationOptions(
      fromMilliseconds: noon, toMilliseconds: noon + days * oneDay)
    return ScheduleSimulation(document: ReminderDocument(reminders: reminders), options: options)
      .run(strategies)
  }

  @Test("a refresh at the second of five reminders loses none of them")
  func refreshWhenDue() throws {
    let time = try #require(TimeOfDay("12:00"))
    let reminders = (0..<5).map {
      Reminder(
        id: "habit.\($0)", content: .init(title: "x"),
        schedule: .weekly(Set(Weekday.allCases), [time], anchor: .floating))
    }
    for result in results(reminders, [.budget, .window]) {
      #expect(result.total.due == 30 && result.total.onTime == 30, "\(result.strategy)")
    }
    // Daily requests that were moved past the start fire in the period; single ones were not due.
    #expect(results(reminders, [.window])[0].extra == 0)
  }

  @Test("an interval that waited for a slot is not blamed on the battery")
  func lateInterval() throws {
    var reminders = try (0..<64).map { number in
      Reminder(
        id: "a.\(number)", content: .init(title: "x"),
        schedule: .at(
          [try #require(LocalTime("2026-03-04T12:\(number < 50 ? 10 + number : 59):30"))],
          anchor: .floating))
    }
    let interval = try #require(IntervalTrigger(milliseconds: 5_000_000, repeats: true))
    reminders.append(
      Reminder(id: "z", content: .init(title: "x"), schedule: .interval(interval)))
    let result = results(reminders, days: 3, [.budget])[0]
    let late = result.occurrences.filter { $0.reminderID == "z" && $0.fate != .onTime }
    #expect(!late.isEmpty && late.allSatisfy { $0.reason == .stored })
    #expect(result.occurrences.contains { $0.reminderID == "z" && $0.fate == .late })
  }
}

private func document(_ text: String) throws -> ReminderDocument {
  let bytes = Array(text.utf8)
  return try ReminderDocument(parsing: bytes.span)
}

@Suite("Reminder files")
struct ReminderDocumentTests {
  @Test(
    "a fault is reported with its path",
    arguments: [
      (
        #"{"reminders":[{"id":"a","title":"x","times":["8:30"]}]}"#,
        "reminders[0].times[0]: expected a time of day such as 08:30"
      ),
      (
        #"{"reminders":[{"id":"a","title":"x","times":["08:30"],"weekdays":["mon","montag"]}]}"#,
        "reminders[0].weekdays[1]: \"montag\" is not a weekday"
      ),
      (#"{"reminders":[{"id":"a","title":"x"}]}"#, "reminders[0]: one of at, times"),
      (
        #"{"reminders":[{"id":"a","title":"x","at":"2026-02-30T09:00"}]}"#,
        "reminders[0].at: expected a local time"
      ),
      (
        #"{"reminders":[{"id":"a","title":"x","after":59,"repeats":true}]}"#,
        "reminders[0].after: a repeating interval must be at least 60 seconds"
      ),
      (
        #"{"reminders":[{"id":"a","title":"x","after":5},{"id":"a","title":"y","after":5}]}"#,
        "reminders[1].id: an earlier reminder has the same id"
      ),
      (
        #"{"reminders":[{"id":"a","title":"x","after":5,"tmes":[]}]}"#,
        "reminders[0]: unknown member \"tmes\"; expected one of id, title"
      ),
      (#"{"reminders":[],"zone":"Europe/Atlantis"}"#, "zone: unknown time zone"),
      (
        #"{"reminders":[{"id":"a","title":"x","every":{"month":2,"day":30}}]}"#,
        "reminders[0].every: the day must be from 1 to 29, not 30"
      ),
      (
        #"{"reminders":[],"kinds":[{"name":"a","prefix":"h","priority":0},{"name":"b","prefix":"hi","priority":0}]}"#,
        "kinds[1]: the prefixes \"hi\" and \"h\" are ambiguous"
      ),
      ("{\"reminders\":[\n", "line 2, byte"),
    ])
  func faults(text: String, expected: String) {
    let error = #expect(throws: ReminderFileError.self) { try document(text) }
    #expect(error?.description.hasPrefix(expected) == true, "\(String(describing: error))")
  }

  private static let readers: [String: @Sendable (String) throws -> Void] = [
    "faults.json": { _ = try document($0) },
    "zone-change-faults.json": { text in
      let bytes = Array(text.utf8)
      _ = try ZoneChange.list(parsing: bytes.span)
    },
  ]

  @Test(
    "every fault of the list is reported with its path, and every valid document is read",
    arguments: [("faults.json", 75), ("zone-change-faults.json", 13)])
  func listedFaults(name: String, count: Int) throws {
    let list = try #require(
      JSONSerialization.jsonObject(with: Data(try sampleBytes(name))) as? [String: [Any]])
    let read = try #require(Self.readers[name])
    for sound in list["sound"] ?? [] {
      #expect(throws: Never.self, "\(sound)") { try read(Self.text(sound)) }
    }
    let faults = try #require(list["faults"] as? [[String: Any]])
    #expect(faults.count >= count)
    for fault in faults {
      let text = try Self.text(try #require(fault["document"]))
      do {
        try read(text)
        Issue.record("accepted: \(text)")
      } catch ReminderFileError.document(let error) {
        #expect(error.path == fault["path"] as? String, "\(text): \(error)")
      }
    }
  }

  private static func text(_ document: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
  }

  @Test(
    "every sample is read",
    arguments: [
      ("sixty-six-requests.json", 66), ("seven-habits.json", 27),
      ("two-hundred-reminders.json", 200),
      ("traveler.json", 3), ("snoozes.json", 72), ("errands.json", 56),
    ])
  func samples(name: String, count: Int) throws {
    #expect(try sample(name).reminders.count == count)
  }
}
