/// How many fixes were rejected as late, and how late they were.
public struct Lateness: Sendable, Equatable, Codable {
  /// How many fixes were rejected as late.
  public private(set) var count = 0
  /// How far the latest of them was behind the newest fix that counted when it came, in milliseconds; 0 if none
  /// was late.
  public private(set) var greatestMilliseconds: Int64 = 0

  /// ``greatestMilliseconds`` in seconds.
  public var greatestSeconds: Double { Double(greatestMilliseconds) / 1000 }

  /// Makes an account of none.
  public init() {}

  /// Adds a late fix.
  ///
  /// - Parameter milliseconds: How far it was behind the newest fix that counted; 0 or more.
  public mutating func add(milliseconds: Int64) {
    count += 1
    greatestMilliseconds = max(greatestMilliseconds, milliseconds)
  }
}
