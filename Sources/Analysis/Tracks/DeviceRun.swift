import Fencepost
import Geodesy
import Monitoring
import Notifications

/// Follows a path as a phone with its limits would, and says of every entry of the oracle what the
/// phone knew of it.
struct DeviceRun {
  /// All entries so far, in order along the path.
  private(set) var entries: [EntryRecord] = []
  /// How often the store was asked.
  private(set) var refreshes = 0
  /// How often the store did not answer.
  private(set) var failedRefreshes = 0
  /// What is remembered of one story, for whoever asks why.
  var trace: StoryTrace?

  let index: StoryIndex
  let options: MonitoringOptions
  let source: any PlaceSource
  private var engine: Engine
  private var policy: EntryPolicy
  private let ranksMisses: Bool
  private(set) var monitored: Set<Int> = []
  /// Where the set was renewed last.
  private(set) var refreshPosition: Position?
  /// The entry that is going on, by story.
  private var openEntries: [Int: Int] = [:]
  /// Entries that the device reports on the way to the current fix, and which they are.
  private var reported: [(entry: Int, crossing: Crossing)] = []
  private var events: [EngineEvent] = []

  /// Begins a track.
  ///
  /// - Parameters:
  ///   - index: All places.
  ///   - source: Where the engine finds the near ones.
  ///   - options: The rules of the device.
  ///   - ranksMisses: Whether to find out the ranks of what was not monitored.
  init(
    _ index: StoryIndex, source: any PlaceSource, options: TrackSession.Options,
    ranksMisses: Bool
  ) {
    self.index = index
    self.source = source
    self.options = options.monitoring
    self.ranksMisses = ranksMisses
    engine = Engine(options: options.monitoring)
    policy = EntryPolicy(options: options.alerts)
  }

  /// Whether nothing can have been missed; nil where the rule cannot know.
  var isCertified: Bool? { engine.isCertified }

  /// Follows the path through a batch.
  ///
  /// - Parameters:
  ///   - batch: The vertices.
  ///   - meetings: What the oracle met on the way through them.
  mutating func take(_ batch: PathBatch, meetings: [OracleRun.Meeting]) {
    var next = 0
    for offset in batch.points.indices {
      events.removeAll(keepingCapacity: true)
      var request = engine.advance(to: batch.points[offset], into: &events)
      while let asked = request {
        request = engine.resume(with: source.answer(asked), into: &events)
      }
      let fix = batch.firstFix + offset
      let first = next
      while next < meetings.count, meetings[next].fix == fix { next += 1 }
      if !events.isEmpty || next > first {
        join(meetings[first..<next], at: fix)
        decide(speed: batch.speed(at: offset))
      }
      policy.observe(
        speed: batch.speed(at: offset), atMilliseconds: batch.points[offset].timeMilliseconds)
    }
  }

  /// Ends the path.
  mutating func finish() {
    engine.finish()
  }

  // MARK: Joining what both saw

  /// Goes through what the oracle met and what happened on the device in one order; where both are
  /// at one point of the path, the oracle comes first, for an entry counts before a refresh there.
  private mutating func join(_ meetings: ArraySlice<OracleRun.Meeting>, at fix: Int) {
    var next = meetings.startIndex
    for event in events {
      let fraction = event.fraction
      while next < meetings.endIndex, meetings[next].crossing.fraction <= fraction {
        note(meetings[next])
        next += 1
      }
      note(event, at: fix)
    }
    for meeting in meetings[next...] { note(meeting) }
  }

  private mutating func note(_ meeting: OracleRun.Meeting) {
    guard meeting.crossing.isEnter else {
      openEntries[meeting.story] = nil
      trace?.note(meeting)
      return
    }
    var entry = EntryRecord(
      story: meeting.story, fix: meeting.fix, crossing: meeting.crossing, cause: .missed)
    entry.isOracleAlert = meeting.isAlert
    if ranksMisses, options.limit != nil, !monitored.contains(meeting.story) {
      entry.atRefresh = rankingAtRefresh(of: meeting.story)
      entry.atEntry = rankingAtEntry(of: meeting.story, at: meeting.crossing.coordinate)
    }
    openEntries[meeting.story] = entries.count
    entries.append(entry)
    trace?.note(meeting)
  }

  private mutating func note(_ event: EngineEvent, at fix: Int) {
    switch event {
    case .crossing(let crossing): if crossing.isEnter { noteEnter(crossing, at: fix) }
    case .refresh(let refresh): noteRefresh(refresh, at: fix)
    }
  }

  private mutating func noteEnter(_ crossing: Crossing, at fix: Int) {
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
    guard !refresh.hasFailed else {
      failedRefreshes += 1
      return
    }
    for key in refresh.removed {
      if let story = index.index(ofKey: key) { monitored.remove(story) }
    }
    for key in refresh.added {
      if let story = index.index(ofKey: key) { monitored.insert(story) }
    }
    let position = Position(refresh.coordinate)
    refreshPosition = position
    // With --initial enter the engine reports these as enters too, which come next.
    if options.initial == .silent {
      for key in refresh.foundInside {
        guard let story = index.index(ofKey: key), let open = openEntries[story],
          entries[open].cause == .missed
        else { continue }
        entries[open].cause = .late
        entries[open].foundFix = fix
        entries[open].foundMilliseconds = refresh.timeMilliseconds
      }
    }
    if let story = trace?.story {
      let ranking = ranking(of: story, at: position)
      trace?.note(
        refresh, at: fix, isMonitored: options.limit == nil || monitored.contains(story),
        ranking: ranking)
    }
  }

  // MARK: Policy

  private mutating func decide(speed: Double) {
    guard !reported.isEmpty else { return }
    let asked = reported.map {
      (place: index.places[entries[$0.entry].story], crossing: $0.crossing)
    }
    explain(asked, speed: speed)
    for (one, decision) in zip(reported, policy.decide(asked, speed: speed)) {
      switch decision {
      case .alert(let delivery, _):
        entries[one.entry].isAlert = true
        if delivery != one.crossing.timeMilliseconds {
          entries[one.entry].deliveryMilliseconds = delivery
        }
      case .suppressed(let reason):
        entries[one.entry].suppression = reason
      }
    }
    reported.removeAll(keepingCapacity: true)
  }

  private mutating func explain(_ asked: [EntryPolicy.Entry], speed: Double) {
    guard let story = trace?.story, reported.contains(where: { entries[$0.entry].story == story })
    else { return }
    for (one, explanation) in zip(reported, policy.explain(asked, speed: speed))
    where entries[one.entry].story == story {
      trace?.explanations[one.entry] = explanation
    }
  }
}

// MARK: - Ranks

extension DeviceRun {
  private func rankingAtRefresh(of story: Int) -> EntryRecord.Ranking? {
    refreshPosition.flatMap { ranking(of: story, at: $0) }
  }

  /// How a story ranks at the point of a refresh, against the last of the set that it gave.
  private func ranking(of story: Int, at position: Position) -> EntryRecord.Ranking? {
    let rank = options.effectiveRank
    guard
      let last = monitored.map({ index.distanceMeters(of: $0, from: position, by: rank) }).max()
    else { return nil }
    return EntryRecord.Ranking(
      rank: index.rank(of: story, from: position, by: rank),
      distanceMeters: index.distanceMeters(of: story, from: position, by: rank),
      lastDistanceMeters: last)
  }

  /// How a story ranks where it is entered, against the last that a refresh there would let in.
  private func rankingAtEntry(of story: Int, at coordinate: Coordinate) -> EntryRecord.Ranking? {
    let rank = options.effectiveRank
    guard let slots = options.slots, slots > 0 else { return nil }
    let question: CandidateRequest.Question =
      rank == .center
      ? .nearestCenters(count: slots) : .nearestEdges(count: slots, exitMarginMeters: 0)
    guard
      case .found(let regions) = source.answer(
        CandidateRequest(question: question, coordinate: coordinate)),
      let last = regions.last.flatMap({ index.index(ofKey: $0.key) })
    else { return nil }
    let position = Position(coordinate)
    return EntryRecord.Ranking(
      rank: index.rank(of: story, from: position, by: rank),
      distanceMeters: index.distanceMeters(of: story, from: position, by: rank),
      lastDistanceMeters: index.distanceMeters(of: last, from: position, by: rank))
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
