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
  ///
  /// A plan gives only the remaining slots to its own requests.
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

    init(of requests: [NotificationRequest]) {
      let circles = requests.count { if case .region = $0.trigger { true } else { false } }
      self.init(total: requests.count, regions: circles)
    }
  }

  /// Decides which requests to schedule, which wait and which to purge.
  ///
  /// The order of requests matters only for equal identifiers: the first one counts.
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
    var known: Set<String> = []
    for request in requests {
      guard known.insert(request.identifier).inserted else {
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
    for item in RankingPolicy.priorityThenFireDate.sorted(immediate) {
      plan.schedule(item, .immediate)
    }
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
    let waiting = policy.sorted(waiting)
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
    for index in plan.waiting.indices {
      plan.waiting[index].displacedBy =
        plan.waiting[index].reason == .overRegionLimit ? lastCircle : last
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

  /// The speed at which a phone is assumed to approach a circle: 30 m/s, or 108 km/h.
  ///
  /// It puts circles and times on one scale in a ranking.
  package static let reachMetersPerSecond = 30.0
}

/// Which requests a phone should hold, and which wait or can be forgotten.
///
/// ``NotificationBudget/plan(_:nowMilliseconds:zone:location:occupied:)`` makes it. Each request is
/// in exactly one of the three lists.
public struct BudgetPlan: Hashable, Sendable {
  /// A request with the reason for its place in the plan.
  ///
  /// Reports read ``displacedBy`` to name what has the slot instead.
  public struct Item: Hashable, Sendable {
    /// The request.
    public let request: NotificationRequest
    /// The kind of the request.
    public let kind: NotificationKind
    /// When the request fires next.
    public let nextFire: NextFire
    /// The distance to the circle's center in meters; nil without a circle or a known position.
    public internal(set) var distanceMeters: Double?
    /// The reason the request is scheduled, waiting or purged.
    public internal(set) var reason: Reason
    /// Of the requests that have the slots, the identifier of the one with the lowest rank; nil
    /// unless the request is waiting, or if other owners have all slots.
    public internal(set) var displacedBy: String?
    /// The earliest moment at which the request can fire, in milliseconds since 1970.
    var earliestMilliseconds: Int64

    var fireMilliseconds: Int64? {
      if case .at(let milliseconds) = nextFire { milliseconds } else { nil }
    }

    var isCircle: Bool { nextFire == .atCrossing }
  }

  /// The reason a request is scheduled, waiting or purged.
  ///
  /// The raw value is the name in reports.
  public enum Reason: String, Codable, CaseIterable, Sendable {
    /// Scheduled: shown at once, so it needs no slot.
    case immediate
    /// Scheduled: a circle that ranked high enough.
    case nearestRegion = "nearest-region"
    /// Scheduled: ranked high enough.
    case withinLimit = "within-limit"
    /// Scheduled: within the quota of its kind.
    case withinQuota = "within-quota"
    /// Scheduled: another kind did not use its quota.
    case unusedQuota = "unused-quota"
    /// Waiting: all slots are taken by requests with a higher rank.
    case overLimit = "over-limit"
    /// Waiting: circles with a higher rank take all regions.
    case overRegionLimit = "over-region-limit"
    /// Purged: never fires again.
    case dead
    /// Purged: another request with the same identifier counts.
    case replaced
    /// Purged: already shown, before the phone moved to a clock that shows its time again.
    case shown
  }

  /// The requests that the phone should hold, the most important first.
  public internal(set) var scheduled: [Item] = []
  /// The requests that wait for a slot, in order.
  public internal(set) var waiting: [Item] = []
  /// The requests that can be forgotten.
  public internal(set) var purged: [Item] = []

  /// The former name of ``waiting``.
  @available(*, deprecated, renamed: "waiting")
  public var stored: [Item] { waiting }

  /// How many requests of each kind have no slot, by the name of the kind.
  public var evictions: [String: Int] {
    Dictionary(grouping: waiting, by: \.kind.name).mapValues(\.count)
  }

  mutating func schedule(_ item: Item, _ reason: Reason) {
    scheduled.append(item)
    scheduled[scheduled.count - 1].reason = item.isCircle ? .nearestRegion : reason
  }

  mutating func store(_ item: Item, _ reason: Reason) {
    waiting.append(item)
    waiting[waiting.count - 1].reason = reason
  }
}

/// The order in which requests get slots.
///
/// A circle counts as due when the phone could reach its edge; see ``NotificationBudget``.
public enum RankingPolicy: Hashable, Sendable {
  /// The soonest first; at the same time the most important, then the first identifier.
  case fireDateThenPriority
  /// The most important first, and the soonest among equals.
  case priorityThenFireDate
  /// A number of slots for each named kind, and the rest for all other kinds; the soonest first.
  ///
  /// Unused slots go to the soonest of the others. If there are too few slots, all quotas shrink in
  /// proportion.
  case quotas([String: Int])

  /// Sorts requests; equal ones by identifier.
  func sorted(_ items: [BudgetPlan.Item]) -> [BudgetPlan.Item] { items.sorted(on: key, by: <) }

  /// The sort key; `Double` is exact for priorities and milliseconds up to the year 9999.
  private func key(of item: BudgetPlan.Item) -> (Double, Double, Double, String) {
    let request = item.request
    // Staggered requests keep the rank of their original second.
    let moved = 1000 * Double(request.movedSeconds ?? 0)
    let fire = Double(item.earliestMilliseconds) - moved
    let priority = Double(item.kind.priority)
    var size = 0.0
    if case .region(let region) = request.trigger { size = -region.radiusMeters }
    return self == .priorityThenFireDate
      ? (priority, fire, size, request.identifier) : (fire, priority, size, request.identifier)
  }
}

extension Array {
  /// Sorts large elements on a key; sorting indices moves less memory.
  func sorted<Key>(on key: (Element) -> Key, by areInOrder: (Key, Key) -> Bool) -> [Element] {
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
