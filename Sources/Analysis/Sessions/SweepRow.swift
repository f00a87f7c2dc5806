import Fencepost
public import FencepostMonitoring

/// One setting of a sweep and its ``AnalysisTotals`` over all tracks.
@dynamicMemberLookup
public struct SweepRow: Equatable, Sendable {
  /// A setting of the rule.
  public struct Setting: Hashable, Sendable {
    /// Most places monitored at a time; nil for all.
    public var limit: Int?
    /// When the store is asked again.
    public var refresh: MonitoringOptions.RefreshRule
    /// The significant change in metres; nil if the rule finds it itself.
    public var significantChangeMeters: Double?
    /// The distance that ranks places.
    public var rank: MonitoringOptions.Rank

    /// Makes a setting that says no more than matters.
    ///
    /// The adaptive rule has no distance and ranks by edge. Without a limit nothing matters.
    public init(
      limit: Int?, refresh: MonitoringOptions.RefreshRule, significantChangeMeters: Double,
      rank: MonitoringOptions.Rank
    ) {
      self.limit = limit
      self.refresh = limit == nil ? .fixed : refresh
      let isFixed = limit != nil && refresh == .fixed
      self.significantChangeMeters = isFixed ? significantChangeMeters : nil
      self.rank = limit == nil ? .center : isFixed ? rank : .edge
    }

    /// The distinct settings that lists of values combine to, in the order of the lists, limits first.
    public static func all(
      limits: [Int?], refreshes: [MonitoringOptions.RefreshRule] = [.fixed],
      significantChangesMeters: [Double] = [500], ranks: [MonitoringOptions.Rank] = [.center]
    ) -> [Setting] {
      var settings: [Setting] = []
      for limit in limits {
        for refresh in refreshes {
          for meters in significantChangesMeters {
            for rank in ranks {
              let setting = Setting(
                limit: limit, refresh: refresh, significantChangeMeters: meters, rank: rank)
              if !settings.contains(setting) { settings.append(setting) }
            }
          }
        }
      }
      return settings
    }

    /// A rule with this setting.
    public func applied(to rule: MonitoringOptions) -> MonitoringOptions {
      var rule = rule
      (rule.limit, rule.refresh, rule.rank) = (limit, refresh, rank)
      if let significantChangeMeters { rule.significantChangeMeters = significantChangeMeters }
      return rule
    }
  }

  /// The setting.
  public var setting: Setting
  /// The totals over all tracks, each of which stays alone.
  public private(set) var totals = AnalysisTotals(storyCount: 0)
  /// Whether this is the cheapest setting of a phone that loses nothing.
  public var isCheapest = false
  /// Whether a phone has as many regions.
  public var isAllowed = true
  /// Whether no other setting that a phone allows has as much recall with fewer refreshes, or more with as few.
  public package(set) var isOnFrontier = false

  /// Most places that an iPhone monitors at a time.
  public static let phoneLimit = 20

  /// Makes a row of zero.
  public init(_ setting: Setting) {
    self.setting = setting
  }

  /// Adds a track.
  public mutating func add(_ account: TrackAccount) { totals.add(account) }

  /// One of the ``totals``.
  public subscript<Number>(dynamicMember path: KeyPath<AnalysisTotals, Number>) -> Number {
    totals[keyPath: path]
  }

  /// Alerts with a time a day of a track; nil without times.
  public var alertsPerDay: Double? {
    let days = totals.persons.fatigue
    return days.days > 0 ? Double(days.alerts) / Double(days.days) : nil
  }

  /// Whether at no moment of any track an unmonitored circle was within reach: nothing was missed, and not by luck.
  public var isCertified: Bool { totals.tracks > 0 && totals.certifiedTracks == totals.tracks }

  /// Whether every entry was noticed as it happened.
  public var losesNothing: Bool {
    totals.tracks > 0 && totals.counts.late == 0 && totals.counts.missed == 0
  }

  /// Marks the settings that the phone allows and, of those, the cheapest that loses nothing: fewest refreshes, then
  /// certified before lucky, then the lowest limit, then the first.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - maxLimit: Most places that the phone monitors at a time; it allows no setting with more, nor one without
  ///     a limit. If nil, it allows all.
  public static func markCheapest(in rows: inout [SweepRow], maxLimit: Int? = phoneLimit) {
    func isAllowed(_ limit: Int?) -> Bool {
      guard let maxLimit else { return true }
      return limit.map { $0 <= maxLimit } ?? false
    }
    let cheapest = cheapest(of: rows, isAllowed)
    for index in rows.indices {
      rows[index].isAllowed = isAllowed(rows[index].setting.limit)
      rows[index].isCheapest = index == cheapest
    }
  }

  /// Marks the settings that a phone allows and that no other such setting beats: with at least as much recall and at
  /// most as many refreshes, and better in one of the two.
  public static func markFrontier(in rows: inout [SweepRow]) {
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

  /// The cheapest of the settings that lose nothing, among some limits.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - isAllowed: Whether a limit is allowed.
  /// - Returns: Its index; nil if all lose something.
  public static func cheapest(of rows: [SweepRow], _ isAllowed: (Int?) -> Bool) -> Int? {
    func cost(_ index: Int) -> (Int, Int, Int, Int) {
      let row = rows[index]
      return (row.refreshes, row.isCertified ? 0 : 1, row.setting.limit ?? .max, index)
    }
    return rows.indices.filter { rows[$0].losesNothing && isAllowed(rows[$0].setting.limit) }
      .min { cost($0) < cost($1) }
  }
}

extension TrackAnalysisSession {
  /// Tries settings of the rule: each track is read once and followed by the oracle once, and by a device for each
  /// setting.
  ///
  /// - Parameters:
  ///   - settings: The settings to try.
  ///   - paths: The tracks' files.
  ///   - maxLimit: Most places that the phone monitors at a time, for the choice of the cheapest setting; nil if it
  ///     has no limit.
  ///   - onTrack: Called with the outcome of each, in order: its fixes, rejections and length.
  /// - Returns: A row for each setting, over the tracks that were counted.
  /// - Throws: The error of a source that cannot be opened, what `onTrack` throws, and with
  ///   ``Options/isStrict`` the first ``TrackFailure``.
  public func sweep(
    _ settings: [SweepRow.Setting], _ paths: [String], maxLimit: Int? = SweepRow.phoneLimit,
    onTrack: (TrackOutcome<TrackAccount>) throws -> Void
  ) async throws -> [SweepRow] {
    var rows = settings.map { SweepRow($0) }
    try await OrderedTaskPool(paths.count, jobs: options.jobs, makeWorker: makeSource)
      .run { source, number in
        TrackOutcome { () throws(TrackFailure) in try follow(paths[number], settings, source) }
      } handOver: { outcome in
        switch outcome {
        case .interrupted: try onTrack(.interrupted)
        case .failure(let failure):
          try onTrack(.failure(failure))
          if options.isStrict, !failure.isOutside { throw failure }
        case .success(let accounts):
          try onTrack(.success(accounts.track))
          for (index, account) in accounts.bySetting.enumerated() { rows[index].add(account) }
        }
      }
    SweepRow.markCheapest(in: &rows, maxLimit: maxLimit)
    SweepRow.markFrontier(in: &rows)
    return rows
  }

  /// The account of a track, and with the numbers of each setting's device; nil if the task was cancelled.
  private func follow(
    _ path: String, _ settings: [SweepRow.Setting], _ source: any PlaceSource
  ) throws(TrackFailure) -> (track: TrackAccount, bySetting: [TrackAccount])? {
    let devices = settings.map { setting in
      var rule = options.session
      rule.monitoring = setting.applied(to: rule.monitoring)
      return DeviceRun(index, source: source, options: rule, ranksMisses: false)
    }
    var pass = TrackPass(
      .file(path), index, source: source, rule: options.session, devices: devices,
      selection: options.selection)
    var days = DayCounter(zone: options.zone)
    let isWhole = try pass.follow(options.fixes) { point, _ in days.take(point.timeMilliseconds) }
    guard isWhole else { return nil }
    let account = pass.account
    let accounts = pass.devices.map { device in
      var account = account
      account.numbers.add(device)
      account.isCertified = device.isCertified
      account.alertsByDay = days.alerts(of: device.entries)
      return account
    }
    return (account, accounts)
  }
}
