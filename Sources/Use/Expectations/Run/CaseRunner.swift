package import FencepostSession
package import FencepostAnalysis
import FencepostFiles
import FencepostFormats
import FencepostMonitoring
package import FencepostNotifications
import FencepostPlaces
import FencepostReporting
package import FencepostTracks

/// Runs the cases of a file, each walk once for each set of rules.
///
/// The run is that of `analyze`, with every story indexed in memory.
package final class CaseRunner {
  /// The file whose cases are run.
  package let file: CaseFile
  /// Rows of stories that were refused.
  package private(set) var notices: [String] = []

  private let mostTrials: Int
  private let folder: String
  private let read: ([CaseRule]) throws -> CaseRules
  private var rules: [[String]: CaseRules] = [:]
  private var tracks: [WalkKey: RecordedTrack] = [:]
  private(set) var base: [Place] = []

  /// The most simulations that decide a probability, unless the user says otherwise.
  package static let usualMostTrials = 20_000

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
    let stand = CaseStand()
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

  /// Follows the walks of a case.
  func judge(_ story: StoryCase, _ stand: CaseStand) throws -> CaseJudge {
    try Task.checkCancellation()
    let key = WalkKey(rules: story.rules.key, walks: story.tracks.map(\.source))
    let rules = try self.rules[key.rules] ?? read(story.rules)
    self.rules[key.rules] = rules
    let tracks = try self.tracks(of: story, rules)
    var whatIf = stand.trials[key.rules]
    if whatIf == nil {
      do throws(PlaceIndexError) {
        whatIf = try WhatIf(
          base: base, changes: PlaceChanges(), options: rules.session, after: stand.last)
      } catch { throw JSONPathError(path: "places", sentence: "\(error)") }
      (stand.trials[key.rules], stand.last) = (whatIf, whatIf)
    }
    guard let whatIf, let runs = try stand.runs[key] ?? whatIf.follow(tracks) else {
      throw CancellationError()
    }
    stand.runs[key] = runs
    return CaseJudge(whatIf, runs, tracks, rules, mostTrials: mostTrials)
  }
}

// MARK: - Input

extension CaseRunner {
  private func tracks(of story: StoryCase, _ rules: CaseRules) throws -> [RecordedTrack] {
    let reading = story.rules.filter { CaseRules.ofReading.contains($0.name) }.key
    return try story.tracks.map { track in
      let key = WalkKey(rules: reading, walks: [track.source])
      if let known = tracks[key] { return known }
      let made: RecordedTrack
      switch track.source {
      case .points(let points): made = points.track()
      case .file(let name):
        let path = name.inFolder(folder)
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
      let path = name.inFolder(folder)
      do {
        if try Self.isStore(path) { return try StoryIndex(PlaceStore(path: path)).places }
        let imported = try PlaceStore.inMemory(from: [path])
        notices = imported.report.refusals.map(\.description)
        return try StoryIndex(imported.store).places
      } catch { throw JSONPathError(path: "places", sentence: "\(error)") }
    }
  }

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

/// The runs of a file's cases, each made once.
///
/// Cases with the same walks and rules share a run.
final class CaseStand {
  fileprivate var trials: [[String]: WhatIf] = [:]
  fileprivate var runs: [WalkKey: [WhatIf.Kept]] = [:]
  /// The what-if made last, whose index the next one can use again.
  fileprivate var last: WhatIf?
}

/// Walks under some rules.
///
/// The rules are text, in which equal rules are equal.
private struct WalkKey: Hashable {
  var rules: [String]
  var walks: [CaseTrack.Source]
}

/// The rules of a case, as commands read them from options.
///
/// The command makes them from the rules of a case by the code that parses its own options.
package struct CaseRules: Sendable {
  /// The rules of the phone and of its alerts.
  package var session: TrackSessionOptions
  /// How walks in files are read.
  package var fixes: FixStreamOptions
  /// The clock of days and of times of day in expectations.
  package var zone: ClockZone
  /// The phones to simulate; nil without a profile.
  package var chance: ChanceOptions?
  /// The reminders beside the stories; nil without any.
  package var reminders: ReminderWatchOptions?

  /// Creates rules without what an analysis alone shows.
  package init(
    session: TrackSessionOptions = .init(), fixes: FixStreamOptions = .init(),
    zone: ClockZone = .utc, chance: ChanceOptions? = nil,
    reminders: ReminderWatchOptions? = nil
  ) {
    (self.session, self.fixes, self.zone, self.chance) = (session, fixes, zone, chance)
    self.reminders = reminders
    // Only `analyze` shows what a profile's uncertain values would change.
    self.chance?.measuresDoubts = false
  }

  /// The options that decide how a file becomes fixes.
  static let ofReading: Set<String> = [
    "keep-null-island", "date", "travel-speed", "date-order", "reorder", "max-accuracy",
    "time-zone",
  ]
}

/// What a case brought: one finding for each expectation.
///
/// Findings are in the order of the expectations, and a case passes if all do.
package struct CaseResult: Sendable {
  /// What came of one expectation.
  ///
  /// A failed one is meant to be read without looking at the walk.
  package struct Finding: Sendable {
    /// Whether the expectation was met.
    ///
    /// Undecided counts as not passed, because a test that cannot fail proves nothing.
    package enum Outcome: String, Sendable {
      /// It happened, or it did not.
      case passed, failed
      /// The interval of a probability still contains its bound at the most trials.
      case undecided
    }

    /// What was expected.
    package var expectation: StoryExpectation
    /// Whether it happened.
    package var outcome: Outcome
    /// What happened instead, without a final period; empty if it passed.
    package var found = ""
    /// What led to it, in up to three sentences.
    package var reasons: [String] = []
  }

  /// The name of the case, unique in its file.
  package var name: String
  /// Where the case stands in its document.
  package var path: String
  /// What came of each expectation, in order.
  package var findings: [Finding]

  /// Whether every expectation was met.
  package var isPassed: Bool { findings.allSatisfy { $0.outcome == .passed } }
  /// The findings that were not met, undecided ones included.
  package var failures: [Finding] { findings.filter { $0.outcome != .passed } }
}

/// The results of one file, with the line of each value in it.
///
/// Reports use the lines to point at the expectation that failed.
package struct CaseSuite: Sendable {
  /// The file's path as the user wrote it.
  package var file: String
  /// The results of its cases, in order.
  package var results: [CaseResult]
  /// The document's lines, from 1, by ``JSONNode/path``.
  let lines: [String: Int]

  /// Creates the results of a file.
  package init(file: String, results: [CaseResult], lines: [String: Int]) {
    (self.file, self.results, self.lines) = (file, results, lines)
  }
}

extension [String: Int] {
  /// The line of a value, or of what contains it where a table of parameters made it.
  package func line(of path: String) -> Int {
    var path = path[...]
    while self[String(path)] == nil, !path.isEmpty {
      path = path.dropLast()
      while let last = path.last, last != ".", last != "[" { path = path.dropLast() }
      path = path.dropLast()
    }
    return self[String(path)] ?? 1
  }
}
