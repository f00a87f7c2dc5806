import FencepostGeodesy
import FencepostMonitoring

/// A ratio of sums over tracks, in integers that add up exactly, with its confidence interval.
///
/// Besides numerator and denominator it keeps the sums of their squares and products, from which
/// the interval is computed without the single tracks.
package struct RatioSum: Equatable, Sendable {
  /// The number of tracks with a nonzero denominator.
  package private(set) var tracks = 0
  /// The numerator, summed over tracks.
  package private(set) var found = 0
  /// The denominator, summed over tracks.
  package private(set) var all = 0
  /// A precomputed interval, used instead of the one over tracks.
  package internal(set) var resampled: ClosedRange<Double>?
  private var foundSquares = 0
  private var products = 0
  private var allSquares = 0

  /// Creates the ratio of no tracks, which has no value.
  package init() {}

  /// The partial sums, in the order that ``add(terms:)`` expects.
  package var terms: [Int] { [tracks, found, all, foundSquares, products, allSquares] }

  /// Adds the six ``terms`` of other tracks.
  package mutating func add(terms: [Int]) {
    precondition(terms.count == 6, "a ratio must have six sums")
    tracks += terms[0]
    found += terms[1]
    all += terms[2]
    foundSquares += terms[3]
    products += terms[4]
    allSquares += terms[5]
  }

  /// Adds a track with a numerator of 0 to `all`; ignored if `all` is 0.
  package mutating func add(found: Int, of all: Int) {
    guard all > 0 else { return }
    tracks += 1
    self.found += found
    self.all += all
    foundSquares += found * found
    products += found * all
    allSquares += all * all
  }

  /// The numerator divided by the denominator; nil if that is 0.
  package var ratio: Double? { all > 0 ? Double(found) / Double(all) : nil }

  /// The 95 % confidence interval for randomly drawn tracks; nil for fewer than two tracks.
  ///
  /// Entries of one track are not independent, so the variance is that of a ratio over clusters
  /// (Cochran, Sampling Techniques, 3rd edition, section 6.3). The result is Wilson's interval for
  /// the number of independent entries with that variance, or for the number of tracks if it is 0.
  package var interval: ClosedRange<Double>? {
    if let resampled { return resampled }
    guard let ratio, tracks > 1 else { return nil }
    let count = Double(tracks)
    let residuals =
      Double(foundSquares) - 2 * ratio * Double(products) + ratio * ratio * Double(allSquares)
    let variance = max(0, residuals) * count / (count - 1) / (Double(all) * Double(all))
    let binomial = ratio * (1 - ratio)
    let independent = variance > 1e-12 && binomial > 0 ? binomial / variance : count
    let interval = WilsonInterval(
      share: ratio, of: min(max(independent, 1), Double(all)))
    return interval.low...interval.high
  }
}

/// Computes percentile bootstrap intervals, with the same random numbers in every run.
///
/// Source: Efron and Tibshirani, An Introduction to the Bootstrap, chapter 13.
package struct Bootstrap: Sendable {
  static let rounds = 1000
  private static let tail = 0.025

  private let seed: UInt64

  /// Creates a bootstrap; the same seed draws the same samples.
  package init(seed: UInt64 = 1) { self.seed = seed }

  /// Returns the 95 % interval of a statistic.
  ///
  /// - Parameters:
  ///   - count: The size of the sample.
  ///   - statistic: Computes the statistic for resampled indices; not finite if undefined.
  /// - Returns: The interval; nil for fewer than two members, or if the statistic is never defined.
  package func interval(of count: Int, _ statistic: ([Int]) -> Double) -> ClosedRange<Double>? {
    interval(of: [count]) { statistic($0[0]) }
  }

  /// Returns the 95 % interval of a statistic of samples that are independent of each other.
  ///
  /// Each is resampled by itself, as for two samples in chapter 8 of the same book. Nil if one has
  /// fewer than two members, or if the statistic is never defined.
  func interval(of counts: [Int], _ statistic: ([[Int]]) -> Double) -> ClosedRange<Double>? {
    guard counts.allSatisfy({ $0 > 1 }) else { return nil }
    var random = SplitMix(seed: seed)
    var drawn = counts.map { [Int](repeating: 0, count: $0) }
    var found: [Double] = []
    for _ in 0..<Self.rounds {
      for (sample, count) in counts.enumerated() {
        for index in 0..<count { drawn[sample][index] = Int.random(in: 0..<count, using: &random) }
      }
      let value = statistic(drawn)
      if value.isFinite { found.append(value) }
    }
    guard !found.isEmpty else { return nil }
    found.sort()
    let low = found[Int(Self.tail * Double(found.count))]
    let high = found[min(found.count - 1, Int((1 - Self.tail) * Double(found.count)))]
    return low...high
  }
}
