import FencepostSession
import FencepostFiles
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostTracks

/// Analyzes one track after another, reusing its memory.
///
/// Each worker has its own; two tasks must not use one at the same time.
final class TrackAnalyzer {
  private let index: StoryIndex
  private let source: any PlaceSource
  private let options: TrackAnalysisOptions
  private var approach: TrackApproach
  private let simulator: TrackSimulator?

  init(_ index: StoryIndex, source: any PlaceSource, options: TrackAnalysisOptions) {
    (self.index, self.source, self.options) = (index, source, options)
    // Simulation needs the distances to decide which stories are near enough.
    approach = TrackApproach(
      index, measuresAll: options.measuresAllStories || options.chance != nil)
    simulator = options.chance.map {
      TrackSimulator($0, index, source: source, session: options.session, zone: options.zone)
    }
  }

  /// Analyzes the tracks of one person, or a track without a person.
  ///
  /// - Returns: The outcomes, up to a failure that ends the session or to a cancellation.
  func analyze(_ group: PersonTracks<String>) -> [TrackOutcome<TrackAnalysis>] {
    var course = PersonCourse()
    var outcomes: [TrackOutcome<TrackAnalysis>] = []
    var last: (index: Int, analysis: TrackAnalysis)?
    for path in group.tracks {
      let outcome = analyze(path, of: group.person, &course) { () throws(TrackFailure) in
        try FixReader(track: path, options: options.fixes)
      }
      if case .success(let analysis) = outcome { last = (outcomes.count, analysis) }
      outcomes.append(outcome)
      if case .interrupted = outcome { break }
      if case .failure(let failure) = outcome, options.isStrict, !failure.isOutside { break }
    }
    if var last {
      last.analysis.reached = course.reached
      last.analysis.phoneDays = phoneDays(of: course)
      outcomes[last.index] = .success(last.analysis)
    }
    return outcomes
  }

  /// Analyzes a track of a stream, leaving out the stories that alerted the person.
  func analyze(
    _ frame: TrackFrame, of person: String?, _ course: inout PersonCourse
  ) -> TrackOutcome<TrackAnalysis> {
    analyze(frame.track, of: person, &course) { () throws(TrackFailure) in
      switch frame.contents {
      case .unread(let sentence): throw TrackFailure(path: frame.track, kind: .unread(sentence))
      case .file(let path):
        return try FixReader(track: path, named: frame.track, options: options.fixes)
      case .bytes(let bytes):
        return FixReader(
          ByteSource(bytes: bytes, name: frame.track.shownFileName), options: options.fixes)
      }
    }
  }

  private func analyze(
    _ path: String, of person: String?, _ course: inout PersonCourse,
    open: () throws(TrackFailure) -> FixReader
  ) -> TrackOutcome<TrackAnalysis> {
    TrackOutcome { () throws(TrackFailure) in
      try analyze(path, of: person, &course) { (runs, onVertex) throws(TrackFailure) in
        try runs.follow(try open(), onVertex: onVertex)
      }
    }
  }

  /// Analyzes a track in memory, without a person, following all of its fixes.
  func analyze(_ track: RecordedTrack) -> TrackOutcome<TrackAnalysis> {
    TrackOutcome { () throws(TrackFailure) in
      var course = PersonCourse()
      var analysis = try analyze(track.name, of: nil, &course) {
        (runs, onVertex) throws(TrackFailure) in try runs.follow(track, onVertex: onVertex)
      }
      analysis?.reached = course.reached
      analysis?.phoneDays = phoneDays(of: course)
      return analysis
    }
  }

  private func analyze(
    _ path: String, of person: String?, _ course: inout PersonCourse,
    follow: (inout ComparedRuns, (PathPoint, Bool) -> Void) throws(TrackFailure) -> Bool
  ) throws(TrackFailure) -> TrackAnalysis? {
    let phone = LimitedRun(
      index, source: source, options: options.session, ranksMisses: true, memory: course.limited)
    var runs = ComparedRuns(
      path, index, source: source, rule: options.session, limited: [phone],
      memory: course.unlimited, selection: options.selection)
    var sketch = PathSketch(mostVertices: options.drawnVertices)
    var recorder = PathRecorder()
    let isSimulated = simulator != nil
    var days = DayCounter(zone: options.zone)
    var reminders = options.reminders.map {
      ReminderPass($0, among: source, session: options.session)
    }
    approach.reset()
    let isWhole = try follow(&runs) { point, isJoined in
      approach.take(point.coordinate, isJoined: isJoined)
      sketch.take(point.coordinate, isJoined: isJoined)
      if isSimulated { recorder.take(point, isJoined: isJoined) }
      days.take(point.timeMilliseconds)
      reminders?.take(point, isJoined: isJoined)
    }
    guard isWhole else { return nil }
    var account = runs.account
    let entries = runs.limited[0].entries
    var drift = EdgeDrift()
    for entry in entries {
      drift.enter(Int64(entry.story), atMilliseconds: entry.timeMilliseconds)
    }
    account.remarks.drift = drift.found { index.stories[Int($0)].title }
    account.person = person
    account.reminders = reminders?.finish()
    account.alertsByDay = days.alerts(of: entries)
    course.note(entries) { DayCounter.day(of: $0, in: options.zone) }
    (course.unlimited, course.limited) = (runs.memory, runs.limited[0].memory)
    var analysis = assemble(account, runs, lines: sketch.finish())
    guard let simulator else { return analysis }
    let scene = TrackScene(
      recorder, entries: entries, nearestMeters: analysis.nearestMeters, days: days.days)
    analysis.chances = simulator.run(scene, &course.phones)
    if recorder.fixes.isEmpty {
      analysis.account.notices.append("has no times, so no phone can be simulated on it")
    }
    return analysis
  }

  /// The days of a person by alerts, over all trials of each simulated phone.
  func phoneDays(of course: PersonCourse) -> [String: [Int: Int]] {
    guard let simulator else { return [:] }
    let days = zip(simulator.profiles, course.phones).map { profile, phone in
      (profile.name, phone.daysByAlerts(trials: simulator.simulation.trials))
    }
    return Dictionary(uniqueKeysWithValues: days)
  }

  private func assemble(
    _ account: TrackAccount, _ runs: borrowing ComparedRuns, lines: [[Coordinate]]
  ) -> TrackAnalysis {
    let entries = runs.limited[0].entries
    var account = account
    runs.limited[0].note(in: &account)
    for entry in entries { account.measures.add(entry) }
    for time in entries.lazy.filter(\.isAlert).compactMap(\.shownMilliseconds) {
      account.alertsByHour[Int(options.zone.secondOfDay(atMilliseconds: time) / 3600) % 24] += 1
    }
    account.rulesWithoutTime = rulesWithoutTime(entries)
    let crossed = StoryVerdict.all(of: entries, insideAtStart: runs.insideAtStart)
    account.note(crossed, of: index.count)
    let (nearestMeters, path) = approach.finish()
    var analysis = TrackAnalysis(
      account: account, nearestMeters: nearestMeters, crossed: crossed,
      entries: entries, moments: entries.alertMoments,
      crowds: runs.overlaps.crowds, lines: lines)
    if nearestMeters.isEmpty {
      analysis.crossedMeters = crossed.map {
        PathTree.distanceMeters(of: path, from: Position(index.stories[$0.story].coordinate))
      }
      analysis.path = path
    }
    return analysis
  }

  /// Returns the time-based rules that could not be applied to entries without a time.
  private func rulesWithoutTime(_ entries: [EntryRecord]) -> RulesWithoutTime {
    let alerts = options.session.alerts
    var rules: RulesWithoutTime = []
    var alerted: Set<Int> = []
    for entry in entries where entry.timeMilliseconds == nil {
      rules.formUnion(RulesWithoutTime(alerts, place: index.place(of: entry.story)))
      guard entry.isAlert, case .seconds = alerts.cooldown else { continue }
      if !alerted.insert(entry.story).inserted { rules.insert(.cooldown) }
    }
    return rules
  }
}
