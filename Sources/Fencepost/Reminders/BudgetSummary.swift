/// How reminders and watched places shared a phone's slots along a track.
package struct BudgetSummary: Equatable, Sendable {
  /// A reminder or place that had to wait for a slot.
  package struct Displacement: Equatable, Sendable {
    /// The kind and id of what had to wait.
    package enum Displaced: Equatable, Sendable {
      /// A reminder with this id.
      case reminder(String)
      /// A place with this id.
      case place(String)
    }

    /// The reminder or place.
    package var displaced: Displaced
    /// Who took the slots: `places`, `reminders`, or the ids of reminders with circles.
    package var by: [String]
    /// The number of plans or lookups in which it had to wait.
    package var times: Int
    /// The number of the reminder's occurrences that were never shown as a result.
    package var dropped: Int

    /// Creates a displacement.
    package init(displaced: Displaced, by: [String], times: Int, dropped: Int = 0) {
      self.displaced = displaced
      self.by = by
      self.times = times
      self.dropped = dropped
    }
  }

  /// The number of requests that can be pending at a time; nil if unlimited.
  package var slots: Int?
  /// The number of plans.
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
  /// The number never shown.
  package var dropped = 0
  /// The number of times that circles of reminders fired.
  package var circlesFired = 0
  /// Everything that had to wait: places by id, then reminders by id.
  package var displacements: [Displacement] = []

  /// Creates an empty summary.
  package init(slots: Int?) {
    self.slots = slots
  }
}
