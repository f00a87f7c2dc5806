import Fencepost
import FencepostAnalysis
import FencepostExpectations
import FencepostFixes
import FencepostLive
import FencepostMonitoring
import FencepostPlaces
import FencepostReporting

/// Answers the studio's questions from its tracks, the store's places and the runs so far.
///
/// The track that the page shows is processed first and answered at once; the others follow in the
/// background. A newer question cancels work on the older one.
actor StudioTrials {
  /// Why a question cannot be answered: a sentence without a period.
  struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  /// One of two settings: the one being edited, or the one it is compared with.
  private struct Lane {
    /// The trial of the newest question, and its results by track.
    var trial: Trial
    var scores: [StudioScore?]
    var failures: [Int: String] = [:]
    /// The newest run of each track, from any trial.
    var kept: [Trial.Kept?]
    /// The unique number of the newest question.
    var number = 0
    var work: Task<Trial.Kept?, any Error>?
    var followers: Task<Void, Never>?

    init(_ trial: Trial, tracks: Int) {
      self.trial = trial
      scores = Array(repeating: nil, count: tracks)
      kept = Array(repeating: nil, count: tracks)
    }

    var isComplete: Bool { scores.indices.allSatisfy { scores[$0] != nil || failures[$0] != nil } }

    func stop() {
      work?.cancel()
      followers?.cancel()
    }
  }

  private(set) var scene: StudioScene
  private(set) var base: [Place]
  let jobs: Int
  /// The trial of the store's places under the initial rules, and its results by track.
  private var start: Trial
  private var startScores: [StudioScore?]
  private var main: Lane
  /// The setting to compare with, created when it is first needed.
  private var pinned: Lane?
  private var lastNumber = 0
  /// The newest question about the setting being edited; nil before the first.
  private(set) var asked: StudioQuestion?
  /// The phone that is being simulated, if any.
  var chances: StudioChances?
  var chanceTask: Task<Void, Never>?
  var simulations = 0
  /// Counts the reminders that a setting costs, while it runs.
  var counting: Task<String?, Never>?
  /// The search for changes that gain alerts, while it runs.
  var search: Task<Advice, any Error>?

  /// Starts with a scene; `jobs` tracks are processed at a time in the background.
  init(_ scene: StudioScene, jobs: Int) throws {
    self.scene = scene
    self.jobs = max(1, jobs)
    base = try scene.store.allPlaces()
    start = try Self.start(of: scene, base)
    startScores = Array(repeating: nil, count: scene.tracks.count)
    main = Lane(start, tracks: scene.tracks.count)
  }

  private static func start(
    of scene: StudioScene, _ base: [Place]
  ) throws(PlaceIndexError) -> Trial {
    try Trial(
      base: base, changes: PlaceChanges(), options: scene.setting.session,
      phone: scene.setting.phone)
  }

  private static let pinnedName = "pinned"

  private subscript(_ name: String?) -> Lane {
    get {
      guard name == Self.pinnedName else { return main }
      if let pinned { return pinned }
      // Start from the existing runs.
      var made = Lane(main.trial, tracks: scene.tracks.count)
      made.kept = main.kept
      return made
    }
    set { if name == Self.pinnedName { pinned = newValue } else { main = newValue } }
  }

  private func forgetPinned() {
    pinned?.stop()
    pinned = nil
  }

  // MARK: Questions

  /// The run of the question's track as JSON; the other tracks follow in the background.
  ///
  /// - Returns: Nil if a newer question came in the meantime.
  func answer(_ question: StudioQuestion) async throws(Refusal) -> [UInt8]? {
    let name = question.lane
    // The simulation belongs to an older setting.
    if name == nil { stopChances() }
    let mine = begin(name)
    let setting = try setting(of: question)
    let trial = try await makeTrial(question, setting.session, setting.phone)
    guard mine == self[name].number else { return nil }
    if name == nil { asked = question }
    self[name].trial = trial
    self[name].scores = Array(repeating: nil, count: scene.tracks.count)
    self[name].failures = [:]
    let track = question.track
    var run: Trial.Kept?
    if scene.tracks.indices.contains(track) {
      guard try await prepareStart(track, name, mine),
        let followed = try await follow(track, trial, name, mine)
      else { return nil }
      run = followed
      self[name].scores[track] = StudioScore(followed, track: track)
      self[name].followers = Task { await followOthers(than: track, trial, name, mine) }
    }
    return StudioWire.answer(
      run?.run, of: trial, setting, question: question,
      score: run.flatMap { _ in self[name].scores[track] },
      start: run.flatMap { _ in startScores[track] })
  }

  /// Cancels work on a lane's older question and numbers the new one.
  private func begin(_ name: String?) -> Int {
    lastNumber += 1
    self[name].stop()
    self[name].number = lastNumber
    return lastNumber
  }

  /// The results for the newest question on all tracks as JSON, as soon as there is enough news.
  func progress(_ name: String?) async -> [UInt8] {
    let mine = self[name].number
    await waitForNews(of: scene.tracks.count) {
      let lane = self[name]
      return mine == lane.number && !lane.isComplete ? lane.scores.count { $0 != nil } : nil
    }
    let lane = self[name]
    return StudioWire.progress(
      lane.scores, start: startScores, failures: lane.failures, isComplete: lane.isComplete)
  }

  /// Waits until the newest question is answered on all tracks.
  func finish() async { await main.followers?.value }

  /// The IDs of the stories that each track entered, for the newest question.
  func enteredStories() -> [Set<String>] { main.scores.map { Set($0?.byID.keys ?? [:].keys) } }

  /// Waits, up to a limit, for a tenth of the tracks, unless `done` returns nil.
  func waitForNews(of count: Int, _ done: () -> Int?) async {
    let before = done() ?? 0
    for _ in 0..<30 {
      guard let done = done(), done < before + max(1, count / 10) else { return }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  /// A trial of a question as an analysis follows it, and the phone to simulate, if any.
  func makeChanceTrial(
    _ question: StudioQuestion
  ) async throws(Refusal) -> (trial: Trial, chance: ChanceOptions?) {
    let setting = try setting(of: question)
    return (try await makeTrial(question, setting.analysis, nil), setting.chance)
  }

  func setting(of question: StudioQuestion) throws(Refusal) -> StudioSetting {
    if let fault = question.fault { throw Refusal(description: fault) }
    do throws(StudioRules.Fault) {
      return try question.rules.setting(in: scene)
    } catch {
      throw Refusal(description: error.description)
    }
  }

  private func makeTrial(
    _ question: StudioQuestion, _ options: TrackSession.Options, _ phone: PhoneRules?
  ) async throws(Refusal) -> Trial {
    let (base, previous, changes) = (base, self[question.lane].trial, question.placeChanges)
    // Away from the actor, so that a newer question need not wait.
    return try await apart {
      try Trial(base: base, changes: changes, options: options, phone: phone, after: previous)
    }
  }

  /// Runs `body` away from the actor.
  private func apart<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws(Refusal) -> Value {
    do {
      return try await Task.detached { try body() }.value
    } catch {
      throw Refusal(description: "\(error)")
    }
  }

  // MARK: Runs

  /// Ensures that a track's initial result is known; false if a newer question came.
  private func prepareStart(
    _ track: Int, _ name: String?, _ mine: Int
  ) async throws(Refusal) -> Bool {
    guard startScores[track] == nil else { return true }
    guard let run = try await follow(track, start, name, mine) else { return false }
    startScores[track] = StudioScore(run, track: track)
    return true
  }

  /// Follows a track away from the actor; nil if a newer question or other places came.
  private func follow(
    _ track: Int, _ trial: Trial, _ name: String?, _ mine: Int
  ) async throws(Refusal) -> Trial.Kept? {
    let (recorded, earlier) = (scene.tracks[track], self[name].kept[track])
    let work = Task.detached { try trial.follow(recorded, after: earlier) }
    self[name].work = work
    do {
      guard let run = try await work.value, mine == self[name].number else { return nil }
      self[name].kept[track] = run
      return run
    } catch {
      throw Refusal(description: "\(error)")
    }
  }

  private func followOthers(than shown: Int, _ trial: Trial, _ name: String?, _ mine: Int) async {
    await work(on: scene.tracks.indices.filter { $0 != shown }) {
      mine == self[name].number && !Task.isCancelled
    } job: { track in
      let (recorded, kept) = (scene.tracks[track], self[name].kept[track])
      let start = startScores[track] == nil ? start : nil
      return { () throws(TrackFailure) -> Followed? in
        let before = try start?.follow(recorded, after: kept)
        if start != nil, before == nil { return nil }
        return try trial.follow(recorded, after: before ?? kept)
          .map { Followed(run: $0, start: before.map { StudioScore($0, track: track) }) }
      }
    } take: { track, result in
      switch result {
      case .success(let followed?):
        if let start = followed.start { startScores[track] = start }
        self[name].kept[track] = followed.run
        self[name].scores[track] = StudioScore(followed.run, track: track)
      case .success(nil): break
      case .failure(let failure): self[name].failures[track] = failure.description
      }
    }
  }

  /// A run in the background, and the initial result if it was unknown.
  private struct Followed: Sendable {
    let run: Trial.Kept
    let start: StudioScore?
  }

  /// Processes tracks, `jobs` at a time, until all are done or `isWanted` returns false.
  func work<Value: Sendable>(
    on tracks: [Int], while isWanted: () -> Bool,
    job: (Int) -> @Sendable () throws(TrackFailure) -> Value,
    take: (Int, Result<Value, TrackFailure>) -> Void
  ) async {
    await withTaskGroup(of: (Int, Result<Value, TrackFailure>).self) { group in
      var waiting = tracks[...]
      func launch() {
        guard isWanted(), let track = waiting.popFirst() else { return }
        let job = job(track)
        group.addTask { (track, Result(catching: job)) }
      }
      for _ in 0..<jobs { launch() }
      for await (track, result) in group where isWanted() {
        take(track, result)
        launch()
      }
    }
  }

  // MARK: The scene

  func add(_ track: RecordedTrack) {
    scene.tracks.append(track)
    main.kept.append(nil)
    main.scores.append(nil)
    startScores.append(nil)
    forgetPinned()
  }

  /// The base map around the tracks, or without tracks around the places, as JSON.
  func baseMap() -> [UInt8] {
    let fixes = scene.tracks.lazy.flatMap(\.fixes).map(\.coordinate)
    var output = OutputBuffer()
    (scene.tracks.isEmpty ? BaseMap(around: base.map(\.coordinate)) : BaseMap(around: fixes))
      .write(to: &output)
    return Array(output.text.utf8)
  }

  /// The newest runs under the setting being edited, by track.
  var keptRuns: [Trial.Kept?] { main.kept }

  func encodedScene() -> [UInt8] { StudioWire.scene(scene, base) }

  /// Writes a question's changes to the store and restarts with its new contents.
  ///
  /// - Returns: As JSON, the store's places, or the conflicts with other programs' changes.
  func save(_ question: StudioQuestion) async throws(Refusal) -> [UInt8] {
    guard scene.canSave else {
      throw Refusal(
        description: "these stories come from a file, not from a store, so they cannot be saved")
    }
    if let fault = question.fault { throw Refusal(description: fault) }
    let known = question.known ?? [:]
    let edits = question.changes.sorted { $0.key < $1.key }.map { id, place in
      PlaceEdit(id: id, before: known[id] ?? nil, after: place)
    }
    let store = scene.store
    let outcome = try await apart {
      try store.edit(edits) { StudioWire.note($0, atMilliseconds: SystemTime.epochMilliseconds) }
    }
    do {
      if case .written = outcome { try reload() }
    } catch {
      throw Refusal(description: "\(error)")
    }
    forgetPinned()
    return StudioWire.save(outcome, places: base)
  }

  /// What was saved in the store lately, oldest first, as JSON.
  func saves() async throws(Refusal) -> [UInt8] {
    let store = scene.store
    let notes = try await apart { try store.saveNotes() }
    return StudioWire.object { $0.array("saves", notes) { $0.append(verbatim: $1) } }
  }

  /// Restarts with the current places of the store.
  func reload() throws {
    let places = try scene.store.allPlaces()
    start = try Self.start(of: scene, places)
    base = places
    main.followers?.cancel()
    main = Lane(start, tracks: scene.tracks.count)
    lastNumber += 1
    main.number = lastNumber
    asked = nil
    startScores = Array(repeating: nil, count: scene.tracks.count)
    forgetPinned()
  }

  /// A question's places in another program's format, its rules as a file for `--rules`, or what
  /// happens to its story on its track as a file for `fencepost test`.
  func export(_ question: StudioQuestion) async throws(Refusal) -> (type: String, body: [UInt8]) {
    if question.form == "case", scene.tracks.indices.contains(question.track) {
      let rules = RuleArguments.entries(try setting(of: question))
      let trial = try await makeChanceTrial(question).trial
      let (scene, track) = (scene, scene.tracks[question.track])
      let text = try await apart {
        try trial.caseText(
          on: track, of: question.story, places: scene.store.path, rules: rules, zone: scene.zone)
      }
      return ("application/yaml", Array(text.utf8))
    }
    if question.form == "rules", let text = scene.rulesText {
      let rules = text.write(RuleArguments.entries(try setting(of: question)))
      return ("application/yaml", Array(rules.utf8))
    }
    // Use the circles as they are, not as a phone notices them.
    let places = try await makeChanceTrial(question).trial.places.places
    guard let form = question.form, let file = scene.export(places, form) else {
      throw Refusal(description: "the stories can only be exported as csv or geojson")
    }
    return file
  }

  /// The rules in a file's bytes as JSON, with sentences about options that the page cannot change.
  func readRules(_ bytes: [UInt8], name: String) throws(Refusal) -> [UInt8] {
    guard let text = scene.rulesText else {
      throw Refusal(description: "this studio does not read files of rules")
    }
    do {
      let reading = try text.read(bytes, name, scene)
      let rules = StudioRules(reading.setting, zone: reading.zone)
      let (whole, here) = (
        try rules.applied(to: reading.setting.session), try rules.applied(to: scene.setting.session)
      )
      let notices = RuleOption.all.compactMap { option -> String? in
        guard let line = reading.lines[option.name], option.value(whole) != option.value(here)
        else { return nil }
        return "\(name), line \(line): the page cannot change \(option.name.dropFirst(2)). "
          + "To use it, start the studio with --rules \(name)"
      }
      return StudioWire.rules(rules, notices: notices)
    } catch let fault as StudioRules.Fault {
      throw Refusal(description: "\(name): \(fault)")
    } catch {
      throw Refusal(description: "\(error)")
    }
  }

  /// The newest question's places and rules as an analysis follows them, or else the initial ones.
  func makeAnalysis() async throws(Refusal) -> (trial: Trial, chance: ChanceOptions?) {
    if let asked { return try await makeChanceTrial(asked) }
    let (base, setting) = (base, scene.setting)
    let trial = try await apart {
      try Trial(base: base, changes: PlaceChanges(), options: setting.analysis)
    }
    return (trial, setting.chance)
  }
}
