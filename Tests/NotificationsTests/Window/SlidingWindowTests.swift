import Formats
import Foundation
import Notifications
import Testing

private func local(_ text: String) throws -> LocalTime { try #require(LocalTime(text)) }

private func habit(
  _ id: String = "habit.1", days: Set<Weekday> = [.monday, .wednesday, .friday],
  times: [String] = ["08:00", "20:00"], skip: [String] = []
) throws -> Reminder {
  Reminder(
    id: id, content: NotificationContent(title: "Do 10 pull-ups"),
    schedule: .weekly(
      days, try times.map { try #require(TimeOfDay($0)) }, anchor: .floating),
    skipped: Set(try skip.map(local)))
}

@Suite("Sliding window")
struct SlidingWindowTests {
  @Test("only what is due after now and before seven days is in it, both exclusive")
  func bounds() throws {
    let times = [
      "2026-03-04T12:00", "2026-03-04T12:00:01", "2026-03-11T11:59:59", "2026-03-11T12:00",
    ]
    let reminder = Reminder(
      id: "entry.1", content: .init(title: "x"),
      schedule: .at(try times.map(local), anchor: .floating))
    let requests = SlidingWindow().requests(for: [reminder], nowMilliseconds: noon, zone: .utc)
    #expect(
      requests.map(\.identifier) == ["entry.1@2026-03-04T12:00:01", "entry.1@2026-03-11T11:59:59"])
    #expect(
      requests[0].nextFire(afterMilliseconds: noon, in: .utc) == .at(noon + 1000),
      "seconds are kept")
  }

  @Test("one occurrence can be skipped")
  func skip() throws {
    let all = SlidingWindow().requests(
      for: [try habit()], nowMilliseconds: noon, zone: .utc)
    let some = SlidingWindow().requests(
      for: [try habit(skip: ["2026-03-06T08:00"])], nowMilliseconds: noon, zone: .utc)
    #expect(all.count == 6)
    #expect(Set(all).subtracting(some).map(\.identifier) == ["habit.1@2026-03-06T08:00"])
  }

  @Test("moving on leaves what stays as it is")
  func stability() throws {
    let window = SlidingWindow()
    let first = window.requests(
      for: [try habit()], nowMilliseconds: noon, zone: .utc, askedMilliseconds: 0)
    let second = window.requests(
      for: [try habit()], nowMilliseconds: noon + oneDay, zone: .utc, askedMilliseconds: 0)
    #expect(Set(first).intersection(second).count == 5)
  }

  @Test("three weekdays and two times are six repeating requests")
  func weekdays() throws {
    let requests = try habit().requests(askedMilliseconds: noon)
    #expect(
      requests.map(\.identifier)
        == ["mon", "wed", "fri"].flatMap { day in
          ["habit.1.\(day).08:00", "habit.1.\(day).20:00"]
        })
    #expect(requests.allSatisfy { $0.trigger.repeats })
  }

  @Test("a weekday reminder is replaced and deleted as a whole, and never half added")
  func book() throws {
    var book = WeekdayReminders()
    var list = (0..<63).map { request("entry.\($0)", at: noon + oneDay) }
    book.set(try habit(), in: &list, askedMilliseconds: noon)
    #expect(list.count == 69)
    let plan = NotificationBudget(kinds: try seedKinds()).plan(
      list, nowMilliseconds: noon, zone: .utc)
    #expect(plan.scheduled.count == 64 && plan.stored.count == 5 && plan.purged.isEmpty)
    book.set(try habit(days: [.sunday], times: ["07:00"]), in: &list, askedMilliseconds: noon)
    #expect(list.count == 64)
    #expect(book.identifiers(of: "habit.1") == ["habit.1.sun.07:00"])
    book.delete("habit.1", in: &list)
    #expect(list.count == 63 && book.identifiers(of: "habit.1").isEmpty)
  }

  @Test("requests of one second are staggered, two in each, repeating ones first")
  func stagger() throws {
    let daily = try (0..<3).map {
      try habit("habit.\($0)", days: Set(Weekday.allCases), times: ["12:30"])
    }
    let requests =
      daily.flatMap { $0.requests(askedMilliseconds: noon) }
      + (0..<3).map { request("entry.\($0)", at: noon + 1_800_000) }
    let staggered = SecondStagger().stagger(requests, nowMilliseconds: noon, zone: .utc)
    var perSecond: [Int64: Int] = [:]
    for one in staggered {
      if case .at(let fire) = one.nextFire(afterMilliseconds: noon, in: .utc) {
        perSecond[fire, default: 0] += 1
      }
    }
    #expect(perSecond.values.allSatisfy { $0 <= 2 })
    #expect(perSecond[noon + 1_800_000] == 2)
    #expect(perSecond[noon + 1_801_000] == 2)
    #expect(perSecond[noon + 1_802_000] == 2)
  }
}
