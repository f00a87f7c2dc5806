package import FencepostSession

/// How a phone's reminders fare along tracks among the stories, and how without any story.
///
/// Both share the phone's slots, so a rule that watches many stories can cost reminders.
package struct ReminderCost: Equatable, Sendable {
  /// Counts of reminders: times that were due, and circles that were crossed.
  ///
  /// One is taken with the stories and one without them.
  package struct Tally: NamedCounts, Equatable, Sendable {
    /// The number that were due, or whose circles were crossed.
    package var due = 0
    /// The number that the phone did not show or notice.
    package var lost = 0
    /// The number of times that a reminder had to wait for a slot.
    package var waits = 0

    /// Creates counts of nothing.
    package init() {}

    /// Counts what a session summarized about its reminders; places that had to wait do not count.
    package init(_ budget: BudgetSummary) {
      due = budget.due + budget.circlesFired + budget.circlesMissed
      lost = budget.dropped + budget.circlesMissed + budget.circlesUnshown
      waits = budget.displacements.reduce(0) {
        if case .reminder = $1.displaced { $0 + $1.times } else { $0 }
      }
    }

    /// The counts by their names in documents.
    package static let counts: [Count<Self>] = [
      ("due", \.due), ("lost", \.lost), ("waits", \.waits),
    ]
  }

  /// The reminders when the stories compete for slots.
  package var withStories = Tally()
  /// The same reminders on the same tracks, without any story.
  package var withoutStories = Tally()

  /// Creates the cost along no track.
  package init() {}

  /// The number of reminders that only the stories cost; negative if the stories save some.
  package var cost: Int { withStories.lost - withoutStories.lost }

  /// Adds what the reminders of two tracks came to.
  package static func + (one: ReminderCost, other: ReminderCost) -> ReminderCost {
    var sum = one
    sum.withStories.addCounts(of: other.withStories)
    sum.withoutStories.addCounts(of: other.withoutStories)
    return sum
  }
}
