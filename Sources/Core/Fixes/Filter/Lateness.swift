/// How many fixes were rejected as late, and how late they were.
///
/// It suggests how long a `ReorderWindow` must be to keep such fixes.
public struct Lateness: Sendable, Equatable, Codable {
  /// The number of fixes rejected as late.
  public private(set) var count = 0
  /// How far the latest fix was behind the newest accepted one on arrival, in milliseconds, or 0.
  public private(set) var greatestMilliseconds: Int64 = 0

  /// ``greatestMilliseconds`` in seconds.
  package var greatestSeconds: Double { Double(greatestMilliseconds) / 1000 }

  /// Creates a count without late fixes.
  public init() {}

  /// Counts a late fix by how far it was behind the newest accepted one; 0 or more.
  package mutating func add(milliseconds: Int64) {
    count += 1
    greatestMilliseconds = max(greatestMilliseconds, milliseconds)
  }
}
