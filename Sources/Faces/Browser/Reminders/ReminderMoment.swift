/// Something that happened to a reminder; an engine in a browser follows no reminders.
///
/// Shared code names the type, but no page has a value of it.
package struct ReminderMoment: Equatable, Sendable {}
