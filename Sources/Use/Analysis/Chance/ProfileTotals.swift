package import FencepostPhones

/// The simulation results for one story, or for all stories, over all tracks.
///
/// An alert is due at each entry that alerts if every place is watched.
package struct StoryOdds: NamedCounts, Equatable, Sendable {
  /// The number of tracks on which an alert is due; for all stories, of story-track pairs.
  package var tracks = 0
  /// The number of due alerts on all tracks, in one run of each.
  package var due = 0
  /// The outcomes of the due alerts over all trials.
  package var chance = StoryChance()
  /// Alerts in trials on all tracks that belong to no entry.
  package var falseAlerts = 0
  /// The number of tracks with a false alert in any trial; for all stories, of story-track pairs.
  package var falseTracks = 0
  /// Alerts in trials on all tracks that belong to an entry that was not due.
  package var laterAlerts = 0
  /// What phones show on all tracks, due or not.
  package var shown = ShownAlerts()

  /// Creates odds without a track.
  package init() {}

  /// The probability that a track with a due alert brings at least one; nil without such tracks.
  package var probability: Double? { chance.probability }

  mutating func add(_ trials: TrackChances.StoryTrials) {
    let chance = trials.chance
    shown += chance.shown
    if trials.isEntered {
      tracks += 1
      due += chance.runs.all > 0 ? chance.trials / chance.runs.all : 0
      self.chance.merge(chance)
    }
    if chance.runs.falseAlerts > 0 { falseTracks += 1 }
    falseAlerts += chance.runs.falseAlerts
    laterAlerts += chance.runs.laterAlerts
  }

  /// The counts of due alerts, by their names in documents.
  package static let ofDue: [Count<Self>] = [("tracks", \.tracks), ("due", \.due)]
  /// The counts of alerts that were not due, by their names in documents.
  package static let ofOthers: [Count<Self>] = [
    ("extra", \.falseAlerts), ("extraTracks", \.falseTracks), ("later", \.laterAlerts),
  ]
  /// All whole numbers, without those of outcomes and of what phones show.
  package static let counts = ofDue + ofOthers

  /// Adds the odds on other tracks, or of another story.
  package static func += (odds: inout StoryOdds, other: StoryOdds) {
    odds.addCounts(of: other)
    odds.chance.merge(other.chance)
    odds.shown += other.shown
  }
}

/// A profile's results over all tracks, as integers so that they add up exactly in any order.
///
/// An analysis has one for each phone that it simulated. Parts of an analysis are merged by adding
/// their numbers.
package struct ProfileTotals: Equatable, Sendable {
  /// The profile's name, which is unique in an analysis.
  package let name: String
  /// The number of simulated phones on each track.
  package let trials: Int
  /// The results of each story that was due or alerted, by its index.
  package private(set) var stories: [Int: StoryOdds] = [:]
  /// The results summed over stories.
  package private(set) var all = StoryOdds()
  /// Alerts per track in thousandths, for the confidence interval.
  package var byTrack = RatioSum()
  /// Story-track pairs that the alert rules held back, which have no probability.
  package var heldBack = 0
  /// Tracks without times, on which no phone can be simulated.
  package var untimedTracks = 0
  /// The days of persons, over all trials, with each number of alerts shown.
  package var daysByAlerts: [Int: Int] = [:]
  /// The effects of low and high values, in the profile's order.
  package private(set) var doubts: [DoubtEffect] = []

  /// Creates totals without a track; every track must have this many trials.
  package init(name: String, trials: Int) {
    self.name = name
    self.trials = trials
  }

  /// Adds what the phone showed on one more track.
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

  /// Adds the odds of one story, as an earlier analysis wrote them.
  package mutating func add(_ odds: StoryOdds, of story: Int) {
    stories[story, default: StoryOdds()] += odds
    all += odds
  }

  /// Adds the effect of a value that the profile leaves open.
  package mutating func add(_ effect: DoubtEffect) {
    if let known = doubts.firstIndex(where: { $0.name == effect.name }) {
      doubts[known].addCounts(of: effect)
    } else {
      doubts.append(effect)
    }
  }
}

extension ProfileTotals {
  /// The alerts that a phone shows on all tracks, on average.
  package var meanAlerts: Double {
    trials > 0 ? Double(all.shown.alerts) / Double(trials) : 0
  }

  /// What phones show of a story; nothing for one that never comes up.
  package func shown(of story: Int) -> ShownAlerts {
    stories[story]?.shown ?? ShownAlerts(trials: trials)
  }

  /// The share of due alerts that come; nil if none is due.
  package var probability: Double? { all.chance.trials > 0 ? all.chance.share(.alert) : nil }

  /// The average number of alerts that belong to no entry, per run over all tracks.
  package var falseAlertsPerRun: Double? {
    trials > 0 ? Double(all.falseAlerts) / Double(trials) : nil
  }

  /// The average number of alerts for entries that were not due, per run over all tracks.
  package var laterAlertsPerRun: Double? {
    trials > 0 ? Double(all.laterAlerts) / Double(trials) : nil
  }

  /// The number of alerts in a day of one person, over days and trials.
  package var fatigue: Fatigue { Fatigue(daysByAlerts: daysByAlerts) }

  /// The results of each story, ascending by index.
  package var ordered: [(story: Int, odds: StoryOdds)] {
    stories.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The least and the greatest share of due alerts that come with one uncertain value at its low
  /// or high; nil if none was tried.
  package var doubtRange: ClosedRange<Double>? {
    guard let first = doubts.first, first.trials > 0 else { return nil }
    let alerts = doubts.flatMap { [$0.lowAlerts, $0.alerts, $0.highAlerts] }
    let (least, most) = (alerts.min() ?? 0, alerts.max() ?? 0)
    return Double(least) / Double(first.trials)...Double(most) / Double(first.trials)
  }

  /// The effects of low and high values, largest first, without those that change nothing.
  package var largestDoubts: [DoubtEffect] {
    func size(_ effect: DoubtEffect) -> Int {
      max(abs(effect.lowAlerts - effect.alerts), abs(effect.highAlerts - effect.alerts))
    }
    return doubts.filter { size($0) > 0 }.largestFirst(by: size)
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

extension DoubtEffect: NamedCounts {
  /// The alerts with each value, by their names in documents.
  package static let counts: [Count<Self>] = [
    ("trials", \.trials), ("lowAlerts", \.lowAlerts), ("alerts", \.alerts),
    ("highAlerts", \.highAlerts),
  ]
}
