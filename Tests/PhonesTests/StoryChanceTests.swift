import FencepostMonitoring
import Testing

import FencepostPhones

@Suite("Accounts of trials")
struct StoryChanceTests {
  /// By solving the score equation (p − q)² n = z² q (1 − q) for q by bisection.
  @Test(
    "The interval is Wilson's",
    arguments: [
      (297, 360, 0.7823756, 0.8607617), (0, 200, 0.0, 0.0188453), (200, 200, 0.9811547, 1.0),
      (39, 60, 0.5236262, 0.7583223), (1, 1, 0.2065493, 1.0), (0, 0, 0.0, 1.0),
    ])
  func wilson(successes: Int, trials: Int, low: Double, high: Double) {
    let interval = WilsonInterval(successes, of: trials)
    #expect(abs(interval.low - low) < 2e-7)
    #expect(abs(interval.high - high) < 2e-7)
  }

  @Test("Quantiles of a sketch are within 2.6 % of those of the sorted values")
  func sketch() {
    var random = RandomSequence(seed: 5, subject: 1, trial: 0)
    var sketch = QuantileSketch()
    var values: [Double] = []
    for _ in 0..<5000 {
      let value = 200 * random.normal() + 50
      values.append(value)
      sketch.add(value)
    }
    values.sort()
    for share in [0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1] {
      let exact = values[Int((share * 4999).rounded(.down))]
      let found = sketch.quantile(share) ?? .nan
      #expect(abs(found - exact) <= 0.026 * abs(exact) + 0.1, "\(share)")
    }
    #expect(QuantileSketch().quantile(0.5) == nil)
  }

  @Test("Accounts merge to the same in any order")
  func merging() {
    var random = RandomSequence(seed: 6, subject: 1, trial: 0)
    var whole = StoryChance()
    var parts = [StoryChance](repeating: StoryChance(), count: 7)
    for number in 0..<700 {
      let (delay, edge) = (300 * random.uniform(), 400 * random.normal())
      whole.addAlert(delaySeconds: delay, fromEdgeMeters: edge)
      parts[number % 7].addAlert(delaySeconds: delay, fromEdgeMeters: edge)
      whole.add(.refresh)
      parts[number % 5].add(.refresh)
    }
    for order in [parts, parts.reversed()] {
      var merged = StoryChance()
      for part in order { merged.merge(part) }
      #expect(merged == whole)
    }
    #expect(TrialOutcome.allCases.reduce(0) { $0 + whole.share($1) } == 1)
  }
}
