/// Which of the time-based requests go first when there are more than slots.
public enum RankingPolicy: Hashable, Sendable {
  /// The soonest first; at one instant the most important.
  ///
  /// A distant reminder of a user gives way to a near nudge.
  case fireDateThenPriority
  /// The most important first; among equals the soonest.
  case priorityThenFireDate
  /// A number of slots for each kind that is named, the rest for all other kinds together; within
  /// each the soonest first. Slots that a kind does not use go to the soonest of the others.
  ///
  /// Where fewer slots are left for time-based requests than were shared out, every share shrinks
  /// in proportion.
  case quotas([String: Int])
}
