/// A rejected part of a source, with the reason and the position.
///
/// The rest of the source is still read. Reports count rejections, and can name each.
public struct Rejection: Sendable, Equatable {
  /// The reason for a rejection; reports use the raw value.
  public enum Reason: String, Sendable, CaseIterable {
    /// The checksum does not match the sentence.
    case checksum
    /// The receiver reported that it had no fix.
    case void
    /// The latitude or longitude is unreadable, not finite or out of range.
    case coordinate
    /// The time is unreadable or does not exist in the calendar.
    case time
    /// The fix is older than others of its `trk`, whose times are believed instead.
    case late
    /// The time and position repeat those of the last accepted fix.
    case duplicate
    /// Latitude and longitude are both exactly 0.
    case nullIsland
    /// A sentence, row or object violates its format.
    case malformed
    /// A line is longer than the format allows.
    case tooLong
    /// The stated accuracy is worse than the user accepts.
    case inaccurate
  }

  /// The reason for the rejection.
  public var reason: Reason
  /// The line of the source, from 1, if the format has lines.
  public var line: Int?
  /// The byte offset in the decompressed source, from 0.
  public var byteOffset: Int?
  /// A readable explanation, or nil if ``reason`` says it all.
  public var detail: String?

  /// Creates a rejection.
  public init(reason: Reason, line: Int? = nil, byteOffset: Int? = nil, detail: String? = nil) {
    self.reason = reason
    self.line = line
    self.byteOffset = byteOffset
    self.detail = detail
  }
}

/// Counts rejections by reason.
///
/// Every reason has a count, which is 0 until it occurs.
public struct RejectionCounts: Sendable, Equatable, Codable {
  private var counts = [Int](repeating: 0, count: Rejection.Reason.allCases.count)

  /// Creates counts that are all zero.
  public init() {}

  /// The count for a reason.
  public subscript(reason: Rejection.Reason) -> Int {
    // Counts that were saved before there was such a reason are shorter.
    reason.index < counts.count ? counts[reason.index] : 0
  }

  /// The number of rejections.
  public var total: Int { counts.reduce(0, +) }

  /// The reasons with a count above zero, in order of declaration.
  public var nonZero: [(reason: Rejection.Reason, count: Int)] {
    Rejection.Reason.allCases.compactMap { reason in
      self[reason] > 0 ? (reason, self[reason]) : nil
    }
  }

  /// The counts above zero, by the name of the reason in reports.
  public var byName: [String: Int] {
    Dictionary(uniqueKeysWithValues: nonZero.map { ($0.reason.rawValue, $0.count) })
  }

  /// Adds rejections for one reason.
  package mutating func add(_ reason: Rejection.Reason, count: Int = 1) {
    while counts.count <= reason.index { counts.append(0) }
    counts[reason.index] += count
  }

  /// Adds the counts of another source.
  package mutating func add(_ other: RejectionCounts) {
    for (reason, count) in other.nonZero { add(reason, count: count) }
  }
}

extension Rejection.Reason {
  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
