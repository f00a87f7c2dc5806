public import FencepostMonitoring

/// Records which notifications reached their users.
///
/// Phones do not report deliveries, so the only evidence is taps and users' answers.
public struct DeliveryLedger: Codable, Hashable, Sendable {
  /// What is known about a notification; later outcomes replace earlier ones, but not a tap.
  ///
  /// The app records it: when it hands a notification to the system, when the user taps it, and
  /// when the user answers whether it arrived.
  public enum Outcome: String, Codable, CaseIterable, Sendable {
    /// Passed to the system to be shown.
    case shown
    /// Tapped.
    case tapped
    /// The user reported that it came.
    case seen
    /// The user reported that it did not come.
    case missed
  }

  /// What was recorded, by occurrence.
  public private(set) var entries: [String: DeliveryRecord] = [:]

  /// Creates an empty ledger.
  public init() {}

  /// Records an outcome; `occurrence` is the identifier, with its time if it repeats.
  public mutating func record(_ outcome: Outcome, occurrence: String, kind: NotificationKind) {
    let known = entries[occurrence]?.outcome
    guard known != .tapped, known == nil || outcome != .shown else { return }
    entries[occurrence] = DeliveryRecord(kind: kind.name, outcome: outcome)
  }

  /// The number of notifications with an outcome, of one kind or of all.
  ///
  /// - Parameters:
  ///   - outcome: What is known last about the notification.
  ///   - kind: The name of a kind; nil for all kinds.
  /// - Returns: The number of occurrences.
  /// - Complexity: O(n) for n entries.
  public func count(_ outcome: Outcome, kind: String? = nil) -> Int {
    entries.values.count { $0.outcome == outcome && (kind == nil || $0.kind == kind) }
  }

  /// The delivery rate of notifications with a known outcome, of one kind or of all.
  public func rate(kind: String? = nil) -> DeliveryRate {
    let arrived = count(.tapped, kind: kind) + count(.seen, kind: kind)
    return DeliveryRate(arrived: arrived, count: arrived + count(.missed, kind: kind))
  }
}

/// A notification and what is known about it.
///
/// ``DeliveryLedger/entries`` has one for each occurrence.
public struct DeliveryRecord: Codable, Hashable, Sendable {
  /// The name of its kind.
  public let kind: String
  /// What is known about it.
  public let outcome: DeliveryLedger.Outcome
}

/// A measured delivery rate.
///
/// It counts only notifications whose outcome is known, because phones do not report deliveries.
public struct DeliveryRate: Codable, Hashable, Sendable {
  /// The number of notifications that arrived.
  public let arrived: Int
  /// The number of known outcomes.
  public let count: Int

  /// The default minimum rate for a release.
  public static let gateThreshold = 0.95

  /// Creates a rate from counts.
  public init(arrived: Int, count: Int) {
    self.arrived = arrived
    self.count = count
  }

  /// The rate, from 0 to 1; nil if nothing is known.
  public var rate: Double? { count > 0 ? Double(arrived) / Double(count) : nil }

  /// The 95 % confidence interval of the rate; nil if nothing is known.
  public var interval: WilsonInterval? { count > 0 ? WilsonInterval(arrived, of: count) : nil }

  /// The result of comparing a rate with a threshold.
  ///
  /// A release can be stopped if it is ``failed``.
  public enum Gate: String, Codable, Sendable {
    /// The whole confidence interval reaches the threshold.
    case passed
    /// The rate reaches the threshold, but its confidence interval does not.
    case passedUncertainly = "passed-uncertainly"
    /// The rate is below the threshold.
    case failed
    /// No outcome is known.
    case unknown
  }

  /// Compares the rate with a threshold from 0 to 1.
  public func gate(threshold: Double = gateThreshold) -> Gate {
    guard let rate, let interval else { return .unknown }
    if rate < threshold { return .failed }
    return interval.low >= threshold ? .passed : .passedUncertainly
  }
}

extension DeliveryLedger {
  /// The former name of ``DeliveryRecord``.
  @available(*, deprecated, renamed: "DeliveryRecord")
  public typealias Entry = DeliveryRecord
}
