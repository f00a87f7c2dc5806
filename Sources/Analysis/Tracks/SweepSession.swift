public import Fencepost
public import Fixes
public import Monitoring
public import Places

/// Tries many settings of the rule on many tracks.
///
/// Each track is read, prepared and followed by the oracle once, and by the device once for each
/// setting.
public struct SweepSession: Sendable {
  /// What is tried, and how.
  public struct Options: Sendable {
    /// The rule that settings change, and the policy.
    public var session = TrackSession.Options()
    /// How bytes become fixes.
    public var fixes = FixStream.Options()
    /// The limits that are tried; nil is none.
    public var limits: [Int?] = [20]
    /// The distances that are tried, in metres.
    public var significantChangesMeters = [500.0]
    /// The refresh rules that are tried.
    public var refreshes = [MonitoringOptions.RefreshRule.fixed]
    /// The rankings that are tried.
    public var ranks = [MonitoringOptions.Rank.center]
    /// How many tracks are followed at a time, at least 1.
    public var jobs = 1
    /// Whether the first bad track ends everything.
    public var isStrict = false

    /// Makes the defaults.
    public init() {}

    /// The settings that differ in what they do, in the order of the lists, limits first.
    ///
    /// The adaptive rule knows no distance and ranks by edge, so that it gives one setting for
    /// each limit; so does no limit at all, which needs no rule.
    public var settings: [SweepRow.Setting] {
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

  /// What came of a track.
  public enum Outcome: Sendable {
    /// It has been counted; its fixes, and how many were refused.
    case counted(TrackAccount)
    /// Why it is skipped.
    case failure(TrackFailure)
    /// It was given up when the user interrupted.
    case interrupted
  }

  private let index: StoryIndex
  private let options: Options
  private let makeSource: @Sendable () throws -> any PlaceSource

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - index: All places of the store.
  ///   - options: What is tried.
  ///   - makeSource: Opens the store; called once for each worker.
  public init(
    index: StoryIndex, options: Options,
    makeSource: @escaping @Sendable () throws -> any PlaceSource
  ) {
    self.index = index
    self.options = options
    self.makeSource = makeSource
  }

  /// Makes a session over a store, of which it reads all places.
  ///
  /// - Throws: The store's error.
  public init(store: PlaceStore, options: Options) throws {
    self.init(index: try StoryIndex(store), options: options) {
      StoreSource(reader: try store.makeReader())
    }
  }

  /// Tries all settings on all tracks.
  ///
  /// - Parameters:
  ///   - paths: The tracks' files.
  ///   - onTrack: Told what came of each, in order.
  /// - Returns: A row for each setting, over the tracks that were counted.
  /// - Throws: What a source throws that cannot be opened, what `onTrack` throws, and with
  ///   ``Options/isStrict`` the first ``TrackFailure``.
  public func run(
    _ paths: [String], onTrack: (Outcome) throws -> Void
  ) async throws -> [SweepRow] {
    let settings = options.settings
    var rows = settings.map { SweepRow($0) }
    let count = max(1, min(options.jobs, paths.count))
    let workers = try (0..<count).map { _ in
      SweepWorker(index, source: try makeSource(), options: options, settings: settings)
    }
    let isStrict = options.isStrict
    try await OrderedWork(workers).run(count: paths.count) { worker, number in
      worker.follow(paths[number])
    } handOver: { _, found in
      try onTrack(found.outcome)
      if case .failure(let failure) = found.outcome, isStrict { throw failure }
      guard case .counted = found.outcome else { return true }
      for (index, one) in found.runs.enumerated() {
        rows[index].add(
          one.counts, refreshes: one.refreshes, lengthMillimeters: found.lengthMillimeters)
      }
      return true
    }
    SweepRow.markCheapest(in: &rows)
    return rows
  }
}

/// Follows one track at a time with all settings.
private final class SweepWorker {
  struct Run: Sendable {
    var counts: EntryCounts
    var refreshes: Int
  }

  struct Found: Sendable {
    var outcome: SweepSession.Outcome
    var lengthMillimeters = 0
    var runs: [Run] = []
  }

  private let index: StoryIndex
  private let source: any PlaceSource
  private let session: TrackSession.Options
  private let reading: TrackReading
  private let rules: [TrackSession.Options]

  init(
    _ index: StoryIndex, source: any PlaceSource, options: SweepSession.Options,
    settings: [SweepRow.Setting]
  ) {
    self.index = index
    self.source = source
    session = options.session
    reading = TrackReading(options.fixes, watchesSpeed: options.session.watchesSpeed)
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
  }

  func follow(_ path: String) -> Found {
    var oracle = OracleRun(index, source: source, options: session)
    var devices = rules.map {
      DeviceRun(index, source: source, options: $0, ranksMisses: false)
    }
    var account = TrackAccount(track: path)
    do throws(TrackFailure) {
      let isWhole = try reading.read(path, into: &account, shouldStop: { Task.isCancelled }) {
        batch in
        oracle.take(batch) { _, _ in }
        for device in devices.indices {
          devices[device].take(batch, meetings: oracle.meetings)
        }
      }
      guard isWhole else { return Found(outcome: .interrupted) }
    } catch {
      return Found(outcome: .failure(error))
    }
    if let failure = oracle.failure {
      return Found(outcome: .failure(TrackFailure(path: path, kind: .store(failure))))
    }
    return Found(
      outcome: .counted(account), lengthMillimeters: Int((oracle.lengthMeters * 1000).rounded()),
      runs: devices.map { device in
        var counts = EntryCounts()
        for entry in device.entries { counts.add(entry) }
        return Run(counts: counts, refreshes: device.refreshes)
      })
  }
}
