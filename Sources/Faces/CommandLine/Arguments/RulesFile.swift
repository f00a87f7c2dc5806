#if Command
import ArgumentParser
import FencepostSession
import FencepostFiles
import FencepostFormats

/// The option that names a file of options.
///
/// ``RulesFile`` puts the file's options in front of the user's before the parser sees any.
struct RulesFileArguments: ParsableArguments {
  @Option(
    "file", "Read options from this YAML or JSON file. Options you type here win.",
    "Write options by their names, as in “limit: 20”. See them all with: fencepost rules",
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var rules: String?
}

/// Options that a YAML or JSON file gives by their names: `limit: 20`.
///
/// One file serves every command: each takes the options that it has.
struct RulesFile {
  /// An option in the file, with the line for messages.
  ///
  /// The option may be one of another command, which is then left out.
  struct GivenOption {
    /// The option's name without dashes.
    var name: String
    /// What is written for it: one value, or the elements of a list.
    var values: [String]
    /// Counted from 1.
    var line: Int
  }

  let path: String
  private(set) var entries: [GivenOption] = []

  /// The largest file.
  private static let mostBytes = 256 * 1024

  /// Reads a file.
  ///
  /// - Throws: ``CommandFailure`` with the file's name and the line.
  init(path: String) throws {
    let bytes = try InputFile.contents(
      of: try InflatedSource(path: path), mostBytes: Self.mostBytes, kind: "rules file")
    try self.init(bytes: bytes, name: path)
  }

  /// Reads a file's bytes; messages call the file by `name`.
  ///
  /// - Throws: ``CommandFailure`` with the file's name and the line.
  init(bytes: [UInt8], name path: String) throws {
    self.path = path
    guard bytes.count <= Self.mostBytes else {
      throw CommandFailure(
        .inputBad, "\(path): a rules file cannot be larger than \(Self.mostBytes >> 10) KiB")
    }
    guard let root = try Self.compose(bytes, name: path) else { return }
    guard case .mapping(let members) = root.value else {
      throw failure("write one option per line, as in “limit: 20”", root.line)
    }
    for (key, value) in members {
      guard let name = key.text else { throw failure("a name is missing", key.line) }
      entries.append(GivenOption(name: name, values: try values(value, of: name), line: key.line))
    }
  }

  /// Options that stand in another kind of file.
  init(path: String, entries: [GivenOption]) { (self.path, self.entries) = (path, entries) }

  /// Parses YAML or JSON; nil for an empty file.
  ///
  /// - Throws: ``CommandFailure`` with the file's name and the line.
  static func compose(_ bytes: [UInt8], name path: String) throws -> YAMLNode? {
    do throws(YAMLError) {
      return try YAMLNode.read(String(decoding: bytes, as: UTF8.self))
    } catch {
      guard let line = error.line else {
        throw CommandFailure(.inputBad, "\(path): the file is not YAML or JSON in UTF-8")
      }
      throw CommandFailure(.inputBad, "\(path), line \(line): \(error.sentence)")
    }
  }

  /// The values of an option; a mapping, an empty text or a list in a list is an error.
  private func values(_ node: YAMLNode, of name: String) throws -> [String] {
    switch node.value {
    case .scalar(let text, _):
      guard !text.isEmpty else { throw failure("\(name) has no value", node.line) }
      return [text]
    case .sequence(let elements):
      return try elements.map { element in
        guard let text = element.text else {
          throw failure("\(name) must be a list of words or numbers", element.line)
        }
        return text
      }
    case .mapping: throw failure("\(name) must be a word, a number or a list", node.line)
    }
  }

  fileprivate func failure(_ sentence: String, _ line: Int) -> CommandFailure {
    CommandFailure(.inputBad, "\(path), line \(line): \(sentence)")
  }
}

extension RulesFile {
  /// A command line with a file's options in it.
  ///
  /// ``FencepostCommand`` parses it in place of what the user typed. Messages then find the line in
  /// the file.
  struct Expansion {
    /// The arguments with the file's in front of the user's own.
    var arguments: [String]
    /// The file; nil if the user named none.
    var file: RulesFile?
    /// The options of the file that the command takes, in the order of the file.
    var taken: [GivenOption] = []
  }

  /// The variables that say the same as options, and win over a file.
  private static let variables = [
    "token-file": "FENCEPOST_TOKEN", "map-token-file": "FENCEPOST_TOKEN",
    "mqtt-password-file": "FENCEPOST_MQTT_PASSWORD",
    "mqtt-sink-password-file": "FENCEPOST_MQTT_SINK_PASSWORD",
  ]

  /// The options that belong in no file, because others may read it.
  private static let secrets: Set = ["token", "map-token"]

  /// The options that cannot be written into a file.
  private static let unwritten: Set = ["rules", "help", "version"]

  /// Puts the options of the file that `--rules` names behind the command's name.
  ///
  /// Leaves out those that the user typed too, those that a variable gives, and those that the
  /// command does not have.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The command line for the parser.
  /// - Throws: ``CommandFailure`` if the file cannot be read, or has an option that no command has.
  static func expand(_ arguments: [String]) throws -> Expansion {
    let typed = Array(arguments.prefix { $0 != "--" })
    guard let path = UsageHint.value(of: "--rules", in: typed) else {
      return Expansion(arguments: arguments)
    }
    let command = UsageHint.commandNames(in: typed)
    var expansion = try RulesFile(path: path).expansion(for: HelpPage.dump(of: command)) {
      !UsageHint.isTyped("--\($0)", in: typed) && variables[$0].flatMap(Terminal.variable) == nil
    }
    expansion.arguments = command + expansion.arguments + Array(arguments.dropFirst(command.count))
    return expansion
  }

  /// The arguments that a command takes from the file, if `isWanted` says so for their options.
  ///
  /// - Throws: ``CommandFailure`` if the file has an option that no command has.
  func expansion(for command: JSONValue, isWanted: (_ name: String) -> Bool) throws -> Expansion {
    let options = Dictionary(
      command.list("arguments").compactMap { option in
        Self.longName(of: option).map { ($0, option) }
      }, uniquingKeysWith: { first, _ in first })
    let known = try Self.names(below: HelpPage.dump(of: [])).subtracting(Self.unwritten)
    var expansion = Expansion(arguments: [], file: self)
    for entry in entries {
      guard known.contains(entry.name) else { throw failure(ofUnknown: entry, known) }
      if Self.secrets.contains(entry.name) {
        throw failure(
          "\(entry.name) is a secret. Write it to a file of its own, "
            + "and name that file as \(entry.name)-file.", entry.line)
      }
      guard let option = options[entry.name], isWanted(entry.name) else { continue }
      expansion.arguments += try arguments(entry, option)
      expansion.taken.append(entry)
    }
    return expansion
  }

  /// The name of an option without dashes, as files write it; nil if it has only a letter.
  private static func longName(of option: JSONValue) -> String? {
    option.list("names").first { $0.text("kind") == "long" }?.text("name")
  }

  /// The names of all options of a command and of those below it.
  private static func names(below command: JSONValue) -> Set<String> {
    let own = Set(command.list("arguments").compactMap(longName))
    return command.list("subcommands").reduce(into: own) { $0.formUnion(names(below: $1)) }
  }

  /// The error for an option that no command has, with the nearest name within three changes.
  private func failure(ofUnknown entry: GivenOption, _ known: Set<String>) -> CommandFailure {
    let nearest = NearWord.nearest(to: entry.name, among: known, within: 3)
    let hint = nearest.map { ". Did you mean “\($0)”?" } ?? ""
    return failure("no option “\(entry.name)”\(hint)", entry.line)
  }

  /// An entry as it would be typed.
  ///
  /// A flag is there or not. The elements of a list become an option each if it may be repeated,
  /// and else one value with commas.
  private func arguments(_ entry: GivenOption, _ option: JSONValue) throws -> [String] {
    let name = "--\(entry.name)"
    if option.text("kind") == "flag" {
      switch entry.values.first?.lowercased() {
      case "true", "yes", "on": return [name]
      case "false", "no", "off": return []
      default: throw failure("\(entry.name) must be true or false", entry.line)
      }
    }
    let values =
      option["isRepeating"]?.boolean == true ? entry.values : [entry.values.joined(separator: ",")]
    return values.map { "\(name)=\($0)" }
  }
}

extension RulesFile.Expansion {
  /// Says in which line of the file the option stands that a parser's message is about.
  func located(_ message: String) -> String {
    guard let file else { return message }
    let entry = taken.first { entry in
      message.matches(of: /--[a-z][a-z0-9-]*/).contains { $0.output == "--\(entry.name)" }
    }
    guard let entry else { return message }
    return "\(file.path), line \(entry.line): \(message)"
  }
}
#endif
