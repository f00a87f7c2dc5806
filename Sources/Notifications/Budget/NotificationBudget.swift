public import FencepostGeodesy

/// Distributes a phone's notification slots among requests.
///
/// Requests that never fire again are purged. Circles get up to ``regionLimit`` slots, the nearest
/// first. The other slots go to timed requests in the order of ``policy``. A repeating request
/// takes one slot, and a request that is shown at once takes none.
public struct NotificationBudget: Hashable, Codable, Sendable {
  /// The number of requests that can be pending; nil for no limit.
  public var totalLimit: Int?
  /// The number of circles among them.
  public var regionLimit: Int
  /// The ranking of timed requests.
  public var policy: RankingPolicy
  /// The kinds of notifications.
  public var kinds: KindRegistry

  /// Creates a budget.
  public init(
    totalLimit: Int? = 64, regionLimit: Int = 20, policy: RankingPolicy = .fireDateThenPriority,
    kinds: KindRegistry = KindRegistry()
  ) {
    self.totalLimit = totalLimit.map { max($0, 0) }
    self.regionLimit = max(regionLimit, 0)
    self.policy = policy
    self.kinds = kinds
  }

  /// The slots that other owners use on the same phone.
  public struct Occupancy: Hashable, Sendable {
    /// The number of slots.
    public var total: Int
    /// The number of circles among them.
    public var regions: Int

    /// Creates an occupancy.
    public init(total: Int = 0, regions: Int = 0) {
      self.total = total
      self.regions = regions
    }
  }

  /// Decides which requests to schedule, store and purge.
  ///
  /// The order of requests matters only for equal identifiers: the last one counts.
  ///
  /// - Parameters:
  ///   - requests: All requests of the owner, pending or not.
  ///   - nowMilliseconds: The current time in milliseconds since 1970.
  ///   - zone: The time zone of the phone.
  ///   - location: The position of the phone. If nil, circles are ranked by importance and size.
  ///   - occupied: The slots of other owners.
  /// - Returns: The plan, with every request in one of its three lists.
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
