/// How reminders and watched places shared a phone's slots along a track.
///
/// A ``ReminderWatch`` makes it at the end of a track. ``TrackSummary/budget`` has it.
package struct BudgetSummary: Codable, Equatable, Sendable {
  /// A reminder or place that had to wait for a slot.
  ///
  /// Reports name each with what took its place.
  package struct Displacement: Codable, Equatable, Sendable {
    /// What had to wait, by its id.
    ///
    /// Reminders and places have ids of their own, so the same id may occur as both.
    package enum Displaced: Codable, Equatable, Sendable {
      /// A reminder at a time or at a circle.
      case reminder(id: String)
      /// A story whose circle had no region or slot.
      case place(id: String)
    }

    /// What had to wait.
    package var displaced: Displaced
    /// What took the slots: `places`, or the ids of places and reminders.
    ///
    /// Where many did, the one with the lowest rank stands for them.
    package var by: [String]
    /// The number of times that it had to wait, however many plans or lookups each took.
    package var times: Int
    /// The number of times that it was due, or its circle crossed, and was not shown as a result.
    package var dropped: Int

    /// Creates a record of what had to wait.
    package init(displaced: Displaced, by: [String], times: Int, dropped: Int = 0) {
      self.displaced = displaced
      self.by = by
      self.times = times
      self.dropped = dropped
    }
  }

  /// The number of requests that can be pending at a time; nil if unlimited.
  package var slots: Int?
  /// The number of times that the slots were planned.
  package var plans = 0
  /// The largest number of circles watched at a time.
  package var mostRegions = 0
  /// The largest number of reminders pending at a time.
  package var mostReminders = 0
  /// The number of occurrences that came due along the track.
  package var due = 0
  /// The number shown within a minute of their time.
  package var onTime = 0
  /// The number shown later than that.
  package var late = 0
  /// The number of occurrences never shown.
  package var dropped = 0
  /// The number of times that circles of reminders fired, whether shown or not.
  package var circlesFired = 0
  /// The number of times that the path crossed a reminder's circle that was not watched.
  package var circlesMissed = 0
  /// The number of times that circles of reminders fired into a full second.
  package var circlesUnshown = 0
  /// The number of reminders not shown because two others were in their second.
  package var droppedInSecond = 0
  /// Everything that had to wait or was lost: places by id, then reminders by id.
  package var displacements: [Displacement] = []

  /// What happened to the reminder of `ReminderWatchOptions.explainedID`, in order of time; not
  /// saved.
  package var moments: [ReminderMoment] = []

  /// What is saved: everything but ``moments``.
  private enum CodingKeys: String, CodingKey {
    case slots, plans, mostRegions, mostReminders, due, onTime, late, dropped, circlesFired
    case circlesMissed, circlesUnshown, droppedInSecond, displacements
  }

  /// Creates a summary with counts of 0; nil for an unlimited number of slots.
  package init(slots: Int?) { self.slots = slots }
}
