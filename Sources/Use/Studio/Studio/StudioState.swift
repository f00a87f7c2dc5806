#if Command
import FencepostSession
import FencepostAnalysis
import FencepostExpectations
import FencepostLive
import FencepostMonitoring
import FencepostPlaces
import FencepostReporting
import FoundationEssentials

/// What the studio's server keeps between requests: tracks, places, and work on whole analyses.
///
/// Several pages may share it. Long work runs away from the actor, so that it can answer others
/// meanwhile and stop the work.
actor StudioState {
  /// The tracks and the initial rules; pages add and remove tracks.
  private(set) var scene: StudioScene
  /// The places of the store when it was last read.
  private(set) var base: [Place]
  /// The number of tracks to analyze in parallel.
  let jobs: Int
  /// Where answers are worked out; nil for the system's threads of tasks.
  let executor: (any TaskExecutor)?
  /// The question that a report is about; nil for the initial setting.
  var asked: StudioQuestion?
  /// How often the stories and the walks have changed.
  ///
  /// A page learns by them of another page's changes.
  private var versions = (stories: 0, walks: 0)
  /// The removed walks by the number that restores them, each with its index.
  private var removed: [Int: (index: Int, track: RecordedTrack)] = [:]
  /// Counts the reminders that a setting costs, while it runs.
  var counting: Task<String?, Never>?
  /// The search for changes that gain alerts, while it runs.
  var search: Task<Advice, any Error>?

  /// Starts with a scene; `jobs` tracks are processed at a time.
  init(_ scene: StudioScene, jobs: Int, executor: (any TaskExecutor)?) throws {
    self.executor = executor
    self.scene = scene
    self.jobs = max(1, jobs)
    base = try scene.store.allPlaces()
  }

  /// The rules of a question; rules without a field on the page are the initial ones.
  func setting(of question: StudioQuestion) throws(StudioRefusal) -> StudioSetting {
    try question.rules.setting(from: scene.setting.session, scene.phones)
  }

  /// A what-if of a question as an analysis follows it, and the phone to simulate, if any.
  func makeWhatIf(
    _ question: StudioQuestion
  ) async throws(StudioRefusal) -> (whatIf: WhatIf, chance: ChanceOptions?) {
    let (base, setting) = (base, try setting(of: question))
    let whatIf = try await apart {
      try WhatIf(base: base, changes: question.changes, options: setting.analysis)
    }
    return (whatIf, setting.chance)
  }

  /// Runs `body` away from the actor.
  private func apart<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws(StudioRefusal) -> Value {
    do {
      return try await Task.detached(executorPreference: executor) { try body() }.value
    } catch {
      throw StudioRefusal(description: "\(error)")
    }
  }

  // MARK: The scene

  /// Adds a track at the end.
  func add(_ track: RecordedTrack) {
    scene.tracks.append(track)
    versions.walks += 1
  }

  /// Removes the walk with an index and a name.
  ///
  /// - Returns: The number that restores it.
  func remove(_ index: Int, named name: String) throws(StudioRefusal) -> Int {
    guard let track = track(index, named: name) else {
      throw StudioRefusal(description: "\(name) is not open here any more")
    }
    versions.walks += 1
    removed[versions.walks] = (track, scene.tracks.remove(at: track))
    return versions.walks
  }

  /// Puts a removed walk back where it was.
  func restore(_ number: Int) throws(StudioRefusal) {
    guard let (index, track) = removed.removeValue(forKey: number) else {
      throw StudioRefusal(description: "this walk is open already")
    }
    scene.tracks.insert(track, at: min(index, scene.tracks.count))
    versions.walks += 1
  }

  /// The index of the walk that a page knows by this index and name; other pages may have moved it.
  func track(_ index: Int, named name: String?) -> Int? {
    guard let name else { return scene.tracks.indices.contains(index) ? index : nil }
    if scene.tracks.indices.contains(index), scene.tracks[index].name == name { return index }
    return scene.tracks.firstIndex { $0.name == name }
  }

  /// The scene for a page that opens, as JSON.
  func encodedScene() throws -> [UInt8] { try StudioWire.scene(scene, base) }

  /// What a page compares to learn of the changes of others.
  func news() -> [UInt8] {
    StudioWire.object {
      $0.member("stories", versions.stories)
      $0.member("walks", versions.walks)
    }
  }

  /// Writes a question's changes to the store and restarts with its new contents.
  ///
  /// - Returns: As JSON, the store's places, or the conflicts with other programs' changes.
  func save(_ question: StudioQuestion) async throws(StudioRefusal) -> [UInt8] {
    guard scene.canSave else {
      throw StudioRefusal(
        description: "these stories come from a file, not from a store, so they cannot be saved")
    }
    let known = question.known.byID
    let edits = question.changes.byID.sorted { $0.key < $1.key }.map { id, place in
      PlaceEdit(id: id, before: known[id] ?? nil, after: place)
    }
    let store = scene.store
    let outcome = try await apart {
      try store.edit(edits) { StudioWire.note($0, atMilliseconds: SystemTime.epochMilliseconds) }
    }
    do {
      if case .written = outcome {
        try reload()
        versions.stories += 1
      }
    } catch {
      throw StudioRefusal(description: "\(error)")
    }
    return StudioWire.save(outcome, places: base)
  }

  /// What was saved in the store lately, oldest first, as JSON.
  func saves() async throws(StudioRefusal) -> [UInt8] {
    let store = scene.store
    let notes = try await apart { try store.saveNotes() }
    return StudioWire.object { $0.array("saves", notes) { $0.append(verbatim: $1) } }
  }

  /// Restarts with the current places of the store.
  func reload() throws {
    base = try scene.store.allPlaces()
    asked = nil
  }

  /// A question's places in another program's format, its rules as a file for `--rules`, or what
  /// happens to its story on its track as a file for `fencepost test`.
  func export(_ question: StudioQuestion) async throws(StudioRefusal) -> (
    type: String, body: [UInt8]
  ) {
    if question.form == "case", scene.tracks.indices.contains(question.track) {
      let rules = RuleArguments.entries(try setting(of: question))
      let (whatIf, chance) = try await makeWhatIf(question)
      let (scene, track) = (scene, scene.tracks[question.track])
      let text = try await apart {
        try whatIf.caseText(
          on: track, path: Self.absolute(track.name), of: question.story,
          places: Self.absolute(scene.store.path), rules: rules, zone: scene.zone, chance: chance)
      }
      return ("application/yaml", Array(text.utf8))
    }
    if question.form == "rules", let text = scene.rulesText {
      let rules = text.write(RuleArguments.entries(try setting(of: question)))
      return ("application/yaml", Array(rules.utf8))
    }
    // Use the circles as they are, not as a phone notices them.
    let places = try await makeWhatIf(question).whatIf.places.places
    guard let form = question.form, let file = scene.export(places, form) else {
      throw StudioRefusal(description: "the stories can only be exported as csv or geojson")
    }
    return file
  }

  /// The whole path of a file, which works from every folder; the name of what is not a file.
  private static func absolute(_ name: String) -> String {
    let folder = FileManager.default.currentDirectoryPath
    let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
    return FileManager.default.fileExists(atPath: path) ? path : name
  }

  /// The rules in a file's bytes as JSON, with sentences about options that the page cannot change.
  func readRules(_ bytes: [UInt8], name: String) throws(StudioRefusal) -> [UInt8] {
    guard let text = scene.rulesText else {
      throw StudioRefusal(description: "this studio does not read files of rules")
    }
    do {
      let reading = try text.read(bytes, name, scene)
      let rules = StudioRules(reading.setting, zone: reading.zone)
      let (whole, here) = (
        try rules.applied(to: reading.setting.session), try rules.applied(to: scene.setting.session)
      )
      let notices = Rules.table.compactMap { rule -> String? in
        guard let line = reading.lines[rule.name], rule.value(whole) != rule.value(here)
        else { return nil }
        return "\(name), line \(line): the page cannot change \(rule.name); "
          + "to use it, start the studio with this file"
      }
      return StudioWire.rules(rules, notices: notices)
    } catch let fault as StudioRefusal {
      throw StudioRefusal(description: "\(name): \(fault)")
    } catch {
      throw StudioRefusal(description: "\(error)")
    }
  }

  /// The newest question's places and rules as an analysis follows them, or else the initial ones.
  func makeAnalysis() async throws(StudioRefusal) -> (whatIf: WhatIf, chance: ChanceOptions?) {
    if let asked { return try await makeWhatIf(asked) }
    let (base, setting) = (base, scene.setting)
    let whatIf = try await apart {
      try WhatIf(base: base, changes: PlaceChanges(), options: setting.analysis)
    }
    return (whatIf, setting.chance)
  }
}
#endif
