import Fencepost
import FencepostAnalysis
import FencepostMonitoring
import FencepostPlaces

/// Answers the studio's questions: holds the tracks, the places of the store and the runs so far, all values.
///
/// The track that the page shows is followed first and answered at once; the others follow in the background.
/// A newer question ends the work on the older one.
actor StudioDesk {
  /// Why a question cannot be answered: a sentence without a full stop.
  struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  private(set) var scene: StudioScene
  /// The places of the store.
  private(set) var base: [Place]
  let jobs: Int
  /// The trial of the store's places under the rules to begin with, and its result by track.
  private var start: Trial
  private var startScores: [StudioScore?]
  /// The trial of the newest question, and what is known of it by track.
  private var latest: Trial
  /// The newest question; nil before the first.
  private(set) var asked: StudioQuestion?
  private var scores: [StudioScore?]
  /// The newest run of each track, of whatever trial.
  private var kept: [Trial.Kept?]
  private var number = 0
  private var follower: Task<Void, Never>?
  private var search: StudioSearch?
  private var work: Task<Trial.Kept?, any Error>?
  /// Sentences about tracks on which the newest trial failed, by track.
  private var failures: [Int: String] = [:]

  /// Makes a desk.
  ///
  /// - Parameters:
  ///   - scene: What the studio begins with.
  ///   - base: The places of its store.
  ///   - jobs: How many tracks are followed at a time in the background.
  /// - Throws: `PlaceIndexError` for a place that cannot be.
  init(_ scene: StudioScene, base: [Place], jobs: Int) throws(PlaceIndexError) {
    self.scene = scene
    self.base = base
    self.jobs = max(1, jobs)
    start = try Self.start(of: scene, base)
    latest = start
    kept = Array(repeating: nil, count: scene.tracks.count)
    startScores = Array(repeating: nil, count: scene.tracks.count)
    scores = startScores
  }

  private static func start(
    of scene: StudioScene, _ base: [Place]
  ) throws(PlaceIndexError) -> Trial {
    try Trial(
      base: base, changes: PlaceChanges(), options: scene.setting.session,
      phone: scene.setting.phone)
  }

  /// Makes a desk that knows what another one knows.
  private init(_ other: Knowledge) {
    (scene, base, jobs) = (other.scene, other.base, other.jobs)
    (start, startScores) = (other.start, other.startScores)
    (latest, scores, kept) = (other.latest, other.startScores.map { _ in nil }, other.kept)
  }

  private struct Knowledge: Sendable {
    let scene: StudioScene
    let base: [Place]
    let jobs: Int
    let start: Trial
    let startScores: [StudioScore?]
    let latest: Trial
    let kept: [Trial.Kept?]
  }

  /// A desk for other questions about the same tracks and places, which need not begin at nothing.
  func makeAnother() -> StudioDesk {
    StudioDesk(
      Knowledge(
        scene: scene, base: base, jobs: jobs, start: start, startScores: startScores,
        latest: latest, kept: kept))
  }

  // MARK: Questions

  /// The run of the asked track, as JSON; the other tracks follow in the background.
  ///
  /// - Returns: Nil if a newer question came meanwhile.
  /// - Throws: ``Refusal``.
  func answer(_ question: StudioQuestion) async throws(Refusal) -> [UInt8]? {
    number += 1
    let mine = number
    follower?.cancel()
    work?.cancel()
    let (trial, setting) = try await makeTrial(question)
    guard mine == number else { return nil }
    (latest, asked) = (trial, question)
    scores = Array(repeating: nil, count: scene.tracks.count)
    failures = [:]
    guard scene.tracks.indices.contains(question.track) else {
      return AnswerEncoder.run(nil, of: trial, setting, question: question)
    }
    guard try await prepareStart(question.track),
      let run = try await follow(question.track, under: trial), mine == number
    else { return nil }
    note(run, of: question.track)
    follower = Task { await followOthers(than: question.track, under: trial, mine) }
    return AnswerEncoder.run(
      run.run, of: trial, setting, question: question, score: scores[question.track],
      start: startScores[question.track])
  }

  /// What is known of the newest question on all tracks, as soon as there is much news, as JSON.
  func progress() async -> [UInt8] {
    let (mine, before) = (number, scores.count { $0 != nil })
    // Until all is done, or for a while, so that the page need not ask often.
    for _ in 0..<Self.progressSteps where number == mine && !isComplete {
      if scores.count(where: { $0 != nil }) >= before + max(1, scores.count / 10) { break }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return AnswerEncoder.progress(
      scores, start: startScores, failures: failures, isComplete: isComplete)
  }

  private static let progressSteps = 30

  private var isComplete: Bool {
    scores.indices.allSatisfy { scores[$0] != nil || failures[$0] != nil }
  }

  /// A trial of a question's places and rules, and what the rules are.
  func makeTrial(
    _ question: StudioQuestion
  ) async throws(Refusal) -> (trial: Trial, setting: StudioSetting) {
    let setting = try setting(of: question)
    return (try await makeTrial(question, setting.session, setting.phone), setting)
  }

  /// A trial of a question's places and rules as an analysis follows them, and the phone to simulate; nil for
  /// no phone.
  func makeChanceTrial(
    _ question: StudioQuestion
  ) async throws(Refusal) -> (trial: Trial, chance: ChanceOptions?) {
    let setting = try setting(of: question)
    return (try await makeTrial(question, setting.analysis, nil), setting.chance)
  }

  private func setting(of question: StudioQuestion) throws(Refusal) -> StudioSetting {
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
    let (base, previous, changes) = (base, latest, question.placeChanges)
    do {
      // Away from the actor, so that a newer question need not wait.
      return try await Task.detached {
        try Trial(base: base, changes: changes, options: options, phone: phone, after: previous)
      }.value
    } catch {
      throw Refusal(description: "\(error)")
    }
  }

  // MARK: Runs

  /// Makes sure that it is known what the track was to begin with; false if the work was cancelled.
  private func prepareStart(_ track: Int) async throws(Refusal) -> Bool {
    guard startScores[track] == nil else { return true }
    let before = start
    guard let run = try await follow(track, under: before) else { return false }
    // The store may have been saved meanwhile.
    if before.changes == start.changes {
      startScores[track] = StudioScore(run.run, stories: run.stories)
    }
    return true
  }

  /// Follows a track away from the actor; nil if the work was cancelled.
  private func follow(_ track: Int, under trial: Trial) async throws(Refusal) -> Trial.Kept? {
    let (recorded, earlier) = (scene.tracks[track], kept[track])
    let work = Task.detached { try trial.follow(recorded, after: earlier) }
    self.work = work
    do {
      let run = try await work.value
      if let run, kept.indices.contains(track) { kept[track] = run }
      return run
    } catch {
      throw Refusal(description: "\(error)")
    }
  }

  private func note(_ run: Trial.Kept, of track: Int) {
    scores[track] = StudioScore(run.run, stories: run.stories)
  }

  private func followOthers(than shown: Int, under trial: Trial, _ mine: Int) async {
    let tracks = scene.tracks.indices.filter { $0 != shown }
    await withTaskGroup(of: (Int, Outcome).self) { group in
      var next = 0
      func launch() {
        guard next < tracks.count, mine == number, !Task.isCancelled else { return }
        let track = tracks[next]
        next += 1
        let job = Job(
          track: scene.tracks[track], kept: kept[track], trial: trial,
          start: startScores[track] == nil ? start : nil)
        group.addTask { (track, job.run()) }
      }
      for _ in 0..<jobs { launch() }
      for await (track, outcome) in group {
        guard mine == number else { continue }
        take(outcome, of: track)
        launch()
      }
    }
  }

  /// What came of following one of the other tracks.
  private enum Outcome: Sendable {
    case done(Trial.Kept, start: StudioScore?)
    case failed(String)
    case cancelled
  }

  private struct Job: Sendable {
    let track: RecordedTrack
    let kept: Trial.Kept?
    let trial: Trial
    /// The trial to begin with, where its result is not known yet.
    let start: Trial?

    func run() -> Outcome {
      do throws(TrackFailure) {
        var kept = kept
        var score: StudioScore?
        if let start {
          guard let run = try start.follow(track, after: kept) else { return .cancelled }
          score = StudioScore(run.run, stories: run.stories)
          kept = run
        }
        guard let run = try trial.follow(track, after: kept) else { return .cancelled }
        return .done(run, start: score)
      } catch {
        return .failed(error.description)
      }
    }
  }

  private func take(_ outcome: Outcome, of track: Int) {
    switch outcome {
    case .done(let run, let score):
      if let score { startScores[track] = score }
      kept[track] = run
      note(run, of: track)
    case .failed(let sentence): failures[track] = sentence
    case .cancelled: break
    }
  }

  // MARK: Advice

  /// Notes a search for changes; one that is under way ends.
  func begin(_ search: StudioSearch) {
    stopAdvising()
    self.search = search
  }

  /// Ends the search for changes with what it has found.
  func stopAdvising() { search?.task.cancel() }

  // MARK: Changes of the scene

  /// Takes further tracks.
  func add(_ tracks: [RecordedTrack]) {
    scene.tracks += tracks
    for _ in tracks {
      kept.append(nil)
      scores.append(nil)
      startScores.append(nil)
    }
  }

  /// The scene as JSON.
  func encodedScene() -> [UInt8] { SceneEncoder.scene(scene, base) }

  /// A track's fixes as JSON; nil if there is none of that number.
  func encodedTrack(_ track: Int) -> [UInt8]? {
    scene.tracks.indices.contains(track) ? SceneEncoder.track(scene.tracks[track]) : nil
  }

  /// Writes a question's changes to the store, and begins anew with what it then holds.
  ///
  /// - Returns: As JSON the places of the store, or the conflicts with what others have written.
  /// - Throws: ``Refusal``.
  func save(_ question: StudioQuestion) async throws(Refusal) -> [UInt8] {
    guard scene.canSave else {
      throw Refusal(description: "these places are no store that could be written")
    }
    if let fault = question.fault { throw Refusal(description: fault) }
    let known = question.known ?? [:]
    let edits = question.changes.sorted { $0.key < $1.key }.map { id, place in
      PlaceEdit(id: id, before: known[id] ?? nil, after: place)
    }
    let store = scene.store
    do {
      let outcome = try await Task.detached { try store.edit(edits) }.value
      if case .written = outcome { try reload() }
      return AnswerEncoder.save(outcome, places: base)
    } catch {
      throw Refusal(description: "\(error)")
    }
  }

  /// A question's places in another program's form.
  ///
  /// - Throws: ``Refusal``.
  func export(_ question: StudioQuestion) async throws(Refusal) -> (type: String, body: [UInt8]) {
    // The circles as they are, not as a phone notices them.
    let places = try await makeChanceTrial(question).trial.places.places
    guard let form = question.form, let file = scene.export(places, form) else {
      throw Refusal(description: "the stories can be had as csv or geojson")
    }
    return file
  }

  /// Begins anew with the places that the store has now.
  func reload() throws {
    let places = try scene.places()
    start = try Self.start(of: scene, places)
    base = places
    (latest, asked) = (start, nil)
    number += 1
    follower?.cancel()
    for track in kept.indices { (kept[track], startScores[track], scores[track]) = (nil, nil, nil) }
  }
}
