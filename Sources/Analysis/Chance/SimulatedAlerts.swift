import FencepostPhones

/// The alerts of a simulated phone that belong to an entry, by run, over several tracks.
///
/// They may be weighted by story.
package struct SimulatedAlerts: Equatable, Sendable {
  package private(set) var byRun: [Int] = []
  /// The due alerts that did not come, over all trials, by id.
  private(set) var lost: [String: Int] = [:]

  package init(byRun: [Int] = []) { self.byRun = byRun }

  mutating func add(_ chances: TrackChances, id: (Int) -> String) {
    add(byRun: chances.alertsByRun)
    for story in chances.stories {
      let lost = story.chance.trials - story.chance[.alert]
      if lost > 0 { self.lost[id(story.story), default: 0] += lost }
    }
  }

  static func + (one: SimulatedAlerts, other: SimulatedAlerts) -> SimulatedAlerts {
    var sum = one
    sum.add(byRun: other.byRun)
    sum.lost.merge(other.lost, uniquingKeysWith: +)
    return sum
  }

  private mutating func add(byRun other: [Int]) {
    if byRun.isEmpty { byRun = Array(repeating: 0, count: other.count) }
    for (run, alerts) in zip(byRun.indices, other) { byRun[run] += alerts }
  }

  /// The mean number of alerts in a run; nil without runs.
  package var mean: Double? {
    byRun.isEmpty ? nil : Double(byRun.reduce(0, +)) / Double(byRun.count)
  }

  /// How many more alerts come than before, with the 95 % interval that the number of runs leaves.
  ///
  /// Both use the same random numbers, so the runs are compared one by one. Nil without runs.
  package func gain(over before: SimulatedAlerts) -> (mean: Double, interval: ClosedRange<Double>)?
  {
    let gains = zip(byRun, before.byRun).map { Double($0 - $1) }
    guard !gains.isEmpty else { return nil }
    let count = Double(gains.count)
    let mean = gains.reduce(0, +) / count
    let squares = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let half = count > 1 ? 1.959963984540054 * (squares / (count - 1) / count).squareRoot() : 0
    return (mean, mean - half...mean + half)
  }
}
