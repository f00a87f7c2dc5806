import FencepostPhones
import FencepostReporting
import TestSupport
import Testing

@Suite("Twenty dots")
struct PhoneDotsTests {
  /// One due alert in each run, so that phones and alerts are the same.
  private func chance(late: Int = 0, _ counts: [TrialOutcome: Int]) -> StoryChance {
    var runs = StoryChance.Runs()
    runs.all = counts.values.reduce(0, +)
    runs.reached = counts[.alert] ?? 0
    runs.alerting = runs.reached
    runs.lateAlerts = late
    return StoryChance(counts, runs, delaySeconds: .init(), fromEdgeMeters: .init())
  }

  @Test("The sentence says how many come in time, how many late, and what the others are lost to")
  func sentence() throws {
    let dots = try #require(
      PhoneDots(phones: chance(late: 30, [.alert: 170, .refresh: 20, .chance: 10])))
    #expect(dots.counts == [14, 3, 0, 2, 0, 0, 1, 0])
    #expect(
      dots.sentence
        == "14 of 20 phones alert in time, 3 late, 2 lost to refresh, 1 to chance")
    #expect(dots.line == "●●●●●●●●●●●●●●◐◐◐○○○")
  }

  @Test("What is certain has 20 dots of one kind")
  func certain() throws {
    let all = try #require(PhoneDots(alerts: chance([.alert: 7])))
    #expect(all.sentence == "20 of 20 due alerts come in time" && all.line.count == 20)
    let none = try #require(PhoneDots(phones: chance([.limit: 7])))
    #expect(none.sentence == "0 of 20 phones alert in time, 20 lost to limit")
  }

  @Test("Without a due alert there are no dots")
  func empty() {
    #expect(PhoneDots(phones: StoryChance()) == nil && PhoneDots(alerts: StoryChance()) == nil)
  }

  @Test("A phone alerts if any of several due alerts comes")
  func several() throws {
    var runs = StoryChance.Runs()
    (runs.all, runs.reached, runs.alerting) = (100, 75, 75)
    let chance = StoryChance(
      [.alert: 100, .refresh: 60, .chance: 40], runs, delaySeconds: .init(),
      fromEdgeMeters: .init())
    #expect(try #require(PhoneDots(phones: chance)).counts == [15, 0, 0, 3, 0, 0, 2, 0])
    #expect(try #require(PhoneDots(alerts: chance)).counts == [10, 0, 0, 6, 0, 0, 4, 0])
  }

  @Test("Any shares round to counts that add up to 20, each less than 1 away")
  func sums() {
    var random = SplitMix64(seed: 20)
    for _ in 0..<2000 {
      let shares = (0..<8).map { _ in Double(Int.random(in: 0...9, using: &random)) }
      let (sum, counts) = (shares.reduce(0, +), PhoneDots.rounded(shares))
      guard sum > 0 else { continue }
      #expect(counts.reduce(0, +) == 20)
      for (share, count) in zip(shares, counts) {
        #expect(abs(share / sum * 20 - Double(count)) < 1)
        if share == 0 { #expect(count == 0) }
      }
    }
  }

  @Test("Of equal remainders the earlier kind is rounded up")
  func ties() {
    #expect(PhoneDots.rounded([1, 1, 1]) == [7, 7, 6])
    #expect(PhoneDots.rounded([0, 1, 0, 1, 1]) == [0, 7, 0, 7, 6])
  }
}
