/// Something that happened to a reminder; an engine in a browser follows no reminders.
package struct ReminderMoment: Equatable, Sendable {}
