import FencepostApple
import Foundation
import UserNotifications

/// Keeps the app within the 64 notifications that a phone holds.
actor NotificationBudgetManager {
  private let center = UserNotificationCenter()
  private let budget: NotificationBudget

  /// Rates, if there are any, move kinds that users tap more often or less often than others.
  init(
    maxNotifications: Int = 64, policy: RankingPolicy = .fireDateThenPriority,
    tapRates: TapRates = TapRates()
  ) throws {
    let kinds = try KindRegistry([
      NotificationKind(name: "habit", prefix: "habit.", priority: 0),
      NotificationKind(name: "onboarding", prefix: "onboarding.", priority: 1),
      NotificationKind(name: "depletion", prefix: "depletion.", priority: 2),
      NotificationKind(name: "inactivity", prefix: "inactivity.", priority: 3),
    ])
    budget = NotificationBudget(
      totalLimit: maxNotifications, policy: policy, kinds: tapRates.adapting(kinds))
  }

  /// Removes what does not fit, and returns how many of each kind that was.
  @discardableResult
  func enforceLimit() async throws -> [String: Int] {
    try await center.enforce(budget).evictions
  }
}

/// One of the app's schedulers, as it was: one request a day, seven days ahead.
func scheduleHabit(_ id: String, title: String, hour: Int) async throws {
  let content = UNMutableNotificationContent()
  content.title = title
  for day in 0..<7 {
    guard let date = Calendar.current.date(byAdding: .day, value: day, to: Date()) else { continue }
    var components = Calendar.current.dateComponents([.year, .month, .day], from: date)
    components.hour = hour
    try await UNUserNotificationCenter.current().add(
      UNNotificationRequest(
        identifier: "habit.\(id).\(day)", content: content,
        trigger: UNCalendarNotificationTrigger(dateMatching: components, repeats: false)))
  }
}

/// Called when the app is launched: all schedulers first, the limit last and once.
func scheduleNotifications(_ manager: NotificationBudgetManager) async throws {
  try await scheduleHabit("water", title: "Drink a glass of water", hour: 9)
  try await scheduleHabit("stretch", title: "Stretch", hour: 18)
  for (kind, count) in try await manager.enforceLimit() { print("\(count) × \(kind) had no slot") }
}
