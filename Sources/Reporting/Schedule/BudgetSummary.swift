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
    /// What had the slots: `places`, `reminders`, or the ids of the reminders whose circles did.
    public var by: [String]
    /// In how many plans, or at how many refreshes.
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
  /// What had to wait, places first, each by id.
  public var displacements: [Displacement] = []

  /// Makes the summary of a track without reminders.
  public init(slots: Int?) {
    self.slots = slots
  }

  /// The summary in a sentence for people.
  var sentence: String {
    let limit = slots.map { "\($0) slots" } ?? "any number of slots"
    var text = "Reminders: \(limit); at most \(TextNumber.count(mostRegions, "region", "regions"))"
    text += " and \(TextNumber.count(mostReminders, "reminder", "reminders")) at a time"
    text += "; \(due) due, \(onTime) on time"
    if late > 0 { text += ", \(late) late" }
    if dropped > 0 { text += ", \(dropped) dropped" }
    if circlesFired > 0 { text += "; \(TextNumber.count(circlesFired, "circle", "circles")) fired" }
    return text + waitingParts
  }

  private var waitingParts: String {
    let forPlaces = displacements.count { $0.by == ["places"] }
    let forReminders = displacements.count { $0.by == ["reminders"] }
    let places = displacements.count - forPlaces - forReminders
    var text = ""
    if forPlaces > 0 {
      text += "; \(TextNumber.count(forPlaces, "reminder", "reminders")) waited for places"
    }
    if forReminders > 0 {
      text += "; \(TextNumber.count(forReminders, "reminder", "reminders")) for other reminders"
    }
    if places > 0 {
      text += "; \(TextNumber.count(places, "place", "places")) gave way to reminders' circles"
    }
    return text
  }
}

extension ByteBuffer {
  /// Appends the summary as a JSON object.
  mutating func append(json budget: BudgetSummary) {
    appendObject {
      $0.member("slots", budget.slots)
      $0.member("plans", budget.plans)
      $0.member("mostRegions", budget.mostRegions)
      $0.member("mostReminders", budget.mostReminders)
      $0.member("due", budget.due)
      $0.member("onTime", budget.onTime)
      $0.member("late", budget.late)
      $0.member("dropped", budget.dropped)
      $0.member("circlesFired", budget.circlesFired)
      $0.array("displaced", budget.displacements) { $0.append(json: $1) }
    }
  }

  private mutating func append(json displacement: BudgetSummary.Displacement) {
    appendObject {
      switch displacement.displaced {
      case .reminder(let id): $0.member("reminder", id)
      case .place(let id): $0.member("place", id)
      }
      $0.array("by", displacement.by) { $0.append(json: $1) }
      $0.member("times", displacement.times)
      if case .reminder = displacement.displaced { $0.member("dropped", displacement.dropped) }
    }
  }
}
