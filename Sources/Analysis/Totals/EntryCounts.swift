public import FencepostNotifications
public import FencepostPhones

/// How often entries were found, missed, alerted and suppressed.
public struct EntryCounts: Equatable, Sendable {
  /// Entries of the oracle: all crossings into a circle, also across a break.
  public var entries = 0
  /// Entries that the device saw as they happened.
  public var found = 0
  /// Entries that a later refresh found, with the device still inside.
  public var late = 0
  /// Entries that the device never noticed.
  public var missed = 0
  /// Entries of the device that the oracle does not have; only an exit margin causes them.
  public var extra = 0
  /// Entries of the device that alerted.
  public var alerts = 0
  /// Alerts that were shown in a later second because theirs was full.
  public var delayed = 0
  /// Entries of the device that the policy suppressed, by reason.
  public var suppressed: [SuppressionReason: Int] = [:]
  /// Entries of the oracle that alerted under the same policy.
  public var oracleAlerts = 0
  /// Alerts of the oracle whose entry also alerted on the device.
  public var foundAlerts = 0

  /// Makes counts of zero.
  public init() {}

  /// Counts one entry.
  public mutating func add(_ entry: EntryRecord) {
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

  /// The share of the oracle's alerts whose entry alerts on the device too; nil without any.
  package var recall: Double? {
    oracleAlerts > 0 ? Double(foundAlerts) / Double(oracleAlerts) : nil
  }

  /// Adds the other's counts.
  public static func += (counts: inout EntryCounts, other: EntryCounts) {
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

/// How fast devices were at alerts, how late late entries were found, and how long devices stayed.
///
/// Counts in bins, so that parts add up exactly in any order.
public struct EntryMeasures: Equatable, Sendable {
  /// The speed at each alert in metres a second, as the receiver gave it, else on the way to the next fix.
  public package(set) var alertSpeed = QuantileSketch()
  /// How long after each late entry a refresh found the device inside, in seconds.
  public package(set) var latenessSeconds = QuantileSketch()
  /// How long each stay in a circle that began with an entry lasted, in seconds, whether or not it was noticed.
  public package(set) var insideSeconds = QuantileSketch()
  /// How long the device stayed in the circle after each alert was shown, in seconds.
  public package(set) var dwellSeconds = QuantileSketch()

  /// Makes measures of nothing.
  public init() {}

  /// Adds an entry; what is not known of it is not counted.
  public mutating func add(_ entry: EntryRecord) {
    if entry.isAlert, let speed = entry.speedMetersPerSecond { alertSpeed.add(speed) }
    if entry.cause == .late {
      Self.add(to: &latenessSeconds, from: entry.timeMilliseconds, to: entry.foundMilliseconds)
    }
    if entry.cause != .extra {
      Self.add(to: &insideSeconds, from: entry.enteredMilliseconds, to: entry.leftMilliseconds)
    }
    if entry.isAlert {
      Self.add(to: &dwellSeconds, from: entry.shownMilliseconds, to: entry.leftMilliseconds)
    }
  }

  private static func add(to sketch: inout QuantileSketch, from start: Int64?, to end: Int64?) {
    guard let start, let end else { return }
    sketch.add(Double(max(0, end - start)) / 1000)
  }

  /// Adds the other's counts.
  public static func += (measures: inout EntryMeasures, other: EntryMeasures) {
    measures.alertSpeed.merge(other.alertSpeed)
    measures.latenessSeconds.merge(other.latenessSeconds)
    measures.insideSeconds.merge(other.insideSeconds)
    measures.dwellSeconds.merge(other.dwellSeconds)
  }
}
