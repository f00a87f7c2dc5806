public import FencepostFixes
public import FencepostMonitoring

/// Receives what a session's engine finds, in path order, before it becomes events.
public protocol SessionObserver: AnyObject {
  /// Handles an engine event on the way to the next fix.
  func found(_ event: EngineEvent)
  /// The reminder that a crossing of its circle fired; nil if it fired none.
  func reminder(firedBy crossing: Crossing) -> FiredReminder?
  /// Handles a fix, after all events on the way to it.
  func took(_ fix: Fix)
  /// Handles the end of the track. The observer may add to the summary.
  func finish(_ summary: inout TrackSummary)
}

extension SessionObserver {
  /// Returns nil, for observers without reminders.
  public func reminder(firedBy crossing: Crossing) -> FiredReminder? { nil }
}

/// A reminder that fired because its circle was crossed.
public struct FiredReminder: Sendable {
  /// The id of the reminder.
  public var id: String
  /// The title of the reminder.
  public var title: String

  /// Creates a fired reminder.
  public init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}
