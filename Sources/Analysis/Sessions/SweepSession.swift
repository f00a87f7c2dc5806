package import FencepostTracks
package import Fencepost
import FencepostFixes
package import FencepostMonitoring
package import FencepostNotifications
import FencepostPhones
package import FencepostPlaces

/// Tries many settings of the rule on many tracks.
///
/// Each track is read once, and followed once by the oracle and once per setting.
package struct SweepSession: Sendable {
  package struct Options: Sendable {
    package var session = TrackSession.Options()
    package var fixes = FixStream.Options()
    package var limits: [Int?] = [20]
    package var significantChangesMeters = [500.0]
    package var refreshes = [MonitoringOptions.RefreshRule.fixed]
    package var ranks = [MonitoringOptions.Rank.center]
    /// The maximum number of places that the phone can watch; nil for no limit.
    package var maxLimit: Int? = SweepRow.phoneLimit
    /// The phone to simulate with each setting, the first of the profiles; nil for none.
    package var chance: ChanceOptions?
    /// The rule by which alerts are due on it, before what the phone itself confirms.
    package var due = MonitoringOptions()
    package var selection = TrackSelection()
    package var zone = ClockZone.utc
    package var jobs = 1
    package var isStrict = false

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

  private let index: StoryIndex
  private let options: Options
  private let makeSource: @Sendable () throws -> any PlaceSource

  /// Creates a session; `makeSource` opens the store once per worker.
  package init(
    index: StoryIndex, options: Options,
    makeSource: @escaping @Sendable () throws -> any PlaceSource
  ) { (self.index, self.options, self.makeSource) = (index, options, makeSource) }

  package init(store: PlaceStore, options: Options) throws {
    self.init(index: try StoryIndex(store), options: options) {
      StoreSource(reader: try store.makeReader())
    }
  }

  /// Tries all settings on all tracks.
  ///
  /// - Parameters:
  ///   - paths: The tracks' files.
  ///   - onTrack: Called with each outcome in order: the track's fixes, rejections and length.
  /// - Returns: One row per setting, over the tracks that could be read.
  /// - Throws: Errors from opening the store or from `onTrack`, and with ``Options/isStrict`` the
  ///   first ``TrackFailure``.
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

private final class SweepWorker {
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
  private let options: SweepSession.Options
  private let rules: [TrackSession.Options]
  /// The simulated phone with each setting; nil if it cannot follow the setting.
  private var simulators: [TrackSimulator?] = []

  init(
    _ index: StoryIndex, source: any PlaceSource, options: SweepSession.Options,
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
    let device = DeviceRun(index, source: source, options: rule, ranksMisses: false)
    var pass = TrackPass(
      path, index, source: source, rule: rule, devices: [device], selection: options.selection)
    var recorder = PathRecorder()
    let reader = try FixReader(track: path, options: options.fixes)
    let isWhole = try pass.follow(reader) { recorder.take($0, isJoined: $1) }
    guard isWhole else { return nil }
    return TrackScene(recorder, entries: pass.devices[0].entries, nearestMeters: [])
  }

  func follow(_ path: String) throws(TrackFailure) -> (account: TrackAccount, runs: [Run])? {
    let devices = rules.map { DeviceRun(index, source: source, options: $0, ranksMisses: false) }
    var pass = TrackPass(
      path, index, source: source, rule: options.session, devices: devices,
      selection: options.selection)
    var clock = TravelClock()
    var days = DayCounter(zone: options.zone)
    // Standard input can be read only once.
    let scene = options.chance != nil && path != "-" ? try makeScene(path) : nil
    let reader = try FixReader(track: path, options: options.fixes)
    let isWhole = try pass.follow(reader) { point, isJoined in
      clock.take(point.timeMilliseconds, isJoined: isJoined)
      days.take(point.timeMilliseconds)
    }
    guard isWhole else { return nil }
    let runs = zip(pass.devices, simulators).map { device, simulator in
      var run = Run(
        refreshes: device.refreshes, isCertified: device.isCertified ?? false,
        alertsByDay: days.alerts(of: device.entries))
      for entry in device.entries { run.counts.add(entry) }
      var courses: [PhoneCourse] = []
      if let scene, let chances = simulator?.run(scene, &courses).first {
        run.simulated = chances.alerts
      }
      return run
    }
    var account = pass.account
    account.note(clock)
    return (account, runs)
  }
}
