/// A ratio as its numerator and denominator, which add up.
package struct Ratio: Equatable, Sendable {
  package var found = 0
  package var all = 0

  package init(found: Int = 0, all: Int = 0) {
    (self.found, self.all) = (found, all)
  }

  package static func += (sum: inout Ratio, other: Ratio) {
    sum.found += other.found
    sum.all += other.all
  }

  /// The ratio, times a scale; not finite where the denominator is 0.
  func value(scale: Double = 1) -> Double { scale * Double(found) / Double(all) }
}

/// The sums of a ratio over tracks, and its confidence interval.
///
/// Integers, so that parts add up exactly.
public struct RatioSum: Equatable, Sendable {
  /// Number of tracks that have a denominator.
  public private(set) var tracks = 0
  /// Sum of the numerators.
  public private(set) var found = 0
  /// Sum of the denominators.
  public private(set) var all = 0
  /// An interval from elsewhere, which takes the place of the one by tracks.
  public internal(set) var resampled: ClosedRange<Double>?
  private var foundSquares = 0
  private var products = 0
  private var allSquares = 0

  /// Makes sums of zero.
  public init() {}

  /// The six sums: number of tracks, numerators, denominators, squares of the numerators, products of both, squares
  /// of the denominators.
  package var terms: [Int] { [tracks, found, all, foundSquares, products, allSquares] }

  /// Adds the sums of other tracks, as ``terms`` gives them.
  package mutating func add(terms: [Int]) {
    precondition(terms.count == 6, "a ratio has six sums")
    tracks += terms[0]
    found += terms[1]
    all += terms[2]
    foundSquares += terms[3]
    products += terms[4]
    allSquares += terms[5]
  }

  package static func += (sum: inout RatioSum, other: RatioSum) { sum.add(terms: other.terms) }

  /// Adds a track.
  ///
  /// - Parameters:
  ///   - found: Its numerator, 0 … `all`.
  ///   - all: Its denominator; a track with 0 is ignored.
  public mutating func add(found: Int, of all: Int) {
    guard all > 0 else { return }
    add(terms: [1, found, all, found * found, found * all, all * all])
  }

  /// The ratio; nil without denominators.
  public var ratio: Double? { all > 0 ? Double(found) / Double(all) : nil }

  /// The 95 % confidence interval of the ratio for randomly drawn tracks; nil for fewer than two tracks.
  ///
  /// Entries of one track are not independent, so the variance is that of a ratio over clusters
  /// (Cochran, Sampling Techniques, 3rd edition, section 6.3). The interval is Wilson's for the number of
  /// independent entries with that variance, or for the number of tracks if the variance is 0.
  public var interval: ClosedRange<Double>? {
    if let resampled { return resampled }
    guard let ratio, tracks > 1 else { return nil }
    let count = Double(tracks)
    let residuals =
      Double(foundSquares) - 2 * ratio * Double(products) + ratio * ratio * Double(allSquares)
    let variance = max(0, residuals) * count / (count - 1) / (Double(all) * Double(all))
    let binomial = ratio * (1 - ratio)
    let independent = variance > 1e-12 && binomial > 0 ? binomial / variance : count
    return Self.wilson(ratio, count: min(max(independent, 1), Double(all)))
  }

  /// Wilson's score interval of a share in `count` independent trials, which need not be a whole number.
  private static func wilson(_ share: Double, count: Double) -> ClosedRange<Double> {
    let z = 1.959963984540054
    let square = z * z
    let center = (share + square / (2 * count)) / (1 + square / count)
    let half =
      z / (1 + square / count)
      * (share * (1 - share) / count + square / (4 * count * count)).squareRoot()
    return max(0, min(share, center - half))...min(1, max(share, center + half))
  }
}

/// Intervals by drawing again from a sample: the percentile bootstrap (Efron and Tibshirani, An Introduction to
/// the Bootstrap, chapter 13), with random numbers that are the same in every run.
package struct Bootstrap {
  private static let rounds = 1000
  private static let tail = 0.025

  private let seed: UInt64

  /// Makes a bootstrap with a seed.
  package init(seed: UInt64 = 1) {
    self.seed = seed
  }

  /// The 95 % interval of a statistic of a sample.
  ///
  /// - Parameters:
  ///   - count: How many members the sample has.
  ///   - statistic: The statistic of drawn members, by index; not finite where it does not exist.
  /// - Returns: The interval; nil for fewer than two members, or if the statistic never exists.
  package func interval(of count: Int, _ statistic: ([Int]) -> Double) -> ClosedRange<Double>? {
    guard count > 1 else { return nil }
    var random = SplitMix(state: seed)
    var drawn = [Int](repeating: 0, count: count)
    var found: [Double] = []
    for _ in 0..<Self.rounds {
      for index in drawn.indices { drawn[index] = Int.random(in: 0..<count, using: &random) }
      let value = statistic(drawn)
      if value.isFinite { found.append(value) }
    }
    guard !found.isEmpty else { return nil }
    found.sort()
    let low = found[Int(Self.tail * Double(found.count))]
    let high = found[min(found.count - 1, Int((1 - Self.tail) * Double(found.count)))]
    return low...high
  }

  /// The generator SplitMix64: Steele, Lea and Flood, OOPSLA 2014.
  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      return state.mixed
    }
  }
}

extension UInt64 {
  /// The number after SplitMix64's finisher, which spreads every bit over all and is the same in every run.
  var mixed: UInt64 {
    var mixed = self
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
