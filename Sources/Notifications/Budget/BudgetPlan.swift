/// What is to become of each request.
public struct BudgetPlan: Equatable, Sendable {
  /// A request with what was found out about it.
  public struct Item: Equatable, Sendable {
    /// The request.
    public let request: NotificationRequest
    /// Its kind.
    public let kind: NotificationKind
    /// When it fires next.
    public let nextFire: NextFire
    /// How far its circle's centre is in metres; nil for others or where nobody knows.
    public let distanceMeters: Double?
    /// Why it is where it is.
    public let reason: Reason
  }

  /// Why a request is scheduled, stored or purged.
  public enum Reason: String, Codable, CaseIterable, Sendable {
    /// Scheduled: it is shown at once and needs no slot.
    case immediate
    /// Scheduled: it is among the nearest circles.
    case nearestRegion = "nearest-region"
    /// Scheduled: it is among the first in the ranking.
    case withinLimit = "within-limit"
    /// Scheduled: its kind's quota has room.
    case withinQuota = "within-quota"
    /// Scheduled: another kind did not use its quota.
    case unusedQuota = "unused-quota"
    /// Stored: others go before it, and all slots are taken.
    case overLimit = "over-limit"
    /// Stored: other circles are nearer, and no more can be watched.
    case overRegionLimit = "over-region-limit"
    /// Purged: it never fires again.
    case dead
    /// Purged: a later request has its identifier.
    case replaced
    /// Purged: it was shown before the phone moved to a clock that shows its time once more.
    case shown
  }

  /// What the phone should hold, the most important first.
  public internal(set) var scheduled: [Item] = []
  /// What waits for a slot, the next one first.
  public internal(set) var stored: [Item] = []
  /// What is to be forgotten.
  public internal(set) var purged: [Item] = []

  /// How many requests had to wait or go, by the names of their kinds.
  public var evictionsByKind: [String: Int] {
    var counts: [String: Int] = [:]
    for item in stored { counts[item.kind.name, default: 0] += 1 }
    for item in purged where item.reason == .dead { counts[item.kind.name, default: 0] += 1 }
    return counts
  }
}

/// How many requests had to wait or go, by kind, added up over plans.
public struct EvictionLedger: Codable, Equatable, Sendable {
  /// The counts by the names of kinds.
  public private(set) var counts: [String: Int] = [:]

  /// An empty ledger.
  public init() {}

  /// Adds a plan's evictions.
  public mutating func note(_ plan: BudgetPlan) {
    counts.merge(plan.evictionsByKind, uniquingKeysWith: +)
  }
}
