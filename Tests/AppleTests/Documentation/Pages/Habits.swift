import FencepostApple
import Foundation

struct Habit: Codable, Identifiable {
  var id = UUID()
  var title = "Do 10 pull-ups"
  var weekDays = ["mon", "wed", "fri"]
  var timestamps = [Date()]
}

struct UnknownWeekday: Error { let name: String }

/// Repeats the notifications of habits on their weekdays.
struct HabitNotifications {
  let scheduler: NotificationScheduler
  var calendar = Calendar.current

  init(folder: URL) {
    scheduler = NotificationScheduler(
      statePath: folder.appendingPathComponent("habits.state").path,
      center: UserNotificationCenter()
    ) { .now }
  }

  /// Creates the notifications of a habit, or replaces them all after it was edited.
  func createNotifications(for habit: Habit) async throws {
    let weekdays = try habit.weekDays.map { name in
      guard let weekday = Weekday(name, in: calendar) else { throw UnknownWeekday(name: name) }
      return weekday
    }
    let times = habit.timestamps.map { TimeOfDay($0) }
    let reminder = Reminder(
      id: "habit.\(habit.id)",
      content: NotificationContent(title: "My App notification", subtitle: habit.title),
      schedule: .weekly(Set(weekdays), times, anchor: .floating))
    var reminders = WeekdayReminders()
    try await scheduler.update { requests in reminders.set(reminder, in: &requests) }
  }

  func deleteNotifications(for habit: Habit) async throws {
    var reminders = WeekdayReminders()
    try await scheduler.update { requests in reminders.delete("habit.\(habit.id)", in: &requests) }
  }
}
