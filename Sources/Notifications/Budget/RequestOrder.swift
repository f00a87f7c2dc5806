/// Which time-based requests come first if there are more than slots.
public enum RankingPolicy: Hashable, Codable, Sendable {
  /// The soonest first, at the same instant the most important: a user's distant reminder yields to a
  /// near nudge.
  case fireDateThenPriority
  /// The most important first, among equals the soonest.
  case priorityThenFireDate
  /// A number of slots for each named kind and the rest for all other kinds together, the soonest first
  /// in each. Slots that a kind does not use go to the soonest of the others.
  ///
  /// If fewer slots are left for time-based requests than were shared out, every share shrinks in
  /// proportion.
  case quotas([String: Int])
}

/// An order of requests.
enum RequestOrder {
  /// The soonest first, at the same instant the most important.
  case fireDate
  /// The most important first, among equals the soonest.
  case priority
  /// The nearest centre first; if the phone's place is unknown, the more important and then the larger
  /// circle.
  case distance

  /// The requests in this order; equal ones by identifier.
  ///
  /// - Complexity: O(n log n).
  func sorted(_ items: [BudgetPlan.Item]) -> [BudgetPlan.Item] {
    // Items are large; sorting their indices moves less memory.
    let keys = items.map(key)
    return items.indices.sorted { keys[$0] < keys[$1] }.map { items[$0] }
  }

  /// A key that is less for what comes first.
  ///
  /// Milliseconds of all years to 9999 and priorities are exact as `Double`.
  private func key(of item: BudgetPlan.Item) -> (Double, Double, Double, String) {
    let id = item.request.identifier
    // Requests of one second are ranked before they are moved apart.
    let fire = Double(item.fireMilliseconds ?? .max) - 1000 * Double(item.request.movedSeconds ?? 0)
    let priority = Double(item.kind.priority)
    return switch self {
    case .fireDate: (fire, priority, 0, id)
    case .priority: (priority, fire, 0, id)
    case .distance: (item.distanceMeters ?? 0, priority, -item.radiusMeters, id)
    }
  }
}
