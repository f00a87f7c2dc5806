import FencepostSession
import FencepostFormats
import Foundation
import FencepostNotifications

/// The package's own folder of samples.
private let reminders = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("Data/reminders")

func sampleBytes(_ name: String) throws -> [UInt8] {
  Array(try Data(contentsOf: reminders.appendingPathComponent(name)))
}

func sample(_ name: String) throws -> ReminderDocument {
  let bytes = try sampleBytes(name)
  return try ReminderDocument(parsing: bytes.span)
}

/// Wednesday 2026-03-04T12:00:00Z.
let noon: Int64 = 1_772_625_600_000
let oneDay: Int64 = 86_400_000

func request(_ id: String, at milliseconds: Int64) -> NotificationRequest {
  NotificationRequest(
    identifier: id, content: NotificationContent(title: id),
    trigger: .at(milliseconds: milliseconds))
}

func seedKinds() throws -> KindRegistry {
  try KindRegistry([
    NotificationKind(name: "habit", prefix: "habit.", priority: 0),
    NotificationKind(name: "onboarding", prefix: "onboarding.", priority: 1),
    NotificationKind(name: "depletion", prefix: "depletion.", priority: 2),
    NotificationKind(name: "inactivity", prefix: "inactivity.", priority: 3),
  ])
}
