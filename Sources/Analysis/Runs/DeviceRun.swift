import Fencepost
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// Follows a path as a phone with limits and records which of the oracle's entries it notices.
struct DeviceRun {
  private(set) var entries: [EntryRecord] = []
  private(set) var refreshes = 0
  private(set) var failedRefreshes = 0
  /// What to record for the explanation of one story; nil for nothing.
  var history: StoryHistory?
  private(set) var renewals: [TrackRun.Renewal]?

  private let index: StoryIndex
  private let options: MonitoringOptions
  private var follower: Follower
  private let ranksMisses: Bool
  private let alertsOn: AlertTrigger
  private var monitored: Set<Int> = []
  private var refreshPosition: Position?
  /// The distance of the farthest watched place from ``refreshPosition``; nil until it is needed.
  private var watchedMeters: Double?
  private var openEntries: [Int: Int] = [:]
  /// The entries that the phone reports just before the current fix, by index.
  private var reported: [(entry: Int, crossing: Crossing)] = []

  /// Starts a track.
  ///
  /// `ranksMisses` records the ranks of entered places that were not watched. `logsRenewals` keeps
  /// all lookups, which only a rule with a limit has. `state` is the alert policy's memory of
  /// earlier tracks.
  init(
    _ index: StoryIndex, source: any PlaceSource, options: TrackSession.Options,
    ranksMisses: Bool, logsRenewals: Bool = false,
    state: AlertPolicy.State = AlertPolicy.State()
  ) {
    self.index = index
    self.options = options.monitoring
    self.ranksMisses = ranksMisses
    alertsOn = options.alertsOn
    // Without a limit, every place counts as watched, whichever ones the engine happens to hold.
    renewals = logsRenewals && options.monitoring.limit != nil ? [] : nil
    follower = Follower(options.monitoring, options.alerts, source: source, memory: state)
  }

  var policyState: AlertPolicy.State { follower.policy.state }

  var isCertified: Bool? { follower.engine.isCertified }

  /// Follows the path through a batch, given the oracle's crossings in it.
  mutating func take(_ batch: PathBatch, meetings: [OracleRun.Meeting]) {
    var next = 0
    var start = 0
    while start < batch.points.count {
      // Go up to the next crossing, the oracle's or the phone's.
      let end =
        follower.watchesSpeed
        ? start + 1
        : next < meetings.count ? meetings[next].fix - batch.firstFix + 1 : batch.points.count
      start += follower.follow(batch, start..<end)
      let fix = batch.firstFix + start - 1
      let first = next
      while next < meetings.count, meetings[next].fix == fix { next += 1 }
      if !follower.found.isEmpty || next > first {
        let known = entries.count
        join(meetings[first..<next], at: fix)
        if ranksMisses, entries.count > known {
          let speed = batch.speedMetersPerSecond(at: start - 1)
          for index in known..<entries.count {
            entries[index].speedMetersPerSecond = speed.isNaN ? nil : speed
          }
        }
        decide(speed: follower.speed(at: start - 1, of: batch))
      }
      follower.pass(start - 1, of: batch)
    }
  }

  mutating func finish() { follower.finish() }

  // MARK: Joining the oracle's crossings and the device's events

  /// Merges the oracle's crossings and the phone's events in path order.
  ///
  /// At the same point the oracle's crossing comes first: an entry counts before a lookup there.
  private mutating func join(_ meetings: ArraySlice<OracleRun.Meeting>, at fix: Int) {
    var next = meetings.startIndex
    for event in follower.found {
      while next < meetings.endIndex, meetings[next].crossing.fraction <= event.fraction {
        note(meetings[next])
        next += 1
      }
      note(event, at: fix)
    }
    for meeting in meetings[next...] { note(meeting) }
  }

  private mutating func note(_ meeting: OracleRun.Meeting) {
    guard meeting.kind == alertsOn else {
      if meeting.kind != .dwell, let open = openEntries.removeValue(forKey: meeting.story),
        meeting.kind == .exit
      {
        entries[open].leftMilliseconds = meeting.edgeMilliseconds
      }
      history?.note(meeting)
      return
    }
    var entry = EntryRecord(
      story: meeting.story, fix: meeting.fix, crossing: meeting.crossing, cause: .missed)
    entry.isOracleAlert = meeting.isAlert
    if ranksMisses, options.limit != nil, !monitored.contains(meeting.story) {
      entry.atRefresh = rankingAtRefresh(of: meeting.story)
      entry.atEntry = rankingAtEntry(of: meeting.story, at: meeting.crossing.coordinate)
    }
    if alertsOn != .exit { entry.enteredMilliseconds = meeting.edgeMilliseconds }
    openEntries[meeting.story] = entries.count
    entries.append(entry)
    history?.note(meeting)
  }

  private mutating func note(_ event: EngineEvent, at fix: Int) {
    if case .refresh(let refresh) = event { noteRefresh(refresh, at: fix) }
    if let (crossing, kind) = event.encounter, kind == alertsOn { noteEntry(crossing, at: fix) }
  }

  private mutating func noteEntry(_ crossing: Crossing, at fix: Int) {
    guard let story = index.index(ofKey: crossing.key) else { return }
    if let open = openEntries[story], entries[open].cause == .missed {
      let isSame = entries[open].fix == fix && entries[open].fraction == crossing.fraction
      entries[open].cause = isSame ? .found : .late
      if isSame {
        entries[open].atRefresh = nil
        entries[open].atEntry = nil
      } else {
        entries[open].foundFix = fix
        entries[open].foundMilliseconds = crossing.timeMilliseconds
      }
      reported.append((open, crossing))
    } else {
      reported.append((entries.count, crossing))
      entries.append(EntryRecord(story: story, fix: fix, crossing: crossing, cause: .extra))
    }
  }

  private mutating func noteRefresh(_ refresh: Refresh, at fix: Int) {
    refreshes += 1
    defer { logRenewal(refresh, at: fix) }
    guard !refresh.hasFailed else {
      failedRefreshes += 1
      return
    }
    monitored.subtract(stories(refresh.removed))
    monitored.formUnion(stories(refresh.added))
    let position = Position(refresh.coordinate)
    (refreshPosition, watchedMeters) = (position, nil)
    // With `--initial enter` the engine reports these as entries too, right after this event.
    if options.initial == .silent, alertsOn != .exit {
      for key in refresh.foundInside {
        guard let story = index.index(ofKey: key), let open = openEntries[story],
          entries[open].cause == .missed
        else { continue }
        entries[open].cause = .late
        entries[open].foundFix = fix
        entries[open].foundMilliseconds = refresh.timeMilliseconds
      }
    }
    if let story = history?.story {
      let ranking = rankingAtRefresh(of: story)
      history?.note(
        refresh, at: fix, isMonitored: options.limit == nil || monitored.contains(story),
        ranking: ranking)
    }
  }

  private mutating func logRenewal(_ refresh: Refresh, at fix: Int) {
    guard let count = renewals?.count else { return }
    // The engine is already at the fix, so its `renewalMeters` belongs to the last lookup only.
    if let last = renewals?.last, last.fix == fix {
      renewals?[count - 1].nextMeters = Geodesic.distanceMeters(last.coordinate, refresh.coordinate)
    }
    let renewal = TrackRun.Renewal(
      fix: fix, fraction: refresh.fraction, timeMilliseconds: refresh.timeMilliseconds,
      coordinate: refresh.coordinate, added: stories(refresh.added).sorted(),
      removed: stories(refresh.removed).sorted(), radiusMeters: refresh.radiusMeters,
      reachMeters: refresh.reachMeters, nextMeters: follower.engine.renewalMeters,
      hasFailed: refresh.hasFailed, influenceMeters: influenceMeters(of: refresh))
    renewals?.append(renewal)
  }

  private func stories(_ keys: [Int64]) -> [Int] { keys.compactMap { index.index(ofKey: $0) } }

  /// Returns the distance beyond which no place affects a lookup; infinite if slots are free.
  private func influenceMeters(of refresh: Refresh) -> Double {
    guard let slots = options.slots, slots > 0, refresh.monitored >= slots else { return .infinity }
    if options.refresh == .adaptive { return refresh.reachMeters ?? .infinity }
    if options.rank == .center { return refresh.radiusMeters ?? .infinity }
    let position = Position(refresh.coordinate)
    return monitored.map { index.circle(of: $0).edgeDistanceMeters(from: position) }.max()
      ?? .infinity
  }

  // MARK: Policy

  private mutating func decide(speed: Double) {
    guard !reported.isEmpty else { return }
    let decided = follower.decide(
      reported.map { (index.place(of: entries[$0.entry].story), $0.crossing) }, speed: speed)
    for (one, decided) in zip(reported, decided) {
      switch decided.decision {
      case .alert(let delivery, _):
        entries[one.entry].isAlert = true
        if delivery != one.crossing.timeMilliseconds {
          entries[one.entry].deliveryMilliseconds = delivery
        }
      case .suppressed(let reason): entries[one.entry].suppression = reason
      }
      if history?.story == entries[one.entry].story { history?.decisions[one.entry] = decided }
    }
    reported.removeAll(keepingCapacity: true)
  }
}

// MARK: - Ranks

extension DeviceRun {
  /// Returns a story's rank at the last lookup, compared with the places watched after it.
  private mutating func rankingAtRefresh(of story: Int) -> EntryRecord.Ranking? {
    guard let position = refreshPosition else { return nil }
    let rank = options.effectiveRank
    watchedMeters =
      watchedMeters
      ?? monitored.lazy.map { [index] in index.distanceMeters(of: $0, from: position, by: rank) }
      .max()
    return watchedMeters.map { ranking(of: story, at: position, lastDistanceMeters: $0) }
  }

  /// Returns a story's rank where it is entered, compared with what a lookup there would watch.
  private func rankingAtEntry(of story: Int, at coordinate: Coordinate) -> EntryRecord.Ranking? {
    guard let slots = options.slots, slots > 0,
      case .found(let regions) = follower.source.answer(
        CandidateRequest(
          question: options.nearestQuestion(count: slots), coordinate: coordinate)),
      let last = regions.last.flatMap({ index.index(ofKey: $0.key) })
    else { return nil }
    let position = Position(coordinate)
    return ranking(
      of: story, at: position,
      lastDistanceMeters: index.distanceMeters(
        of: last, from: position, by: options.effectiveRank))
  }

  private func ranking(
    of story: Int, at position: Position, lastDistanceMeters: Double
  ) -> EntryRecord.Ranking {
    let rank = options.effectiveRank
    return EntryRecord.Ranking(
      rank: index.rank(of: story, from: position, by: rank),
      distanceMeters: index.distanceMeters(of: story, from: position, by: rank),
      lastDistanceMeters: lastDistanceMeters)
  }
}

extension OracleRun.Meeting {
  fileprivate var edgeMilliseconds: Int64? {
    crossing.crossedMilliseconds ?? crossing.timeMilliseconds
  }
}

extension EntryRecord {
  fileprivate init(story: Int, fix: Int, crossing: Crossing, cause: Cause) {
    self.init(
      story: story, fix: fix, fraction: crossing.fraction,
      timeMilliseconds: crossing.timeMilliseconds, coordinate: crossing.coordinate,
      acrossBreak: crossing.isAcrossBreak, cause: cause)
  }
}
