import FencepostApple
import Foundation

@MainActor
final class ReminderScheduler {
  var reminders: [Reminder] = []
  private(set) var delivery = DeliveryLedger()
  /// What the phone showed last: ask users whether they saw it.
  private(set) var lastShown: [String] = []
  private let kinds: KindRegistry
  private let scheduler: NotificationScheduler

  /// Pills stay on the clock of home, meetings follow the phone, and tests bring their own clock.
  init(folder: URL, home: TimeZone, now: @escaping @Sendable () -> Date = { Date() }) throws {
    kinds = try KindRegistry([
      NotificationKind(name: "pill", prefix: "pill.", priority: 0, anchor: .fixed(ClockZone(home))),
      NotificationKind(name: "meeting", prefix: "meeting.", priority: 0, anchor: .floating),
    ])
    scheduler = NotificationScheduler(
      statePath: folder.appendingPathComponent("reminders.state").path,
      center: UserNotificationCenter(), budget: NotificationBudget(kinds: kinds)
    ) { .init(at: now()) }
  }

  /// Called before the launch ends; keep what it returns.
  func startRefresh() -> BackgroundRefresh {
    let refresh = BackgroundRefresh(identifier: "com.example.reminders.refresh") {
      try await self.reschedule()
    }
    refresh.start()
    return refresh
  }

  /// Called at every launch: without the mark, which no backup contains, this is a new phone.
  func launch(caches: URL) async throws {
    let mark = caches.appendingPathComponent("reminders.phone")
    if !FileManager.default.fileExists(atPath: mark.path) { try await scheduler.restore() }
    try await reschedule()
    try Data().write(to: mark)
  }

  func reschedule() async throws {
    let report = try await scheduler.update { requests in
      SlidingWindow().replace(kinds.anchoring(reminders), in: &requests)
      SecondStagger(kinds: kinds).stagger(&requests)
    }
    if !report.delivered.isEmpty { lastShown = report.delivered }
  }

  func skip(_ id: String, on date: Date) async throws {
    guard let index = reminders.firstIndex(where: { $0.id == id }) else { return }
    reminders[index].skipped.insert(LocalTime(date))
    try await reschedule()
  }

  func answer(_ identifier: String, wasSeen: Bool) {
    let kind = kinds.kind(ofIdentifier: identifier)
    delivery.record(wasSeen ? .seen : .missed, occurrence: identifier, kind: kind)
  }
}
