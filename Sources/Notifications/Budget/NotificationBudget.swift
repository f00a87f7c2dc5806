public import FencepostGeodesy

/// Shares out a phone's few notification slots: a pure function from requests to a plan.
///
/// Requests that never fire again go first, whatever their rank. Circles get up to ``regionLimit`` of the
/// slots, the nearest first; all other slots go to time-based requests by the ranking. A repeating
/// request takes one slot. A request that is shown at once takes none.
public struct NotificationBudget: Hashable, Codable, Sendable {
  /// How many requests may be pending in all; nil for no limit.
  public var totalLimit: Int?
  /// How many of those may be circles.
  public var regionLimit: Int
  /// The order of time-based requests.
  public var policy: RankingPolicy
  /// The kinds.
  public var kinds: KindRegistry

  /// Makes a budget.
  public init(
    totalLimit: Int? = 64, regionLimit: Int = 20, policy: RankingPolicy = .fireDateThenPriority,
    kinds: KindRegistry = KindRegistry()
  ) {
    self.totalLimit = totalLimit.map { max($0, 0) }
    self.regionLimit = max(regionLimit, 0)
    self.policy = policy
    self.kinds = kinds
  }

  /// The slots that other owners have taken on the same phone.
  public struct Occupancy: Hashable, Sendable {
    /// How many in all.
    public var total: Int
    /// How many of those are circles.
    public var regions: Int

    /// Makes an occupancy.
    public init(total: Int = 0, regions: Int = 0) {
      self.total = total
      self.regions = regions
    }
  }

  /// Plans which requests are scheduled, stored and purged.
  ///
  /// The plan depends on the set of requests and not on their order, except that of several with one
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
    var immediate: [BudgetPlan.Item] = []
    var regions: [BudgetPlan.Item] = []
    var timed: [BudgetPlan.Item] = []
    let here = location.map { Position($0) }
    for request in withoutReplaced(requests, &plan) {
      let next = request.nextFire(afterMilliseconds: nowMilliseconds, in: zone)
      let item = item(request, next, from: here)
      switch next {
      case .never: plan.purged.append(item)
      case .immediately: immediate.append(item)
      case .atCrossing: regions.append(item)
      case .at: timed.append(item)
      }
    }
    plan.purged.sort { $0.request.identifier < $1.request.identifier }
    plan.schedule(
      RequestOrder.priority.sorted(immediate), slots: .max, .immediate, orStore: .overLimit)
    let free = totalLimit.map { max($0 - occupied.total, 0) } ?? Int.max
    let watchable = min(free, max(regionLimit - occupied.regions, 0))
    plan.schedule(
      RequestOrder.distance.sorted(regions), slots: watchable, .nearestRegion,
      orStore: .overRegionLimit)
    planTimed(timed, slots: free - min(watchable, regions.count), &plan)
    return plan
  }

  /// A request with its rank; dead until it is planned.
  func item(
    _ request: NotificationRequest, _ nextFire: NextFire, from here: Position?,
    _ reason: BudgetPlan.Reason = .dead
  ) -> BudgetPlan.Item {
    var distance: Double?
    if case .region(let region) = request.trigger, let here {
      distance = Geodesic.distanceMeters(here, Position(region.center))
    }
    return BudgetPlan.Item(
      request: request, kind: kinds.kind(ofIdentifier: request.identifier), nextFire: nextFire,
      distanceMeters: distance, reason: reason)
  }

  private func withoutReplaced(
    _ requests: [NotificationRequest], _ plan: inout BudgetPlan
  ) -> [NotificationRequest] {
    var last: [String: Int] = Dictionary(minimumCapacity: requests.count)
    for (index, request) in requests.enumerated() { last[request.identifier] = index }
    guard last.count < requests.count else { return requests }
    return requests.enumerated().compactMap { index, request in
      if last[request.identifier] == index { return request }
      plan.purged.append(item(request, .never, from: nil, .replaced))
      return nil
    }
  }

  private func planTimed(_ timed: [BudgetPlan.Item], slots: Int, _ plan: inout BudgetPlan) {
    switch policy {
    case .fireDateThenPriority:
      plan.schedule(
        RequestOrder.fireDate.sorted(timed), slots: slots, .withinLimit, orStore: .overLimit)
    case .priorityThenFireDate:
      plan.schedule(
        RequestOrder.priority.sorted(timed), slots: slots, .withinLimit, orStore: .overLimit)
    case .quotas(let quotas):
      planQuotas(RequestOrder.fireDate.sorted(timed), quotas: quotas, slots: slots, &plan)
    }
  }

  private func planQuotas(
    _ ranked: [BudgetPlan.Item], quotas: [String: Int], slots: Int, _ plan: inout BudgetPlan
  ) {
    var shares = QuotaShares(quotas: quotas, slots: slots, totalLimit: totalLimit ?? ranked.count)
    let granted = ranked.map { shares.take(kind: $0.kind.name) }
    var unused = slots - granted.count { $0 }
    for (item, isGranted) in zip(ranked, granted) {
      if isGranted {
        plan.schedule([item], slots: 1, .withinQuota, orStore: .overLimit)
      } else {
        plan.schedule([item], slots: unused, .unusedQuota, orStore: .overLimit)
        unused = max(0, unused - 1)
      }
    }
  }
}
