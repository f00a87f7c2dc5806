import FencepostTime
import FencepostFormats
import Foundation
import FencepostGeodesy
import FencepostNotifications
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
  @Test("contains what is due between now and seven days from now, both exclusive")
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

  @Test("moving the window leaves the requests that stay as they are")
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

  @Test("all seven weekdays need one repeating request for each time")
  func everyDay() throws {
    let habit = try habit(days: Set(Weekday.allCases))
    let requests = habit.requests(askedMilliseconds: noon)
    #expect(requests.map(\.identifier) == ["habit.1.daily.08:00", "habit.1.daily.20:00"])
    // Together they fire when seven weekdays would.
    let (start, end) = (noon, noon + 30 * oneDay)
    var phone = NotificationCenterModel(limits: .ios, nowMilliseconds: start, zone: .utc)
    for request in requests { phone.add(request) }
    phone.advance(toMilliseconds: end - 1)
    let due = habit.occurrences(after: start, before: end, in: .utc, askedMilliseconds: start)
    #expect(phone.deliveries.map(\.fireMilliseconds) == due.map(\.dueMilliseconds))
  }

  @Test("a weekday reminder is added, replaced and deleted as a whole")
  func book() throws {
    var book = WeekdayReminders()
    var list = (0..<63).map { request("entry.\($0)", at: noon + oneDay) }
    book.set(try habit(), in: &list, askedMilliseconds: noon)
    #expect(list.count == 69)
    let plan = NotificationBudget(kinds: try seedKinds()).plan(
      list, nowMilliseconds: noon, zone: .utc)
    #expect(plan.scheduled.count == 64 && plan.waiting.count == 5 && plan.purged.isEmpty)
    book.set(try habit(days: [.sunday], times: ["07:00"]), in: &list, askedMilliseconds: noon)
    #expect(list.count == 64)
    #expect(book.identifiers(of: "habit.1") == ["habit.1.sun.07:00"])
    book.delete("habit.1", in: &list)
    #expect(list.count == 63 && book.identifiers(of: "habit.1").isEmpty)
    // An empty value recognizes the reminder's requests by their identifiers, and no others.
    book.set(try habit(), in: &list, askedMilliseconds: noon)
    book.set(try habit("habit.1.mon"), in: &list, askedMilliseconds: noon)
    book.set(try habit("habit.12", days: Set(Weekday.allCases)), in: &list, askedMilliseconds: noon)
    #expect(list.count == 63 + 6 + 6 + 2)
    book = WeekdayReminders()
    book.delete("habit.12", in: &list)
    #expect(list.count == 63 + 6 + 6)
    book.delete("habit.1", in: &list)
    #expect(list.count == 63 + 6)
    #expect(list.suffix(6).allSatisfy { $0.identifier.hasPrefix("habit.1.mon.") })
  }

  @Test("a window replaces its own requests and no others")
  func replace() throws {
    func entry(_ id: String, _ times: String...) throws -> Reminder {
      Reminder(
        id: id, content: NotificationContent(title: id),
        schedule: .at(try times.map { try #require(LocalTime($0)) }, anchor: .floating))
    }
    let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    let circle = Reminder(
      id: "entry.here", content: NotificationContent(title: "x"),
      schedule: .region(try #require(RegionTrigger(center: center, radiusMeters: 100))))
    var habits = WeekdayReminders()
    var list = [request("story.1@1772625600000", at: noon + 1000)]
    habits.set(try habit(), in: &list, askedMilliseconds: noon)
    let others = list
    let (one, two) = (
      try entry("entry.1", "2026-03-05T09:00", "2026-03-20T09:00"),
      try entry("entry.2", "2026-03-06T09:00")
    )
    func refresh(_ reminders: [Reminder], prefix: String = "") {
      SlidingWindow().replace(
        reminders, in: &list, nowMilliseconds: noon, zone: .utc, prefix: prefix)
    }
    refresh([one, two, circle])
    let own = ["entry.1@2026-03-05T09:00", "entry.2@2026-03-06T09:00", "entry.here"]
    #expect(list.map(\.identifier) == others.map(\.identifier) + own)
    refresh([one, two, circle])
    #expect(list.count == others.count + 3)
    let snooze = list[others.count].snoozed(untilMilliseconds: noon + 60_000)
    list.insert(snooze, at: 0)
    refresh([two])
    #expect(
      list.map(\.identifier) == [snooze.identifier] + others.map(\.identifier) + [
        "entry.here", own[1],
      ])
    // A second window, told apart by its prefix.
    refresh([try entry("medication.1", "2026-03-07T09:00")], prefix: "medication.")
    #expect(list.map(\.identifier).suffix(2) == [own[1], "medication.1@2026-03-07T09:00"])
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

  @Test(
    "of a hundred requests in one second the budget keeps the most important, then by identifier",
    arguments: [false, true])
  func staggeredByPriority(repeatsUnimportant: Bool) throws {
    let kinds = try seedKinds()
    let others =
      repeatsUnimportant
      ? try (10..<80).map {
        try habit("aaa.\($0)", days: Set(Weekday.allCases), times: ["12:30"])
      }.flatMap { $0.requests(askedMilliseconds: noon) }
      : (10..<80).map { request("aaa.\($0)", at: noon + 1_800_000) }
    let habits = (10..<40).map { request("habit.\($0)", at: noon + 1_800_000) }
    let requests = (others + habits).shuffled()
    let plan = NotificationBudget(kinds: kinds).plan(
      SecondStagger(kinds: kinds).stagger(requests, nowMilliseconds: noon, zone: .utc),
      nowMilliseconds: noon, zone: .utc)
    // Of the others the first by identifier: the array begins with them.
    let kept = Set((habits + others.prefix(34)).map(\.identifier))
    #expect(Set(plan.scheduled.map(\.request.identifier)) == kept)
  }

  /// How many fire in each second from now on, for the first time.
  private func fires(
    _ requests: [NotificationRequest], in zone: ClockZone = .utc, now: Int64 = noon
  ) -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    for request in SecondStagger().stagger(requests, nowMilliseconds: now, zone: zone) {
      switch request.nextFire(afterMilliseconds: now, in: zone) {
      case .at(let fire): counts[fire / 1000, default: 0] += 1
      case .immediately: counts[now / 1000, default: 0] += 1
      case .atCrossing, .never: break
      }
    }
    return counts
  }

  @Test("single requests are staggered past midnight")
  func staggerPastMidnight() throws {
    let last = noon / 1000 + 12 * 3600 - 1
    let counts = fires((0..<5).map { request("entry.\($0)", at: last * 1000) })
    #expect(counts == [last: 2, last + 1: 2, last + 2: 1])
  }

  @Test("repeating requests that fill the end of a day take the seconds before it")
  func staggerBeforeMidnight() throws {
    let requests = try (0..<5).flatMap {
      try habit("habit.\($0)", days: [.wednesday], times: ["23:59:59"])
        .requests(askedMilliseconds: noon)
    }
    let last = noon / 1000 + 12 * 3600 - 1
    #expect(fires(requests) == [last: 2, last - 1: 2, last - 2: 1])
  }

  @Test("minutely and hourly requests leave room for daily ones and for each other")
  func staggerShortPeriods() throws {
    func every(_ id: String, _ pattern: CalendarPattern) -> NotificationRequest {
      NotificationRequest(
        identifier: id, content: .init(title: ""),
        trigger: .calendar(pattern, repeats: true, anchor: .floating))
    }
    // All of them at half past twelve.
    var requests = try (0..<3).map { every("m\($0)", try CalendarPattern(second: 0)) }
    requests += try (0..<3).map { every("h\($0)", try CalendarPattern(minute: 30)) }
    requests += try (0..<3).map { every("d\($0)", try CalendarPattern(hour: 12, minute: 30)) }
    let now = noon + 29 * 60_000 + 59_500
    let half = noon / 1000 + 1800
    let expected = [half: 2, half + 1: 2, half + 2: 2, half + 3: 2, half + 4: 1]
    #expect(fires(requests, now: now) == expected)
  }

  @Test("a third immediate request is due a second later")
  func staggerAtOnce() {
    let requests = (0..<5).map {
      NotificationRequest(identifier: "\($0)", content: .init(title: ""), trigger: .immediate)
    }
    let now = noon / 1000
    #expect(fires(requests) == [now: 2, now + 1: 2, now + 2: 1])
  }

  @Test("a request that is staggered into a repeated hour is not an hour late")
  func staggerInFold() throws {
    let zone = try #require(ClockZone(identifier: "America/New_York"))
    let first = try #require(ISO8601.milliseconds(parsing: "2026-11-01T05:59:59Z"))
    let requests = try (0..<5).map {
      NotificationRequest(
        identifier: "\($0)", content: .init(title: ""),
        trigger: .calendar(
          try CalendarPattern(year: 2026, month: 11, day: 1, hour: 1, minute: 59, second: 59),
          repeats: false, anchor: .floating))
    }
    let second = first / 1000
    #expect(
      fires(requests, in: zone, now: first - oneDay)
        == [second: 2, second + 1: 2, second + 2: 1])
  }

  @Test("a refresh in the same second keeps the requests that were staggered out of it")
  func refreshAmongStaggered() throws {
    let reminders = try (0..<5).map {
      try habit("habit.\($0)", days: Set(Weekday.allCases), times: ["12:00"])
    }
    func move(_ live: [NotificationRequest], now: Int64) -> [NotificationRequest] {
      let soon = SlidingWindow().requests(
        for: reminders, nowMilliseconds: now, zone: .utc, askedMilliseconds: noon - oneDay,
        keepingLate: live)
      return SecondStagger().stagger(soon, nowMilliseconds: now, zone: .utc)
    }
    let before = move([], now: noon - 3_600_000)
    let isLive = { (request: NotificationRequest, now: Int64) in
      request.nextFire(afterMilliseconds: now, in: .utc) != .never
    }
    let after = move(before.filter { isLive($0, noon) }, now: noon)
    let today = after.filter { $0.identifier.hasSuffix("@2026-03-04T12:00") }
    let kept: [String] = [2, 3, 4].map { "habit.\($0)@2026-03-04T12:00" }
    #expect(today.map(\.identifier) == kept)
    #expect(Set(before).isSuperset(of: today))
    // Fired and deleted requests do not come back.
    #expect(move(before.filter { isLive($0, noon + 2000) }, now: noon + 2000).count == 35)
    let stranger = request("habit.9@2026-03-04T12:00", at: noon + 1000)
    #expect(!move([stranger], now: noon).contains(stranger))
  }
}
