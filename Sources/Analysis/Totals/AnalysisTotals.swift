/// The totals over tracks: integers, so that parts add up exactly in any order.
package struct AnalysisTotals: Equatable, Sendable {
  /// Number of tracks analysed.
  package var tracks = 0
  /// Number of tracks that could not be read.
  package var skipped = 0
  /// Number of tracks that repeat others and are not counted.
  package var copies = 0
  /// How many alerts a person-day are too many.
  package var fatigueLimit = Fatigue.usualLimit
  /// The totals by person and day.
  package var persons = PersonTotals()
  /// Number of accepted fixes.
  package var fixes = 0
  /// Number of accepted fixes that are not in the period or box of the analysis, and not among ``fixes``.
  package var fixesOutside = 0
  /// Number of rejected fixes.
  package var rejected = 0
  /// Number of rejected fixes by reason.
  package var rejectedByReason: [String: Int] = [:]
  /// Length of all paths in millimetres.
  package var lengthMillimeters = 0
  /// Time between joined fixes in milliseconds.
  package var travelMilliseconds = 0
  /// Number of refreshes.
  package var refreshes = 0
  /// Number of refreshes that failed.
  package var failedRefreshes = 0
  /// The counts of entries.
  package var counts = EntryCounts()
  /// The verdicts, one for each story and track.
  package var verdicts = VerdictCounts()
  /// The recall: alerts of the oracle whose entry also alerted on the device, of all its alerts.
  package var recall = RatioSum()
  /// Entries that the device noticed as they happened, of all.
  package var entryRecall = RatioSum()
  /// Stories that alerted on a track, of those that alert where every place is monitored.
  package var storyRecall = RatioSum()
  /// Alerts by hour of the day.
  package var alertsByHour = [Int](repeating: 0, count: 24)
  /// Alerts by weekday and month.
  package var calendar = AlertCalendar()
  /// How fast, how late and how long.
  package var measures = EntryMeasures()
  /// Number of tracks on which certainly nothing was missed.
  package var certifiedTracks = 0
  /// Number of tracks on which this is not certain; 0 if the rule cannot know.
  package var uncertifiedTracks = 0
  /// Most circles that contained a device at once.
  package var mostCircles = 0
  /// The numbers of each story.
  package var stories: StoryAccounts
  /// Spots where more circles overlap than can be monitored, by cell.
  package var spots: [CrowdedSpot.Cell: CrowdedSpot] = [:]
  /// The trials of each profile; empty if no phone is simulated.
  package var profiles: [ProfileTotals] = []

  /// Makes totals of zero.
  ///
  /// - Parameter storyCount: How many stories there are.
  package init(storyCount: Int) {
    stories = StoryAccounts(count: storyCount)
  }

  /// Adds a track: its numbers, its stories and its spots.
  ///
  /// A track that did not measure every story leaves ``StoryAccount/nearestMillimeters`` as it is;
  /// ``NearestTracks`` works it out.
  package mutating func add(_ analysis: TrackAnalysis) {
    add(analysis.account)
    addStories(of: analysis)
    add(analysis.crowds)
    for chances in analysis.chances {
      profiles[profile(named: chances.profile, trials: chances.trials)].add(chances)
    }
  }

  /// The number of a profile's totals, which are added if they are new.
  package mutating func profile(named name: String, trials: Int) -> Int {
    if let known = profiles.firstIndex(where: { $0.name == name }) { return known }
    profiles.append(ProfileTotals(name: name, trials: trials))
    return profiles.count - 1
  }

  /// Adds a track's own numbers.
  package mutating func add(_ account: TrackAccount) {
    tracks += 1
    stories.trackCount = tracks
    persons.add(account)
    fixes += account.fixes
    fixesOutside += account.fixesOutside
    rejected += account.rejected
    rejectedByReason.merge(account.rejectedByReason, uniquingKeysWith: +)
    lengthMillimeters += account.lengthMillimeters
    travelMilliseconds += account.travelMilliseconds
    refreshes += account.refreshes
    failedRefreshes += account.failedRefreshes
    counts += account.counts
    verdicts += account.stories
    recall.add(found: account.counts.foundAlerts, of: account.counts.oracleAlerts)
    entryRecall.add(found: account.counts.found, of: account.counts.entries)
    storyRecall.add(found: account.foundStories, of: account.oracleStories)
    for hour in 0..<24 { alertsByHour[hour] += account.alertsByHour[hour] }
    calendar.add(account.alertsByDay)
    measures += account.measures
    mostCircles = max(mostCircles, account.mostCircles)
    switch account.isCertified {
    case true: certifiedTracks += 1
    case false: uncertifiedTracks += 1
    default: break
    }
  }

  /// Makes the intervals of the ratios by drawing persons, where every track has one; to be called after the last
  /// track.
  package mutating func drawPersons() {
    recall.resampled = persons.interval(\.recall)
    entryRecall.resampled = persons.interval(\.entryRecall)
    storyRecall.resampled = persons.interval(\.storyRecall)
  }

  /// Adds a crowded spot.
  package mutating func add(_ spot: CrowdedSpot) {
    let cell = CrowdedSpot.Cell(spot.coordinate)
    if spots[cell] == nil { spots[cell] = spot } else { spots[cell]?.join(spot) }
  }

  private mutating func addStories(of analysis: TrackAnalysis) {
    for (story, meters) in analysis.nearestMeters.enumerated() where meters.isFinite {
      stories.note(
        nearestMillimeters: Int((meters * 1000).rounded()), track: analysis.account.track,
        of: story)
    }
    if analysis.nearestMeters.isEmpty {
      for (verdict, meters) in zip(analysis.crossed, analysis.crossedMeters) where meters.isFinite {
        stories.note(
          nearestMillimeters: Int((meters * 1000).rounded()), track: analysis.account.track,
          of: verdict.story)
      }
    }
    for verdict in analysis.crossed {
      var account = stories[verdict.story]
      account.tracks[verdict.verdict] += 1
      account.counts += verdict.counts
      if verdict.counts.oracleAlerts > 0 { account.oracleTracks += 1 }
      stories[verdict.story] = account
    }
    add(analysis.reached)
    for (index, moment) in analysis.moments.enumerated() {
      let hash = Self.hash(of: analysis.account.track, moment: index)
      for story in moment {
        stories[story].add(moment: hash)
      }
    }
  }

  /// Adds the stories that reached one person.
  package mutating func add(_ reached: [StoryReach]) {
    for reach in reached {
      var account = stories[reach.story]
      account.persons += 1
      account.personDays += reach.personDays
      account.repeats += reach.alerts - 1
      stories[reach.story] = account
    }
  }

  /// Adds the crowds of one track.
  package mutating func add(_ crowds: [TrackAnalysis.Crowd]) {
    var seen: [CrowdedSpot.Cell: CrowdedSpot] = [:]
    for crowd in crowds {
      let spot = CrowdedSpot(coordinate: crowd.coordinate, circles: crowd.circles, tracks: 1)
      let cell = CrowdedSpot.Cell(crowd.coordinate)
      if seen[cell] == nil { seen[cell] = spot } else { seen[cell]?.join(spot) }
      seen[cell]?.tracks = 1
    }
    for spot in seen.values { add(spot) }
  }

  /// 64-bit FNV-1a over the track's name and the moment's number, then mixed with SplitMix64's finisher, so
  /// that sums of hashes do not collide.
  package static func hash(of track: String, moment: Int) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in track.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ UInt64(truncatingIfNeeded: moment)) &* 0x100_0000_01B3
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }
}

// MARK: - Derived numbers

extension AnalysisTotals {
  /// Alerts a track.
  package var alertsPerTrack: Double? {
    tracks > 0 ? Double(counts.alerts) / Double(tracks) : nil
  }

  /// Alerts an hour of travel; nil without times.
  package var alertsPerHour: Double? {
    travelMilliseconds > 0
      ? Double(counts.alerts) * 3_600_000 / Double(travelMilliseconds) : nil
  }

  /// Refreshes a kilometre, which cost battery.
  package var refreshesPerKilometer: Double? {
    lengthMillimeters > 0 ? Double(refreshes) * 1_000_000 / Double(lengthMillimeters) : nil
  }

  /// Number of stories that alerted on no track.
  package var silentStories: Int {
    stories.count - stories.crossedStories.count { stories[$0].tracks[.alerted] > 0 }
  }

  /// Alerts of the device at entries where the oracle does not alert: most come when the story's earlier entry was
  /// lost, which for the oracle began the cool-down.
  package var otherAlerts: Int { counts.alerts - counts.foundAlerts }

  /// Alerts by category of the stories, those without one under an empty name.
  package func alertsByCategory(of stories: [Story]) -> [String: Int] {
    var alerts: [String: Int] = [:]
    for story in self.stories.crossedStories where self.stories[story].counts.alerts > 0 {
      alerts[stories[story].category, default: 0] += self.stories[story].counts.alerts
    }
    return alerts
  }

  /// The spots, the most crowded first, then from south to north.
  package var orderedSpots: [CrowdedSpot] {
    spots.sorted { ($1.value.circles, $0.key) < ($0.value.circles, $1.key) }.map(\.value)
  }

  /// Groups of two or more stories that always fired together, at least twice.
  ///
  /// Each is ascending; the largest come first, then by first story.
  package var companions: [[Int]] {
    struct Pattern: Hashable {
      var moments: Int
      var signature: UInt64
    }
    let repeated = stories.crossedStories.filter { stories[$0].moments >= 2 }
    let groups = Dictionary(grouping: repeated) {
      Pattern(moments: stories[$0].moments, signature: stories[$0].signature)
    }
    return groups.values.filter { $0.count > 1 }.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }
}
