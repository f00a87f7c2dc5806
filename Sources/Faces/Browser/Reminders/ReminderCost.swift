/// What the stories cost reminders; an engine in a browser follows no reminders.
///
/// Shared code names the type, but no page has a value of it.
package struct ReminderCost: Equatable, Sendable {}
