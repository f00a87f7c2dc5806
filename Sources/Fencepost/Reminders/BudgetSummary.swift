/// How reminders and monitored places shared a phone's slots along a track.
public struct BudgetSummary: Equatable, Sendable {
  /// A reminder or place that had to wait for a slot.
  public struct Displacement: Equatable, Sendable {
    /// What waited.
    public enum Displaced: Equatable, Sendable {
      /// A reminder, by its id.
      case reminder(String)
      /// A place, by its id.
      case place(String)
    }

    /// What waited.
    public var displaced: Displaced
    /// What took the slots: `places`, `reminders`, or the ids of the reminders whose circles did.
    public var by: [String]
    /// The number of plans or refreshes in which it waited.
    public var times: Int
    /// How many occurrences of the reminder were never shown because of that.
    public var dropped: Int

    /// Makes a displacement of its parts.
    public init(displaced: Displaced, by: [String], times: Int, dropped: Int = 0) {
      self.displaced = displaced
      self.by = by
      self.times = times
      self.dropped = dropped
    }
  }

  /// How many requests may be pending in all; nil for any number.
  public var slots: Int?
  /// How many plans were made.
  public var plans = 0
  /// The most circles at a time.
  public var mostRegions = 0
  /// The most reminders pending at a time.
  public var mostReminders = 0
  /// How many times a reminder was due along the track.
  public var due = 0
  /// How many of those were shown within a minute.
  public var onTime = 0
  /// How many were shown later than that.
  public var late = 0
  /// How many were never shown.
  public var dropped = 0
  /// How often the circle of a reminder fired.
  public var circlesFired = 0
  /// What had to wait: places, then reminders, each by id.
  public var displacements: [Displacement] = []

  /// Makes the summary of a track without reminders.
  public init(slots: Int?) {
    self.slots = slots
  }
}
