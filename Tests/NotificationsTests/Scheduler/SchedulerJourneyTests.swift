import FencepostNotifications
import Testing

private func hourly(_ count: Int, prefix: String = "entry.") -> [NotificationRequest] {
  (0..<count).map { request("\(prefix)\($0 + 1000)", at: noon + Int64($0 + 1) * 3_600_000) }
}

private func floating(_ id: String, _ local: String) throws -> NotificationRequest {
  let local = try #require(LocalTime(local))
  return NotificationRequest(
    identifier: id, content: NotificationContent(title: id),
    trigger: .calendar(
      CalendarPattern(date: local.date, time: local.time), repeats: false, anchor: .floating))
}

@Suite("A scheduler on a phone that changes its zone")
struct SchedulerJourneyTests {
  @Test("a request that fired before a move west is not added again, unless it gets a new time")
  func firedElsewhere() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    let newYork = try #require(ClockZone(identifier: "America/New_York"))
    func meeting(_ hour: Int, day: Int = 4) throws -> NotificationRequest {
      NotificationRequest(
        identifier: "meeting.1", content: .init(title: "x"),
        trigger: .calendar(
          try CalendarPattern(year: 2026, month: 3, day: day, hour: hour), repeats: false,
          anchor: .floating))
    }
    let thirteen = try meeting(13)
    try await scheduler.update { $0 = [thirteen] }
    // One in the afternoon in UTC, and an hour later nine in the morning again.
    world.changePhone {
      $0.advance(toMilliseconds: noon + 2 * 3_600_000)
      $0.travel(to: newYork)
    }
    let report = try await scheduler.refresh()
    #expect(report.delivered == ["meeting.1"] && report.added.isEmpty)
    let again = try await scheduler.update { $0.append(thirteen) }
    #expect(again.plan.purged.map(\.reason) == [.shown] && again.added.isEmpty)
    let fifteen = try meeting(15)
    #expect(try await scheduler.update { $0.append(fifteen) }.added == ["meeting.1"])
    world.changePhone { $0.advance(toMilliseconds: noon + oneDay) }
    #expect(world.phone.deliveries.count == 2)
  }

  @Test("a single request follows a move before its time, and fires once")
  func movesAlong() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    let newYork = try #require(ClockZone(identifier: "America/New_York"))
    let pattern = try CalendarPattern(hour: 13)
    try await scheduler.update {
      $0 = [
        NotificationRequest(
          identifier: "meeting.1", content: .init(title: "x"),
          trigger: .calendar(pattern, repeats: false, anchor: .floating))
      ]
    }
    world.changePhone { $0.travel(to: newYork) }
    world.changePhone { $0.advance(toMilliseconds: noon + 2 * 3_600_000) }
    #expect(try await scheduler.refresh().delivered.isEmpty)
    world.changePhone { $0.advance(toMilliseconds: noon + 12 * 3_600_000) }
    #expect(world.phone.deliveries.map(\.fireMilliseconds) == [noon + 6 * 3_600_000])
    #expect(try await scheduler.refresh().delivered == ["meeting.1"])
  }

  @Test("a restored phone gets back a reminder that a move west has postponed")
  func restoreAfterMove() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    let newYork = try #require(ClockZone(identifier: "America/New_York"))
    let meeting = try floating("meeting.1", "2026-03-04T13:00")
    try await scheduler.update { $0 = [meeting] }
    world.changePhone {
      $0.advance(toMilliseconds: noon + 1_800_000)
      $0.travel(to: newYork)
      // Past one in UTC, and not yet so in New York.
      $0.advance(toMilliseconds: noon + 2 * 3_600_000)
      $0.forgetPending()
    }
    let report = try await scheduler.restore()
    #expect(report.added == ["meeting.1"] && report.delivered.isEmpty)
    world.changePhone { $0.advance(toMilliseconds: noon + 12 * 3_600_000) }
    #expect(world.phone.deliveries.map(\.fireMilliseconds) == [noon + 6 * 3_600_000])
  }

  /// A phone at home in Berlin, with a floating reminder and others, that is taken to Tokyo and back
  /// between an update and now and does not report what was shown.
  private func journey(
    alsoLosing lost: Set<String> = [], filledUpBy foreign: Int = 0
  ) async throws -> (world: FaultyWorld, scheduler: NotificationScheduler) {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    let berlin = try #require(ClockZone(identifier: "Europe/Berlin"))
    let tokyo = try #require(ClockZone(identifier: "Asia/Tokyo"))
    world.changePhone { $0.travel(to: berlin) }
    let meeting = try floating("meeting.1", "2026-03-05T09:00")
    try await scheduler.update { requests in
      requests =
        [meeting]
        + hourly(60).map { request in
          var later = request
          later.trigger = .at(milliseconds: noon + 3 * oneDay)
          return later
        }
    }
    // After one listing all are confirmed.
    try await scheduler.refresh()
    world.changePhone { phone in
      phone.travel(to: tokyo)
      phone.advance(toMilliseconds: noon + 14 * 3_600_000)
      phone.travel(to: berlin)
      phone.remove(identifiers: Array(lost))
      for number in 0..<foreign {
        phone.add(request("foreign.\(number)", at: noon + 4 * oneDay))
      }
    }
    return (world, scheduler)
  }

  @Test("a request that fired in a zone visited meanwhile is not added again")
  func firedOnTheWay() async throws {
    let (world, scheduler) = try await journey()
    #expect(world.phone.deliveries.map(\.identifier) == ["meeting.1"])
    let report = try await scheduler.refresh()
    #expect(report.delivered == ["meeting.1"] && report.added.isEmpty)
    // Nor if it is asked for again, staggered by a second.
    let again = try floating("meeting.1", "2026-03-05T09:00:01")
    #expect(try await scheduler.update { $0.append(again) }.added.isEmpty)
    world.changePhone { $0.advance(toMilliseconds: noon + oneDay) }
    #expect(world.phone.deliveries.count == 1)
  }

  @Test("a phone that has also lost other requests gets all of them again")
  func lostOnTheWay() async throws {
    let (_, scheduler) = try await journey(alsoLosing: ["entry.1003"])
    let report = try await scheduler.refresh()
    #expect(Set(report.added) == ["meeting.1", "entry.1003"] && report.delivered.isEmpty)
  }

  @Test("on a phone full of others' requests, missing ones count as dropped")
  func displacedOnTheWay() async throws {
    let (world, scheduler) = try await journey(filledUpBy: 4)
    #expect(world.phone.pending.count == 64)
    #expect(try await scheduler.refresh().added.contains("meeting.1"))
  }
}
