/// The Wilson score interval of a proportion.
///
/// Unlike the normal approximation it stays within 0...1 and holds for small counts and rates near 1. Source: E. B. Wilson, Probable inference, the law of succession, and statistical
/// inference, Journal of the American Statistical Association 22 (1927), 209-212.
public struct WilsonInterval: Hashable, Sendable {
  /// The lower bound, 0...1.
  public let lower: Double
  /// The upper bound, 0...1.
  public let upper: Double

  /// The two-sided 95 % quantile of the normal distribution.
  public static let quantile95 = 1.959963984540054

  /// The interval of `successes` out of `count`; nil unless 0 <= successes <= count and count > 0.
  ///
  /// - Parameters:
  ///   - successes: How many succeeded.
  ///   - count: How many there were.
  ///   - quantile: The normal quantile of the confidence level; 95 % by default.
  public init?(successes: Int, count: Int, quantile: Double = WilsonInterval.quantile95) {
    guard count > 0, (0...count).contains(successes) else { return nil }
    let n = Double(count)
    let rate = Double(successes) / n
    let squared = quantile * quantile
    let center = (rate + squared / (2 * n)) / (1 + squared / n)
    let spread = (rate * (1 - rate) / n + squared / (4 * n * n)).squareRoot()
    let half = quantile / (1 + squared / n) * spread
    lower = successes == 0 ? 0 : max(0, center - half)
    upper = successes == count ? 1 : min(1, center + half)
  }
}
