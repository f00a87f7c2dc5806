public import Geodesy

/// Shares out a phone's few notification slots: a pure function from requests to a plan.
///
/// Requests that never fire again go first, whatever their rank. Circles get up to ``regionLimit``
/// of the slots, the nearest first; all other slots go to time-based requests by the ranking.
/// A repeating request takes one slot. What is shown at once takes none.
public struct NotificationBudget: Equatable, Sendable {
  /// How many requests may be pending in all; nil for no limit.
  public var totalLimit: Int?
  /// How many of those may be circles.
  public var regionLimit: Int
  /// The order of time-based requests.
  public var policy: RankingPolicy
  /// The kinds.
  public var kinds: KindRegistry

  /// Makes a budget; a phone's 64 slots, 20 of them for circles, unless told otherwise.
  public init(
    totalLimit: Int? = 64, regionLimit: Int = 20, policy: RankingPolicy = .fireDateThenPriority,
    kinds: KindRegistry = KindRegistry()
  ) {
    self.totalLimit = totalLimit.map { max($0, 0) }
    self.regionLimit = max(regionLimit, 0)
    self.policy = policy
    self.kinds = kinds
  }

  /// What others have pending on the same phone, which takes slots too.
  public struct Occupancy: Equatable, Sendable {
    /// How many in all.
    public var total: Int
    /// How many of those are circles.
    public var regions: Int

    /// Makes an occupancy; nothing by default.
    public init(total: Int = 0, regions: Int = 0) {
      self.total = total
      self.regions = regions
    }
  }

  /// Plans which requests are scheduled, which are stored and which are purged.
  ///
  /// The plan depends on the set of requests and not on their order, save that of several with one
  /// identifier the last counts.
  ///
  /// - Parameters:
  ///   - requests: All requests of the owner, pending or not.
  ///   - nowMilliseconds: The present, since 1970.
  ///   - zone: The zone the phone is in.
  ///   - location: Where the phone is; without it circles are ranked by importance and size.
  ///   - occupied: What others have pending.
  /// - Returns: Each request in one of the plan's three lists.
  /// - Complexity: O(n log n).
  public func plan(
    _ requests: [NotificationRequest], nowMilliseconds: Int64, zone: ClockZone,
    location: Coordinate? = nil, occupied: Occupancy = Occupancy()
  ) -> BudgetPlan {
    var plan = BudgetPlan()
    var immediate: [RankedRequest] = []
    var regions: [RankedRequest] = []
    var timed: [RankedRequest] = []
    let here = location.map { Position($0) }
    for request in withoutReplaced(requests, &plan) {
      let ranked = RankedRequest(
        request, kind: kinds.kind(ofIdentifier: request.identifier),
        nextFire: request.nextFire(afterMilliseconds: nowMilliseconds, in: zone), from: here)
      switch ranked.nextFire {
      case .never: plan.purged.append(ranked.item(.dead))
      case .immediately: immediate.append(ranked)
      case .atCrossing: regions.append(ranked)
      case .at: timed.append(ranked)
      }
    }
    plan.purged.sort { $0.request.identifier < $1.request.identifier }
    plan.scheduled += RequestOrder.priority.sorted(immediate).map { $0.item(.immediate) }
    let free = totalLimit.map { max($0 - occupied.total, 0) } ?? Int.max
    let watched = planRegions(
      regions, slots: min(free, max(regionLimit - occupied.regions, 0)), &plan)
    planTimed(timed, slots: free - watched, &plan)
    return plan
  }

  private func withoutReplaced(
    _ requests: [NotificationRequest], _ plan: inout BudgetPlan
  ) -> [NotificationRequest] {
    var last: [String: Int] = Dictionary(minimumCapacity: requests.count)
    for (index, request) in requests.enumerated() { last[request.identifier] = index }
    guard last.count < requests.count else { return requests }
    return requests.enumerated().compactMap { index, request in
      if last[request.identifier] == index { return request }
      let kind = kinds.kind(ofIdentifier: request.identifier)
      plan.purged.append(
        BudgetPlan.Item(
          request: request, kind: kind, nextFire: .never, distanceMeters: nil, reason: .replaced))
      return nil
    }
  }

  /// Schedules the first circles and returns how many.
  private func planRegions(
    _ regions: [RankedRequest], slots: Int, _ plan: inout BudgetPlan
  ) -> Int {
    let ranked = RequestOrder.distance.sorted(regions)
    plan.scheduled += ranked.prefix(slots).map { $0.item(.nearestRegion) }
    plan.stored += ranked.dropFirst(slots).map { $0.item(.overRegionLimit) }
    return min(slots, ranked.count)
  }

  private func planTimed(_ timed: [RankedRequest], slots: Int, _ plan: inout BudgetPlan) {
    let ranked: [RankedRequest]
    switch policy {
    case .fireDateThenPriority:
      ranked = RequestOrder.fireDate.sorted(timed)
    case .priorityThenFireDate:
      ranked = RequestOrder.priority.sorted(timed)
    case .quotas(let quotas):
      return planQuotas(
        RequestOrder.fireDate.sorted(timed), quotas: quotas, slots: slots, &plan)
    }
    plan.scheduled += ranked.prefix(slots).map { $0.item(.withinLimit) }
    plan.stored += ranked.dropFirst(slots).map { $0.item(.overLimit) }
  }

  private func planQuotas(
    _ ranked: [RankedRequest], quotas: [String: Int], slots: Int, _ plan: inout BudgetPlan
  ) {
    var shares = QuotaShares(quotas: quotas, slots: slots, totalLimit: totalLimit ?? ranked.count)
    let granted = ranked.map { shares.take(kind: $0.kind.name) }
    var unused = slots - granted.count { $0 }
    for (request, isGranted) in zip(ranked, granted) {
      if isGranted {
        plan.scheduled.append(request.item(.withinQuota))
      } else if unused > 0 {
        unused -= 1
        plan.scheduled.append(request.item(.unusedQuota))
      } else {
        plan.stored.append(request.item(.overLimit))
      }
    }
  }
}
