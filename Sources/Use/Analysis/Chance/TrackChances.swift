import FencepostMonitoring
package import FencepostPhones
import FencepostTime

/// What one simulated phone showed on one track, over all trials.
///
/// ``ProfileTotals`` adds it up over tracks.
package struct TrackChances: Equatable, Sendable {
  /// What came of one story in the trials on the track.
  ///
  /// A story is listed if an alert of it is due on the track, or if any trial brought an alert of
  /// it.
  package struct StoryTrials: Equatable, Sendable {
    /// The story's index in the analysis.
    package var story: Int
    /// Whether an alert is due: the story alerts if every place is watched.
    package var isEntered: Bool
    /// The outcomes of its due entries, and all that the phones showed of it.
    package var chance: StoryChance

    /// Creates the trials of one story.
    package init(story: Int, isEntered: Bool, chance: StoryChance) {
      (self.story, self.isEntered, self.chance) = (story, isEntered, chance)
    }
  }

  /// The profile's name.
  package var profile: String
  /// The number of simulated phones.
  package var trials: Int
  /// The stories with an alert due and others that alerted in some trial, ascending.
  package var stories: [StoryTrials] = []
  /// The number of entered stories for which the alert rules held back every alert.
  package var heldBack = 0
  /// What each uncertain value of the profile does to the due alerts; empty if none was tried.
  package var doubts: [DoubtEffect] = []
  /// The alerts of each run, weighted by story.
  var alertsByRun: [Int] = []
  /// Whether the track has times, without which no phone can be simulated.
  package var isTimed = true

  /// Creates results in which no phone showed anything, for trials to be added.
  package init(profile: String, trials: Int) {
    self.profile = profile
    self.trials = trials
  }

  /// Returns the trials of one story in O(log n); nil if it neither was entered nor alerted.
  package func trials(of story: Int) -> StoryTrials? {
    let place = stories.partitioningIndex { $0.story >= story }
    return place < stories.count && stories[place].story == story ? stories[place] : nil
  }

  /// What came of a story in the trials, also if it neither was entered nor alerted.
  func chance(of story: Int) -> StoryChance {
    if let known = self.trials(of: story) { return known.chance }
    var chance = StoryChance()
    chance.runs.all = trials
    return chance
  }

  /// The alerts that a phone shows on the track, on average.
  package var meanAlerts: Double {
    trials > 0 ? Double(stories.reduce(0) { $0 + $1.chance.shown.alerts }) / Double(trials) : 0
  }

  /// The number of stories with an alert due.
  package var entered: Int { stories.count { $0.isEntered } }

  /// Alerts, over all trials, that belong to no entry.
  package var falseAlerts: Int { stories.reduce(0) { $0 + $1.chance.runs.falseAlerts } }

  /// Alerts, over all trials, for entries that were not due.
  package var laterAlerts: Int { stories.reduce(0) { $0 + $1.chance.runs.laterAlerts } }

  /// The due alerts that came, over all trials, and how many there would be if none were lost.
  package var alerts: (found: Int, all: Int) {
    stories.reduce((0, 0)) { sum, one in
      one.isEntered ? (sum.0 + one.chance[.alert], sum.1 + one.chance.trials) : sum
    }
  }
}

/// How an uncertain value of a profile affects the alerts.
///
/// The track is simulated with the value at its low and at its high end, and otherwise unchanged.
/// The three counts of alerts are from equally many trials with the same random numbers.
package struct DoubtEffect: Equatable, Sendable {
  /// The path of the value in the profile's JSON.
  package var name: String
  /// What the value is based on: `measured`, `fitted` or `assumed`.
  package var basis: String
  /// The low value in words, with its unit.
  package var low: String
  /// The high value in words, with its unit.
  package var high: String
  /// The number of due alerts in the trials, with each value.
  package var trials = 0
  /// The alerts with the low value.
  package var lowAlerts = 0
  /// The alerts in the same trials with the usual value.
  package var alerts = 0
  /// The alerts with the high value.
  package var highAlerts = 0

  /// Creates an effect without trials; the basis is how well the profile knows the value.
  package init(name: String, basis: String, low: String, high: String) {
    (self.name, self.basis, self.low, self.high) = (name, basis, low, high)
  }

  init(_ doubt: ProfileDoubt) {
    self.init(
      name: doubt.name, basis: doubt.basis.rawValue, low: doubt.words.low, high: doubt.words.high)
  }

  /// The change in probability with the low and the high value; nil if there are no trials.
  package var changes: (low: Double, high: Double)? {
    guard trials > 0 else { return nil }
    return (
      Double(lowAlerts - alerts) / Double(trials), Double(highAlerts - alerts) / Double(trials)
    )
  }
}

/// The alerts of a simulated phone by run, over several tracks.
///
/// They may be weighted by story.
package struct SimulatedAlerts: Equatable, Sendable {
  /// The number of alerts in each run, in the order of the runs; empty before the first track.
  package private(set) var byRun: [Int] = []
  /// The due alerts that did not come, over all trials, by id.
  private(set) var lost: [String: Int] = [:]

  init() {}

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
