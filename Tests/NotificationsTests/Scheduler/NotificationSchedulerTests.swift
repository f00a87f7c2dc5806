import FencepostStateDatabase
import FencepostStateFile
import Foundation
import FencepostGeodesy
import FencepostNotifications
import TestSupport
import Testing

private func hourly(_ count: Int, prefix: String = "entry.") -> [NotificationRequest] {
  (0..<count).map { request("\(prefix)\($0 + 1000)", at: noon + Int64($0 + 1) * 3_600_000) }
}

private func region(_ id: String) throws -> NotificationRequest {
  let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
  return NotificationRequest(
    identifier: id, content: NotificationContent(title: id),
    trigger: .region(try #require(RegionTrigger(center: center, radiusMeters: 100))))
}

@Suite("Notification scheduler")
struct NotificationSchedulerTests {
  @Test("200 requests: 64 are pending, 136 are stored, and each delivery promotes the next")
  func overflow() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    let report = try await scheduler.update { $0 += hourly(200) }
    #expect(report.added.count == 64)
    #expect(world.phone.pending.count == 64)
    #expect(try await scheduler.requests().count == 200)
    // The most important is added last.
    #expect(report.added.last == "entry.1000")
    for hours in 1...200 {
      world.changePhone { $0.advance(toMilliseconds: noon + Int64(hours) * 3_600_000) }
      let report = try await scheduler.refresh()
      #expect(report.delivered.count == 1 && report.missed.isEmpty)
      #expect(report.added == (hours <= 136 ? ["entry.\(1063 + hours)"] : []))
    }
    #expect(world.phone.deliveries.count == 200)
    #expect(try await scheduler.requests().isEmpty)
  }

  @Test("of equal identifiers the new one replaces the old, and the report names them")
  func equalIdentifiers() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    let (old, new) = (request("a", at: noon + 1000), request("a", at: noon + 2000))
    let other = request("b", at: noon + 3000)
    try await scheduler.update { $0 = [old, other] }
    // New ones first, as a list is rebuilt; then the next one behind it, as a list is appended to.
    #expect(try await scheduler.update { $0 = [new] + $0 }.replaced == ["a"])
    #expect(try await scheduler.requests().map(\.trigger) == [new.trigger, other.trigger])
    #expect(try await scheduler.update { $0 += [old] }.replaced == ["a"])
    #expect(try await scheduler.requests().map(\.trigger) == [old.trigger, other.trigger])
    // Of several new ones the first.
    let third = request("a", at: noon + 4000)
    let report = try await scheduler.update { $0 += [third, new] }
    #expect(report.replaced == ["a"] && report.plan.purged.isEmpty)
    #expect(try await scheduler.requests().map(\.trigger) == [third.trigger, other.trigger])
    #expect(try await scheduler.refresh().replaced.isEmpty)
  }

  @Test("two closures are a store, and the requests can be read and made from a list")
  func closures() async throws {
    actor Box {
      var saved: Data?
      func save(_ data: Data) { saved = data }
    }
    let (box, phone) = (
      Box(), NotificationCenterModel(limits: .ios, nowMilliseconds: noon, zone: .utc)
    )
    let center = SimulatedCenter(phone: phone)
    @Sendable func scheduler() -> NotificationScheduler {
      NotificationScheduler(
        center: center,
        load: {
          try await box.saved.map { try JSONDecoder().decode(SchedulerState.self, from: $0) }
        },
        save: { try await box.save(JSONEncoder().encode($0)) }
      ) { .init(nowMilliseconds: noon, zone: .utc) }
    }
    // What the app kept before.
    await box.save(try JSONEncoder().encode(SchedulerState(hourly(70))))
    let report = try await scheduler().refresh()
    #expect(report.added.count == 64 && report.plan.waiting.count == 6)
    let saved = try #require(await box.saved)
    let state = try JSONDecoder().decode(SchedulerState.self, from: saved)
    #expect(state.requests.map(\.identifier) == hourly(70).map(\.identifier))
    #expect(try await scheduler().refresh().added.isEmpty)
    await #expect(throws: CancellationError.self) {
      try await NotificationScheduler(
        center: center, load: { nil }, save: { _ in throw CancellationError() }
      ) { .init(nowMilliseconds: noon, zone: .utc) }.update { $0 += hourly(1) }
    }
  }

  @Test("overflow is saved before anything reaches the phone")
  func saveFirst() async throws {
    let world = FaultyWorld()
    try await world.scheduler().update { $0 += hourly(3) }
    #expect(world.log == ["load", "pending", "save", "add", "add", "add"])
  }

  @Test(
    "a failing store leaves the phone untouched and throws", arguments: ["load", "save", "pending"])
  func failingStore(call: String) async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    try await scheduler.update { $0 += hourly(70) }
    let before = world.phone
    world.fail([call])
    await #expect(throws: Crash.self) {
      try await scheduler.update { $0 = [request("entry.new", at: noon + 1000)] }
    }
    #expect(world.phone.pending == before.pending && world.phone.trace == before.trace)
    world.fail([])
    #expect(try await scheduler.refresh().added.isEmpty)
    #expect(try await scheduler.requests().count == 70)
  }

  @Test("a change that throws changes nothing")
  func failingChange() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    try await scheduler.update { $0 += hourly(3) }
    world.clearLog()
    await #expect(throws: Crash.self) {
      try await scheduler.update { requests in
        requests = []
        throw Crash()
      }
    }
    #expect(world.log == ["load", "pending"])
    #expect(world.phone.pending.count == 3)
  }

  @Test("only differences reach the phone, and other owners' requests are left alone")
  func difference() async throws {
    let world = FaultyWorld()
    world.changePhone { phone in
      for number in 0..<10 { phone.add(request("foreign.\(number)", at: noon + 1000)) }
    }
    let scheduler = world.scheduler()
    let first = try await scheduler.update { $0 += hourly(60) }
    #expect(first.added.count == 54)
    world.clearLog()
    let second = try await scheduler.update { requests in
      requests.removeAll { $0.identifier == "entry.1003" }
      if let index = requests.firstIndex(where: { $0.identifier == "entry.1005" }) {
        requests[index].content.body = "changed"
      }
    }
    #expect(second.removed == ["entry.1003"])
    #expect(second.added == ["entry.1054", "entry.1005"])
    #expect(second.cancelled == ["entry.1003"])
    #expect(world.log == ["load", "pending", "save", "remove", "add", "add"])
    #expect(world.phone.pending.count { $0.identifier.hasPrefix("foreign.") } == 10)
    #expect(world.phone.pending.count == 64)
  }

  @Test("concurrent updates run one after the other, from reading to saving")
  func serial() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          _ = try await scheduler.update {
            $0.append(request("entry.\(number)", at: noon + Int64(number + 1) * 1000))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(
      world.log == Array(repeating: ["load", "pending", "save", "add"], count: 40).flatMap { $0 })
    #expect(try await scheduler.requests().count == 40)
  }

  @Test("a snooze on a full phone survives a restart and is delivered")
  func snooze() async throws {
    let world = FaultyWorld()
    try await world.scheduler().update { $0 += hourly(64) }
    let late = noon + 100 * 3_600_000
    try await world.scheduler().update { requests in
      requests.append(requests[0].snoozed(untilMilliseconds: late))
    }
    #expect(!world.phone.pending.contains { $0.identifier == "entry.1000~snoozed" })
    world.changePhone { $0.advance(toMilliseconds: noon + 3_600_000) }
    #expect(try await world.scheduler().refresh().added == ["entry.1000~snoozed"])
    world.changePhone { $0.advance(toMilliseconds: late) }
    #expect(world.phone.deliveries.contains { $0.identifier == "entry.1000~snoozed" })
  }

  @Test("an interval that waited for a slot fires when it was asked to")
  func storedInterval() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler(NotificationBudget(totalLimit: 1))
    let nap = try #require(IntervalTrigger(milliseconds: 7_200_000, repeats: false))
    try await scheduler.update { requests in
      requests.append(request("entry.1", at: noon + 3_600_000))
      requests.append(
        NotificationRequest(
          identifier: "snooze.nap", content: .init(title: "nap"), trigger: .interval(nap)))
    }
    world.changePhone { $0.advance(toMilliseconds: noon + 3_600_000) }
    try await scheduler.refresh()
    world.changePhone { $0.advance(toMilliseconds: noon + 9_000_000) }
    #expect(world.phone.deliveries.last?.fireMilliseconds == noon + 7_200_000)
    // And nothing is added again on the way.
    #expect(try await scheduler.refresh().added.isEmpty)
  }

  @Test("a restored phone gets everything back from the store")
  func restore() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    let circle = try region("entry.circle")
    try await scheduler.update { $0 += hourly(80) + [circle] }
    world.changePhone { $0.forgetPending() }
    let report = try await scheduler.restore()
    #expect(report.added.count == 64)
    #expect(world.phone.pending.contains { $0.identifier == "entry.circle" })
    #expect(report.delivered.isEmpty)
  }

  @Test("an update changes the caller's variables, and weekday reminders with them")
  func capturedVariable() async throws {
    let scheduler = FaultyWorld().scheduler()
    var habits = WeekdayReminders()
    let eight = try #require(TimeOfDay("08:00"))
    let habit = Reminder(
      id: "habit.1", content: NotificationContent(title: "x"),
      schedule: .weekly([.monday, .friday], [eight], anchor: .floating))
    try await scheduler.update { requests in
      habits.set(habit, in: &requests, askedMilliseconds: noon)
    }
    #expect(habits.identifiers(of: "habit.1").count == 2)
    #expect(
      Set(try await scheduler.requests().map(\.identifier))
        == Set(habits.identifiers(of: "habit.1")))
    try await scheduler.update { requests in habits.delete("habit.1", in: &requests) }
    #expect(try await scheduler.requests().isEmpty)
  }

  @Test("a circle that has fired once is not added again")
  func circleFired() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    let circle = try region("entry.circle")
    try await scheduler.update { $0.append(circle) }
    world.changePhone { $0.cross(identifier: "entry.circle", entering: true) }
    let report = try await scheduler.refresh()
    #expect(report.delivered == ["entry.circle"] && report.added.isEmpty)
  }

  @Test("what the center refuses is reported, the rest is added, and the next update tries again")
  func refused() async throws {
    let world = FaultyWorld()
    let scheduler = world.scheduler()
    world.fail(["add"])
    do {
      try await scheduler.update { $0 += hourly(2) }
      Issue.record("nothing was thrown")
    } catch let error as SchedulerError {
      #expect(error.identifiers == ["entry.1001", "entry.1000"])
    }
    world.fail([])
    #expect(try await scheduler.refresh().added.count == 2)
  }

  @Test("a state file keeps the overflow for the next process")
  func stateFile() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "scheduler-\(UUID().uuidString).db"
    ).path
    defer {
      for suffix in ["", "-wal", "-shm"] {
        // Some of these files may not exist.
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    let phone = NotificationCenterModel(limits: .ios, nowMilliseconds: noon, zone: .utc)
    let center = SimulatedCenter(phone: phone)
    func scheduler() throws -> NotificationScheduler {
      NotificationScheduler(
        center: center, store: StateFileStore(database: try StateDatabase(path: path))
      ) {
        .init(nowMilliseconds: noon, zone: .utc)
      }
    }
    try await scheduler().update { $0 += hourly(100) }
    #expect(try await scheduler().requests().count == 100)
    #expect(await center.pending().count == 64)
  }

  @Test("an update killed at any step neither loses nor doubles a request", arguments: 0..<40)
  func crash(calls: Int) async throws {
    let world = FaultyWorld()
    let budget = NotificationBudget(totalLimit: 8)
    try await world.scheduler(budget).update { $0 += hourly(12) }
    let circle = try region("entry.circle")
    let change: @Sendable (inout [NotificationRequest]) -> Void = { requests in
      requests.removeAll { $0.identifier == "entry.1002" || $0.identifier == "entry.1010" }
      requests += [request("entry.soon", at: noon + 1000), request("entry.1003", at: noon + 5000)]
      requests.append(circle)
    }
    world.crash(afterCalls: calls)
    // The process ends either way.
    let finished = (try? await world.scheduler(budget).update(change)) != nil
    let isSaved = world.saved?.entries.contains { $0.request.identifier == "entry.soon" } ?? false
    world.recover()
    let scheduler = world.scheduler(budget)
    if isSaved { try await scheduler.refresh() } else { try await scheduler.update(change) }
    #expect(!finished || isSaved)
    let expected = Set(
      hourly(12).map(\.identifier).filter { $0 != "entry.1002" && $0 != "entry.1010" }
        + ["entry.soon", "entry.circle"])
    #expect(Set(try await scheduler.requests().map(\.identifier)) == expected)
    #expect(world.phone.pending.count == 8)
    #expect(world.phone.pending.allSatisfy { expected.contains($0.identifier) })
    // Eventually each is shown exactly once.
    for hour in 0...13 {
      world.changePhone { $0.advance(toMilliseconds: noon + Int64(hour) * 3_600_000) }
      if hour == 2 { world.changePhone { $0.cross(identifier: "entry.circle", entering: true) } }
      try await scheduler.refresh()
    }
    #expect(
      world.phone.deliveries.map(\.identifier).sorted() == expected.sorted())
  }

  @Test("for any updates and failures the phone never overflows and nothing is lost")
  func properties() async throws {
    for seed in 0..<25 {
      var random = SplitMix64(seed: UInt64(seed))
      let world = FaultyWorld()
      var asked: Set<String> = []
      for round in 0..<12 {
        let batch = hourly(Int.random(in: 0...60, using: &random), prefix: "entry.\(round).")
        let now = world.phone.nowMilliseconds
        let timed = batch.map {
          request($0.identifier, at: now + Int64.random(in: 1...400, using: &random) * 3_600_000)
        }
        world.crash(afterCalls: Int.random(in: 0...90, using: &random))
        _ = try? await world.scheduler().update { $0 += timed }
        if world.saved?.entries.contains(where: {
          $0.request.identifier.hasPrefix("entry.\(round).")
        }) ?? false {
          asked.formUnion(timed.map(\.identifier))
        }
        world.recover()
        try await world.scheduler().refresh()
        #expect(world.phone.pending.count <= 64)
        world.changePhone { $0.advance(toMilliseconds: now + 7_200_000) }
      }
      let scheduler = world.scheduler()
      while try await !scheduler.requests().isEmpty {
        world.changePhone { $0.advance(toMilliseconds: $0.nowMilliseconds + 3_600_000) }
        try await scheduler.refresh()
      }
      let fates = world.phone.trace.compactMap { event -> String? in
        switch event.happening {
        case .delivered, .droppedInSecond: event.identifier
        case .droppedOnOverflow: "overflow"
        default: nil
        }
      }
      #expect(fates.sorted() == asked.sorted())
    }
  }
}
