public import FencepostPhones

/// What the trials of one profile made of the stories along one track.
public struct TrackChances: Equatable, Sendable {
  /// What they made of one story.
  public struct StoryTrials: Equatable, Sendable {
    /// Index of the story.
    public var story: Int
    /// Whether the path makes an entry that alerts where every place is monitored.
    ///
    /// Without one, an alert is extra.
    public var isEntered: Bool
    /// The trials.
    public var chance: StoryChance

    /// Makes trials of their parts.
    package init(story: Int, isEntered: Bool, chance: StoryChance) {
      self.story = story
      self.isEntered = isEntered
      self.chance = chance
    }
  }

  /// The profile's name.
  public var profile: String
  /// How many trials there were.
  public var trials: Int
  /// The stories that the path entered, and the others that alerted in some trial, ascending.
  public var stories: [StoryTrials] = []
  /// The number of stories that were entered, and that the alert policy held back at each entry.
  public var heldBack = 0
  /// What the profile's low and high values change.
  public var doubts: [DoubtEffect] = []
  /// Whether the track has times, without which no phone can be simulated.
  public var isTimed = true

  /// Makes the trials of a profile, without a story.
  package init(profile: String, trials: Int) {
    self.profile = profile
    self.trials = trials
  }

  /// The trials of one story; nil if it was neither entered nor alerted.
  ///
  /// - Complexity: O(log n).
  public func trials(of story: Int) -> StoryTrials? {
    var (low, high) = (0, stories.count)
    while low < high {
      let middle = (low + high) / 2
      if stories[middle].story < story { low = middle + 1 } else { high = middle }
    }
    return low < stories.count && stories[low].story == story ? stories[low] : nil
  }

  /// The number of stories that were entered.
  public var entered: Int { stories.count { $0.isEntered } }

  /// Alerts of stories that were not entered, in all trials.
  public var extraAlerts: Int {
    stories.reduce(0) { $0 + ($1.isEntered ? 0 : $1.chance[.alert]) }
  }

  /// The alerts of the entered stories, and how many there would be if none were ever lost.
  public var alerts: (found: Int, all: Int) {
    stories.reduce((0, 0)) { sum, one in
      one.isEntered
        ? (sum.0 + one.chance[.alert], sum.1 + one.chance.trials) : sum
    }
  }
}

/// How often alerts come with the low and with the high value of something that a profile leaves open.
public struct DoubtEffect: Equatable, Sendable {
  /// The path of the value in the profile's JSON.
  public var name: String
  /// What the value rests on: `measured`, `fitted` or `assumed`.
  public var basis: String
  /// The low value in words.
  public var low: String
  /// The high value in words.
  public var high: String
  /// The trials of the entered stories, as many with each value.
  public var trials = 0
  /// The alerts with the low value.
  public var lowAlerts = 0
  /// The alerts in the same trials with the value itself.
  public var alerts = 0
  /// The alerts with the high value.
  public var highAlerts = 0

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
  public var changes: (low: Double, high: Double)? {
    guard trials > 0 else { return nil }
    return (
      Double(lowAlerts - alerts) / Double(trials), Double(highAlerts - alerts) / Double(trials)
    )
  }

  /// Adds the trials of other tracks.
  public static func += (effect: inout DoubtEffect, other: DoubtEffect) {
    effect.trials += other.trials
    effect.lowAlerts += other.lowAlerts
    effect.alerts += other.alerts
    effect.highAlerts += other.highAlerts
  }
}
