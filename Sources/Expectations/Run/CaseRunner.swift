import FencepostAnalysis
import FencepostFormats
import FencepostFiles
import FencepostMonitoring
import FencepostPlaces
import FencepostReporting

/// Runs the cases of a file, each walk once for each set of rules.
///
/// The run is that of `analyze`, with every story indexed in memory.
package final class CaseRunner {
  package let file: CaseFile
  /// Rows of stories that were refused.
  package private(set) var notices: [String] = []

  private let mostTrials: Int
  private let folder: String
  private let read: ([CaseRule]) throws -> CaseRules
  private var rules: [[String]: CaseRules] = [:]
  private var tracks: [TrackKey: RecordedTrack] = [:]
  private(set) var base: [Place] = []

  private struct TrackKey: Hashable {
    var source: CaseTrack.Source
    var rules: [String]
  }

  /// Reads the stories.
  ///
  /// - Parameters:
  ///   - file: The cases.
  ///   - folder: The folder of the case file, with a final slash, or empty.
  ///   - mostTrials: Simulate at most this many times to decide a probability.
  ///   - rules: Makes the rules of a case from its options.
  /// - Throws: `JSONPathError`.
  package init(
    _ file: CaseFile, folder: String, mostTrials: Int,
    rules: @escaping ([CaseRule]) throws -> CaseRules
  ) throws {
    (self.file, self.folder, self.mostTrials, read) = (file, folder, mostTrials, rules)
    base = try places()
    guard !base.isEmpty else { throw JSONPathError(path: "places", sentence: "there is no story") }
  }

  /// Runs every case.
  ///
  /// - Throws: `JSONPathError` for an input that cannot be read, errors of the reader of rules, and
  ///   `CancellationError`.
  package func run() throws -> [CaseResult] {
    let stand = CaseStand(PlaceChanges())
    return try file.cases.map { story in
      guard !story.expectations.isEmpty else {
        throw JSONPathError(
          path: story.path, sentence: "expects nothing. Write “expect”, or see --record")
      }
      let judge = try self.judge(story, stand)
      return CaseResult(
        name: story.name, path: story.path,
        findings: try story.expectations.map { try judge.finding(of: $0) })
    }
  }

  /// Follows the walks of a case under a stand's changes.
  func judge(
    _ story: StoryCase, _ stand: CaseStand, after kept: [Trial.Kept] = []
  ) throws -> CaseJudge {
    try Task.checkCancellation()
    let applied = story.rules.filter { $0.name != stand.ruleLeftOut }
    let key = applied.key
    let rules = try self.rules(applied, key)
    let tracks = try self.tracks(of: story, rules)
    let trial: Trial
    do throws(PlaceIndexError) {
      trial = try stand.trial(key) { (previous) throws(PlaceIndexError) in
        try Trial(
          base: base, changes: stand.changes, options: rules.session, after: previous)
      }
    } catch { throw JSONPathError(path: "places", sentence: "\(error)") }
    let runs = try stand.runs(.init(rules: key, walks: story.tracks.map(\.source))) {
      try trial.follow(tracks, after: kept)
    }
    return CaseJudge(trial, runs, tracks, rules, mostTrials: mostTrials)
  }

  /// The rules of an option's values, read once for each set of options.
  func rules(_ applied: [CaseRule], _ key: [String]) throws -> CaseRules {
    if let known = rules[key] { return known }
    let made = try read(applied)
    rules[key] = made
    return made
  }
}

// MARK: - Input

extension CaseRunner {
  private func tracks(of story: StoryCase, _ rules: CaseRules) throws -> [RecordedTrack] {
    let reading = story.rules.filter { CaseRules.ofReading.contains($0.name) }.key
    return try story.tracks.map { track in
      let key = TrackKey(source: track.source, rules: reading)
      if let known = tracks[key] { return known }
      let made: RecordedTrack
      switch track.source {
      case .points(let points): made = points.track()
      case .file(let name):
        let path = resolved(name)
        if FileIdentity(reading: path) != nil,
          PlaceFileProbe.holdsPlaces(path: path, isTable: true)
        {
          throw track.error("\(path) looks like a list of stories, not a walk")
        }
        do throws(TrackFailure) {
          made = try RecordedTrack(path: path, name: name, options: rules.fixes)
        } catch { throw track.error("\(error)") }
      }
      tracks[key] = made
      return made
    }
  }

  private func places() throws -> [Place] {
    switch file.places {
    case .list(let places): return places
    case .file(let name):
      let path = resolved(name)
      do {
        if try Self.isStore(path) { return try StoryIndex(PlaceStore(path: path)).places }
        let imported = try PlaceStore.inMemory(from: [path])
        notices = imported.report.refusals.map(\.description)
        return try StoryIndex(imported.store).places
      } catch { throw JSONPathError(path: "places", sentence: "\(error)") }
    }
  }

  private func resolved(_ name: String) -> String { name.inFolder(folder) }

  private static func isStore(_ path: String) throws(ByteSourceError) -> Bool {
    var source = try ByteSource(path: path)
    var chunk: [UInt8] = []
    return try source.read(into: &chunk) && chunk.starts(with: "SQLite format 3\0".utf8)
  }
}

extension String {
  /// A path that a document in a folder names; `-` is standard input.
  package func inFolder(_ folder: String) -> String {
    hasPrefix("/") || self == "-" ? self : folder + self
  }
}

extension [CaseRule] {
  /// The options as text, which is the same for the same rules.
  var key: [String] { map { "\($0.name)=\($0.values.joined(separator: ","))" }.sorted() }
}

/// The runs under one set of changes, each made once.
final class CaseStand {
  let changes: PlaceChanges
  /// The rule that no case has here; nil if all rules apply.
  let ruleLeftOut: String?
  private var trials: [[String]: Trial] = [:]
  private var runs: [RunKey: [Trial.Kept]] = [:]
  private var last: Trial?

  struct RunKey: Hashable {
    var rules: [String]
    var walks: [CaseTrack.Source]
  }

  init(_ changes: PlaceChanges, leavingOut rule: String? = nil) {
    self.changes = changes
    ruleLeftOut = rule
  }

  /// The trial of a set of rules; `make` receives another one, whose index can be used again.
  func trial(
    _ key: [String], _ make: (Trial?) throws(PlaceIndexError) -> Trial
  ) throws(PlaceIndexError) -> Trial {
    if let known = trials[key] { return known }
    let made = try make(last)
    trials[key] = made
    last = made
    return made
  }

  func runs(_ key: RunKey, _ make: () throws -> [Trial.Kept]?) throws -> [Trial.Kept] {
    if let known = runs[key] { return known }
    guard let made = try make() else { throw CancellationError() }
    runs[key] = made
    return made
  }
}
