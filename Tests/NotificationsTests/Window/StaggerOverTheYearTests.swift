import FencepostTime
import FencepostFormats
import FencepostNotifications
import TestSupport
import Testing

private func zone(_ name: String) throws -> ClockZone {
  try #require(ClockZone(identifier: name))
}

private func daily(
  _ id: String, _ time: String, _ weekdays: Set<Weekday> = Set(Weekday.allCases),
  anchor: ClockAnchor = .floating
) throws -> Reminder {
  Reminder(
    id: id, content: .init(title: id),
    schedule: .weekly(weekdays, [try #require(TimeOfDay(time))], anchor: anchor))
}

/// How many firings a phone with unlimited slots drops in a period, because more than two meet in one
/// second.
private func unshown(
  _ requests: [NotificationRequest], in zone: ClockZone, from: Int64, days: Int64
) -> [PhoneEvent] {
  var phone = NotificationCenterModel(limits: .android, nowMilliseconds: from, zone: zone)
  for request in requests { phone.add(request) }
  phone.advance(toMilliseconds: from + days * oneDay)
  return phone.trace.filter {
    if case .droppedInSecond = $0.happening { true } else { false }
  }
}

@Suite("Staggering, when clocks change")
struct StaggerOverTheYearTests {
  @Test("the budget shows all daily reminders that meet after the spring gap")
  func springGap() throws {
    let reminders = try [
      daily("a", "02:30"), daily("b", "02:30"), daily("c", "03:30"), daily("d", "03:30"),
    ]
    let document = ReminderDocument(reminders: reminders, zone: try zone("America/New_York"))
    let from = try #require(ISO8601.milliseconds(parsing: "2026-03-06T05:00:00Z"))
    let options = ScheduleSimulationOptions(
      fromMilliseconds: from, toMilliseconds: from + 5 * oneDay)
    for result in ScheduleSimulation(document: document, options: options)
      .run([.budget, .window])
    {
      #expect(result.total.due == 20 && result.total.onTime == 20, "\(result.strategy)")
    }
  }

  @Test("reminders on two clocks that meet after a journey are staggered at the next refresh")
  func journey() throws {
    let istanbul = try zone("Europe/Istanbul")
    let reminders = try [
      daily("a", "09:00"), daily("b", "09:00"), daily("c", "09:00", anchor: .fixed(istanbul)),
      daily("d", "09:00", anchor: .fixed(istanbul)),
    ]
    let document = ReminderDocument(reminders: reminders, zone: try zone("Europe/Berlin"))
    var options = ScheduleSimulationOptions(
      fromMilliseconds: noon, toMilliseconds: noon + 5 * oneDay)
    // A refresh comes before nine o'clock.
    options.travel = [
      ZoneChange(timeMilliseconds: noon + oneDay - 3_600_000, zone: istanbul)
    ]
    for result in ScheduleSimulation(document: document, options: options)
      .run([.budget, .window])
    {
      #expect(result.total.due == result.total.onTime, "\(result.strategy)")
    }
  }

  @Test("a stagger holds for a year of clock changes", arguments: 0..<16)
  func wholeYear(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let names = [
      "America/New_York", "Europe/Istanbul", "Australia/Lord_Howe", "Antarctica/Troll",
      "Africa/Casablanca", "Asia/Beirut", "Europe/Berlin", "Pacific/Chatham",
    ]
    let here = try zone(names[Int(seed) % names.count])
    let requests = try (0..<48).flatMap { number in
      let hour = Int.random(in: 0...5, using: &random)
      let minute = ["00", "30", "45"][Int.random(in: 0...2, using: &random)]
      let days = Weekday.allCases.filter { _ in Int.random(in: 0...3, using: &random) > 0 }
      let elsewhere = try zone(names[Int.random(in: 0..<names.count, using: &random)])
      return try daily(
        "habit.\(number)", "0\(hour):\(minute)", Set(days.isEmpty ? Weekday.allCases : days),
        anchor: Bool.random(using: &random) ? .floating : .fixed(elsewhere)
      ).requests(askedMilliseconds: noon)
    }
    let stagger = SecondStagger()
    let staggered = stagger.stagger(requests, nowMilliseconds: noon, zone: here)
    #expect(unshown(requests, in: here, from: noon, days: 370).count > 0)
    #expect(unshown(staggered, in: here, from: noon, days: 370) == [])
    // Staggering again changes nothing, and also works after a journey.
    #expect(stagger.stagger(staggered, nowMilliseconds: noon + oneDay, zone: here) == staggered)
    let there = try zone(names[Int.random(in: 0..<names.count, using: &random)])
    let again = stagger.stagger(staggered, nowMilliseconds: noon, zone: there)
    #expect(unshown(again, in: there, from: noon, days: 370) == [])
  }
}
