import FencepostTime
import FencepostFormats
import FencepostNotifications
import TestSupport
import Testing

private func zone(_ name: String) throws -> ClockZone {
  try #require(ClockZone(identifier: name))
}

private func milliseconds(_ text: String) throws -> Int64 {
  try #require(ISO8601.milliseconds(parsing: text))
}

private func reminder(_ id: String, at local: String) throws -> Reminder {
  Reminder(
    id: id, content: .init(title: id),
    schedule: .at([try #require(LocalTime(local))], anchor: .floating))
}

@Suite("A trip there and back between two refreshes")
struct ThereAndBackTests {
  /// At home in Berlin, in Tokyo from one instant to another.
  private func run(
    _ reminder: Reminder, inTokyo stay: (from: String, until: String)
  ) throws -> [SimulationResult] {
    let document = ReminderDocument(reminders: [reminder], zone: try zone("Europe/Berlin"))
    let from = try milliseconds("2026-03-03T04:00:00Z")
    var options = ScheduleSimulationOptions(
      fromMilliseconds: from, toMilliseconds: from + 5 * oneDay)
    options.travel = [
      ZoneChange(timeMilliseconds: try milliseconds(stay.from), zone: try zone("Asia/Tokyo")),
      ZoneChange(timeMilliseconds: try milliseconds(stay.until), zone: try zone("Europe/Berlin")),
    ]
    return ScheduleSimulation(document: document, options: options).run([.budget, .window])
  }

  @Test("shows a reminder once if it came in Tokyo and would come again in Berlin")
  func shownInTokyo() throws {
    // Nine in Tokyo is one at night in Berlin; the refresh is at five.
    let results = try run(
      try reminder("entry.1", at: "2026-03-05T09:00"),
      inTokyo: ("2026-03-04T20:00:00Z", "2026-03-05T01:00:00Z"))
    for result in results {
      #expect(result.total.due == 1 && result.total.onTime == 1 && result.extra == 0)
    }
  }

  @Test("shows a reminder in Berlin if the clock skipped its time on the way to Tokyo")
  func passedOverInTokyo() throws {
    let results = try run(
      try reminder("entry.1", at: "2026-03-05T09:00"),
      inTokyo: ("2026-03-05T01:00:00Z", "2026-03-05T03:00:00Z"))
    for result in results {
      #expect(result.total.due == 1 && result.total.onTime == 1 && result.extra == 0)
    }
  }

  @Test("shows single reminders once each, wherever and whenever", arguments: 0..<40)
  func anyTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let zones = ["Europe/Berlin", "Asia/Tokyo", "America/New_York", "Asia/Kathmandu", "Z"]
    let from = noon + Int64.random(in: 0..<86_400, using: &random) * 1000
    let reminders = try (0..<40).map { number in
      let (day, hour) = (
        Int.random(in: 5...9, using: &random), Int.random(in: 0...23, using: &random)
      )
      let half = Bool.random(using: &random) ? "00" : "30"
      return try reminder(
        "entry.\(number)", at: "2026-03-0\(day)T\(hour < 10 ? "0" : "")\(hour):\(half)")
    }
    var options = ScheduleSimulationOptions(
      fromMilliseconds: from, toMilliseconds: from + 8 * oneDay)
    var time = from
    while time < from + 8 * oneDay {
      time += Int64.random(in: 1...20, using: &random) * 3_600_000
      let name = zones[Int.random(in: 0..<zones.count, using: &random)]
      options.travel.append(ZoneChange(timeMilliseconds: time, zone: try zone(name)))
    }
    options.replansOnZoneChange = Bool.random(using: &random)
    let document = ReminderDocument(reminders: reminders, zone: try zone(zones[0]))
    for result in ScheduleSimulation(document: document, options: options)
      .run([.budget, .window])
    {
      #expect(result.extra == 0, "\(result.strategy)")
      // The clock can skip a time and go back before the app runs; the budget does not recover what it
      // gave up as past. Nothing else is lost.
      let lost = result.occurrences.filter { $0.fate == .dropped }
      let isExcused = { (reason: FateReason) in
        switch result.strategy {
        case .window:
          !options.replansOnZoneChange && [.zoneChange, .notRefreshed].contains(reason)
        default: [.zoneChange, .dead].contains(reason)
        }
      }
      #expect(lost.allSatisfy { isExcused($0.reason) }, "\(result.strategy): \(lost)")
    }
  }
}
