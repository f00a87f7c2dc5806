#if Command
import ArgumentParser
import FencepostSession
import FencepostAnalysis
import FencepostExpectations
import FencepostFiles
import FencepostFormats
import FencepostPhones
import FencepostPlaces
import FencepostReporting

extension CaseReport.Format: ExpressibleByArgument {}

/// The command `test`: checks that walks alert where a file says they must.
///
/// It is made for continuous integration: stories, rules and walks stand in one file beside the
/// expectations. With `--record` it writes the expectations itself, from what happens now.
///
/// Exit status: 0 if all cases pass, 1 if one fails or stays undecided, 65 if a file is wrong. A
/// wrong file does not keep the others from being tested.
struct TestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Check that walks alert where a file says they must.",
    discussion: """
      FILE is YAML or JSON. It names stories and rules, and lists cases: a walk, and what must \
      happen on it. Data/schemas/cases.schema.json describes it. Files that it names are looked \
      for beside it.

        places: stories.csv
        cases:
          - name: down Market Street
            track: walk.gpx
            expect:
              - {alert: independence-hall, between: ["17:10", "17:20"]}
              - {no-alert: {category: sports}}
              - {at-most: {alerts: 5, per: day}}

      Walks are followed as “fencepost analyze” follows them. Exit status: 0 if every case \
      passes, 1 if one fails or a probability stays undecided, 65 if a file is wrong.

      Examples:
        fencepost test cases.yaml
        fencepost test cases.yaml --format junit -o results.xml
        fencepost test walks.yaml --record > cases.yaml
      """)

  @Argument(help: .value("file", "Files of story tests."), completion: .file())
  var files: [String]

  @Option("format", "text; junit: XML for CI systems; github: annotations.")
  var format = CaseReport.Format.text

  @Option("n", "Simulate a walk at most N times to decide a probability, from 1 to 100000.")
  var maxTrials = CaseRunner.usualMostTrials

  @Flag(help: "Run again whenever the file, its stories or its walks change.")
  var watch = false

  @Flag(
    help: """
      Write the file with what happens now as the expectations of cases that have none. Read them \
      before you keep them. Comments are not kept.
      """)
  var record = false

  @OptionGroup var output: OutputArguments

  func validate() throws {
    try require(!watch || !record, "Use only one of --watch and --record.")
    try require(!record || files.count == 1, "--record needs exactly one file")
    try require((1...100_000).contains(maxTrials), "--max-trials must be from 1 to 100,000.")
    try require(!watch || !files.contains("-"), "--watch cannot be used with standard input")
  }

  /// Tests all files once, or with `--watch` again after each change, until it is interrupted.
  func run() async throws {
    try FileUse(writing: [("--output", output.path)]).check(reading: files)
    var round = CaseRound()
    repeat {
      round = CaseRound()
      var out = try OutputFile(path: output.path)
      try write(&round, to: &out.buffer)
      // Without a result, keep the file's previous contents.
      if round.hasResult || !output.isFile { try out.finish() }
      while watch, round.watched.areUnchanged {
        try await Task.sleep(for: .milliseconds(200))
      }
    } while watch
    try round.failures.conclude()
    if !round.isPassed { throw ExitStatus.testFailed }
  }

  /// Tests all files and writes one report, or with `--record` the file with its expectations.
  private func write(_ round: inout CaseRound, to buffer: inout OutputBuffer) throws {
    var suites: [CaseSuite] = []
    for file in files {
      round.watched.add(file)
      do {
        let document = try CaseDocument(file)
        defer { round.watched.add(document.watched) }
        try document.located {
          let runner = try document.runner(mostTrials: maxTrials)
          for notice in runner.notices { StandardError.say(notice) }
          if record {
            buffer.append(
              verbatim: try document.text(with: try runner.recorded(), titles: runner.title))
            round.hasResult = true
          } else {
            suites.append(CaseSuite(file: file, results: try runner.run(), lines: document.lines))
          }
        }
      } catch {
        round.failures.note(error, reading: file)
      }
    }
    guard !record, !suites.isEmpty else { return }
    round.hasResult = true
    let report = CaseReport(suites)
    report.write(format, to: &buffer)
    round.isPassed = report.isPassed
  }
}

/// What one run over all files gives; `--watch` begins another after each change.
private struct CaseRound {
  var isPassed = true
  /// Whether any file could be read, so that there is something to write.
  var hasResult = false
  var failures = FailureLog()
  var watched = WatchedFiles()
}

/// The files that a round of tests reads, each as it was before it was read.
///
/// So a change while the round runs counts. The command compares them five times a second while it
/// waits, by ``areUnchanged``.
private struct WatchedFiles {
  private var stamps: [String: StoreFileStamp?] = [:]

  /// Remembers how a file is; called before it is read.
  mutating func add(_ path: String) {
    if stamps[path] == nil { stamps[path] = .some(StoreFileStamp(path: path)) }
  }

  /// Adds the files of another list.
  mutating func add(_ other: WatchedFiles) { stamps.merge(other.stamps) { first, _ in first } }

  /// Whether all are as they were.
  var areUnchanged: Bool { stamps.allSatisfy { $0.value == StoreFileStamp(path: $0.key) } }
}

// MARK: - The document

/// The rules of a case, as `analyze` and `explain` read them.
///
/// A case names options without dashes. They are parsed by this type, so that a case accepts the
/// same values as a command, and refuses the same ones.
private struct CaseArguments: ParsableArguments {
  @OptionGroup var session: SessionArguments
  @OptionGroup var chance: ChanceArguments
  @OptionGroup var reminders: ReminderArguments
}

/// A file of story tests as a tree, with the line of each value.
///
/// The module Expectations knows only JSON values and their paths. This type reads YAML for it, and
/// turns paths in its errors into lines.
private final class CaseDocument {
  let path: String
  /// The files that the document names, as far as it has been read.
  private(set) var watched = WatchedFiles()
  /// The lines, from 1, by ``JSONNode/path``.
  private(set) var lines: [String: Int] = [:]
  private let yaml: YAMLNode
  private var root = JSONValue.null
  /// Aliases can make a small file into a large tree, and long names into longer paths.
  private var valuesLeft: Int

  private static let mostBytes = 16 * 1024 * 1024
  private static let mostValues = 1_000_000
  private static let mostLevels = 64

  /// Reads a file of YAML or JSON, compressed or not.
  ///
  /// - Throws: ``CommandFailure`` if it is empty, not well-formed, or becomes too large a tree.
  init(_ path: String) throws {
    self.path = path
    let bytes = try InputFile.contents(
      of: try InflatedSource(path: path), mostBytes: Self.mostBytes, kind: "case file")
    guard let yaml = try RulesFile.compose(bytes, name: path) else {
      throw CommandFailure(.inputBad, "\(InputFile.name(path)): the file is empty")
    }
    self.yaml = yaml
    // The document itself has fewer values than bytes.
    valuesLeft = min(Self.mostValues, 10_000 + bytes.count)
    root = try value(of: yaml, "", level: 0)
  }

  /// Makes a JSON value of a YAML node, and notes the line of each value.
  ///
  /// - Parameters:
  ///   - node: The YAML value.
  ///   - path: The path from the root, such as `cases[0].track`; empty for the root.
  ///   - level: The number of values around it.
  /// - Returns: The same value as JSON.
  /// - Throws: ``CommandFailure`` if the document is too large or too deep, or a key is not a text.
  private func value(of node: YAMLNode, _ path: String, level: Int) throws -> JSONValue {
    valuesLeft -= 1 + path.utf8.count / 64
    guard valuesLeft > 0, level < Self.mostLevels else {
      throw failure("the document is too large", node.line)
    }
    // The document begins with the file, and a member with its key.
    lines[path] = lines[path] ?? (path.isEmpty ? 1 : node.line)
    switch node.value {
    case .scalar(let text, let isPlain): return isPlain ? JSONValue(plain: text) : .string(text)
    case .sequence(let elements):
      return .array(
        try elements.enumerated().map { index, element in
          try value(of: element, "\(path)[\(index)]", level: level + 1)
        })
    case .mapping(let members):
      return .object(
        try members.map { key, element in
          guard let name = key.text else { throw failure("a name is missing", key.line) }
          let inner = path.isEmpty ? name : "\(path).\(name)"
          // A value may begin on a later line than its key.
          lines[inner] = key.line
          return JSONValue.Member(key: name, value: try value(of: element, inner, level: level + 1))
        })
    }
  }

  private func failure(_ sentence: String, _ line: Int) -> CommandFailure {
    CommandFailure(.inputBad, "\(InputFile.name(path)), line \(line): \(sentence)")
  }

  /// Adds the file and the line to an error about a value of the document.
  func located(_ body: () throws -> Void) throws {
    do { try body() } catch let error as JSONPathError {
      throw failure("\(error)", lines.line(of: error.path))
    }
  }

  /// The file's folder, ending in a slash; empty for the current one.
  private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  /// Checks the document and prepares its cases.
  ///
  /// Files that it names are looked for beside it, and are watched from now on.
  func runner(mostTrials: Int) throws -> CaseRunner {
    let file = try CaseFile(JSONNode(root)) { name in
      watched.add(name.inFolder(folder))
      return try RulesFile(path: name.inFolder(folder)).entries.map {
        CaseRule(name: $0.name, values: $0.values)
      }
    }
    for name in file.files { watched.add(name.inFolder(folder)) }
    let dump = try HelpPage.dump("the rules", CaseArguments.self) {
      _ = try CaseArguments.parse($0)
    }
    return try CaseRunner(file, folder: folder, mostTrials: mostTrials) { [self] in
      try rules($0, dump)
    }
  }

  /// Reads rules as the options of a command.
  ///
  /// - Parameters:
  ///   - rules: The rules of a case, those of its files included.
  ///   - dump: What the parser knows of ``CaseArguments``.
  /// - Returns: The rules as a session, a reader of walks and simulated phones take them.
  /// - Throws: `JSONPathError` at the rule that is wrong, or ``CommandFailure`` with its line.
  private func rules(_ rules: [CaseRule], _ dump: JSONValue) throws -> CaseRules {
    let entries = rules.map { rule in
      // A phone of the user's own is a file beside this one.
      let values = rule.values.map { value in
        rule.namesFiles && BuiltInProfile(named: value) == nil ? value.inFolder(folder) : value
      }
      return RulesFile.GivenOption(name: rule.name, values: values, line: lines.line(of: rule.path))
    }
    let expansion = try RulesFile(path: path, entries: entries).expansion(for: dump) { _ in true }
    let taken = Set(expansion.taken.map(\.name))
    if let other = rules.first(where: { $0.isInline && !taken.contains($0.name) }) {
      throw JSONPathError(path: other.path, sentence: "is an option of other commands, not a rule")
    }
    let parsed: CaseArguments
    do {
      parsed = try CaseArguments.parse(expansion.arguments)
    } catch {
      let message = CaseArguments.message(for: error)
      throw CommandFailure(.inputBad, expansion.located(message))
    }
    func file<Value>(of name: String, _ read: () throws -> Value) throws -> Value {
      do { return try read() } catch {
        let path = rules.first { $0.name == name }?.path ?? ""
        throw JSONPathError(path: path, sentence: "\(error)")
      }
    }
    let profiles = try file(of: "profile") { try parsed.chance.read() }
    let reminders = try file(of: "reminders") {
      try parsed.reminders.load(parsed.session.alerts.clock)
    }
    let (monitoring, alerts) = (parsed.session.monitoring, parsed.session.alerts)
    return CaseRules(
      session: parsed.session.session(following: profiles.first),
      fixes: parsed.session.reading, zone: alerts.timeZone,
      chance: parsed.chance.options(profiles, monitoring, alerts), reminders: reminders)
  }

  /// The file with expectations in the cases that have none.
  ///
  /// Behind each of them stands the title of its story.
  func text(
    with recorded: [String: [JSONValue]], titles: (JSONValue) -> String?
  ) throws -> String {
    var yaml = yaml
    guard let list = yaml["cases"], case .sequence(var cases) = list.value else { return "" }
    for index in cases.indices {
      guard let recorded = recorded["cases[\(index)]"] else { continue }
      let expect = try recorded.compactMap { value in
        var one = try YAMLNode.read(value.flowText)
        // Everything in it then stands on the same line.
        one?.style = YAMLNode.flowStyle
        return one
      }
      cases[index]["expect"] = YAMLNode(value: .sequence(expect), style: YAMLNode.blockStyle)
      cases[index].style = YAMLNode.blockStyle
    }
    yaml["cases"] = YAMLNode(
      value: .sequence(cases), style: recorded.isEmpty ? list.style : YAMLNode.blockStyle)
    // A serializer writes no comments, so read where it has put the expectations.
    let text = yaml.document
    var comments: [Int: String] = [:]
    if case .sequence(let written)? = try YAMLNode.read(text)?["cases"]?.value {
      for (index, story) in written.enumerated() {
        guard let recorded = recorded["cases[\(index)]"],
          case .sequence(let expect)? = story["expect"]?.value
        else { continue }
        for (node, value) in zip(expect, recorded) { comments[node.line] = titles(value) }
      }
    }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    for (number, line) in YAMLLine.all(in: bytes).enumerated() {
      output += bytes[line.text]
      if let comment = comments[number + 1] { output += Array("  # \(comment)".utf8) }
      output += bytes[line.text.upperBound..<line.end]
    }
    return String(decoding: output, as: UTF8.self)
  }
}
#endif
