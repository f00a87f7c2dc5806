import FencepostApple
import Foundation

/// A task of the app, with the reminders that its user set.
struct TaskItem: Identifiable {
  var id: String
  var title: String
  var dates: [Date]
}

/// Hands over any number of reminders, and keeps those for which the phone has no slot.
struct TaskReminders {
  private let scheduler = NotificationScheduler(
    center: UserNotificationCenter(),
    load: {
      try UserDefaults.standard.data(forKey: "reminders").map {
        try JSONDecoder().decode(SchedulerState.self, from: $0)
      }
    },
    save: { UserDefaults.standard.set(try JSONEncoder().encode($0), forKey: "reminders") }
  ) { .now }

  /// Called after every change of the tasks, from anywhere, also several times at once.
  func reschedule(_ tasks: [TaskItem], adding newRequests: [NotificationRequest] = []) async throws
  {
    try await scheduler.update { requests in
      let ids = Set(tasks.map(\.id))
      let filteredRequests = requests.filter { request in
        guard request.identifier.hasPrefix("reminder.") else { return true }
        return request.isSnoozed && request.content.userInfo["task"].map(ids.contains) ?? false
      }
      let reminderRequests = tasks.flatMap(\.requests)
      requests = newRequests + filteredRequests + reminderRequests
    }
  }

  /// Saved before it is scheduled, so it is not lost on a full phone.
  func snooze(_ identifier: String, until date: Date, of tasks: [TaskItem]) async throws {
    guard let shown = tasks.flatMap(\.requests).first(where: { $0.identifier == identifier })
    else { return }
    try await reschedule(tasks, adding: [shown.snoozed(until: date)])
  }

  /// What is scheduled and what waits, in one list.
  func requests() async throws -> [NotificationRequest] { try await scheduler.requests() }
}

extension TaskItem {
  var requests: [NotificationRequest] {
    dates.enumerated().map { number, date in
      NotificationRequest(
        identifier: "reminder.\(id).\(number)",
        content: NotificationContent(title: title, userInfo: ["task": id]), trigger: .at(date))
    }
  }
}
