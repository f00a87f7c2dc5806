public import FencepostGeodesy
public import FencepostMonitoring
import FencepostTime

/// The totals over tracks: integers, so that parts add up exactly in any order.
@dynamicMemberLookup
public struct AnalysisTotals: Equatable, Sendable {
  /// Number of tracks analysed.
  public package(set) var tracks = 0 {
    didSet { stories.trackCount = tracks }
  }
  /// The sums of the tracks' numbers.
  public package(set) var numbers = TrackNumbers()
  /// Number of tracks that could not be read.
  public var skipped = 0
  /// Number of tracks that repeat others and are not counted.
  public var copies = 0
  /// How many alerts a person-day are too many.
  public var fatigueLimit = Fatigue.usualLimit
  /// The totals by person and day.
  public package(set) var persons = PersonTotals()
  /// The recall: alerts of the oracle whose entry also alerted on the device, of all its alerts.
  public package(set) var recall = RatioSum()
  /// Entries that the device noticed as they happened, of all.
  public package(set) var entryRecall = RatioSum()
  /// Stories that alerted on a track, of those that alert where every place is monitored.
  public package(set) var storyRecall = RatioSum()
  /// Alerts by weekday and month.
  public package(set) var calendar = AlertCalendar()
  /// Number of tracks on which certainly nothing was missed.
  public package(set) var certifiedTracks = 0
  /// Number of tracks on which this is not certain; 0 if the rule cannot know.
  public package(set) var uncertifiedTracks = 0
  /// The numbers of each story.
  public var stories: StoryAccounts
  /// Spots where more circles overlap than can be monitored, by cell.
  public package(set) var spots: [CrowdedSpot.Cell: CrowdedSpot] = [:]
  /// The trials of each profile; empty if no phone is simulated.
  public package(set) var profiles: [ProfileTotals] = []

  /// Makes totals of zero.
  ///
  /// - Parameter storyCount: How many stories there are.
  public init(storyCount: Int) {
    stories = StoryAccounts(count: storyCount)
  }

  /// One of the ``numbers``.
  public subscript<Number>(dynamicMember path: KeyPath<TrackNumbers, Number>) -> Number {
    numbers[keyPath: path]
  }

  /// Adds a track: its numbers, its stories and its spots.
  ///
  /// A track that did not measure every story leaves ``StoryAccount/nearestMillimeters`` as it is;
  /// ``NearestTracks`` works it out.
  public mutating func add(_ analysis: TrackAnalysis) {
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
  public mutating func add(_ account: TrackAccount) {
    tracks += 1
    numbers += account.numbers
    persons.add(account)
    recall.add(found: account.counts.foundAlerts, of: account.counts.oracleAlerts)
    entryRecall.add(found: account.counts.found, of: account.counts.entries)
    storyRecall.add(found: account.foundStories, of: account.oracleStories)
    calendar.add(account.alertsByDay)
    if let isCertified = account.isCertified {
      certifiedTracks += isCertified ? 1 : 0
      uncertifiedTracks += isCertified ? 0 : 1
    }
  }

  /// Adds the totals of other tracks, apart from those of stories, spots and profiles.
  package static func += (totals: inout AnalysisTotals, other: AnalysisTotals) {
    totals.tracks += other.tracks
    totals.numbers += other.numbers
    totals.skipped += other.skipped
    totals.copies += other.copies
    totals.persons += other.persons
    totals.recall += other.recall
    totals.entryRecall += other.entryRecall
    totals.storyRecall += other.storyRecall
    totals.calendar += other.calendar
    totals.certifiedTracks += other.certifiedTracks
    totals.uncertifiedTracks += other.uncertifiedTracks
  }

  /// Makes the intervals of the ratios by drawing persons, where every track has one; to be called after the last
  /// track.
  public mutating func drawPersons() {
    recall.resampled = persons.interval(\.recall)
    entryRecall.resampled = persons.interval(\.entryRecall)
    storyRecall.resampled = persons.interval(\.storyRecall)
  }

  /// Adds a crowded spot.
  public mutating func add(_ spot: CrowdedSpot) {
    let cell = CrowdedSpot.Cell(spot.coordinate)
    if spots[cell]?.join(spot) == nil { spots[cell] = spot }
  }

  private mutating func addStories(of analysis: TrackAnalysis) {
    let track = analysis.account.track
    for (story, meters) in analysis.nearestMeters.enumerated() where meters.isFinite {
      stories.note(nearestMillimeters: Int((meters * 1000).rounded()), track: track, of: story)
    }
    for (verdict, meters) in zip(analysis.crossed, analysis.crossedMeters) {
      if analysis.nearestMeters.isEmpty, meters.isFinite {
        stories.note(
          nearestMillimeters: Int((meters * 1000).rounded()), track: track, of: verdict.story)
      }
      var account = stories[verdict.story]
      account.tracks[verdict.verdict] += 1
      account.counts += verdict.counts
      if verdict.counts.oracleAlerts > 0 { account.oracleTracks += 1 }
      stories[verdict.story] = account
    }
    add(analysis.reached)
    for (index, moment) in analysis.moments.enumerated() {
      let hash = Self.hash(of: track, moment: index)
      for story in moment { stories[story].add(moment: hash) }
    }
  }

  /// Adds the stories that reached one person.
  public mutating func add(_ reached: [StoryReach]) {
    for reach in reached {
      var account = stories[reach.story]
      account.persons += 1
      account.personDays += reach.personDays
      account.repeats += reach.alerts - 1
      stories[reach.story] = account
    }
  }

  /// Adds the crowds of one track, which counts once for each spot.
  public mutating func add(_ crowds: [TrackAnalysis.Crowd]) {
    var seen: [CrowdedSpot.Cell: CrowdedSpot] = [:]
    for crowd in crowds {
      let spot = CrowdedSpot(coordinate: crowd.coordinate, circles: crowd.circles, tracks: 0)
      seen[CrowdedSpot.Cell(crowd.coordinate), default: spot].join(spot)
    }
    for var spot in seen.values {
      spot.tracks = 1
      add(spot)
    }
  }

  /// 64-bit FNV-1a over the track's name and the moment's number, then mixed with SplitMix64's finisher, so
  /// that sums of hashes do not collide.
  package static func hash(of track: String, moment: Int) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in track.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return ((hash ^ UInt64(truncatingIfNeeded: moment)) &* 0x100_0000_01B3).mixed
  }
}

// MARK: - Derived numbers

extension AnalysisTotals {
  /// Alerts a track.
  public var alertsPerTrack: Double? {
    tracks > 0 ? Double(numbers.counts.alerts) / Double(tracks) : nil
  }

  /// Number of stories that alerted on no track.
  public var silentStories: Int {
    stories.count - stories.crossedStories.count { stories[$0].tracks[.alerted] > 0 }
  }

  /// Alerts of the device at entries where the oracle does not alert: most come when the story's earlier entry was
  /// lost, which for the oracle began the cool-down.
  public var otherAlerts: Int { numbers.counts.alerts - numbers.counts.foundAlerts }

  /// Alerts by category of the stories, those without one under an empty name.
  public func alertsByCategory(of stories: [Place]) -> [String: Int] {
    var alerts: [String: Int] = [:]
    for story in self.stories.crossedStories where self.stories[story].counts.alerts > 0 {
      alerts[stories[story].category, default: 0] += self.stories[story].counts.alerts
    }
    return alerts
  }

  /// The spots, the most crowded first, then from south to north.
  public var orderedSpots: [CrowdedSpot] {
    spots.sorted { ($1.value.circles, $0.key) < ($0.value.circles, $1.key) }.map(\.value)
  }

  /// Groups of two or more stories that always fired together, at least twice.
  ///
  /// Each is ascending; the largest come first, then by first story.
  public var companions: [[Int]] {
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

/// A spot where more circles overlap than can be monitored, over all tracks.
public struct CrowdedSpot: Equatable, Sendable {
  /// A cell of a thousandth of a degree, which identifies a spot.
  public struct Cell: Hashable, Comparable, Sendable {
    /// South edge in thousandths of a degree.
    public var south: Int
    /// West edge in thousandths of a degree.
    public var west: Int

    /// The cell that holds a coordinate.
    public init(_ coordinate: Coordinate) {
      south = Int((coordinate.latitudeDegrees * 1000).rounded(.down))
      west = Int((coordinate.longitudeDegrees * 1000).rounded(.down))
    }

    /// South to north, then west to east.
    public static func < (a: Cell, b: Cell) -> Bool {
      (a.south, a.west) < (b.south, b.west)
    }
  }

  /// Where most circles contained a device.
  public var coordinate: Coordinate
  /// How many did.
  public var circles: Int
  /// How many tracks were in more circles here than can be monitored.
  public var tracks: Int

  /// Makes a spot of its parts.
  public init(coordinate: Coordinate, circles: Int, tracks: Int) {
    self.coordinate = coordinate
    self.circles = circles
    self.tracks = tracks
  }

  /// Adds a spot of other tracks in the same cell.
  public mutating func join(_ other: CrowdedSpot) {
    tracks += other.tracks
    // Equally crowded: the southernmost, then the westernmost, so that the order does not matter.
    let isBetter =
      (other.circles, -other.coordinate.latitudeDegrees, -other.coordinate.longitudeDegrees)
      > (circles, -coordinate.latitudeDegrees, -coordinate.longitudeDegrees)
    guard isBetter else { return }
    circles = other.circles
    coordinate = other.coordinate
  }
}

/// Alerts by weekday and by month, with the days on which there were fixes to alert at.
///
/// Days are local to the zone of the analysis. A day counts once for each track with a fix on it.
public struct AlertCalendar: Equatable, Sendable {
  /// A month of a year.
  public struct Month: Hashable, Comparable, Sendable {
    /// The year.
    public var year: Int
    /// The month, 1 … 12.
    public var month: Int

    /// In time's order.
    public static func < (a: Month, b: Month) -> Bool { (a.year, a.month) < (b.year, b.month) }
  }

  /// A number of alerts and of days.
  public struct Count: Equatable, Sendable {
    /// Alerts shown on these days.
    public var alerts = 0
    /// Days of tracks with a fix.
    public var trackDays = 0

    fileprivate static func += (count: inout Count, other: Count) {
      count.alerts += other.alerts
      count.trackDays += other.trackDays
    }
  }

  /// By weekday: Monday first, as ISO 8601 counts.
  public private(set) var weekdays = [Count](repeating: Count(), count: 7)
  /// By month.
  public private(set) var months: [Month: Count] = [:]

  /// Makes a calendar without days.
  public init() {}

  /// Makes a calendar of what another one kept.
  ///
  /// - Parameters:
  ///   - weekdays: Alerts and days of each weekday.
  ///   - months: Year, month, alerts and days of each month.
  package init(weekdays: [[Int]], months: [[Int]]) {
    for (weekday, row) in weekdays.prefix(7).enumerated() where row.count == 2 {
      self.weekdays[weekday] = Count(alerts: row[0], trackDays: row[1])
    }
    for row in months where row.count == 4 {
      self.months[Month(year: row[0], month: row[1])] = Count(alerts: row[2], trackDays: row[3])
    }
  }

  /// Adds the days of a track.
  ///
  /// - Parameter alertsByDay: Alerts by local day in days since 1970, 0 on days without.
  public mutating func add(_ alertsByDay: [Int: Int]) {
    for (day, alerts) in alertsByDay {
      let date = CivilDate(daysSince1970: day)
      let count = Count(alerts: alerts, trackDays: 1)
      // 1 January 1970 was a Thursday.
      weekdays[((day % 7) + 10) % 7] += count
      months[Month(year: date.year, month: date.month), default: Count()] += count
    }
  }

  /// Adds the other's alerts and days.
  package static func += (calendar: inout AlertCalendar, other: AlertCalendar) {
    for weekday in 0..<7 { calendar.weekdays[weekday] += other.weekdays[weekday] }
    calendar.months.merge(other.months) { first, second in
      var sum = first
      sum += second
      return sum
    }
  }
}
