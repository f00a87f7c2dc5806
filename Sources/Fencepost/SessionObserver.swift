public import FencepostFixes
public import FencepostMonitoring

/// Sees what a session's engine finds, before any of it becomes an event.
///
/// A session calls it in the order of the path, always from the task that feeds the session.
public protocol SessionObserver: AnyObject {
  /// The engine found something on the way to the fix that is taken next.
  func found(_ event: EngineEvent)
  /// The reminder that a crossing of its circle fired; nil if none did.
  func reminder(firedBy crossing: Crossing) -> FiredReminder?
  /// A fix was taken, after everything found on the way to it.
  func took(_ fix: Fix)
  /// The track ends; the observer may add its part to the summary.
  func finish(_ summary: inout TrackSummary)
}

extension SessionObserver {
  /// Nil, for an observer without reminders.
  public func reminder(firedBy crossing: Crossing) -> FiredReminder? { nil }
}

/// A reminder whose circle was crossed.
public struct FiredReminder: Sendable {
  /// The reminder's id.
  public var id: String
  /// The reminder's title.
  public var title: String

  /// Makes a reminder that fired.
  public init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}
