/// Counts rejections by reason.
public struct RejectionCounts: Sendable, Equatable, Codable {
  private var counts = [Int](repeating: 0, count: Rejection.Reason.allCases.count)

  /// Creates counts that are all zero.
  public init() {}

  /// The count for a reason.
  public subscript(reason: Rejection.Reason) -> Int { counts[reason.index] }

  /// The sum of all counts.
  package var total: Int { counts.reduce(0, +) }

  /// The reasons with a count above zero, in order of declaration.
  package var nonZero: [(reason: Rejection.Reason, count: Int)] {
    Rejection.Reason.allCases.compactMap { reason in
      self[reason] > 0 ? (reason, self[reason]) : nil
    }
  }

  /// The counts above zero, by the name of the reason in reports.
  package var byName: [String: Int] {
    Dictionary(uniqueKeysWithValues: nonZero.map { ($0.reason.rawValue, $0.count) })
  }

  /// Adds one or more rejections.
  package mutating func add(_ reason: Rejection.Reason, count: Int = 1) {
    counts[reason.index] += count
  }

  /// Adds the counts of another value.
  package mutating func add(_ other: RejectionCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}

extension Rejection.Reason {
  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
