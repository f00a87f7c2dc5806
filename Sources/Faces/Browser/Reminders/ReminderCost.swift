/// What the stories cost reminders; an engine in a browser follows no reminders.
package struct ReminderCost: Equatable, Sendable {}
