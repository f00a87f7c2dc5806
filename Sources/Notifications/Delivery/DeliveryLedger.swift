/// What became of notifications that were shown or should have been, as far as users said so.
///
/// A phone does not tell what it delivered, and a notification that is swiped away tells nothing.
/// What can be known are taps, and answers to the question whether the last one was seen.
public struct DeliveryLedger: Codable, Equatable, Sendable {
  /// What is known of one notification; later words replace earlier ones, except that nothing
  /// takes back a tap.
  public enum Outcome: String, Codable, CaseIterable, Sendable {
    /// It was handed over to be shown, and nobody has said more.
    case shown
    /// It was tapped, so it was seen.
    case tapped
    /// Its user confirms having seen it.
    case seen
    /// Its user was waiting for it in vain.
    case missed
  }

  private struct Entry: Codable, Equatable {
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
  ///   - occurrence: Which notification: its identifier, and its time where it repeats.
  ///   - kind: Its kind.
  public mutating func note(_ outcome: Outcome, occurrence: String, kind: NotificationKind) {
    let known = entries[occurrence]?.outcome
    guard known != .tapped, known == nil || outcome != .shown else { return }
    entries[occurrence] = Entry(kind: kind.name, outcome: outcome)
  }

  /// How many notifications have an outcome, of one kind or, without one, of all.
  public func count(_ outcome: Outcome, kind: String? = nil) -> Int {
    entries.values.count { $0.outcome == outcome && (kind == nil || $0.kind == kind) }
  }

  /// The delivery rate among those of which it is known, of one kind or, without one, of all.
  public func rate(kind: String? = nil) -> DeliveryRate {
    let arrived = count(.tapped, kind: kind) + count(.seen, kind: kind)
    return DeliveryRate(arrived: arrived, count: arrived + count(.missed, kind: kind))
  }
}

/// A measured delivery rate, which is worth no more than its count.
public struct DeliveryRate: Codable, Equatable, Sendable {
  /// How many are known to have arrived.
  public let arrived: Int
  /// Of how many it is known.
  public let count: Int

  /// The rate from which something can be shipped.
  public static let gateThreshold = 0.95

  /// Makes a rate of its counts.
  public init(arrived: Int, count: Int) {
    self.arrived = arrived
    self.count = count
  }

  /// The rate, 0...1; nil where nothing is known.
  public var rate: Double? { count > 0 ? Double(arrived) / Double(count) : nil }

  /// Where the true rate lies with 95 % confidence; nil where nothing is known.
  public var interval: WilsonInterval? { WilsonInterval(successes: arrived, count: count) }

  /// What a gate says.
  public enum Gate: String, Codable, Sendable {
    /// The rate reaches the threshold, and its whole interval does.
    case passed
    /// The rate reaches the threshold, but the count is too small to be sure.
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
    return interval.lower >= threshold ? .passed : .passedUncertainly
  }
}
