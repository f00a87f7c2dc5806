/// Counts rejections by reason.
public struct RejectionCounts: Sendable, Equatable, Codable {
  private var counts = [Int](repeating: 0, count: Rejection.Reason.allCases.count)

  /// Makes counts that are all zero.
  public init() {}

  /// The count for one reason.
  public subscript(reason: Rejection.Reason) -> Int { counts[reason.index] }

  /// The count for all reasons together.
  public var total: Int { counts.reduce(0, +) }

  /// The reasons with a count above zero, in the order of their declaration.
  public var nonZero: [(reason: Rejection.Reason, count: Int)] {
    Rejection.Reason.allCases.compactMap { reason in
      self[reason] > 0 ? (reason, self[reason]) : nil
    }
  }

  /// The counts that are not zero, by the reason's name in reports.
  public var byName: [String: Int] {
    Dictionary(uniqueKeysWithValues: nonZero.map { ($0.reason.rawValue, $0.count) })
  }

  /// Adds one rejection, or several.
  public mutating func add(_ reason: Rejection.Reason, count: Int = 1) {
    counts[reason.index] += count
  }

  /// Adds all counts of another value.
  public mutating func add(_ other: RejectionCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}

extension Rejection.Reason {
  /// Its index among all reasons.
  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
