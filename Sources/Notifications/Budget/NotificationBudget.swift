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
    var (immediate, regions, timed): ([BudgetPlan.Item], [BudgetPlan.Item], [BudgetPlan.Item])
    (immediate, regions, timed) = ([], [], [])
    let here = location.map { Position($0) }
    let last = Dictionary(
      requests.enumerated().map { ($1.identifier, $0) }, uniquingKeysWith: { $1 })
    for (index, request) in requests.enumerated() {
      guard last[request.identifier] == index else {
        plan.purged.append(item(request, .never, .replaced))
        continue
      }
      let next = request.nextFire(afterMilliseconds: nowMilliseconds, in: zone)
      let item = item(request, next, .dead, from: here)
      switch next {
      case .never: plan.purged.append(item)
      case .immediately: immediate.append(item)
      case .atCrossing: regions.append(item)
      case .at: timed.append(item)
      }
    }
    plan.purged.sort { $0.request.identifier < $1.request.identifier }
    plan.schedule(RequestOrder.priority.sorted(immediate), slots: .max, .immediate)
    let free = totalLimit.map { max($0 - occupied.total, 0) } ?? Int.max
    let watchable = min(free, max(regionLimit - occupied.regions, 0))
    plan.schedule(
      RequestOrder.distance.sorted(regions), slots: watchable, .nearestRegion,
      orStore: .overRegionLimit)
    let slots = free - min(watchable, regions.count)
    switch policy {
    case .fireDateThenPriority:
      plan.schedule(RequestOrder.fireDate.sorted(timed), slots: slots, .withinLimit)
    case .priorityThenFireDate:
      plan.schedule(RequestOrder.priority.sorted(timed), slots: slots, .withinLimit)
    case .quotas(let quotas):
      let ranked = RequestOrder.fireDate.sorted(timed)
      var shares = QuotaShares(quotas: quotas, slots: slots, totalLimit: totalLimit ?? ranked.count)
      let granted = ranked.map { shares.take(kind: $0.kind.name) }
      var unused = slots - granted.count { $0 }
      for (item, isGranted) in zip(ranked, granted) {
        let slots = isGranted ? 1 : unused
        plan.schedule([item], slots: slots, isGranted ? .withinQuota : .unusedQuota)
        if !isGranted { unused = max(0, unused - 1) }
      }
    }
    return plan
  }

  /// A request with its rank.
  func item(
    _ request: NotificationRequest, _ nextFire: NextFire, _ reason: BudgetPlan.Reason,
    from here: Position? = nil
  ) -> BudgetPlan.Item {
    var distance: Double?
    if case .region(let region) = request.trigger, let here {
      distance = Geodesic.distanceMeters(here, Position(region.center))
    }
    return BudgetPlan.Item(
      request: request, kind: kinds.kind(ofIdentifier: request.identifier), nextFire: nextFire,
      distanceMeters: distance, reason: reason)
  }
}
