import Foundation
import FencepostNotifications
import TestSupport
import Testing

// The guide's code, between marks, so that it is compiled and run; the last test compares the page with it.

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

@Suite("The guide to notifications")
struct NotificationsGuideTests {
  @Test("the naive scheduler loses all but 64")
  func naive() async throws {
    let reminders = try twoHundred()
    // sample: naive
    let phone = NotificationCenterModel(limits: .ios, nowMilliseconds: now, zone: zone)
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
    for item in plan.waiting {
      print(item.request.identifier, item.kind.name, item.reason, item.displacedBy ?? "")
    }
    // end
    #expect(plan.scheduled.count == 64 && plan.waiting.count == 136)
    #expect(plan.waiting.allSatisfy { $0.reason == .overLimit && $0.kind.name == "entry" })
  }

  @Test("the guide shows exactly the code that was compiled")
  func article() throws {
    let guide = Document.project.appendingPathComponent(
      "Sources/Core/Notifications/Documentation.docc/Notifications.md")
    let compiled = DocumentedSamples.compiled(
      in: try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8))
    #expect(
      DocumentedSamples.shown(in: try String(contentsOf: guide, encoding: .utf8)) == compiled)
  }
}
