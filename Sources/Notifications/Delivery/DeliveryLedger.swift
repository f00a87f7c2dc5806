public import FencepostMonitoring

/// What became of notifications, according to their users.
///
/// A phone does not report what it delivered, and a notification that is swiped away leaves no trace. Only
/// taps are known, and users' answers whether they saw the last one.
public struct DeliveryLedger: Codable, Hashable, Sendable {
  /// What is known of one notification.
  ///
  /// Later reports replace earlier ones, but never a tap.
  public enum Outcome: String, Codable, CaseIterable, Sendable {
    /// It was handed over to be shown.
    case shown
    /// It was tapped, so it was seen.
    case tapped
    /// The user says that it came.
    case seen
    /// The user says that it did not come.
    case missed
  }

  private struct Entry: Codable, Hashable {
    var kind: String
    var outcome: Outcome
  }

  private var entries: [String: Entry] = [:]

  /// An empty ledger.
  public init() {}

  /// Notes what is known of one notification.
  ///
  /// - Parameters:
  ///   - outcome: What is known.
  ///   - occurrence: The notification's identifier, with its time if it repeats.
  ///   - kind: Its kind.
  public mutating func note(_ outcome: Outcome, occurrence: String, kind: NotificationKind) {
    let known = entries[occurrence]?.outcome
    guard known != .tapped, known == nil || outcome != .shown else { return }
    entries[occurrence] = Entry(kind: kind.name, outcome: outcome)
  }

  /// How many notifications have an outcome, of one kind or of all.
  public func count(_ outcome: Outcome, kind: String? = nil) -> Int {
    entries.values.count { $0.outcome == outcome && (kind == nil || $0.kind == kind) }
  }

  /// The delivery rate among those whose outcome is known, of one kind or of all.
  public func rate(kind: String? = nil) -> DeliveryRate {
    let arrived = count(.tapped, kind: kind) + count(.seen, kind: kind)
    return DeliveryRate(arrived: arrived, count: arrived + count(.missed, kind: kind))
  }
}

/// A measured delivery rate with its confidence.
public struct DeliveryRate: Codable, Hashable, Sendable {
  /// How many are known to have arrived.
  public let arrived: Int
  /// How many outcomes are known.
  public let count: Int

  /// The lowest rate that is good enough to ship.
  public static let gateThreshold = 0.95

  /// Makes a rate of its counts.
  public init(arrived: Int, count: Int) {
    self.arrived = arrived
    self.count = count
  }

  /// The rate, 0...1; nil if nothing is known.
  public var rate: Double? { count > 0 ? Double(arrived) / Double(count) : nil }

  /// The 95 % confidence interval of the rate; nil if nothing is known.
  public var interval: WilsonInterval? {
    count > 0 ? WilsonInterval(arrived, of: count) : nil
  }

  /// The verdict of a gate.
  public enum Gate: String, Codable, Sendable {
    /// The rate reaches the threshold, and its whole interval does.
    case passed
    /// The rate reaches the threshold, but the count is too small for certainty.
    case passedUncertainly = "passed-uncertainly"
    /// The rate does not reach the threshold.
    case failed
    /// Nothing is known.
    case unknown
  }

  /// Whether the rate reaches a threshold, 0...1.
  public func gate(threshold: Double = gateThreshold) -> Gate {
    guard let rate, let interval else { return .unknown }
    if rate < threshold { return .failed }
    return interval.low >= threshold ? .passed : .passedUncertainly
  }
}
