package import FencepostPhones

extension StoryChance {
  /// The outcomes that count as a lost alert.
  package static let losses: [TrialOutcome] = [
    .limit, .refresh, .shortStay, .smallRadius, .chance, .heldBack,
  ]

  /// The outcome that lost the most trials, and its share of all trials; nil if none was lost.
  package var mainLoss: (outcome: TrialOutcome, share: Double)? {
    let most = Self.losses.max { self[$0] < self[$1] }
    guard let most, self[most] > 0 else { return nil }
    return (most, share(most))
  }
}
