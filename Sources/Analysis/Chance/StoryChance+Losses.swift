package import FencepostPhones

extension StoryChance {
  /// The outcomes that count as a lost alert.
  package static let losses: [TrialOutcome] = [
    .limit, .refresh, .shortStay, .smallRadius, .chance, .heldBack,
  ]

  /// The outcome that lost the most trials, and its share of all trials; nil if none was lost.
  package var mainLoss: (outcome: TrialOutcome, share: Double)? { orderedLosses.first }

  /// The outcomes that lost trials, and their shares of all trials, the largest first.
  package var orderedLosses: [(outcome: TrialOutcome, share: Double)] {
    Self.losses.filter { self[$0] > 0 }.largestFirst { self[$0] }.map { ($0, share($0)) }
  }
}

extension Sequence {
  /// The elements by a number, the largest first; equal ones keep their order.
  package func largestFirst(by number: (Element) -> Int) -> [Element] {
    enumerated().map { (number($0.element), $0.offset, $0.element) }
      .sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map { $0.2 }
  }
}
