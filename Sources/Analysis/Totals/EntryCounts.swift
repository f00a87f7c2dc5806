package import FencepostNotifications

package struct EntryCounts: Equatable, Sendable {
  /// The oracle's entries, including those across a gap.
  package var entries = 0
  /// Entries that the phone noticed as they happened.
  package var found = 0
  /// Entries that a later lookup found, with the phone still inside.
  package var late = 0
  package var missed = 0
  /// The phone's entries that the oracle does not have; only an exit margin causes them.
  package var extra = 0
  package var alerts = 0
  /// Alerts shown later because their second was full.
  package var delayed = 0
  /// The phone's entries that the alert rules held back, by reason.
  package var suppressed: [SuppressionReason: Int] = [:]
  /// The oracle's entries that alerted under the same rules.
  package var oracleAlerts = 0
  /// The oracle's alerts whose entries also alerted on the phone.
  package var foundAlerts = 0

  package init() {}

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
}

extension [SuppressionReason: Int] {
  package var total: Int { values.reduce(0, +) }

  /// The nonzero counts, in the order in which the alert rules are checked.
  package var nonZero: [(reason: SuppressionReason, count: Int)] {
    SuppressionReason.allCases.compactMap { reason in
      self[reason].flatMap { $0 > 0 ? (reason, $0) : nil }
    }
  }
}
