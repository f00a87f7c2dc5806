/// Counts of values in bins that grow with the values, from which quantiles follow within 2.5 %.
///
/// After Masson, Rim and Lee, DDSketch (VLDB 2019). Values closer to 0 than 0.1 count as 0, those beyond a
/// million as a million, so that there are at most 650 bins.
package struct QuantileSketch: Equatable, Sendable {
  /// The counts of the bins, none of them 0.
  private var counts: [Int: Int] = [:]
  /// The sum in thousandths, in whole numbers so that the order of additions does not matter.
  private var thousandths = 0

  /// Makes an empty one.
  package init() {}

  /// Makes one of what another one kept.
  ///
  /// - Parameters:
  ///   - bins: The counts of the bins from the first on, none negative.
  ///   - first: The number of the first bin.
  ///   - thousandths: The sum of the values in thousandths.
  package init(bins: [Int], first: Int, thousandths: Int) {
    for (index, times) in bins.enumerated() where times > 0 { counts[first + index] = times }
    self.thousandths = thousandths
  }

  /// What it keeps: the counts of the bins, the number of the first, and the sum in thousandths.
  package var kept: (bins: [Int], first: Int, thousandths: Int) {
    guard let first = counts.keys.min(), let last = counts.keys.max() else { return ([], 0, 0) }
    return ((first...last).map { counts[$0] ?? 0 }, first, thousandths)
  }

  /// How many values there are.
  package var count: Int { counts.values.reduce(0, +) }

  /// The counts of the values between ends, of as many equal spans; those beyond an end count at the end.
  ///
  /// - Parameters:
  ///   - least: The lower end.
  ///   - greatest: The upper end.
  ///   - spans: How many spans, at least 1.
  /// - Returns: A count for each span.
  package func histogram(from least: Double, to greatest: Double, spans: Int) -> [Int] {
    var columns = [Int](repeating: 0, count: spans)
    for (bin, times) in counts {
      let place = (Self.middle(of: bin) - least) / (greatest - least) * Double(spans)
      columns[min(max(Int(place.rounded(.down)), 0), spans - 1)] += times
    }
    return columns
  }

  /// Adds a value.
  package mutating func add(_ value: Double, times: Int = 1) {
    thousandths += times * Int((max(-Self.greatest, min(Self.greatest, value)) * 1000).rounded())
    counts[Self.bin(of: value), default: 0] += times
  }

  /// Adds the values of another one.
  package mutating func merge(_ other: QuantileSketch) {
    counts.merge(other.counts, uniquingKeysWith: +)
    thousandths += other.thousandths
  }

  /// The mean of the values, to a thousandth; nil without values.
  package var mean: Double? { count > 0 ? Double(thousandths) / 1000 / Double(count) : nil }

  /// The value that a share of the values does not exceed, nil without values.
  package func quantile(_ share: Double) -> Double? {
    let rank = Int((share * Double(count - 1)).rounded(.down))
    var seen = 0
    for (bin, times) in counts.sorted(by: { $0.key < $1.key }) {
      seen += times
      if seen > rank { return Self.middle(of: bin) }
    }
    return nil
  }

  private static let least = 0.1
  private static let greatest = 1e6
  /// The logarithm of the ratio of a bin's ends: middles are off by half of it.
  private static let width = 0.05

  private static func bin(of value: Double) -> Int {
    let size = min(abs(value), greatest)
    guard size >= least else { return 0 }
    let bin = 1 + Int((Numerics.logarithm(size / least) / width).rounded(.down))
    return value < 0 ? -bin : bin
  }

  private static func middle(of bin: Int) -> Double {
    guard bin != 0 else { return 0 }
    let size = least * Numerics.exponential((Double(abs(bin)) - 0.5) * width)
    return bin < 0 ? -size : size
  }
}
