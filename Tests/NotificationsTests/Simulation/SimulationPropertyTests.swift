import FencepostSession
import Foundation
import FencepostGeodesy
import FencepostNotifications
import TestSupport
import Testing

/// Anything that a reminder file can hold, made from a seed.
private struct RandomReminders {
  var random: SplitMix64

  mutating func document() throws -> ReminderDocument {
    let zones = ["America/New_York", "Europe/Istanbul", "Asia/Kathmandu", "Z", "Pacific/Apia"]
    let zone = ClockZone(identifier: zones[Int.random(in: 0..<zones.count, using: &random)])
    let count = Int.random(in: 0...150, using: &random)
    var reminders: [Reminder] = []
    for number in 0..<count { reminders.append(try reminder(number)) }
    return ReminderDocument(
      reminders: reminders, kinds: try seedKinds(), zone: try #require(zone),
      location: Bool.random(using: &random)
        ? Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16) : nil)
  }

  private mutating func reminder(_ number: Int) throws -> Reminder {
    let prefixes = ["habit.", "onboarding.", "depletion.", "inactivity.", "other."]
    let id = prefixes[Int.random(in: 0..<prefixes.count, using: &random)] + "\(number)"
    return Reminder(
      id: id, content: NotificationContent(title: id), schedule: try schedule())
  }

  private mutating func schedule() throws -> Reminder.Schedule {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .region(try region())
    case 1:
      let seconds = Int64.random(in: 60...600_000, using: &random)
      let repeats = seconds > 20_000 && Bool.random(using: &random)
      return .interval(
        try #require(IntervalTrigger(milliseconds: seconds * 1000, repeats: repeats)))
    case 2, 3:
      let days = Weekday.allCases.filter { _ in Bool.random(using: &random) }
      return .weekly(Set(days.isEmpty ? [.monday] : days), [try time()], anchor: .floating)
    default:
      // Few different times, so that several fall into one second.
      let day = Int.random(in: 4...24, using: &random)
      let text = "2026-03-\(day < 10 ? "0" : "")\(day)T\(try time())"
      return .at([try #require(LocalTime(text))], anchor: .floating)
    }
  }

  private mutating func time() throws -> TimeOfDay {
    let hour = Int.random(in: 0...23, using: &random)
    let text = "\(hour < 10 ? "0" : "")\(hour):\(Bool.random(using: &random) ? "00" : "30")"
    return try #require(TimeOfDay(text))
  }

  private mutating func region() throws -> RegionTrigger {
    let center = Coordinate(
      latitudeDegrees: 39.9 + Double.random(in: 0...0.1, using: &random),
      longitudeDegrees: -75.2 + Double.random(in: 0...0.1, using: &random))
    return try #require(RegionTrigger(center: center, radiusMeters: 100))
  }

  mutating func options() -> ScheduleSimulationOptions {
    let from = noon + Int64.random(in: 0...oneDay, using: &random) / 1000 * 1000
    var options = ScheduleSimulationOptions(
      fromMilliseconds: from,
      toMilliseconds: from + Int64.random(in: 1...25, using: &random) * oneDay)
    options.missedRefreshShare = Double.random(in: 0...1, using: &random)
    options.seed = random.next()
    options.limits = NotificationLimits.all[Int.random(in: 0..<3, using: &random)]
    options.policy = Bool.random(using: &random) ? .priorityThenFireDate : .fireDateThenPriority
    if Bool.random(using: &random) {
      options.restoresMilliseconds = [from + Int64.random(in: 0...10, using: &random) * oneDay / 3]
    }
    return options
  }
}

@Suite("Any reminders, in any period")
struct SimulationPropertyTests {
  @Test("limits hold, every occurrence has one fate, and two runs agree", arguments: 0..<60)
  func properties(seed: UInt64) throws {
    var source = RandomReminders(random: SplitMix64(seed: seed))
    let document = try source.document()
    let options = source.options()
    let results = ScheduleSimulation(document: document, options: options).run()
    #expect(results == ScheduleSimulation(document: document, options: options).run())
    #expect(Set(results.map(\.total.due)).count == 1)
    for result in results {
      let total = result.total
      #expect(total.due == total.onTime + total.late + total.dropped)
      #expect(result.occurrences.count == total.due)
      #expect(result.reminders.map(\.id) == document.reminders.map(\.id))
      for record in result.occurrences {
        #expect((record.shownMilliseconds == nil) == (record.fate == .dropped))
        #expect(record.shownMilliseconds.map { $0 >= record.dueMilliseconds } ?? true)
      }
      if result.strategy != .naive { expectLimits(result, options.limits) }
    }
    // Single occurrences are never shown twice or unasked.
    #expect(results[3].extra == 0)
  }

  /// Checks the phone's limits against its own trace.
  private func expectLimits(_ result: SimulationResult, _ limits: NotificationLimits) {
    for event in result.trace {
      switch event.happening {
      case .droppedOnOverflow:
        Issue.record("\(result.strategy) overflowed at \(event.timeMilliseconds)")
        return
      case .notRetainedRegion where result.strategy != .firstCome:
        Issue.record("\(result.strategy) added one circle too many")
        return
      default: continue
      }
    }
  }
}

@Suite("More within seven days than slots")
struct FullWindowTests {
  private func run(perDay: Int, days: Int) throws -> SimulationResult {
    var reminders: [Reminder] = []
    for day in 0..<days {
      for number in 0..<perDay {
        let seconds = 8 * 3600 + number * 60
        let time = try #require(TimeOfDay(secondOfDay: seconds))
        let local = try #require(LocalTime("2026-03-\(day < 5 ? "0" : "")\(5 + day)T\(time)"))
        reminders.append(
          Reminder(
            id: "entry.\(day).\(number)", content: .init(title: "x"),
            schedule: .at([local], anchor: .floating)))
      }
    }
    let options = ScheduleSimulationOptions(
      fromMilliseconds: noon, toMilliseconds: noon + 8 * oneDay)
    return try #require(
      ScheduleSimulation(document: ReminderDocument(reminders: reminders), options: options)
        .run([.window]).first)
  }

  @Test("200 requests within the window are all delivered, the later ones as slots become free")
  func spread() throws {
    let result = try run(perDay: 40, days: 5)
    #expect(result.total.due == 200 && result.total.onTime == 200)
    #expect(result.evictions == ["unknown": 136])
    #expect(
      !result.trace.contains { if case .droppedOnOverflow = $0.happening { true } else { false } })
  }

  @Test("more requests within a day than slots are delivered up to the slots, the soonest first")
  func oneDayOnly() throws {
    let result = try run(perDay: 100, days: 1)
    #expect(result.total.onTime == 64 && result.total.dropped == 36)
    #expect(result.occurrences.prefix(64).allSatisfy { $0.fate == .onTime })
    #expect(result.occurrences.dropFirst(64).allSatisfy { $0.reason == .stored })
  }
}

@Suite("Moves and restores")
struct MoveTests {
  /// Daily at eight by the local clock, seen from a phone that flies from Istanbul to New York.
  private func run(replans: Bool) throws -> SimulationResult {
    let eight = try #require(TimeOfDay("08:00"))
    let reminder = Reminder(
      id: "habit.1", content: .init(title: "x"),
      schedule: .weekly(Set(Weekday.allCases), [eight], anchor: .floating))
    let document = ReminderDocument(
      reminders: [reminder], zone: try #require(ClockZone(identifier: "Europe/Istanbul")))
    var options = ScheduleSimulationOptions(
      fromMilliseconds: noon, toMilliseconds: noon + 5 * oneDay)
    options.travel = [
      ZoneChange(
        timeMilliseconds: noon + oneDay + 3_600_000,
        zone: try #require(ClockZone(identifier: "America/New_York")))
    ]
    options.replansOnZoneChange = replans
    return try #require(
      ScheduleSimulation(document: document, options: options).run([.window]).first)
  }

  @Test("floating times follow the phone, whether or not the app is notified of the move")
  func floating() throws {
    for replans in [false, true] {
      let result = try run(replans: replans)
      #expect(result.total.dropped == 0 && result.extra == 0)
    }
  }

  @Test("an app that is notified of the move plans again at once")
  func replansAtOnce() throws {
    // Within seven days by the clock of Istanbul, not by that of New York.
    let late = try #require(LocalTime("2026-03-12T15:30"))
    let reminder = Reminder(
      id: "entry.1", content: .init(title: "x"), schedule: .at([late], anchor: .floating))
    let document = ReminderDocument(
      reminders: [reminder], zone: try #require(ClockZone(identifier: "America/New_York")))
    var options = ScheduleSimulationOptions(
      fromMilliseconds: noon, toMilliseconds: noon + 9 * oneDay)
    options.travel = [
      ZoneChange(
        timeMilliseconds: noon + oneDay + 3_600_000,
        zone: try #require(ClockZone(identifier: "Europe/Istanbul")))
    ]
    func added(replans: Bool) throws -> Int64 {
      options.replansOnZoneChange = replans
      let result = try #require(
        ScheduleSimulation(document: document, options: options).run([.window]).first)
      #expect(result.total.onTime == 1)
      return try #require(result.trace.first { $0.happening == .added }).timeMilliseconds
    }
    // Due at 19:30Z on the 12th in New York, at 12:30Z in Istanbul.
    #expect(try added(replans: false) == noon + oneDay * 2)
    #expect(try added(replans: true) == noon + oneDay + 3_600_000)
  }

  @Test("a time that a move to the west brings back is not shown again", arguments: [true, false])
  func westwards(replans: Bool) throws {
    // Seven in the morning in Istanbul, then midnight in New York, and seven once more.
    let document = ReminderDocument(
      reminders: [
        Reminder(
          id: "entry.1", content: .init(title: "x"),
          schedule: .at([try #require(LocalTime("2026-03-05T07:00"))], anchor: .floating)),
        Reminder(
          id: "habit.1", content: .init(title: "x"),
          schedule: .weekly(
            Set(Weekday.allCases), [try #require(TimeOfDay("07:00"))], anchor: .floating)),
      ], zone: try #require(ClockZone(identifier: "Europe/Istanbul")))
    var options = ScheduleSimulationOptions(
      fromMilliseconds: noon - oneDay / 2 + 3_600_000, toMilliseconds: noon + 6 * oneDay)
    options.travel = [
      ZoneChange(
        timeMilliseconds: noon + oneDay / 2 + 5 * 3_600_000,
        zone: try #require(ClockZone(identifier: "America/New_York")))
    ]
    options.replansOnZoneChange = replans
    let results = ScheduleSimulation(document: document, options: options).run([.budget, .window])
    for result in results { #expect(result.total.dropped == 0) }
    // A repeating request comes again by itself; single ones do not.
    #expect(results.map(\.extra) == [1, 0])
  }

  @Test("what a restored phone has lost is reported, and comes back if the app plans")
  func restored() throws {
    let document = try sample("snoozes.json")
    var options = ScheduleSimulationOptions(
      fromMilliseconds: noon - 2 * oneDay, toMilliseconds: noon + 10 * oneDay)
    options.restoresMilliseconds = [noon - oneDay]
    for result in ScheduleSimulation(document: document, options: options).run() {
      switch result.strategy {
      case .naive, .firstCome:
        #expect(result.occurrences.contains { $0.reason == .restored })
      case .budget, .window: #expect(result.total.dropped == 0)
      }
    }
  }
}

@Suite("The schema of reminder files")
struct ReminderSchemaTests {
  private static let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Data/schemas/reminders.schema.json")

  /// The names that a part of the schema allows.
  private func names(at path: [String]) throws -> Set<String> {
    var value = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.url))
    for key in path {
      let object = try #require(value as? [String: Any])
      value = try #require(object[key])
    }
    return Set(try #require(value as? [String: Any]).keys)
  }

  @Test(
    "allows the names that the reader knows",
    arguments: [
      (["properties"], #"{"bogus":1,"reminders":[]}"#),
      (
        ["properties", "kinds", "items", "properties"],
        #"{"kinds":[{"bogus":1}],"reminders":[]}"#
      ),
      (["$defs", "reminder", "properties"], #"{"reminders":[{"bogus":1}]}"#),
      (
        ["$defs", "reminder", "properties", "every", "properties"],
        #"{"reminders":[{"id":"a","title":"x","every":{"bogus":1}}]}"#
      ),
      (
        ["$defs", "reminder", "properties", "region", "properties"],
        #"{"reminders":[{"id":"a","title":"x","region":{"bogus":1}}]}"#
      ),
    ])
  func sameNames(path: [String], text: String) throws {
    let bytes = Array(text.utf8)
    let error = #expect(throws: ReminderFileError.self) {
      try ReminderDocument(parsing: bytes.span)
    }
    let sentence = try #require(error?.description)
    let list = try #require(sentence.split(separator: "expected one of ").last)
    #expect(try names(at: path) == Set(list.components(separatedBy: ", ")))
  }

  @Test("tap counts are read, and more taps than shows are refused with their path")
  func tapCounts() throws {
    func parse(_ counts: String) throws -> ReminderDocument {
      let bytes = Array(
        #"{"kinds":[{"name":"a","prefix":"a.","priority":1,\#(counts)}],"reminders":[]}"#.utf8)
      return try ReminderDocument(parsing: bytes.span)
    }
    #expect(try parse("\"shown\":5,\"tapped\":2").tapRates.counts["a"]?.tapped == 2)
    #expect(try parse("\"shown\":5").tapRates.counts["a"]?.shown == 5)
    let error = #expect(throws: ReminderFileError.self) { try parse("\"shown\":1,\"tapped\":2") }
    #expect(error?.description == "kinds[0].tapped: cannot be more than \"shown\"")
  }
}
