/// The Wilson score interval of a share that was counted, with a confidence of 95 %.
///
/// Unlike the normal approximation it stays within 0 … 1 and holds for small counts and shares near 1. Source:
/// E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the American
/// Statistical Association 22 (1927), 209-212.
public struct WilsonInterval: Hashable, Sendable {
  /// The lower end, 0 … 1.
  public let low: Double
  /// The upper end, 0 … 1.
  public let high: Double

  /// The two-sided 95 % quantile of the normal distribution.
  private static let quantile95 = 1.959963984540054

  /// Makes the interval of a share; 0 … 1 if nothing was counted.
  ///
  /// - Parameters:
  ///   - successes: How many succeeded, 0 … `trials`.
  ///   - trials: How many there were.
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
    // Rounding must not push the ends of 0 and of all inwards.
    low = successes <= 0 ? 0 : max(0, center - half)
    high = successes >= trials ? 1 : min(1, center + half)
  }
}
