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
      self.init(low: 0, high: 1)
      return
    }
    self.init(share: Double(successes) / Double(trials), of: Double(trials))
  }

  /// Creates the interval for a share of independent trials, more than 0, whose number may be a
  /// fraction where it is estimated.
  package init(share: Double, of trials: Double) {
    let squared = Self.quantile95 * Self.quantile95
    let center = (share + squared / (2 * trials)) / (1 + squared / trials)
    let spread =
      (share * (1 - share) / trials + squared / (4 * trials * trials)).squareRoot()
    let half = Self.quantile95 / (1 + squared / trials) * spread
    // Rounding must not move the ends inward if none or all succeeded.
    self.init(low: max(0, min(share, center - half)), high: min(1, max(share, center + half)))
  }

  private init(low: Double, high: Double) { (self.low, self.high) = (low, high) }
}
