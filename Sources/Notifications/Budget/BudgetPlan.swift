/// Which requests a phone should hold, and which wait or can be forgotten.
public struct BudgetPlan: Hashable, Sendable {
  /// A request with the reason for its place in the plan.
  public struct Item: Hashable, Sendable {
    /// The request.
    public let request: NotificationRequest
    /// The kind of the request.
    public let kind: NotificationKind
    /// When the request fires next.
    public let nextFire: NextFire
    /// The distance to the circle's center in meters; nil without a circle or a known position.
    public internal(set) var distanceMeters: Double?
    /// The reason the request is scheduled, stored or purged.
    public internal(set) var reason: Reason
    /// Of the requests that have the slots, the identifier of the one with the lowest rank; nil
    /// unless the request is stored, or if other owners have all slots.
    public internal(set) var displacedBy: String?
    /// The earliest moment at which the request can fire, in milliseconds since 1970.
    var earliestMilliseconds: Int64

    var fireMilliseconds: Int64? {
      if case .at(let milliseconds) = nextFire { milliseconds } else { nil }
    }

    var isCircle: Bool { nextFire == .atCrossing }
  }

  /// The reason a request is scheduled, stored or purged.
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
    /// Stored: all slots are taken by requests with a higher rank.
    case overLimit = "over-limit"
    /// Stored: circles with a higher rank take all regions.
    case overRegionLimit = "over-region-limit"
    /// Purged: never fires again.
    case dead
    /// Purged: a later request has the same identifier.
    case replaced
    /// Purged: already shown, before the phone moved to a clock that shows its time again.
    case shown
  }

  /// The requests that the phone should hold, the most important first.
  public internal(set) var scheduled: [Item] = []
  /// The requests that wait for a slot, in order.
  public internal(set) var stored: [Item] = []
  /// The requests that can be forgotten.
  public internal(set) var purged: [Item] = []

  mutating func schedule(_ item: Item, _ reason: Reason) {
    scheduled.append(item)
    scheduled[scheduled.count - 1].reason = item.isCircle ? .nearestRegion : reason
  }

  mutating func store(_ item: Item, _ reason: Reason) {
    stored.append(item)
    stored[stored.count - 1].reason = reason
  }
}
