public import FencepostGeodesy

/// Distributes a phone's notification slots among requests.
///
/// Requests that never fire again are purged. The slots go to the others in the order of
/// ``policy``, at most ``regionLimit`` of them to circles. Circles and times are on one scale: the
/// earliest moment at which each can fire. For a circle that is when the phone would reach its edge
/// at 30 m/s, or now if the phone's position is unknown. A repeating request takes one slot, and a
/// request that is shown at once takes none.
public struct NotificationBudget: Hashable, Codable, Sendable {
  /// The number of requests that can be pending; nil for no limit.
  public var totalLimit: Int?
  /// The number of circles among them.
  public var regionLimit: Int
  /// The ranking of requests.
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
  ///   - location: The position of the phone. If nil, every circle can fire now, and of equally
  ///     important ones the largest comes first.
  ///   - occupied: The slots of other owners.
  /// - Returns: The plan, with every request in one of its three lists.
  /// - Complexity: O(n log n).
  public func plan(
    _ requests: [NotificationRequest], nowMilliseconds: Int64, zone: ClockZone,
    location: Coordinate? = nil, occupied: Occupancy = Occupancy()
  ) -> BudgetPlan {
    var plan = BudgetPlan()
    var (immediate, waiting): ([BudgetPlan.Item], [BudgetPlan.Item]) = ([], [])
    let here = location.map { Position($0) }
    let last = Dictionary(
      requests.enumerated().map { ($1.identifier, $0) }, uniquingKeysWith: { $1 })
    for (index, request) in requests.enumerated() {
      guard last[request.identifier] == index else {
        plan.purged.append(item(request, .never, .replaced, nowMilliseconds))
        continue
      }
      let next = request.nextFire(afterMilliseconds: nowMilliseconds, in: zone)
      let item = item(request, next, .dead, nowMilliseconds, from: here)
      switch next {
      case .never: plan.purged.append(item)
      case .immediately: immediate.append(item)
      case .atCrossing, .at: waiting.append(item)
      }
    }
    plan.purged.sort { $0.request.identifier < $1.request.identifier }
    for item in RequestOrder.priority.sorted(immediate) { plan.schedule(item, .immediate) }
    fill(&plan, with: waiting, besides: occupied)
    return plan
  }

  /// Gives the slots that others leave to requests in the order of the policy.
  private func fill(
    _ plan: inout BudgetPlan, with waiting: [BudgetPlan.Item], besides occupied: Occupancy
  ) {
    let slots = totalLimit.map { max($0 - occupied.total, 0) } ?? Int.max
    var (free, regions) = (slots, max(regionLimit - occupied.regions, 0))
    func grant(_ item: BudgetPlan.Item, _ reason: BudgetPlan.Reason) {
      guard !item.isCircle || regions > 0 else { return plan.store(item, .overRegionLimit) }
      guard free > 0 else { return plan.store(item, .overLimit) }
      plan.schedule(item, reason)
      free -= 1
      if item.isCircle { regions -= 1 }
    }
    let waiting = policy.order.sorted(waiting)
    if case .quotas(let quotas) = policy {
      var shares = QuotaShares(
        quotas: quotas, slots: slots, totalLimit: totalLimit ?? waiting.count)
      var others: [BudgetPlan.Item] = []
      for item in waiting {
        if item.isCircle && regions == 0 || !shares.take(kind: item.kind.name) {
          others.append(item)
        } else {
          grant(item, .withinQuota)
        }
      }
      for item in others { grant(item, .unusedQuota) }
    } else {
      for item in waiting { grant(item, .withinLimit) }
    }
    let lastCircle = plan.scheduled.last(where: \.isCircle)?.request.identifier
    let last = plan.scheduled.last { $0.reason != .immediate }?.request.identifier
    for index in plan.stored.indices {
      plan.stored[index].displacedBy =
        plan.stored[index].reason == .overRegionLimit ? lastCircle : last
    }
  }

  func item(
    _ request: NotificationRequest, _ nextFire: NextFire, _ reason: BudgetPlan.Reason,
    _ nowMilliseconds: Int64, from here: Position? = nil
  ) -> BudgetPlan.Item {
    var item = BudgetPlan.Item(
      request: request, kind: kinds.kind(ofIdentifier: request.identifier), nextFire: nextFire,
      distanceMeters: nil, reason: reason, earliestMilliseconds: nowMilliseconds)
    switch (nextFire, request.trigger) {
    case (.at(let milliseconds), _): item.earliestMilliseconds = milliseconds
    case (.atCrossing, .region(let region)):
      guard let here else { break }
      let distance = Geodesic.distanceMeters(here, Position(region.center))
      item.distanceMeters = distance
      let seconds = abs(distance - region.radiusMeters) / Self.reachMetersPerSecond
      item.earliestMilliseconds += Int64(seconds * 1000)
    default: break
    }
    return item
  }

  /// The speed at which a phone is assumed to come nearer to a circle: 108 km/h.
  package static let reachMetersPerSecond = 30.0
}
