import FencepostSession
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// Follows a path as a phone with limits, and records which of the due entries it notices.
///
/// A `Comparison` tells what each step of the phone means; this turns the meanings into an
/// ``EntryRecord`` for each entry.
struct LimitedRun {
  /// The entries so far, noticed or not, in path order.
  private(set) var entries: [EntryRecord] = []
  /// The lookups so far, and how many of them got no answer.
  private(set) var refreshes = 0
  private(set) var failedRefreshes = 0
  /// What is recorded for the explanation of one story; nil for nothing.
  private(set) var history: StoryHistory?
  /// All lookups; nil if they are not wanted or the rule has no limit.
  private(set) var refreshLog: [TrackRun.RefreshRecord]?

  private let index: StoryIndex
  private let source: any PlaceSource
  private let options: MonitoringOptions
  private var run: PathRun
  /// What that run has not noticed yet.
  private var comparison: Comparison
  /// Whether entries keep the ranks of places that were not watched, and their speeds.
  private let ranksMisses: Bool
  /// The stories that the phone watches.
  private var monitored: Set<Int> = []
  /// Where the last lookup was.
  private var refreshPosition: Position?
  /// The distance of the farthest watched place from ``refreshPosition``; nil until it is needed.
  private var watchedMeters: Double?
  /// For each story that the path is inside, the index of its entry.
  private var openEntries: [Int: Int] = [:]

  /// Starts a track.
  ///
  /// `ranksMisses` records the ranks of entered places that were not watched. `logsRefreshes` keeps
  /// all lookups, which only a rule with a limit has. `history` records what explains a story.
  /// `memory` is the alert policy's, of earlier tracks.
  init(
    _ index: StoryIndex, source: any PlaceSource, options: TrackSessionOptions,
    ranksMisses: Bool, logsRefreshes: Bool = false, history: StoryHistory? = nil,
    memory: AlertPolicy.State = AlertPolicy.State()
  ) {
    (self.index, self.source, self.ranksMisses) = (index, source, ranksMisses)
    self.options = options.monitoring
    // Without a limit, every place counts as watched, whichever ones the engine happens to hold.
    refreshLog = logsRefreshes && options.monitoring.limit != nil ? [] : nil
    self.history = history
    run = options.run(memory: memory)
    run.explains = history != nil
    comparison = Comparison(options.monitoring, alertsOn: options.alertsOn)
  }

  /// What the alert policy remembers.
  var memory: AlertPolicy.State { run.memory }

  /// Whether certainly nothing was missed; nil if the rule cannot tell.
  var isCertified: Bool? { run.engine.isCertified }

  /// Follows the path through a batch, given what happens in it with every place watched.
  mutating func take(_ batch: PathBatch, _ happenings: [ComparedRuns.Happening]) {
    var next = 0
    var start = 0
    while start < batch.points.count {
      // Go up to the next crossing, with every place watched or on the phone.
      let end =
        run.watchesSpeed
        ? start + 1
        : next < happenings.count
          ? happenings[next].fix - batch.firstFix + 1 : batch.points.count
      start += run.follow(batch.points[start..<end], from: source)
      let fix = batch.firstFix + start - 1
      let first = next
      while next < happenings.count, happenings[next].fix == fix { next += 1 }
      if run.hasFound || next > first {
        let known = entries.count
        compare(happenings[first..<next], at: fix, speed: run.speed(at: start - 1, of: batch))
        if ranksMisses, entries.count > known {
          let speed = batch.speedMetersPerSecond(at: start - 1)
          for index in known..<entries.count {
            entries[index].speedMetersPerSecond = speed.isNaN ? nil : speed
          }
        }
      }
      run.pass(start - 1, of: batch)
    }
  }

  /// Ends the path, so that it is known whether anything can have been missed.
  mutating func finish() { run.finish() }

  /// Adds what was noticed to the track's summary.
  func note(in account: inout TrackAccount) {
    account.sums.refreshes = refreshes
    account.sums.failedRefreshes = failedRefreshes
    account.isCertified = isCertified
    for entry in entries { account.sums.counts.add(entry) }
  }

  // MARK: Comparing

  /// Compares what happens at a fix on the phone and with every place watched.
  private mutating func compare(
    _ happenings: ArraySlice<ComparedRuns.Happening>, at fix: Int, speed: Double
  ) {
    let steps = run.steps(
      from: source, speedMetersPerSecond: speed,
      asks: { [index] in index.index(ofKey: $0.key) != nil })
    for (meaning, step) in comparison.compare(
      steps, with: happenings.map { $0.notice }, at: fix)
    {
      note(meaning, step, at: fix)
    }
  }

  private mutating func note(_ meaning: Comparison.Meaning, _ step: PathRun.Step, at fix: Int) {
    switch step {
    case .refresh(let refresh):
      guard case .foundInside(let key) = meaning else { return noteRefresh(refresh, at: fix) }
      guard let open = index.index(ofKey: key).flatMap({ openEntries[$0] }) else { return }
      noteLate(open, at: fix, refresh.timeMilliseconds)
    case .notice(let notice):
      guard let story = index.index(ofKey: notice.key) else { return }
      switch meaning {
      case .due: noteDue(notice, of: story, at: fix)
      case .other: noteOther(notice, of: story, at: fix)
      default: noteEntry(notice, meaning, of: story, at: fix)
      }
    }
  }

  private mutating func noteOther(_ notice: PathRun.Notice, of story: Int, at fix: Int) {
    if notice.kind != .dwell, let open = openEntries.removeValue(forKey: story),
      notice.kind == .exit
    {
      entries[open].leftMilliseconds = notice.edgeMilliseconds
    }
    history?.note(.init(fix: fix, story: story, notice: notice))
  }

  /// Records an entry, which counts as missed until the phone notices it.
  private mutating func noteDue(_ notice: PathRun.Notice, of story: Int, at fix: Int) {
    var entry = EntryRecord(story: story, fix: fix, crossing: notice.crossing, cause: .missed)
    entry.isDue = notice.decided?.isAlert ?? false
    if ranksMisses, options.limit != nil, !monitored.contains(story) {
      entry.atRefresh = rankingAtRefresh(of: story)
      entry.atEntry = rankingAtEntry(of: story, at: notice.crossing.coordinate)
    }
    if notice.kind != .exit { entry.enteredMilliseconds = notice.edgeMilliseconds }
    openEntries[story] = entries.count
    entries.append(entry)
    history?.note(.init(fix: fix, story: story, notice: notice))
  }

  /// Records that the phone notices an entry: in time, late, or one that is not due.
  private mutating func noteEntry(
    _ notice: PathRun.Notice, _ meaning: Comparison.Meaning, of story: Int, at fix: Int
  ) {
    var entry = openEntries[story] ?? entries.count
    switch meaning {
    case .found:
      entries[entry].cause = .found
      entries[entry].atRefresh = nil
      entries[entry].atEntry = nil
    case .late: noteLate(entry, at: fix, notice.crossing.timeMilliseconds)
    default:
      entry = entries.count
      entries.append(
        EntryRecord(story: story, fix: fix, crossing: notice.crossing, cause: .extra))
    }
    apply(notice, to: entry)
  }

  /// Records when and where the phone noticed an entry that had been unwatched.
  private mutating func noteLate(_ entry: Int, at fix: Int, _ timeMilliseconds: Int64?) {
    entries[entry].cause = .late
    entries[entry].foundFix = fix
    entries[entry].foundMilliseconds = timeMilliseconds
  }

  /// Records the policy's decision about an entry.
  private mutating func apply(_ notice: PathRun.Notice, to entry: Int) {
    guard let decided = notice.decided else { return }
    switch decided.decision {
    case .alert(let delivery, _):
      entries[entry].isAlert = true
      if delivery != notice.crossing.timeMilliseconds {
        entries[entry].deliveryMilliseconds = delivery
      }
    case .suppressed(let reason): entries[entry].suppression = reason
    }
    if history?.story == entries[entry].story { history?.decisions[entry] = decided }
  }

  /// Counts a lookup, and follows which stories it adds and removes.
  private mutating func noteRefresh(_ refresh: Refresh, at fix: Int) {
    refreshes += 1
    defer { log(refresh, at: fix) }
    guard !refresh.hasFailed else {
      failedRefreshes += 1
      return
    }
    monitored.subtract(stories(refresh.removed))
    monitored.formUnion(stories(refresh.added))
    let position = Position(refresh.coordinate)
    (refreshPosition, watchedMeters) = (position, nil)
    if let story = history?.story {
      let ranking = rankingAtRefresh(of: story)
      history?.note(
        refresh, at: fix, isMonitored: options.limit == nil || monitored.contains(story),
        ranking: ranking)
    }
  }

  private mutating func log(_ refresh: Refresh, at fix: Int) {
    guard let count = refreshLog?.count else { return }
    // The engine is already at the fix, so its `nextRefreshMeters` belongs to the last lookup only.
    if let last = refreshLog?.last, last.fix == fix {
      refreshLog?[count - 1].nextMeters = Geodesic.distanceMeters(
        last.coordinate, refresh.coordinate)
    }
    let record = TrackRun.RefreshRecord(
      fix: fix, fraction: refresh.fraction, timeMilliseconds: refresh.timeMilliseconds,
      coordinate: refresh.coordinate, added: stories(refresh.added).sorted(),
      removed: stories(refresh.removed).sorted(), radiusMeters: refresh.radiusMeters,
      reachMeters: refresh.reachMeters, nextMeters: run.engine.nextRefreshMeters,
      hasFailed: refresh.hasFailed, influenceMeters: influenceMeters(of: refresh))
    refreshLog?.append(record)
  }

  /// The indices of the stories with these keys, without those that the index lacks.
  private func stories(_ keys: [Int64]) -> [Int] { keys.compactMap { index.index(ofKey: $0) } }

  /// Returns the distance beyond which no place affects a lookup; infinite if slots are free.
  private func influenceMeters(of refresh: Refresh) -> Double {
    guard let slots = options.slots, slots > 0, refresh.monitoredCount >= slots else {
      return .infinity
    }
    if options.refresh == .adaptive { return refresh.reachMeters ?? .infinity }
    if options.rank == .center { return refresh.radiusMeters ?? .infinity }
    let position = Position(refresh.coordinate)
    return monitored.map { index.circle(of: $0).edgeDistanceMeters(from: position) }.max()
      ?? .infinity
  }
}

// MARK: - Ranks

extension LimitedRun {
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
      case .found(let regions) = source.answer(
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

  /// A story's rank from a position, beside the distance of the farthest place that is watched.
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

extension EntryRecord {
  fileprivate init(story: Int, fix: Int, crossing: Crossing, cause: Cause) {
    self.init(
      story: story, fix: fix, fraction: crossing.fraction,
      timeMilliseconds: crossing.timeMilliseconds, coordinate: crossing.coordinate,
      isAcrossBreak: crossing.isAcrossBreak, cause: cause)
  }
}
