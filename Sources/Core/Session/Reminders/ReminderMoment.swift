package import FencepostNotifications

/// Something that happened to the explained reminder along a track, and when.
///
/// Only the reminder of `ReminderRunOptions.explainedID` has moments.
package struct ReminderMoment: Equatable, Sendable {
  /// What happened to the reminder.
  ///
  /// Moments of a reminder at a circle come from crossings, those of a timed one from the clock of
  /// the track.
  package enum Happening: Equatable, Sendable {
    /// It began to wait for a slot; `behind` is the lowest-ranked of those that have one.
    case waits(behind: String?)
    /// It has a slot or a region again.
    case pending
    /// Its circle was crossed while it waited, so nothing was shown.
    case crossedUnwatched
    /// Its circle was crossed; `insteadOf` filled the second if it was not shown.
    case fired(insteadOf: String?)
    /// It was due, and shown or not for a reason.
    case due(OccurrenceRecord)
  }

  /// In milliseconds since 1970; nil on a track without times.
  package var timeMilliseconds: Int64?
  /// What happened.
  package var happening: Happening

  /// Whether the reminder was shown or lost; nil if it was neither due nor crossed.
  package var isShown: Bool? {
    switch happening {
    case .waits, .pending: nil
    case .fired(let other): other == nil
    case .crossedUnwatched: false
    case .due(let record): record.fate != .dropped
    }
  }
}
