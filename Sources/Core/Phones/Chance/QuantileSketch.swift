/// Counts values in bins that grow with the values, and estimates quantiles to within 2.5 %.
///
/// Based on Masson, Rim and Lee, "DDSketch", VLDB 2019. Values within 0.1 of 0 count as 0, and
/// values beyond ±1,000,000 count as that bound, so there are at most 650 bins.
package struct QuantileSketch: Equatable, Sendable {
  private var counts: [Int: Int] = [:]
  /// The sum in thousandths; an integer, so that the order of additions does not matter.
  private var thousandths: Int64 = 0

  /// Creates a sketch without values.
  package init() {}

  /// Restores a sketch from ``kept``.
  package init(bins: [Int], first: Int, thousandths: Int) {
    for (index, times) in bins.enumerated() where times > 0 { counts[first + index] = times }
    self.thousandths = Int64(thousandths)
  }

  /// The data to save: counts of consecutive bins, the first bin's number, and the sum in
  /// thousandths.
  package var kept: (bins: [Int], first: Int, thousandths: Int) {
    guard let first = counts.keys.min(), let last = counts.keys.max() else { return ([], 0, 0) }
    return ((first...last).map { counts[$0] ?? 0 }, first, Int(thousandths))
  }

  /// The number of values.
  package var count: Int { counts.values.reduce(0, +) }

  /// A histogram with equal columns; values beyond an end count in the last column there.
  package func histogram(from least: Double, to greatest: Double, spans: Int) -> [Int] {
    var columns = [Int](repeating: 0, count: spans)
    for (bin, times) in counts {
      let place = (Self.middle(of: bin) - least) / (greatest - least) * Double(spans)
      columns[min(max(Int(place.rounded(.down)), 0), spans - 1)] += times
    }
    return columns
  }

  /// Adds a value, or the same value several times.
  package mutating func add(_ value: Double, times: Int = 1) {
    let thousandth = (max(-Self.greatest, min(Self.greatest, value)) * 1000).rounded()
    thousandths += Int64(times) * Int64(thousandth)
    counts[Self.bin(of: value), default: 0] += times
  }

  /// Adds all values of another sketch; the order of merging does not matter.
  package mutating func merge(_ other: QuantileSketch) {
    for (key, count) in other.counts { counts[key, default: 0] += count }
    thousandths += other.thousandths
  }

  /// The mean to a thousandth; nil without values.
  package var mean: Double? { count > 0 ? Double(thousandths) / 1000 / Double(count) : nil }

  /// The value that a share (from 0 to 1) of all values does not exceed; nil without values.
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
  /// The logarithm of a bin's width ratio; a bin's middle is off by at most half of it.
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
