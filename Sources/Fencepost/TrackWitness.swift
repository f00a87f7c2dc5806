public import Fixes
public import Monitoring

/// Hears what a session's engine finds, before any of it becomes an event.
///
/// A session calls it in the order of the path, always from the task that feeds the session.
public protocol TrackWitness: AnyObject {
  /// The engine found something on the way to the fix that is taken next.
  func found(_ event: EngineEvent)
  /// The reminder whose circle a crossing belongs to, which is no place's, if it fired there.
  func reminder(firedBy crossing: Crossing, entering: Bool) -> FiredReminder?
  /// A fix was taken, with all that was found on the way to it.
  func took(_ fix: Fix)
  /// The track ends; the witness may add its part to the summary.
  func finish(_ summary: inout TrackSummary)
}

extension TrackWitness {
  /// None, for a witness that knows of no reminders.
  public func reminder(firedBy crossing: Crossing, entering: Bool) -> FiredReminder? { nil }
}

/// A reminder whose circle was crossed.
public struct FiredReminder: Sendable {
  /// The reminder's id.
  public var id: String
  /// What it says.
  public var title: String

  /// Makes a reminder that fired.
  public init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}
