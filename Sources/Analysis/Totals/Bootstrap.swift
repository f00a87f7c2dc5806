/// Computes percentile bootstrap intervals, with the same random numbers in every run.
///
/// Source: Efron and Tibshirani, An Introduction to the Bootstrap, chapter 13.
package struct Bootstrap: Sendable {
  static let rounds = 1000
  private static let tail = 0.025

  private let seed: UInt64

  package init(seed: UInt64 = 1) { self.seed = seed }

  /// Returns the 95 % interval of a statistic.
  ///
  /// - Parameters:
  ///   - count: The size of the sample.
  ///   - statistic: Computes the statistic for resampled indices; not finite if undefined.
  /// - Returns: The interval; nil for fewer than two members, or if the statistic is never defined.
  package func interval(
    of count: Int, _ statistic: ([Int]) -> Double
  ) -> ClosedRange<Double>? {
    interval(of: [count]) { statistic($0[0]) }
  }

  /// Returns the 95 % interval of a statistic of samples that are independent of each other.
  ///
  /// Each is resampled by itself, as for two samples in chapter 8 of the same book. Nil if one has
  /// fewer than two members, or if the statistic is never defined.
  func interval(
    of counts: [Int], _ statistic: ([[Int]]) -> Double
  ) -> ClosedRange<Double>? {
    guard counts.allSatisfy({ $0 > 1 }) else { return nil }
    var random = SplitMix(state: seed)
    var drawn = counts.map { [Int](repeating: 0, count: $0) }
    var found: [Double] = []
    for _ in 0..<Self.rounds {
      for (sample, count) in counts.enumerated() {
        for index in 0..<count {
          drawn[sample][index] = Int.random(in: 0..<count, using: &random)
        }
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

  /// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
