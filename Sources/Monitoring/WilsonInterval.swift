/// The Wilson score interval for a counted share, with 95 % confidence.
///
/// Unlike the normal approximation, it stays within 0 … 1 and holds for small counts and shares
/// near 1. Source: E. B. Wilson, Probable inference, the law of succession, and statistical
/// inference, Journal of the American Statistical Association 22 (1927), 209-212.
public struct WilsonInterval: Hashable, Sendable {
  /// The lower end, 0 … 1.
  public let low: Double
  /// The upper end, 0 … 1.
  public let high: Double

  private static let quantile95 = 1.959963984540054

  /// Creates the interval for a number of successes among trials; 0 … 1 if there are no trials.
  public init(_ successes: Int, of trials: Int) {
    guard trials > 0 else {
      (low, high) = (0, 1)
      return
    }
    let (n, share) = (Double(trials), Double(successes) / Double(trials))
    let squared = Self.quantile95 * Self.quantile95
    let center = (share + squared / (2 * n)) / (1 + squared / n)
    let spread = (share * (1 - share) / n + squared / (4 * n * n)).squareRoot()
    let half = Self.quantile95 / (1 + squared / n) * spread
    // Rounding must not move the ends inward if none or all succeeded.
    low = successes <= 0 ? 0 : max(0, center - half)
    high = successes >= trials ? 1 : min(1, center + half)
  }
}
