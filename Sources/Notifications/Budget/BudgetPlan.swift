/// What becomes of each request.
public struct BudgetPlan: Hashable, Sendable {
  /// A request and why it is where it is.
  public struct Item: Hashable, Sendable {
    /// The request.
    public let request: NotificationRequest
    /// Its kind.
    public let kind: NotificationKind
    /// When it fires next.
    public let nextFire: NextFire
    /// The distance to its circle's centre in metres; nil for other requests or an unknown location.
    public let distanceMeters: Double?
    /// Why it is scheduled, stored or purged.
    public internal(set) var reason: Reason

    var fireMilliseconds: Int64? {
      if case .at(let milliseconds) = nextFire { milliseconds } else { nil }
    }
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
    /// Stored: others come before it, and all slots are taken.
    case overLimit = "over-limit"
    /// Stored: other circles are nearer, and no more can be monitored.
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
  /// What can be forgotten.
  public internal(set) var purged: [Item] = []

  /// Schedules the first requests of a ranking and stores the rest.
  mutating func schedule(
    _ ranked: [Item], slots: Int, _ reason: Reason, orStore storedReason: Reason = .overLimit
  ) {
    for (index, var item) in ranked.enumerated() {
      item.reason = index < slots ? reason : storedReason
      if index < slots { scheduled.append(item) } else { stored.append(item) }
    }
  }

  /// How many requests had to wait or go, by the names of their kinds.
  public var evictionsByKind: [String: Int] {
    (stored + purged.filter { $0.reason == .dead }).reduce(into: [:]) { counts, item in
      counts[item.kind.name, default: 0] += 1
    }
  }
}
