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

/// What a profile's trials made of one story, or of all, over all tracks.
///
/// The probability is per track: of the tracks on which the path makes an entry that would alert with every
/// place monitored, the share of trials in which at least one alert came.
public struct StoryOdds: Equatable, Sendable {
  /// The tracks with such an entry; over all stories, the pairs of a story and a track.
  public var tracks = 0
  /// The trials on these tracks.
  public var chance = StoryChance()
  /// Alerts in trials on tracks without such an entry.
  public var extraAlerts = 0
  /// The tracks that had such alerts.
  public var extraTracks = 0

  /// Makes the odds of no trial.
  public init() {}

  /// The probability of an alert; nil without a track that should have one.
  public var probability: Double? { chance.trials > 0 ? chance.share(.alert) : nil }

  mutating func add(_ trials: TrackChances.StoryTrials) {
    if trials.isEntered {
      tracks += 1
      chance.merge(trials.chance)
    } else {
      extraTracks += 1
      extraAlerts += trials.chance[.alert]
    }
  }

  /// Adds the trials of other tracks.
  public static func += (odds: inout StoryOdds, other: StoryOdds) {
    odds.tracks += other.tracks
    odds.chance.merge(other.chance)
    odds.extraAlerts += other.extraAlerts
    odds.extraTracks += other.extraTracks
  }
}

/// A profile's trials over all tracks: integers, so that parts add up exactly in any order.
public struct ProfileTotals: Equatable, Sendable {
  /// The profile's name.
  public let name: String
  /// How often each track is run.
  public let trials: Int
  /// The odds of each story that was entered or that alerted without, by its index.
  public private(set) var stories: [Int: StoryOdds] = [:]
  /// The odds of all stories together.
  public private(set) var all = StoryOdds()
  /// The probability over tracks, for its interval; in thousandths of an alert.
  public private(set) var byTrack = RatioSum()
  /// The pairs of a story and a track that the alert policy held back, which have no probability.
  public private(set) var heldBack = 0
  /// The tracks without times, on which no phone can be simulated.
  public private(set) var untimedTracks = 0
  /// What the low and high values change, in the order of the profile.
  public private(set) var doubts: [DoubtEffect] = []

  /// Makes totals of zero.
  package init(name: String, trials: Int) {
    self.name = name
    self.trials = trials
  }

  /// Adds a track.
  package mutating func add(_ chances: TrackChances) {
    for story in chances.stories {
      stories[story.story, default: StoryOdds()].add(story)
      all.add(story)
    }
    let (found, whole) = chances.alerts
    note(found: found, of: whole)
    heldBack += chances.heldBack
    if !chances.isTimed { untimedTracks += 1 }
    for effect in chances.doubts { add(effect) }
  }

  /// Adds the alerts of a track among those that there could be, for the interval.
  package mutating func note(found: Int, of whole: Int) {
    guard trials > 0 else { return }
    byTrack.add(found: found * 1000 / trials, of: whole * 1000 / trials)
  }

  /// Adds the sums over other tracks for the interval.
  package mutating func add(byTrack terms: [Int]) { byTrack.add(terms: terms) }

  /// Adds a story's odds on other tracks.
  package mutating func add(_ odds: StoryOdds, of story: Int) {
    stories[story, default: StoryOdds()] += odds
    all += odds
  }

  /// Adds what is counted for the whole.
  package mutating func add(heldBack: Int, untimedTracks: Int) {
    self.heldBack += heldBack
    self.untimedTracks += untimedTracks
  }

  /// Adds the effect of a value on other tracks.
  package mutating func add(_ effect: DoubtEffect) {
    if let known = doubts.firstIndex(where: { $0.name == effect.name }) {
      doubts[known] += effect
    } else {
      doubts.append(effect)
    }
  }
}

extension ProfileTotals {
  /// The alerts without an entry that one run over all tracks has in the mean.
  public var extraAlertsPerRun: Double? {
    trials > 0 ? Double(all.extraAlerts) / Double(trials) : nil
  }

  /// The alerts that a person-day has in the mean, those without an entry among them; nil without a day.
  ///
  /// - Parameter days: The number of local days on which a person has a fix.
  /// - Returns: Their number.
  public func alertsPerPersonDay(days: Int) -> Double? {
    guard trials > 0, days > 0 else { return nil }
    return Double(all.chance[.alert] + all.extraAlerts) / Double(trials) / Double(days)
  }

  /// The stories in their order, with their odds.
  public var ordered: [(story: Int, odds: StoryOdds)] {
    stories.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The effects of the low and high values, the largest first; those that change nothing are left out.
  public var largestDoubts: [DoubtEffect] {
    func size(_ effect: DoubtEffect) -> Int {
      max(abs(effect.lowAlerts - effect.alerts), abs(effect.highAlerts - effect.alerts))
    }
    return doubts.enumerated().filter { size($0.element) > 0 }
      .sorted { (size($1.element), $0.offset) < (size($0.element), $1.offset) }.map(\.element)
  }
}

extension StoryChance {
  /// The outcomes that a story can be lost to.
  public static let losses: [TrialOutcome] = [.limit, .refresh, .shortStay, .smallRadius, .chance]

  /// What most trials were lost to, and their share of all; nil if none was lost.
  public var mainLoss: (outcome: TrialOutcome, share: Double)? {
    let most = Self.losses.max { self[$0] < self[$1] }
    guard let most, self[most] > 0 else { return nil }
    return (most, share(most))
  }
}

extension StoryOdds {
  /// Whether the phone mostly fails to notice the circle because it is too small: an alert is less likely
  /// than not, and nothing loses more of them.
  public var isTooSmall: Bool {
    chance.trials > 0 && chance.share(.alert) < 0.5 && chance.mainLoss?.outcome == .smallRadius
  }
}
