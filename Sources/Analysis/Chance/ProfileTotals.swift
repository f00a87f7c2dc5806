package import FencepostPhones

/// What a profile's trials made of one story, or of all, over all tracks.
///
/// The probability is per track: of the tracks on which the path makes an entry that would alert with every
/// place monitored, the share of trials in which at least one alert came.
package struct StoryOdds: Equatable, Sendable {
  /// The tracks with such an entry; over all stories, the pairs of a story and a track.
  package var tracks = 0
  /// The trials on these tracks.
  package var chance = StoryChance()
  /// Alerts in trials on tracks without such an entry.
  package var extraAlerts = 0
  /// The tracks that had such alerts.
  package var extraTracks = 0

  /// Makes the odds of no trial.
  package init() {}

  /// The probability of an alert; nil without a track that should have one.
  package var probability: Double? { chance.trials > 0 ? chance.share(.alert) : nil }

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
  package static func += (odds: inout StoryOdds, other: StoryOdds) {
    odds.tracks += other.tracks
    odds.chance.merge(other.chance)
    odds.extraAlerts += other.extraAlerts
    odds.extraTracks += other.extraTracks
  }
}

/// A profile's trials over all tracks: integers, so that parts add up exactly in any order.
package struct ProfileTotals: Equatable, Sendable {
  /// The profile's name.
  package let name: String
  /// How often each track is run.
  package let trials: Int
  /// The odds of each story that was entered or that alerted without, by its index.
  package private(set) var stories: [Int: StoryOdds] = [:]
  /// The odds of all stories together.
  package private(set) var all = StoryOdds()
  /// The probability over tracks, for its interval; in thousandths of an alert.
  package private(set) var byTrack = RatioSum()
  /// The pairs of a story and a track that the alert policy held back, which have no probability.
  package private(set) var heldBack = 0
  /// The tracks without times, on which no phone can be simulated.
  package private(set) var untimedTracks = 0
  /// What the low and high values change, in the order of the profile.
  package private(set) var doubts: [DoubtEffect] = []

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
  package var extraAlertsPerRun: Double? {
    trials > 0 ? Double(all.extraAlerts) / Double(trials) : nil
  }

  /// The alerts that a person-day has in the mean, those without an entry among them; nil without a day.
  ///
  /// - Parameter days: The number of local days on which a person has a fix.
  /// - Returns: Their number.
  package func alertsPerPersonDay(days: Int) -> Double? {
    guard trials > 0, days > 0 else { return nil }
    return Double(all.chance[.alert] + all.extraAlerts) / Double(trials) / Double(days)
  }

  /// The stories in their order, with their odds.
  package var ordered: [(story: Int, odds: StoryOdds)] {
    stories.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The effects of the low and high values, the largest first; those that change nothing are left out.
  package var largestDoubts: [DoubtEffect] {
    func size(_ effect: DoubtEffect) -> Int {
      max(abs(effect.lowAlerts - effect.alerts), abs(effect.highAlerts - effect.alerts))
    }
    return doubts.enumerated().filter { size($0.element) > 0 }
      .sorted { (size($1.element), $0.offset) < (size($0.element), $1.offset) }.map(\.element)
  }
}

extension StoryChance {
  /// The outcomes that a story can be lost to.
  package static let losses: [TrialOutcome] = [.limit, .refresh, .shortStay, .smallRadius, .chance]

  /// What most trials were lost to, and their share of all; nil if none was lost.
  package var mainLoss: (outcome: TrialOutcome, share: Double)? {
    let most = Self.losses.max { self[$0] < self[$1] }
    guard let most, self[most] > 0 else { return nil }
    return (most, share(most))
  }
}

extension StoryOdds {
  /// Whether the phone mostly fails to notice the circle because it is too small: an alert is less likely
  /// than not, and nothing loses more of them.
  package var isTooSmall: Bool {
    chance.trials > 0 && chance.share(.alert) < 0.5 && chance.mainLoss?.outcome == .smallRadius
  }
}
