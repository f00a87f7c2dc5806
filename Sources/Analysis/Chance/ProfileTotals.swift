package import FencepostPhones

/// The simulation results for one story, or for all stories, over all tracks.
///
/// The probability covers only tracks on which the story alerts if every place is watched.
package struct StoryOdds: Equatable, Sendable {
  /// The number of tracks on which the story should alert; for all stories, of story-track pairs.
  package var tracks = 0
  /// The trials on these tracks.
  package var chance = StoryChance()
  /// Alerts in trials on all other tracks.
  package var extraAlerts = 0
  /// The number of other tracks with such alerts.
  package var extraTracks = 0

  package init() {}

  /// The probability of an alert; nil if there is no track on which the story should alert.
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

  package static func += (odds: inout StoryOdds, other: StoryOdds) {
    odds.tracks += other.tracks
    odds.chance.merge(other.chance)
    odds.extraAlerts += other.extraAlerts
    odds.extraTracks += other.extraTracks
  }
}

/// A profile's results over all tracks, as integers so that they add up exactly in any order.
package struct ProfileTotals: Equatable, Sendable {
  package let name: String
  package let trials: Int
  /// The results of each story that was entered, or that alerted anyway.
  package private(set) var stories: [Int: StoryOdds] = [:]
  package private(set) var all = StoryOdds()
  /// Alerts per track in thousandths, for the confidence interval.
  package private(set) var byTrack = RatioSum()
  /// Story-track pairs that the alert rules held back, which have no probability.
  package private(set) var heldBack = 0
  /// Tracks without times, on which no phone can be simulated.
  package private(set) var untimedTracks = 0
  /// The effects of low and high values, in the profile's order.
  package private(set) var doubts: [DoubtEffect] = []

  package init(name: String, trials: Int) {
    self.name = name
    self.trials = trials
  }

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

  /// Adds a track's alerts out of the possible ones, for the confidence interval.
  package mutating func note(found: Int, of whole: Int) {
    guard trials > 0 else { return }
    byTrack.add(found: found * 1000 / trials, of: whole * 1000 / trials)
  }

  package mutating func add(byTrack terms: [Int]) { byTrack.add(terms: terms) }

  package mutating func add(_ odds: StoryOdds, of story: Int) {
    stories[story, default: StoryOdds()] += odds
    all += odds
  }

  package mutating func add(heldBack: Int, untimedTracks: Int) {
    self.heldBack += heldBack
    self.untimedTracks += untimedTracks
  }

  package mutating func add(_ effect: DoubtEffect) {
    if let known = doubts.firstIndex(where: { $0.name == effect.name }) {
      doubts[known] += effect
    } else {
      doubts.append(effect)
    }
  }
}

extension ProfileTotals {
  /// The average number of alerts without an entry per run over all tracks.
  package var extraAlertsPerRun: Double? {
    trials > 0 ? Double(all.extraAlerts) / Double(trials) : nil
  }

  /// Returns the average number of alerts per person and day, with or without an entry.
  ///
  /// `days` counts local days with fixes, summed over persons. Nil if there are no days or trials.
  package func alertsPerPersonDay(days: Int) -> Double? {
    guard trials > 0, days > 0 else { return nil }
    return Double(all.chance[.alert] + all.extraAlerts) / Double(trials) / Double(days)
  }

  package var ordered: [(story: Int, odds: StoryOdds)] {
    stories.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The effects of low and high values, largest first, without those that change nothing.
  package var largestDoubts: [DoubtEffect] {
    func size(_ effect: DoubtEffect) -> Int {
      max(abs(effect.lowAlerts - effect.alerts), abs(effect.highAlerts - effect.alerts))
    }
    return doubts.enumerated().filter { size($0.element) > 0 }
      .sorted { (size($1.element), $0.offset) < (size($0.element), $1.offset) }.map(\.element)
  }
}

extension StoryChance {
  /// The outcomes that count as a lost alert.
  package static let losses: [TrialOutcome] = [.limit, .refresh, .shortStay, .smallRadius, .chance]

  /// The outcome that lost the most trials, and its share of all trials; nil if none was lost.
  package var mainLoss: (outcome: TrialOutcome, share: Double)? {
    let most = Self.losses.max { self[$0] < self[$1] }
    guard let most, self[most] > 0 else { return nil }
    return (most, share(most))
  }
}

extension StoryOdds {
  /// Whether the phone usually misses the circle because it is too small.
  ///
  /// True if fewer than half of the alerts come, and no other reason loses more of them.
  package var isTooSmall: Bool {
    chance.trials > 0 && chance.share(.alert) < 0.5 && chance.mainLoss?.outcome == .smallRadius
  }
}
