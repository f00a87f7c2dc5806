/// The order in which requests get slots.
///
/// A circle counts as due when the phone could reach its edge; see ``NotificationBudget``.
public enum RankingPolicy: Hashable, Codable, Sendable {
  /// The soonest first, and the most important at the same time.
  ///
  /// Requests that a user set up, of kinds with ``NotificationKind/userSetPriority``, come before
  /// all others of the same hour.
  case fireDateThenPriority
  /// The most important first, and the soonest among equals.
  case priorityThenFireDate
  /// A number of slots for each named kind, and the rest for all other kinds; the soonest first.
  ///
  /// Unused slots go to the soonest of the others. If there are too few slots, all quotas shrink in
  /// proportion.
  case quotas([String: Int])

  /// The order in which requests come to the front.
  var order: RequestOrder { self == .priorityThenFireDate ? .priority : .fireDate }
}

enum RequestOrder {
  /// The soonest first, users' own first within an hour.
  case fireDate
  /// The most important first, and the soonest among equals.
  case priority

  /// Sorts requests; equal ones by identifier.
  func sorted(_ items: [BudgetPlan.Item]) -> [BudgetPlan.Item] { items.sorted(on: key, by: <) }

  /// The sort key; `Double` is exact for priorities and milliseconds up to the year 9999.
  private func key(of item: BudgetPlan.Item) -> (Double, Double, Double, Double, Double, String) {
    let request = item.request
    // Staggered requests keep the rank of their original second.
    let moved = 1000 * Double(request.movedSeconds ?? 0)
    let fire = Double(item.earliestMilliseconds) - moved
    let priority = Double(item.kind.priority)
    var size = 0.0
    if case .region(let region) = request.trigger { size = -region.radiusMeters }
    switch self {
    case .fireDate:
      let hour = (fire / 3_600_000).rounded(.down)
      let isSystems = item.kind.priority != NotificationKind.userSetPriority
      return (hour, isSystems ? 1 : 0, fire, priority, size, request.identifier)
    case .priority: return (priority, fire, size, 0, 0, request.identifier)
    }
  }
}

extension Array {
  /// Sorts large elements on a key; sorting indices moves less memory.
  func sorted<Key>(
    on key: (Element) -> Key, by areInOrder: (Key, Key) -> Bool
  ) -> [Element] {
    let keys = map(key)
    return indices.sorted { areInOrder(keys[$0], keys[$1]) }.map { self[$0] }
  }
}

/// The slots that kinds can still take from their quotas.
struct QuotaShares {
  private var left: [String: Int]
  private var rest: Int

  /// Distributes slots; kinds without a quota share what the quotas leave of the limit.
  ///
  /// With fewer slots, all shares shrink in proportion, and the largest remainders are rounded up.
  init(quotas: [String: Int], slots: Int, totalLimit: Int) {
    let names = quotas.keys.sorted()
    // Prevents overflow of the sums.
    let most = Int.max / 2 / (names.count + 1)
    var shares = names.map { min(max(quotas[$0] ?? 0, 0), most) }
    shares.append(min(max(totalLimit - shares.reduce(0, +), 0), most))
    let whole = shares.reduce(0, +)
    if whole > slots, whole > 0 {
      let parts = shares.map { whole.dividingFullWidth($0.multipliedFullWidth(by: slots)) }
      shares = parts.map(\.quotient)
      let order = shares.indices.sorted {
        (parts[$1].remainder, $0) < (parts[$0].remainder, $1)
      }
      for index in order.prefix(slots - shares.reduce(0, +)) { shares[index] += 1 }
    }
    rest = shares.removeLast()
    left = Dictionary(uniqueKeysWithValues: zip(names, shares))
  }

  /// Takes a slot from a kind's share; returns false if none is left.
  mutating func take(kind: String) -> Bool {
    let share = left[kind] ?? rest
    if left[kind] != nil { left[kind] = max(share - 1, 0) } else { rest = max(share - 1, 0) }
    return share > 0
  }
}
