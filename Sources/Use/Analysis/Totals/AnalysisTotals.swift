import FencepostGeodesy
import FencepostTime

/// The totals over tracks, as integers so that partial sums add up exactly in any order.
///
/// Add each track, and call ``drawPersons()`` after the last. An analysis prints them as its
/// result, and merging adds those of its parts.
package struct AnalysisTotals: SummedTracks, Equatable, Sendable {
  /// The number of tracks that were followed.
  package var tracks = 0
  /// The number of tracks that could not be read, or had nothing to follow.
  package var skipped = 0
  /// The number of tracks left out because they repeat another.
  package var copies = 0
  /// More alerts than this per person and day are too many.
  package var fatigueLimit = Fatigue.usualLimit
  /// The alerts of each person by day.
  package var persons = PersonTotals()
  /// The sums over all tracks.
  package var sums = TrackSums()
  /// The share of due alerts that come on the phone.
  package var recall = RatioSum()
  /// The share of entries that the phone notices as they happen.
  package var entryRecall = RatioSum()
  /// The share of the stories due on a track that alert on the phone.
  package var storyRecall = RatioSum()
  /// The alerts by weekday and month.
  package var calendar = AlertCalendar()
  /// The number of tracks on which certainly nothing was missed.
  package var certifiedTracks = 0
  /// The number of tracks on which this is uncertain; 0 if the rule cannot tell.
  package var uncertifiedTracks = 0
  /// The numbers of each story, in the order of the index.
  package var stories: StoryAccounts
  /// Points inside more circles than the phone can watch, by cell.
  package var spots: [CrowdedSpot.Cell: CrowdedSpot] = [:]
  /// The results of each simulated phone, in the order in which the phones were named.
  package var profiles: [ProfileTotals] = []

  /// Creates totals without a track, with an account for each story of the index.
  package init(storyCount: Int) { stories = StoryAccounts(count: storyCount) }

  /// Adds a track; unless it measured every story, pass it to `NearestTracks` too.
  package mutating func add(_ analysis: TrackAnalysis) {
    add(analysis.account)
    addStories(of: analysis)
    add(analysis.crowds)
    for chances in analysis.chances {
      profiles[profile(named: chances.profile, trials: chances.trials)].add(chances)
    }
    add(phoneDays: analysis.phoneDays)
  }

  /// Returns the index of a profile's totals, adding them if needed.
  package mutating func profile(named name: String, trials: Int) -> Int {
    if let known = profiles.firstIndex(where: { $0.name == name }) { return known }
    profiles.append(ProfileTotals(name: name, trials: trials))
    return profiles.count - 1
  }

  /// Adds a track's numbers, but nothing about its stories.
  package mutating func add(_ account: TrackAccount) {
    tracks += 1
    stories.trackCount = tracks
    persons.add(account)
    sums += account.sums
    recall.add(found: account.counts.foundAlerts, of: account.counts.dueAlerts)
    entryRecall.add(found: account.counts.found, of: account.counts.entries)
    storyRecall.add(found: account.foundStories, of: account.dueStories)
    calendar.add(account.alertsByDay)
    switch account.isCertified {
    case true: certifiedTracks += 1
    case false: uncertifiedTracks += 1
    default: break
    }
  }

  /// Computes the intervals of the ratios over persons; call after the last track.
  ///
  /// Has no effect unless every track has a person.
  package mutating func drawPersons() {
    recall.resampled = persons.interval(\.recall)
    entryRecall.resampled = persons.interval(\.entryRecall)
    storyRecall.resampled = persons.interval(\.storyRecall)
  }

  /// Adds a spot, joined with any other of its cell.
  package mutating func add(_ spot: CrowdedSpot) {
    let none = CrowdedSpot(coordinate: spot.coordinate, circles: 0, tracks: 0)
    spots[CrowdedSpot.Cell(spot.coordinate), default: none].join(spot)
  }

  private mutating func addStories(of analysis: TrackAnalysis) {
    let measured =
      analysis.nearestMeters.isEmpty
      ? zip(analysis.crossed, analysis.crossedMeters).map { ($0.story, $1) }
      : Array(zip(stories.indices, analysis.nearestMeters))
    for (story, meters) in measured where meters.isFinite {
      stories.note(
        nearestMillimeters: Int((meters * 1000).rounded()), track: analysis.account.track,
        of: story)
    }
    for verdict in analysis.crossed {
      var account = stories[verdict.story]
      account.tracks[verdict.verdict] += 1
      account.counts += verdict.counts
      if verdict.counts.dueAlerts > 0 { account.dueTracks += 1 }
      stories[verdict.story] = account
    }
    add(analysis.reached)
    for (index, moment) in analysis.moments.enumerated() {
      let hash = Self.hash(of: analysis.account.track, moment: index)
      for story in moment { stories[story].add(moment: hash) }
    }
  }

  /// Adds one person, who was alerted of these stories.
  package mutating func add(_ reached: [StoryReach]) {
    for reach in reached {
      var account = stories[reach.story]
      account.persons += 1
      account.personDays += reach.personDays
      account.repeats += reach.alerts - 1
      stories[reach.story] = account
    }
  }

  /// Adds the days of one person on each simulated phone.
  package mutating func add(phoneDays: [String: [Int: Int]]) {
    for number in profiles.indices {
      let days = phoneDays[profiles[number].name] ?? [:]
      profiles[number].daysByAlerts.merge(days, uniquingKeysWith: +)
    }
  }

  /// Adds the crowds of one track, which counts once per cell.
  package mutating func add(_ crowds: [CrowdedSpot]) {
    var seen: [CrowdedSpot.Cell: CrowdedSpot] = [:]
    for crowd in crowds { seen[CrowdedSpot.Cell(crowd.coordinate), default: crowd].join(crowd) }
    for var spot in seen.values {
      spot.tracks = 1
      add(spot)
    }
  }

  /// Hashes a track's name and the index of a moment, so that sums of hashes do not collide.
  package static func hash(of track: String, moment: Int) -> UInt64 {
    var hash = StableHash(track.utf8)
    hash.combine(UInt64(truncatingIfNeeded: moment))
    return hash.value.mixed
  }
}

// MARK: - Derived numbers

extension AnalysisTotals {
  /// The average number of alerts on a track; nil without tracks.
  package var alertsPerTrack: Double? {
    tracks > 0 ? Double(sums.counts.alerts) / Double(tracks) : nil
  }

  /// The number of stories that alerted on no track.
  package var silentStories: Int {
    stories.count - stories.crossedStories.count { stories[$0].tracks[.alerted] > 0 }
  }

  /// Alerts on the phone at entries where none is due.
  ///
  /// Most come because an earlier entry was lost, which would have started the cool-down.
  package var otherAlerts: Int { sums.counts.alerts - sums.counts.foundAlerts }

  /// Returns alerts by category; stories without a category are under an empty name.
  package func alertsByCategory(of stories: [Story]) -> [String: Int] {
    var alerts: [String: Int] = [:]
    for story in self.stories.crossedStories where self.stories[story].counts.alerts > 0 {
      alerts[stories[story].category, default: 0] += self.stories[story].counts.alerts
    }
    return alerts
  }

  /// The spots, most crowded first, then from south to north.
  package var orderedSpots: [CrowdedSpot] {
    spots.sorted { ($1.value.circles, $0.key) < ($0.value.circles, $1.key) }.map(\.value)
  }

  /// Groups of stories that always alerted together, at least twice.
  ///
  /// Each group is ascending. The largest come first, then those with the lowest first story.
  package var companions: [[Int]] {
    let repeated = stories.crossedStories.filter { stories[$0].moments >= 2 }
    let groups = Dictionary(grouping: repeated) {
      [UInt64(stories[$0].moments), stories[$0].signature]
    }
    return groups.values.filter { $0.count > 1 }.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }
}

/// Alerts by weekday and month, and the days on which tracks have fixes.
///
/// Days are local to the analysis's time zone. A day counts once per track with a fix on it.
package struct AlertCalendar: Equatable, Sendable {
  /// A month of a year, such as March 2026.
  ///
  /// Months compare by time.
  package struct Month: Hashable, Comparable, Sendable {
    /// The year in the Gregorian calendar.
    package var year: Int
    /// The month, 1 to 12.
    package var month: Int

    /// Creates a month; the values are not checked.
    package init(year: Int, month: Int) { (self.year, self.month) = (year, month) }

    /// Whether a month is earlier than another.
    package static func < (a: Month, b: Month) -> Bool { (a.year, a.month) < (b.year, b.month) }
  }

  /// The alerts on a weekday or in a month, and the days that they are spread over.
  ///
  /// Divide the two for an average that does not depend on how often people recorded.
  package struct Count: Equatable, Sendable {
    /// The number of alerts with a time.
    package var alerts = 0
    /// Days with a fix, summed over tracks.
    package var trackDays = 0

    /// Creates a count; by default, of no alerts on no days.
    package init(alerts: Int = 0, trackDays: Int = 0) {
      (self.alerts, self.trackDays) = (alerts, trackDays)
    }

    fileprivate static func += (count: inout Count, other: Count) {
      count.alerts += other.alerts
      count.trackDays += other.trackDays
    }
  }

  /// Counts by weekday, Monday first as in ISO 8601.
  package private(set) var weekdays = [Count](repeating: Count(), count: 7)
  /// Counts by month; a month without any fix is missing.
  package private(set) var months: [Month: Count] = [:]

  /// Adds a track's alerts by local day, in days since 1970; days without alerts count too.
  package mutating func add(_ alertsByDay: [Int: Int]) {
    for (day, alerts) in alertsByDay {
      let date = CivilDate(daysSince1970: day)
      let count = Count(alerts: alerts, trackDays: 1)
      // January 1, 1970, was a Thursday.
      add(count, weekday: ((day % 7) + 10) % 7)
      add(count, month: Month(year: date.year, month: date.month))
    }
  }

  /// Adds a count to a weekday, from 0 for Monday to 6 for Sunday.
  package mutating func add(_ count: Count, weekday: Int) { weekdays[weekday] += count }

  /// Adds a count to a month.
  package mutating func add(_ count: Count, month: Month) {
    months[month, default: Count()] += count
  }
}
