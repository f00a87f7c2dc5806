import FencepostFixes
import FencepostGeodesy
import FencepostPhones
public import Fencepost
public import FencepostMonitoring
public import FencepostNotifications
public import FencepostPlaces
public import FencepostTracks

/// Analyses many tracks over the cores, in memory that does not grow with their number.
///
/// One pass over a track follows it twice: as a phone with the rule's limits would, and as the oracle, with every
/// place monitored. Each track begins with nothing monitored and no alert given.
public struct TrackAnalysisSession: Sendable {
  /// How tracks are analysed.
  public struct Options: Sendable {
    /// The rules of the device.
    public var session = TrackSession.Options()
    /// How bytes become fixes.
    public var fixes = FixStream.Options()
    /// Which fixes of the tracks are followed.
    public var selection = TrackSelection()
    /// The zone of the hours and days.
    public var zone = ClockZone.utc
    /// How many tracks to analyse at a time, at least 1.
    public var jobs = 1
    /// How many vertices of each path to keep for drawing; 0 keeps none.
    public var drawnVertices = 0
    /// Whether every track's distance from every story is wanted; it costs stories × tracks.
    public var measuresAllStories = true
    /// The phones to simulate; nil for none.
    public var chance: ChanceOptions?
    /// Whether the first bad track ends the session.
    public var isStrict = false

    /// Makes the defaults.
    public init() {}
  }

  let index: StoryIndex
  let options: Options
  let makeSource: @Sendable () throws -> any PlaceSource

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - index: All places of the store.
  ///   - options: How tracks are analysed.
  ///   - makeSource: Opens the store; called once for each worker.
  public init(
    index: StoryIndex, options: Options,
    makeSource: @escaping @Sendable () throws -> any PlaceSource
  ) {
    self.index = index
    self.options = options
    self.makeSource = makeSource
  }

  /// Makes a session over all places of a store.
  ///
  /// - Throws: The store's error.
  public init(store: PlaceStore, options: Options) throws {
    self.init(index: try StoryIndex(store), options: options) {
      StoreSource(reader: try store.makeReader())
    }
  }

  /// The stories, in the order in which analyses number them.
  public var stories: [Place] { index.stories }

  /// Finds the nearest track of each story where tracks do not measure every story.
  public func makeNearestTracks() -> NearestTracks { NearestTracks(index) }

  /// Analyses tracks that have been read, each alone; all of their fixes are followed.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - handOver: Called with the outcome of each, in order; after a cancellation with those that were finished.
  /// - Throws: The error of a source that cannot be opened, and what `handOver` throws.
  public func run(
    _ tracks: [RecordedTrack], handOver: (TrackOutcome<TrackAnalysis>) throws -> Void
  ) async throws {
    try await run(tracks.map { [.recorded($0)] }, of: { _ in nil }, handOver: handOver)
  }

  /// Analyses the tracks of persons: the alert policy goes on from one track of a person to the next.
  ///
  /// - Parameters:
  ///   - groups: The persons and their tracks.
  ///   - handOver: Called with the outcome of each, in order; after a cancellation with those that were
  ///     finished.
  /// - Throws: The error of a source that cannot be opened, what `handOver` throws, and with
  ///   ``Options/isStrict`` the first ``TrackFailure``, after handing it over.
  public func run(
    _ groups: [TrackGroup], handOver: (TrackOutcome<TrackAnalysis>) throws -> Void
  ) async throws {
    try await run(
      groups.map { $0.paths.map { .file($0) } }, of: { groups[$0].person }, handOver: handOver)
  }

  private func run(
    _ groups: [[TrackInput]], of person: @escaping @Sendable (Int) -> String?,
    handOver: (TrackOutcome<TrackAnalysis>) throws -> Void
  ) async throws {
    try await OrderedTaskPool(groups.count, jobs: options.jobs) {
      TrackAnalyzer(index, source: try makeSource(), options: options)
    }.run { analyzer, number in
      analyzer.analyze(groups[number], of: person(number))
    } handOver: { outcomes in
      for outcome in outcomes {
        try handOver(outcome)
        if case .failure(let failure) = outcome, options.isStrict, !failure.isOutside {
          throw failure
        }
      }
    }
  }

  // MARK: Streams

  /// What a session over a stream of tracks hands over.
  public enum StreamedResult: Sendable {
    /// The outcome of the next track, without the stories that it reached.
    case outcome(TrackOutcome<TrackAnalysis>)
    /// The stories that reached a person, after the last of the person's tracks.
    case reached([StoryReach])
  }

  /// Analyses the tracks of a stream one by one, each as soon as its bytes are there.
  ///
  /// Tracks of a person must follow one another, in time's order: the alert policy goes on from one to the next.
  ///
  /// - Parameters:
  ///   - frames: The tracks.
  ///   - person: The person of a track, by its name; nil if it stays alone.
  ///   - handOver: Called with each result, before the next frame is read.
  /// - Throws: ``TrackFrameError`` if the stream cannot be read to its end or a person's tracks are scattered, the
  ///   error of a source that cannot be opened, what `handOver` throws, and with ``Options/isStrict`` the first
  ///   ``TrackFailure``, after handing it over.
  public func run(
    _ frames: consuming TrackFrameReader, person: (String) -> String?,
    handOver: (StreamedResult) throws -> Void
  ) throws {
    let analyzer = TrackAnalyzer(index, source: try makeSource(), options: options)
    var course = PersonCourse()
    var current: String?
    var names: Set<String> = []
    func end() throws {
      if !course.reached.isEmpty { try handOver(.reached(course.reached)) }
      course = PersonCourse()
    }
    while !Task.isCancelled, let frame = try frames.next() {
      let person = person(frame.track)
      if person == nil || person != current {
        if let person, !names.insert(person).inserted {
          throw TrackFrameError.damaged(
            "\(frame.track): other tracks came between it and those of \(person); a person's tracks "
              + "must follow one another")
        }
        try end()
        current = person
      }
      let outcome = analyzer.analyze(.frame(frame), of: person, &course)
      try handOver(.outcome(outcome))
      if case .failure(let failure) = outcome, options.isStrict {
        try end()
        throw failure
      }
    }
    try end()
  }
}

/// The outcome of a track in a session.
public enum TrackOutcome<Success: Sendable>: Sendable {
  /// It was followed to its end.
  case success(Success)
  /// It was skipped.
  case failure(TrackFailure)
  /// The task was cancelled before its end.
  case interrupted

  /// Runs the work on a track, which returns nil if the task was cancelled.
  init(_ work: () throws(TrackFailure) -> Success?) {
    do throws(TrackFailure) {
      self = try work().map { .success($0) } ?? .interrupted
    } catch {
      self = .failure(error)
    }
  }
}

/// Analyses one track after the other, reusing its memory.
///
/// Each worker of a session has its own, with a source of its own: it must not be used by two tasks at once.
final class TrackAnalyzer {
  private let index: StoryIndex
  private let source: any PlaceSource
  private let options: TrackAnalysisSession.Options
  private var approach: NearestApproach
  private let simulator: TrackSimulator?

  init(_ index: StoryIndex, source: any PlaceSource, options: TrackAnalysisSession.Options) {
    self.index = index
    self.source = source
    self.options = options
    // A phone is simulated at the stories that a track comes near to.
    approach = NearestApproach(
      index, keepsPath: !options.measuresAllStories && options.chance == nil)
    simulator = options.chance.map {
      TrackSimulator($0, index, source: source, rule: options.session.monitoring)
    }
  }

  /// Analyses the tracks of a person in time's order, or one that stays alone.
  ///
  /// - Returns: The outcome of each, until one fails where that ends the session, or the task was cancelled.
  func analyze(_ tracks: [TrackInput], of person: String?) -> [TrackOutcome<TrackAnalysis>] {
    var course = PersonCourse()
    var outcomes: [TrackOutcome<TrackAnalysis>] = []
    var last: (index: Int, analysis: TrackAnalysis)?
    for track in tracks {
      let outcome = analyze(track, of: person, &course)
      if case .success(let analysis) = outcome { last = (outcomes.count, analysis) }
      outcomes.append(outcome)
      if case .interrupted = outcome { break }
      if case .failure(let failure) = outcome, options.isStrict, !failure.isOutside { break }
    }
    if var last {
      last.analysis.reached = course.reached
      outcomes[last.index] = .success(last.analysis)
    }
    return outcomes
  }

  /// Analyses one track.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - person: Whose track it is.
  ///   - course: What lasts from one track of the person to the next.
  /// - Returns: Its outcome, without the stories that it reached.
  func analyze(
    _ track: TrackInput, of person: String?, _ course: inout PersonCourse
  ) -> TrackOutcome<TrackAnalysis> {
    TrackOutcome { () throws(TrackFailure) in try analysis(of: track, person, &course) }
  }

  private func analysis(
    of track: TrackInput, _ person: String?, _ course: inout PersonCourse
  ) throws(TrackFailure) -> TrackAnalysis? {
    let device = DeviceRun(
      index, source: source, options: options.session, ranksMisses: true, state: course.device)
    var pass = TrackPass(
      track, index, source: source, rule: options.session, devices: [device],
      oracleState: course.oracle, selection: options.selection)
    var sketch = PathSketch(mostVertices: options.drawnVertices)
    var recorder = PathRecorder()
    let isSimulated = simulator != nil
    var days = DayCounter(zone: options.zone)
    approach.reset()
    let isWhole = try pass.follow(options.fixes) { point, isJoined in
      approach.take(point.coordinate, isJoined: isJoined)
      sketch.take(point.coordinate, isJoined: isJoined)
      if isSimulated { recorder.take(point, isJoined: isJoined) }
      days.take(point.timeMilliseconds)
    }
    guard isWhole else { return nil }
    var account = pass.account
    let entries = pass.devices[0].entries
    account.person = person
    account.alertsByDay = days.alerts(of: entries)
    course.note(entries) { DayCounter.day(of: $0, in: options.zone) }
    (course.oracle, course.device) = (pass.oracle.policyState, pass.devices[0].policyState)
    var analysis = assemble(account, pass.oracle, pass.devices[0], lines: sketch.finish())
    simulate(recorder.fixes, in: &analysis)
    return analysis
  }

  private func simulate(_ fixes: [PhonePath.Fix], in analysis: inout TrackAnalysis) {
    guard let simulator else { return }
    analysis.chances = simulator.run(
      analysis.account.track, fixes, crossed: analysis.crossed,
      nearestMeters: analysis.nearestMeters)
    if fixes.isEmpty {
      analysis.account.notices.append("has no times, so that no phone can be simulated on it")
    }
  }

  private func assemble(
    _ account: TrackAccount, _ oracle: OracleRun, _ device: DeviceRun, lines: [[Coordinate]]
  ) -> TrackAnalysis {
    var account = account
    account.numbers.add(device)
    account.isCertified = device.isCertified
    for entry in device.entries { account.measures.add(entry) }
    for entry in device.entries where entry.isAlert {
      guard let time = entry.shownMilliseconds else { continue }
      let hour = Int(options.zone.secondOfDay(atMilliseconds: time) / 3600) % 24
      account.alertsByHour[hour] += 1
    }
    account.rulesWithoutTime = rulesWithoutTime(device.entries)
    let crossed = StoryVerdict.all(of: device.entries, insideAtStart: oracle.insideAtStart)
    account.add(crossed, of: index.count)
    approach.finish()
    let nearestMeters = approach.distancesMeters
    var analysis = TrackAnalysis(
      account: account, nearestMeters: nearestMeters, crossed: crossed,
      entries: device.entries, moments: device.entries.alertMoments,
      crowds: oracle.overlaps.crowds, lines: lines)
    if nearestMeters.isEmpty {
      analysis.crossedMeters = crossed.map {
        PathTree.distanceMeters(
          of: approach.path, from: Position(index.stories[$0.story].coordinate))
      }
      analysis.path = approach.path
    }
    return analysis
  }

  /// The rules about time that entries escape, having none.
  private func rulesWithoutTime(_ entries: [EntryRecord]) -> RulesWithoutTime {
    let alerts = options.session.alerts
    var rules: RulesWithoutTime = []
    var alerted: Set<Int> = []
    for entry in entries where entry.timeMilliseconds == nil {
      rules.formUnion(RulesWithoutTime(alerts, place: index.stories[entry.story]))
      guard entry.isAlert, case .seconds = alerts.cooldown else { continue }
      if !alerted.insert(entry.story).inserted { rules.insert(.cooldown) }
    }
    return rules
  }
}
