package import FencepostNotifications

/// How often entries were found, missed, alerted and suppressed.
package struct EntryCounts: Equatable, Sendable {
  /// Entries of the oracle: all crossings into a circle, also across a break.
  package var entries = 0
  /// Entries that the device saw as they happened.
  package var found = 0
  /// Entries that a later refresh found, with the device still inside.
  package var late = 0
  /// Entries that the device never noticed.
  package var missed = 0
  /// Entries of the device that the oracle does not have; only an exit margin causes them.
  package var extra = 0
  /// Entries of the device that alerted.
  package var alerts = 0
  /// Alerts that were shown in a later second because theirs was full.
  package var delayed = 0
  /// Entries of the device that the policy suppressed, by reason.
  package var suppressed: [SuppressionReason: Int] = [:]
  /// Entries of the oracle that alerted under the same policy.
  package var oracleAlerts = 0
  /// Alerts of the oracle whose entry also alerted on the device.
  package var foundAlerts = 0

  /// Makes counts of zero.
  package init() {}

  /// Counts one entry.
  package mutating func add(_ entry: EntryRecord) {
    switch entry.cause {
    case .found: found += 1
    case .late: late += 1
    case .missed: missed += 1
    case .extra: extra += 1
    }
    if entry.cause != .extra { entries += 1 }
    if entry.isAlert {
      alerts += 1
      if entry.deliveryMilliseconds != nil { delayed += 1 }
    }
    if let reason = entry.suppression { suppressed[reason, default: 0] += 1 }
    if entry.isOracleAlert {
      oracleAlerts += 1
      if entry.isAlert { foundAlerts += 1 }
    }
  }

  /// Adds the other's counts.
  package static func += (counts: inout EntryCounts, other: EntryCounts) {
    counts.entries += other.entries
    counts.found += other.found
    counts.late += other.late
    counts.missed += other.missed
    counts.extra += other.extra
    counts.alerts += other.alerts
    counts.delayed += other.delayed
    counts.suppressed.merge(other.suppressed, uniquingKeysWith: +)
    counts.oracleAlerts += other.oracleAlerts
    counts.foundAlerts += other.foundAlerts
  }
}

extension [SuppressionReason: Int] {
  /// The sum of all counts.
  package var total: Int { values.reduce(0, +) }

  /// The counts that are not zero, in the order of the policy's checks.
  package var nonZero: [(reason: SuppressionReason, count: Int)] {
    SuppressionReason.allCases.compactMap { reason in
      self[reason].flatMap { $0 > 0 ? (reason, $0) : nil }
    }
  }
}
