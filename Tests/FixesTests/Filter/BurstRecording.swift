import TestSupport

/// The times of a recording with one or several bursts of wrong ones.
///
/// A wrong time is off by more than a minute, more than ten steps, and clearly more than the wrong fixes
/// and as many right ones behind them last; 21 right fixes lie between two bursts. Smaller
/// errors are disorder, in which no fix is clearly the late one.
struct BurstRecording: CustomStringConvertible {
  private(set) var times: [Int64] = []
  private(set) var isWrong: [Bool]
  private(set) var description: String
  private var random: SplitMix64
  private let right: [Int64]

  private enum Kind: CaseIterable { case ahead, behind, growing, falling, standing, random }

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let count = [30, 60, 100, 300].randomElement(using: &random) ?? 30
    let pace = [100, 1000, 5000, 60_000, 600_000].randomElement(using: &random) ?? 1000
    let isIrregular = Bool.random(using: &random)
    var time: Int64 = 1_700_000_000_000
    var right: [Int64] = []
    for _ in 0..<count {
      right.append(time)
      let factor =
        isIrregular && Int.random(in: 0..<4, using: &random) == 0
        ? Double.random(in: 0.05...4, using: &random) : 1
      time += Int64(Double(pace) * factor)
    }
    self.right = right
    times = right
    isWrong = [Bool](repeating: false, count: count)
    description = "seed \(seed), \(count) fixes every \(pace) ms"
    let bursts = [1, 1, 1, 2, 3].randomElement(using: &random) ?? 1
    for _ in 0..<bursts { addBurst(pace: Int64(pace)) }
  }

  /// Whether each wrong start is followed by more right fixes than it has wrong ones.
  ///
  /// If both clocks have equal support, neither is clearly wrong.
  var isDecidable: Bool {
    guard let first = isWrong.prefix(3).firstIndex(of: true) else { return true }
    let wrong = isWrong[first...].prefix { $0 }.count
    return isWrong[(first + wrong)...].prefix { !$0 }.count > wrong
  }

  private mutating func addBurst(pace: Int64) {
    let count = right.count
    let length = Int.random(in: 1...20, using: &random)
    let start: Int
    switch Int.random(in: 0..<3, using: &random) {
    case 0: start = 0
    case 1: start = max(0, count - length - Int.random(in: 0...3, using: &random))
    default: start = Int.random(in: 0...(count - length), using: &random)
    }
    let near = max(0, start - 21)..<min(count, start + length + 21)
    guard !isWrong[near].contains(true) else { return }
    let kind = Kind.allCases.randomElement(using: &random) ?? .ahead
    let before = right[max(0, start - 1)]
    let after = right[min(count - 1, start + 2 * length + 2)]
    let lasts = right[min(count - 1, start + length)] - before
    let steps = zip(right, right.dropFirst()).map { $1 - $0 }
    let longest = steps[max(0, start - 1)..<min(count - 1, start + length)].max() ?? pace
    let least = max(lasts * 3 / 2 + 1000, after - before + 1000, 61_000, 11 * max(longest, pace))
    let extras: [Int64] = [0, 0, 18_000_000, 3_240_000, 172_800_000, 2_592_000_000]
    let extra = extras.randomElement(using: &random) ?? 0
    let lead = Int64(Double(least) * Double.random(in: 1...3, using: &random)) + extra
    let growth: Double = Double(lead) * ([0.1, 1.0, 10.0].randomElement(using: &random) ?? 1)
    let spread: Double = [1.5, 10, 1000].randomElement(using: &random) ?? 10
    for index in start..<start + length {
      let grown = lead + Int64(growth * Double(index - start))
      switch kind {
      case .ahead: times[index] += lead
      case .behind: times[index] -= lead
      case .growing: times[index] += grown
      case .falling: times[index] -= grown
      case .standing: times[index] = right[start] + lead + lasts
      case .random:
        let sign: Int64 = Bool.random(using: &random) ? 1 : -1
        times[index] += sign * Int64(Double(lead) * Double.random(in: 1...spread, using: &random))
      }
      isWrong[index] = true
    }
    description += "; \(length) \(kind) from \(start) by \(lead) ms"
  }
}
