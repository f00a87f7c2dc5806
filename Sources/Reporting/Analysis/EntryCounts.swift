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
  private var counts = SIMD8<Int>()

  /// Makes counts of zero.
  public init() {}

  /// How many for one reason.
  public subscript(reason: SuppressionReason) -> Int {
    get { counts[reason.index] }
    set { counts[reason.index] = newValue }
  }

  /// How many for all reasons together.
  public var total: Int { counts.wrappedSum() }

  /// The reasons there were with their counts, in the order of the policy's checks.
  public var nonZero: [(reason: SuppressionReason, count: Int)] {
    SuppressionReason.allCases.compactMap { reason in
      self[reason] > 0 ? (reason, self[reason]) : nil
    }
  }

  /// Adds the other's counts.
  public static func += (counts: inout SuppressionCounts, other: SuppressionCounts) {
    counts.counts &+= other.counts
  }
}

extension SuppressionReason {
  fileprivate var index: Int {
    switch self {
    case .notPublished: 0
    case .expired: 1
    case .quietHours: 2
    case .driving: 3
    case .cooldown: 4
    case .grouped: 5
    case .budget: 6
    }
  }
}
