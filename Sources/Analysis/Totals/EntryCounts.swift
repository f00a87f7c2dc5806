public import Notifications

/// What became of entries: whole numbers only, so that sums do not depend on their order.
public struct EntryCounts: Equatable, Sendable {
  /// Entries of the oracle: every crossing into a circle, and every one across a break.
  public var entries = 0
  /// Entries that the device saw as they happened.
  public var found = 0
  /// Entries that a later refresh found out about, the device being inside still.
  public var late = 0
  /// Entries that the device never knew of.
  public var missed = 0
  /// Entries of the device that are none of the oracle's; only an exit margin makes such.
  public var extra = 0
  /// Entries of the device that alerted.
  public var alerts = 0
  /// Alerts that were shown whole seconds later, their second being full.
  public var delayed = 0
  /// Entries of the device that the policy held back, by reason.
  public var suppressed = SuppressionCounts()
  /// Entries of the oracle that alerted under the same policy.
  public var oracleAlerts = 0
  /// Alerts of the oracle whose entry alerted on the device too.
  public var foundAlerts = 0

  /// Makes counts of zero.
  public init() {}

  /// Adds the other's counts.
  public static func += (counts: inout EntryCounts, other: EntryCounts) {
    counts.entries += other.entries
    counts.found += other.found
    counts.late += other.late
    counts.missed += other.missed
    counts.extra += other.extra
    counts.alerts += other.alerts
    counts.delayed += other.delayed
    counts.suppressed += other.suppressed
    counts.oracleAlerts += other.oracleAlerts
    counts.foundAlerts += other.foundAlerts
  }
}

/// How many entries the policy held back, by reason.
public struct SuppressionCounts: Equatable, Sendable {
  private var notPublished = 0
  private var expired = 0
  private var quietHours = 0
  private var driving = 0
  private var cooldown = 0
  private var grouped = 0
  private var budget = 0

  /// Makes counts of zero.
  public init() {}

  /// How many for one reason.
  public subscript(reason: SuppressionReason) -> Int {
    get {
      switch reason {
      case .notPublished: notPublished
      case .expired: expired
      case .quietHours: quietHours
      case .driving: driving
      case .cooldown: cooldown
      case .grouped: grouped
      case .budget: budget
      }
    }
    set {
      switch reason {
      case .notPublished: notPublished = newValue
      case .expired: expired = newValue
      case .quietHours: quietHours = newValue
      case .driving: driving = newValue
      case .cooldown: cooldown = newValue
      case .grouped: grouped = newValue
      case .budget: budget = newValue
      }
    }
  }

  /// How many for all reasons together.
  public var total: Int { SuppressionReason.allCases.reduce(0) { $0 + self[$1] } }

  /// The reasons there were with their counts, in the order of the policy's checks.
  public var nonZero: [(reason: SuppressionReason, count: Int)] {
    SuppressionReason.allCases.compactMap { reason in
      self[reason] > 0 ? (reason, self[reason]) : nil
    }
  }

  /// Adds the other's counts.
  public static func += (counts: inout SuppressionCounts, other: SuppressionCounts) {
    counts.notPublished += other.notPublished
    counts.expired += other.expired
    counts.quietHours += other.quietHours
    counts.driving += other.driving
    counts.cooldown += other.cooldown
    counts.grouped += other.grouped
    counts.budget += other.budget
  }
}
