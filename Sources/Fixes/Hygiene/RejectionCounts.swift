/// How often something was rejected, by reason.
public struct RejectionCounts: Sendable, Equatable, Codable {
  private var counts = [Int](repeating: 0, count: Rejection.Reason.allCases.count)

  /// Makes counts of zero.
  public init() {}

  /// How often for one reason.
  public subscript(reason: Rejection.Reason) -> Int { counts[reason.index] }

  /// How often for all reasons together.
  public var total: Int { counts.reduce(0, +) }

  /// The reasons there were, with their counts, in the order of the reasons' declaration.
  public var nonZero: [(reason: Rejection.Reason, count: Int)] {
    Rejection.Reason.allCases.compactMap { reason in
      self[reason] > 0 ? (reason, self[reason]) : nil
    }
  }

  /// Counts one more, or several.
  public mutating func add(_ reason: Rejection.Reason, count: Int = 1) {
    counts[reason.index] += count
  }

  /// Counts all of the other's too.
  public mutating func add(_ other: RejectionCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}

extension Rejection.Reason {
  /// Its place among all reasons.
  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
