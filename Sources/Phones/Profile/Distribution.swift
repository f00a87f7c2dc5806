/// A distribution of a quantity that chance decides, such as the seconds until a notification.
///
/// ``value(at:)`` turns a uniform share into a value, so that one random number makes one value.
public indirect enum Distribution: Equatable, Sendable {
  /// Always the same value.
  case constant(Double)
  /// Known quantiles with straight lines between them.
  case quantiles([Quantile])
  /// A value whose logarithm is normal.
  ///
  /// `sigma` is the standard deviation of the natural logarithm: 16 % of the values are above
  /// `median · exp(sigma)`.
  case lognormal(median: Double, sigma: Double)
  /// One of several distributions, each with its share; the shares add up to 1.
  case mixture([Part])

  /// The value that a share of all values does not exceed.
  public struct Quantile: Equatable, Sendable {
    /// The share, 0 … 1.
    public var share: Double
    /// The value.
    public var value: Double

    /// Makes a quantile of its parts.
    public init(share: Double, value: Double) {
      self.share = share
      self.value = value
    }
  }

  /// A distribution among several.
  public struct Part: Equatable, Sendable {
    /// The share of values that it makes, 0 … 1.
    public var share: Double
    /// The distribution.
    public var of: Distribution

    /// Makes a part.
    public init(share: Double, of distribution: Distribution) {
      self.share = share
      of = distribution
    }
  }

  /// The value that a uniform share stands for.
  ///
  /// For all but a mixture it is the quantile function. A mixture lets the share choose the part, and
  /// gives the part what is left of it, stretched to 0 … 1.
  ///
  /// - Parameter share: At least 0 and below 1.
  /// - Returns: The value.
  public func value(at share: Double) -> Double {
    switch self {
    case .constant(let value): value
    case .quantiles(let quantiles): Self.interpolate(quantiles, share)
    case .lognormal(let median, let sigma):
      median * Numerics.exponential(sigma * Numerics.normalQuantile(share))
    case .mixture(let parts): Self.choose(parts, share)
    }
  }

  private static func interpolate(_ quantiles: [Quantile], _ share: Double) -> Double {
    guard let first = quantiles.first else { return 0 }
    var before = first
    for next in quantiles.dropFirst() {
      if share < next.share {
        let part = max(0, share - before.share) / (next.share - before.share)
        return before.value + part * (next.value - before.value)
      }
      before = next
    }
    return before.value
  }

  private static func choose(_ parts: [Part], _ share: Double) -> Double {
    var rest = share
    for (index, part) in parts.enumerated() {
      if rest < part.share || index == parts.count - 1 {
        return part.of.value(at: min(rest / part.share, 1 - 0x1p-33))
      }
      rest -= part.share
    }
    return 0
  }
}
