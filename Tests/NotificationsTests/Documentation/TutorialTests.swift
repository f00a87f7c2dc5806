import FencepostStateDatabase
import FencepostStateFile
import Foundation
import FencepostGeodesy
import FencepostNotifications
import TestSupport
import Testing

// The tutorial's code, between marks, so that it is compiled and run; the last test compares the article
// with it line by line.

/// Stands in for the app's clock.
private let now = noon
private let zone = ClockZone(identifier: "Europe/Istanbul") ?? .utc

private func twoHundred() throws -> [Reminder] {
  let clock = ClockAnchor.floating
  return try (0..<200).map { number in
    let (day, hour) = (5 + number / 8, 8 + number % 8)
    let date = "2026-03-\(day < 10 ? "0" : "")\(day)"
    let time = try #require(LocalTime("\(date)T\(hour < 10 ? "0" : "")\(hour):00"))
    return Reminder(
      id: "entry.\(number)", content: NotificationContent(title: "Reminder \(number)"),
      schedule: .at([time], anchor: clock))
  }
}

@Suite("The tutorial")
struct TutorialTests {
  @Test("the naive scheduler loses all but 64")
  func naive() async throws {
    let reminders = try twoHundred()
    // sample: naive
    let phone = SimulatedPhone(profile: .ios, nowMilliseconds: now, zone: zone)
    let center = SimulatedCenter(phone: phone)
    for reminder in reminders {
      for request in reminder.requests(askedMilliseconds: now) {
        await center.add(request)
      }
    }
    let pending = await center.pending()
    // 64 of 200, and no call has failed.
    // end
    #expect(pending.count == 64)
  }

  @Test("a plan says what fits, what waits and why")
  func plan() throws {
    let reminders = try twoHundred()
    // sample: kinds
    let kinds = try KindRegistry([
      NotificationKind(
        name: "entry", prefix: "entry.", priority: NotificationKind.userSetPriority),
      NotificationKind(
        name: "tip", prefix: "tip.", priority: NotificationKind.engagementPriority),
    ])
    // end
    // sample: plan
    let budget = NotificationBudget(kinds: kinds)
    let requests = reminders.flatMap { $0.requests(askedMilliseconds: now) }
    let plan = budget.plan(requests, nowMilliseconds: now, zone: zone)
    for item in plan.stored {
      print(item.request.identifier, item.kind.name, item.reason, item.displacedBy ?? "")
    }
    // end
    #expect(plan.scheduled.count == 64 && plan.stored.count == 136)
    #expect(plan.stored.allSatisfy { $0.reason == .overLimit && $0.kind.name == "entry" })
  }

  @Test("the scheduler keeps all requests, the window keeps few, and a new phone is filled again")
  func scheduler() async throws {
    let reminders = try twoHundred()
    let kinds = KindRegistry()
    let phone = SimulatedPhone(profile: .ios, nowMilliseconds: now, zone: zone)
    let center = SimulatedCenter(phone: phone)
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("scheduler.db").path
    // sample: scheduler
    let store = StateFileStore(try StateDatabase(path: path))
    let scheduler = NotificationScheduler(
      center: center, store: store, budget: NotificationBudget(kinds: kinds)
    ) {
      NotificationScheduler.Situation(nowMilliseconds: now, zone: zone)
    }
    // end
    // sample: update
    let report = try await scheduler.update { requests in
      requests += reminders.flatMap { $0.requests(askedMilliseconds: now) }
    }
    // end
    #expect(report.plan.scheduled.count == 64 && report.plan.stored.count == 136)
    #expect(try await scheduler.requests().count == 200)
    // sample: window
    try await scheduler.update { requests in
      let snoozes = requests.filter { $0.identifier.hasSuffix("~snoozed") }
      let soon = SlidingWindow().requests(
        for: reminders, nowMilliseconds: now, zone: zone, keeping: requests)
      requests = SecondStagger(kinds: kinds).stagger(
        soon + snoozes, nowMilliseconds: now, zone: zone)
    }
    // end
    #expect(try await scheduler.requests().count == 55)
    let reminder = reminders[0]
    // sample: snooze
    try await scheduler.update { requests in
      guard let first = requests.first(where: { $0.identifier.hasPrefix(reminder.id + "@") })
      else { return }
      requests.append(first.snoozed(untilMilliseconds: now + 600_000))
    }
    // end
    let pending = await center.pending()
    #expect(pending.contains { $0.identifier == "entry.0@2026-03-05T08:00~snoozed" })
    let habit = Reminder(
      id: "habit.1", content: NotificationContent(title: "Stretch"),
      schedule: .weekly([.monday, .friday], [.midnight], anchor: .floating))
    // sample: habits
    var habits = WeekdayReminders()
    try await scheduler.update { requests in
      habits.set(habit, in: &requests, askedMilliseconds: now)
    }
    // end
    #expect(try await scheduler.requests().count == 58)
    // sample: no habits
    try await scheduler.update { requests in
      habits.delete(habit.id, in: &requests)
    }
    // end
    #expect(try await scheduler.requests().count == 56)
    await center.change { $0.forgetPending() }
    // sample: restore
    let restored = try await scheduler.restore()
    // end
    #expect(restored.added.count == 56)
  }

  @Test("the tutorial shows exactly the code that was compiled")
  func article() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let package = folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = try String(
      contentsOf: package.appendingPathComponent(
        "Sources/Notifications/Documentation.docc/FromNaiveToBudget.md"), encoding: .utf8)
    var compiled = DocumentedSamples.compiled(
      in: try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8))
    // The last sample needs an adapter, with which it is compiled.
    compiled += DocumentedSamples.compiled(
      in: try String(
        contentsOf: package.appendingPathComponent(
          "Tests/AppleTests/Documentation/AppleGuideTests.swift"), encoding: .utf8)
    ).suffix(1)
    let shown = DocumentedSamples.shown(in: article)
    #expect(compiled.count == 11)
    #expect(Set(shown) == Set(compiled) && shown.count == compiled.count)
  }
}
