package import FencepostPhones

/// What the trials of one profile made of the stories along one track.
package struct TrackChances: Equatable, Sendable {
  /// What they made of one story.
  package struct StoryTrials: Equatable, Sendable {
    /// Index of the story.
    package var story: Int
    /// Whether the path makes an entry that alerts where every place is monitored.
    ///
    /// Without one, an alert is extra.
    package var isEntered: Bool
    /// The trials.
    package var chance: StoryChance

    /// Makes trials of their parts.
    package init(story: Int, isEntered: Bool, chance: StoryChance) {
      self.story = story
      self.isEntered = isEntered
      self.chance = chance
    }
  }

  /// The profile's name.
  package var profile: String
  /// How many trials there were.
  package var trials: Int
  /// The stories that the path entered, and the others that alerted in some trial, ascending.
  package var stories: [StoryTrials] = []
  /// The number of stories that were entered, and that the alert policy held back at each entry.
  package var heldBack = 0
  /// What the profile's low and high values change.
  package var doubts: [DoubtEffect] = []
  /// Whether the track has times, without which no phone can be simulated.
  package var isTimed = true

  /// Makes the trials of a profile, without a story.
  package init(profile: String, trials: Int) {
    self.profile = profile
    self.trials = trials
  }

  /// The trials of one story; nil if it was neither entered nor alerted.
  ///
  /// - Complexity: O(log n).
  package func trials(of story: Int) -> StoryTrials? {
    var (low, high) = (0, stories.count)
    while low < high {
      let middle = (low + high) / 2
      if stories[middle].story < story { low = middle + 1 } else { high = middle }
    }
    return low < stories.count && stories[low].story == story ? stories[low] : nil
  }

  /// The number of stories that were entered.
  package var entered: Int { stories.count { $0.isEntered } }

  /// Alerts of stories that were not entered, in all trials.
  package var extraAlerts: Int {
    stories.reduce(0) { $0 + ($1.isEntered ? 0 : $1.chance[.alert]) }
  }

  /// The alerts of the entered stories, and how many there would be if none were ever lost.
  package var alerts: (found: Int, all: Int) {
    stories.reduce((0, 0)) { sum, one in
      one.isEntered
        ? (sum.0 + one.chance[.alert], sum.1 + one.chance.trials) : sum
    }
  }
}

/// How often alerts come with the low and with the high value of something that a profile leaves open.
package struct DoubtEffect: Equatable, Sendable {
  /// The path of the value in the profile's JSON.
  package var name: String
  /// What the value rests on: `measured`, `fitted` or `assumed`.
  package var basis: String
  /// The low value in words.
  package var low: String
  /// The high value in words.
  package var high: String
  /// The trials of the entered stories, as many with each value.
  package var trials = 0
  /// The alerts with the low value.
  package var lowAlerts = 0
  /// The alerts in the same trials with the value itself.
  package var alerts = 0
  /// The alerts with the high value.
  package var highAlerts = 0

  /// Makes the effect of no trial.
  package init(name: String, basis: String, low: String, high: String) {
    self.name = name
    self.basis = basis
    self.low = low
    self.high = high
  }

  init(_ doubt: ProfileDoubt) {
    self.init(
      name: doubt.name, basis: doubt.basis.rawValue, low: doubt.words.low, high: doubt.words.high)
  }

  /// The change of the probability with the low and with the high value; nil without trials.
  package var changes: (low: Double, high: Double)? {
    guard trials > 0 else { return nil }
    return (
      Double(lowAlerts - alerts) / Double(trials), Double(highAlerts - alerts) / Double(trials)
    )
  }

  /// Adds the trials of other tracks.
  package static func += (effect: inout DoubtEffect, other: DoubtEffect) {
    effect.trials += other.trials
    effect.lowAlerts += other.lowAlerts
    effect.alerts += other.alerts
    effect.highAlerts += other.highAlerts
  }
}
