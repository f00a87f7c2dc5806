package import FencepostFixes
package import FencepostMonitoring

/// Receives what a session's engine finds, in path order, before it becomes events.
///
/// ``ReminderWatch`` is an observer. A session passes every fix to its observer, one at a time.
package protocol SessionObserver: AnyObject {
  /// Handles an engine event on the way to the next fix.
  func found(_ event: EngineEvent)
  /// The reminder that a crossing of its circle fired; nil if it fired none.
  func reminder(firedBy crossing: Crossing) -> FiredReminder?
  /// The id of the reminder with a circle, by the circle's key; nil for another key.
  func reminderID(ofCircle key: Int64) -> String?
  /// Handles a fix, after all events on the way to it.
  func followed(_ fix: Fix)
  /// Whether a circle has freed its region since the last call, so that another can have it.
  func takeFreedRegion() -> Bool
  /// The times before `end` at which other notifications are shown, in milliseconds since 1970.
  ///
  /// Alerts share their seconds with them. Each time is returned once.
  func showTimes(beforeMilliseconds end: Int64) -> [Int64]
  /// Handles an alert that is shown at a time in milliseconds since 1970.
  func alerted(placeID: String, atMilliseconds milliseconds: Int64)
  /// Handles the end of the track. The observer may add to the summary.
  func finish(_ summary: inout TrackSummary)
}

/// A reminder that fired because its circle was crossed.
///
/// The session turns it into an event.
package struct FiredReminder: Sendable {
  /// The id of the reminder.
  package var id: String
  /// The title of its notification.
  package var title: String
  /// The id of what was shown in its place, if it was not shown because its second was full.
  package var displacedBy: String?

  /// Creates a reminder that is shown, until ``displacedBy`` says otherwise.
  package init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}
