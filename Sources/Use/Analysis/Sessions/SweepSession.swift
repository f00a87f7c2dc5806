package import FencepostSession
import FencepostFixes
package import FencepostMonitoring
package import FencepostNotifications
import FencepostPhones
package import FencepostPlaces
package import FencepostTracks

/// Tries many settings of the rule on many tracks.
///
/// Each track is read once, and followed once with every place watched and once per setting.
package struct SweepSession: Sendable {
  private let index: StoryIndex
  private let options: SweepOptions
  private let makeSource: @Sendable () throws -> any PlaceSource

  /// Creates a session; `makeSource` is called once per worker.
  package init(
    index: StoryIndex, options: SweepOptions,
    makeSource: @escaping @Sendable () throws -> any PlaceSource
  ) { (self.index, self.options, self.makeSource) = (index, options, makeSource) }

  /// Creates a session over all places of a store, which is read once and not needed afterward.
  ///
  /// - Throws: `PlaceStoreError` if the store cannot be read.
  package init(store: PlaceStore, options: SweepOptions) throws {
    let index = try StoryIndex(store)
    self.init(index: index, options: options) { StorySource(index) }
  }

  /// Tries all settings on all tracks.
  ///
  /// - Parameters:
  ///   - paths: The tracks' files.
  ///   - onTrack: Called with each outcome in order: the track's fixes, rejections and length.
  /// - Returns: One row per setting, over the tracks that could be read.
  /// - Throws: Errors from opening the store or from `onTrack`, and with
  ///   ``SweepOptions/isStrict`` the first ``TrackFailure``.
  package func run(
    _ paths: [String], onTrack: (TrackOutcome<TrackAccount>) throws -> Void
  ) async throws -> [SweepRow] {
    let settings = options.settings
    var rows = settings.map { SweepRow($0) }
    if let phone = options.chance?.profiles.first {
      for index in rows.indices { rows[index].canFollow(phone) }
    }
    let pool = try OrderedTaskPool(jobs: options.jobs, for: paths.count) {
      SweepWorker(index, source: try makeSource(), options: options, settings: settings)
    }
    try await pool.run { worker, number in
      TrackOutcome { () throws(TrackFailure) in try worker.follow(paths[number]) }
    } handOver: { outcome in
      try onTrack(outcome.map { $0.account })
      if case .failure(let failure) = outcome, options.isStrict, !failure.isOutside {
        throw failure
      }
      guard case .success(let found) = outcome else { return }
      for (index, run) in found.runs.enumerated() {
        rows[index].add(
          run.counts, refreshes: run.refreshes, lengthMillimeters: found.account.lengthMillimeters,
          travelMilliseconds: found.account.travelMilliseconds, isCertified: run.isCertified,
          alertsByDay: run.alertsByDay, simulated: run.simulated)
      }
    }
    SweepRow.markCheapest(in: &rows, maxLimit: options.maxLimit)
    SweepRow.markFrontier(in: &rows)
    return rows
  }
}

/// The settings to try, each combined with each other, and how tracks are read and followed.
///
/// Each list must have at least one element. The number of runs along every track is the number of
/// ``settings``, so a long list in every option takes long.
package struct SweepOptions: Sendable {
  /// The rules that all settings share.
  package var session = TrackSessionOptions()
  /// How tracks are decoded, and which fixes are accepted.
  package var fixes = FixStreamOptions()
  /// The numbers of places to watch at a time; nil watches all.
  package var limits: [Int?] = [20]
  /// The distances between lookups, in meters.
  package var significantChangesMeters = [500.0]
  /// The rules by which the phone decides when to look places up.
  package var refreshes = [MonitoringOptions.RefreshRule.fixed]
  /// The distances by which places are ranked.
  package var ranks = [MonitoringOptions.Rank.center]
  /// The maximum number of places that the phone can watch; nil for no limit.
  package var maxLimit: Int? = SweepRow.phoneLimit
  /// The phone to simulate with each setting, the first of the profiles; nil for none.
  package var chance: ChanceOptions?
  /// The rule by which alerts are due on it, before what the phone itself confirms.
  package var due = MonitoringOptions()
  /// The fixes to follow.
  package var selection = TrackSelection()
  /// The time zone whose days count.
  package var zone = ClockZone.utc
  /// The number of tracks to follow in parallel, at least 1.
  package var jobs = 1
  /// Whether the first track that fails ends the sweep; one outside the period or box does not.
  package var isStrict = false

  /// Starts from the defaults.
  package init() {}

  /// The distinct settings, in the order of the lists, limits first.
  ///
  /// An adaptive rule has no distance and ranks by edge, so each limit gives one setting. A nil
  /// limit gives one setting in total.
  package var settings: [SweepRow.Setting] {
    var settings: [SweepRow.Setting] = []
    for limit in limits {
      for refresh in refreshes {
        for distance in significantChangesMeters {
          for rank in ranks {
            let setting = Self.setting(limit, refresh, distance, rank)
            if !settings.contains(setting) { settings.append(setting) }
          }
        }
      }
    }
    return settings
  }

  private static func setting(
    _ limit: Int?, _ refresh: MonitoringOptions.RefreshRule, _ distance: Double,
    _ rank: MonitoringOptions.Rank
  ) -> SweepRow.Setting {
    guard limit != nil else {
      return .init(
        limit: nil, isAdaptive: false, significantChangeMeters: nil,
        rank: MonitoringOptions.Rank.center.rawValue)
    }
    let isAdaptive = refresh == .adaptive
    return .init(
      limit: limit, isAdaptive: isAdaptive,
      significantChangeMeters: isAdaptive ? nil : distance,
      rank: (isAdaptive ? .edge : rank).rawValue)
  }
}

/// Follows one track after another under all settings, with sources of its own.
private final class SweepWorker {
  /// What one setting brought on one track.
  struct Run: Sendable {
    var counts = EntryCounts()
    var refreshes: Int
    var isCertified: Bool
    var alertsByDay: [Int: Int]
    /// The due alerts that came on the simulated phone, and all, over all trials.
    var simulated: (found: Int, all: Int) = (0, 0)
  }

  private let index: StoryIndex
  private let source: any PlaceSource
  private let options: SweepOptions
  private let rules: [TrackSessionOptions]
  /// The simulated phone with each setting; nil if it cannot follow the setting.
  private var simulators: [TrackSimulator?] = []

  init(
    _ index: StoryIndex, source: any PlaceSource, options: SweepOptions,
    settings: [SweepRow.Setting]
  ) {
    (self.index, self.source, self.options) = (index, source, options)
    rules = settings.map { setting in
      var rule = options.session
      rule.monitoring.limit = setting.limit
      rule.monitoring.refresh = setting.isAdaptive ? .adaptive : .fixed
      rule.monitoring.rank = setting.rank == MonitoringOptions.Rank.edge.rawValue ? .edge : .center
      if let distance = setting.significantChangeMeters {
        rule.monitoring.significantChangeMeters = distance
      }
      return rule
    }
    simulators = zip(settings, rules).map { setting, rule in
      guard let chance = options.chance, !setting.isAdaptive else { return nil }
      return TrackSimulator(
        chance.following(rule.monitoring, refreshMeters: setting.significantChangeMeters), index,
        source: source, session: rule, zone: options.zone)
    }
  }

  /// The track with what is due on a phone that confirms nothing, whatever the settings confirm.
  private func makeScene(_ path: String) throws(TrackFailure) -> TrackScene? {
    var rule = options.session
    rule.monitoring = options.due
    let phone = LimitedRun(index, source: source, options: rule, ranksMisses: false)
    var runs = ComparedRuns(
      path, index, source: source, rule: rule, limited: [phone], selection: options.selection)
    var recorder = PathRecorder()
    let reader = try FixReader(track: path, options: options.fixes)
    let isWhole = try runs.follow(reader) { recorder.take($0, isJoined: $1) }
    guard isWhole else { return nil }
    return TrackScene(recorder, entries: runs.limited[0].entries, nearestMeters: [])
  }

  func follow(_ path: String) throws(TrackFailure) -> (account: TrackAccount, runs: [Run])? {
    let phones = rules.map { LimitedRun(index, source: source, options: $0, ranksMisses: false) }
    var runs = ComparedRuns(
      path, index, source: source, rule: options.session, limited: phones,
      selection: options.selection)
    var days = DayCounter(zone: options.zone)
    // Standard input can be read only once.
    let scene = options.chance != nil && path != "-" ? try makeScene(path) : nil
    let reader = try FixReader(track: path, options: options.fixes)
    let isWhole = try runs.follow(reader) { point, _ in days.take(point.timeMilliseconds) }
    guard isWhole else { return nil }
    let results = zip(runs.limited, simulators).map { phone, simulator in
      var run = Run(
        refreshes: phone.refreshes, isCertified: phone.isCertified ?? false,
        alertsByDay: days.alerts(of: phone.entries))
      for entry in phone.entries { run.counts.add(entry) }
      var courses: [PhoneCourse] = []
      if let scene, let chances = simulator?.run(scene, &courses).first {
        run.simulated = chances.alerts
      }
      return run
    }
    return (runs.account, results)
  }
}

/// The results of one setting on all tracks.
///
/// Rows are compared to find the cheapest setting that loses nothing.
package struct SweepRow: SummedTracks, Equatable, Sendable {
  /// The values of the rule that a sweep varies; everything else is the same in all rows.
  ///
  /// It says what to type to get the row again.
  package struct Setting: Hashable, Sendable {
    /// The maximum number of places watched at a time; nil for all.
    package var limit: Int?
    /// Whether lookups happen just before an unwatched circle could be entered.
    package var isAdaptive: Bool
    /// The significant change in meters; nil if the rule computes distances itself.
    package var significantChangeMeters: Double?
    /// What distances rank places: `center` or `edge`.
    package var rank: String

    /// Creates a setting; the values are not checked.
    package init(limit: Int?, isAdaptive: Bool, significantChangeMeters: Double?, rank: String) {
      (self.limit, self.isAdaptive, self.rank) = (limit, isAdaptive, rank)
      self.significantChangeMeters = significantChangeMeters
    }
  }

  /// The values that this row tried.
  package var setting: Setting
  /// The number of tracks that were followed.
  package private(set) var tracks = 0
  /// The sums of lengths, times, lookups and entries; nothing else is filled in.
  package var sums = TrackSums()
  /// The share of due alerts that came.
  package private(set) var recall = RatioSum()
  /// The share of entries that were noticed as they happened.
  package private(set) var entryRecall = RatioSum()
  /// The number of tracks on which certainly nothing was missed.
  package private(set) var certifiedTracks = 0
  /// The local days with fixes, summed over tracks.
  package private(set) var trackDays = 0
  /// The number of alerts with a time, which ``alertsPerDay`` counts.
  package private(set) var timedAlerts = 0
  /// The share of due alerts that come on the simulated phone, over all trials; 0 of 0 if none is
  /// simulated or it cannot follow the setting.
  package private(set) var simulated = RatioSum()
  /// Whether a phone to simulate wakes the app as often as the setting asks.
  package private(set) var isFollowed = true
  /// Whether this is the allowed setting with the fewest lookups among those that lose nothing.
  package var isCheapest = false
  /// Whether the phone can watch this many places.
  package var isAllowed = true
  /// Whether no allowed setting beats this one in recall or lookups without losing in the other.
  package var isOnFrontier = false

  /// The number of regions that an iPhone can monitor.
  package static let phoneLimit = 20

  /// Creates the row of a setting, before any track.
  package init(_ setting: Setting) { self.setting = setting }

  /// Adds what the setting brought on one track.
  ///
  /// - Parameters:
  ///   - counts: The entries and alerts of the track.
  ///   - refreshes: The number of lookups.
  ///   - lengthMillimeters: The length of the path in millimeters.
  ///   - travelMilliseconds: The time between joined fixes in milliseconds.
  ///   - isCertified: Whether certainly nothing was missed.
  ///   - alertsByDay: The alerts on each local day with fixes, in days since 1970.
  ///   - simulated: The due alerts that came on the simulated phone and all that were due, over all
  ///     trials.
  package mutating func add(
    _ counts: EntryCounts, refreshes: Int, lengthMillimeters: Int, travelMilliseconds: Int = 0,
    isCertified: Bool = false, alertsByDay: [Int: Int] = [:],
    simulated: (found: Int, all: Int) = (0, 0)
  ) {
    self.simulated.add(found: simulated.found, of: simulated.all)
    if isCertified { certifiedTracks += 1 }
    trackDays += alertsByDay.count
    timedAlerts += alertsByDay.values.reduce(0, +)
    tracks += 1
    sums.lengthMillimeters += lengthMillimeters
    sums.travelMilliseconds += travelMilliseconds
    sums.refreshes += refreshes
    sums.counts += counts
    recall.add(found: counts.foundAlerts, of: counts.dueAlerts)
    entryRecall.add(found: counts.found, of: counts.entries)
  }

  /// Notes whether a phone can follow the setting: it wakes the app after a distance of its own.
  mutating func canFollow(_ phone: PhoneProfile) {
    guard phone.limits.regions.value != .none else { return }
    isFollowed =
      !setting.isAdaptive
      && setting.significantChangeMeters ?? 0 >= phone.refresh.distanceMeters.value
  }

  /// The average number of alerts on a track; nil without tracks.
  package var alertsPerTrack: Double? {
    tracks > 0 ? Double(sums.counts.alerts) / Double(tracks) : nil
  }

  /// Alerts per track and day; nil if the tracks have no times.
  package var alertsPerDay: Double? {
    trackDays > 0 ? Double(timedAlerts) / Double(trackDays) : nil
  }

  /// Whether unwatched circles were always out of reach, so that nothing depended on luck.
  package var isCertified: Bool { tracks > 0 && certifiedTracks == tracks }

  /// Whether every entry was noticed as it happened; false without tracks.
  package var losesNothing: Bool { tracks > 0 && sums.counts.late == 0 && sums.counts.missed == 0 }

  /// Marks the allowed settings, and the cheapest of them that loses nothing.
  ///
  /// Settings above `maxLimit` or without a limit are not allowed; if it is nil, all are. The
  /// cheapest has the fewest lookups. Ties go to certified settings, then to the lowest limit, then
  /// to the first row.
  package static func markCheapest(in rows: inout [SweepRow], maxLimit: Int? = phoneLimit) {
    func isAllowed(_ limit: Int?) -> Bool {
      guard let maxLimit else { return true }
      return limit.map { $0 <= maxLimit } ?? false
    }
    for index in rows.indices {
      rows[index].isAllowed = rows[index].isFollowed && isAllowed(rows[index].setting.limit)
    }
    let cheapest = cheapest(of: rows, isAllowed)
    for index in rows.indices { rows[index].isCheapest = index == cheapest }
  }

  /// Marks the allowed settings that no other allowed setting beats.
  ///
  /// One setting beats another if it has at least the recall with at most the lookups, and is better
  /// in one of the two.
  package static func markFrontier(in rows: inout [SweepRow]) {
    for index in rows.indices {
      guard rows[index].isAllowed, let recall = rows[index].recall.ratio else {
        rows[index].isOnFrontier = false
        continue
      }
      let refreshes = rows[index].refreshes
      rows[index].isOnFrontier = !rows.contains { other in
        guard other.isAllowed, let more = other.recall.ratio else { return false }
        return more >= recall && other.refreshes <= refreshes
          && (more > recall || other.refreshes < refreshes)
      }
    }
  }

  /// Returns the index of the cheapest allowed setting that loses nothing; nil if each loses some.
  package static func cheapest(of rows: [SweepRow], _ isAllowed: (Int?) -> Bool) -> Int? {
    func cost(_ index: Int) -> (Int, Int, Int, Int) {
      let row = rows[index]
      return (row.refreshes, row.isCertified ? 0 : 1, row.setting.limit ?? .max, index)
    }
    return rows.indices
      .filter { rows[$0].losesNothing && rows[$0].isFollowed && isAllowed(rows[$0].setting.limit) }
      .min { cost($0) < cost($1) }
  }
}
