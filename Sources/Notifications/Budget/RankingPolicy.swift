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
    let request = item.request
    // Requests of one second are ranked before they are moved apart.
    let fire = Double(item.fireMilliseconds ?? .max) - 1000 * Double(request.movedSeconds ?? 0)
    let priority = Double(item.kind.priority)
    switch self {
    case .fireDate: return (fire, priority, 0, request.identifier)
    case .priority: return (priority, fire, 0, request.identifier)
    case .distance:
      guard case .region(let region) = request.trigger else { return (0, 0, 0, "") }
      return (item.distanceMeters ?? 0, priority, -region.radiusMeters, request.identifier)
    }
  }
}

/// The slots that kinds can still take from their quotas.
struct QuotaShares {
  private var left: [String: Int]
  private var rest: Int

  /// Shares out slots; kinds without a quota share what the quotas leave of the limit.
  ///
  /// With fewer slots than the limit, each share shrinks in proportion. Slots left by rounding go to the
  /// largest remainders, among equal ones to the first name.
  init(quotas: [String: Int], slots: Int, totalLimit: Int) {
    let names = quotas.keys.sorted()
    // Keeps all sums within an integer.
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

  /// Takes a slot of a kind's share; false if none is left.
  mutating func take(kind: String) -> Bool {
    let share = left[kind] ?? rest
    if left[kind] != nil { left[kind] = max(share - 1, 0) } else { rest = max(share - 1, 0) }
    return share > 0
  }
}
