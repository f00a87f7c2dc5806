#if Command
import ArgumentParser
import FencepostFormats

/// A command's help: its purpose, its examples, and its options or the commands below it.
///
/// A short page fits on one screen and has the options that most people need. With `--all` it has
/// every option and the whole description.
struct HelpPage {
  /// The options on short pages; commands without an entry show all of theirs.
  private static let essential: [String: Set<String>] = [
    "rules": [
      "rules", "format", "profile", "limit", "significant-change", "refresh", "cooldown",
      "quiet-hours", "dates", "time-zone",
    ],
    "replay": [
      "store", "places", "profile", "limit", "significant-change", "refresh", "cooldown",
      "quiet-hours", "dates", "time-zone", "events", "format", "output", "quiet",
    ],
    "live": [
      "store", "places", "state", "map", "map-token", "exec", "webhook", "notify", "profile",
      "limit", "refresh", "cooldown", "output",
    ],
    "serve": [
      "store", "places", "listen", "token", "state", "exec", "webhook", "notify", "profile",
      "limit", "refresh", "cooldown", "output",
    ],
    "analyze": [
      "store", "places", "limit", "refresh", "cooldown", "dates", "time-zone",
      "profile", "person-by", "from", "to", "format", "output", "report",
    ],
    "sweep": [
      "store", "places", "limit", "significant-change", "refresh", "profile", "max-limit",
      "max-alerts-per-day", "format", "output", "report",
    ],
    "advise": [
      "store", "places", "for", "min-priority", "max-changes", "only",
      "profile", "apply-to", "person-by", "format", "output", "report",
    ],
    "explain": [
      "store", "places", "place", "limit", "significant-change", "refresh", "cooldown", "dates",
      "time-zone", "profile", "format", "output",
    ],
    "studio": [
      "store", "places", "limit", "refresh", "cooldown", "dates", "time-zone", "profile", "advice",
      "export", "hide-ends", "listen", "token", "open",
    ],
    "schedule": [
      "from", "for", "strategy", "policy", "device", "profile", "time-zone", "format", "output",
      "report",
    ],
  ]

  private static let lineLength = 80
  /// The column at which the meaning of an option begins, counted from 0.
  private static let textColumn = 27

  /// What the parser knows of the command.
  let command: JSONValue
  /// The names of the commands down to this one, without `fencepost`.
  let path: [String]
  /// Whether to show every option and the whole description.
  let isWhole: Bool

  /// Finds the page that the arguments ask for.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Throws: ``CommandFailure`` if the parser does not describe the command.
  init(requestedBy arguments: [String]) throws {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    path = UsageHint.commandNames(in: words)
    isWhole = arguments.contains("--all")
    command = try Self.dump(of: path)
  }

  /// What the parser knows of a command, as JSON.
  ///
  /// - Parameter names: The names of the commands down to it; none for the program.
  /// - Returns: Its member `command`.
  /// - Throws: ``CommandFailure`` if it is not described.
  static func dump(of names: [String]) throws -> JSONValue {
    try dump("the commands", FencepostCommand.self) {
      _ = try FencepostCommand.parseAsRoot(names + $0)
    }
  }

  /// What the parser knows of arguments that `parse` parses after those it is given.
  static func dump(
    _ subject: String, _ type: (some ParsableArguments).Type, _ parse: ([String]) throws -> Void
  ) throws -> JSONValue {
    do {
      try parse(["--experimental-dump-help"])
    } catch {
      let dump = try JSONValue(parsing: type.fullMessage(for: error))
      if let command = dump["command"] { return command }
    }
    throw CommandFailure(.software, "the argument parser did not describe \(subject)")
  }

  /// The page, ending in a line break.
  ///
  /// Options stand under the titles of their groups, in the order of the parser. A short page ends
  /// with how to see the rest.
  var text: String {
    let name = (["fencepost"] + path).joined(separator: " ")
    let help = (["fencepost", "help"] + path).joined(separator: " ")
    let options = command.list("arguments").filter {
      $0.text("kind") != "positional" && $0.isShown
        && (isWhole || !["help", "version"].contains(Self.name($0)))
    }
    let essential = isWhole ? nil : Self.essential[path.joined(separator: " ")]
    let chosen = options.filter {
      essential?.contains(Self.name($0)) ?? true || $0["isOptional"]?.boolean == false
    }
    var lines = Self.wrapped(command.text("abstract"), indent: 0)
    lines += ["", "USAGE", "  \(name) \(usage)"]
    lines += examples
    if isWhole || !commands.isEmpty { lines += description }
    if !positional.isEmpty { lines.append("") }
    lines += positional.flatMap(self.lines)
    if !commands.isEmpty { lines += ["", "COMMANDS"] }
    lines += commands.flatMap {
      Self.lines(term: $0.text("commandName"), meaning: $0.text("abstract"))
    }
    var section: String?
    for option in chosen {
      let title = option.text("sectionTitle")
      if title != section {
        lines += ["", title.isEmpty ? "OPTIONS" : title.uppercased()]
        section = title
      }
      lines += self.lines(of: option)
    }
    let others = options.count - chosen.count
    if !commands.isEmpty {
      lines += ["", "One command: \(help) \(commands[0].text("commandName"))"]
    } else if !isWhole {
      let rest = others == 0 ? "More on each option" : "\(others) more options"
      lines += ["", "\(rest): \(help) --all"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The name of an option without dashes.
  private static func name(_ option: JSONValue) -> String {
    option["preferredName"]?.text("name") ?? ""
  }

  private var positional: [JSONValue] {
    command.list("arguments").filter { $0.text("kind") == "positional" && $0.isShown }
  }

  private var commands: [JSONValue] {
    command.list("subcommands").filter { $0.isShown && $0.text("commandName") != "help" }
  }

  /// What follows the command's name in its usage.
  private var usage: String {
    guard commands.isEmpty else { return "COMMAND [options]" }
    let words = positional.map { argument in
      argument.text("valueName").uppercased()
        + (argument["isRepeating"]?.boolean == true ? "..." : "")
    }
    return (["[options]"] + words).joined(separator: " ")
  }

  /// The lines of the discussion before and after the heading of its examples.
  private var discussion: (before: ArraySlice<Substring>, after: ArraySlice<Substring>) {
    let lines = command.text("discussion").split(separator: "\n", omittingEmptySubsequences: false)
    let heading = lines.firstIndex { $0.hasPrefix("Example") } ?? lines.count
    return (lines[..<heading], lines[heading...].dropFirst())
  }

  /// The lines of the examples with their heading; empty if the discussion has none.
  private var examples: [String] {
    let examples = discussion.after.prefix { $0.hasPrefix("  ") }.map(String.init)
    return examples.isEmpty ? [] : ["", "EXAMPLES"] + examples
  }

  /// The discussion without its examples; indented lines stay as they are.
  private var description: [String] {
    let lines = discussion.before.flatMap {
      $0.hasPrefix(" ") ? [String($0)] : Self.wrapped(String($0), indent: 0)
    }
    let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
    return end == 0 ? [] : [""] + lines[..<end]
  }

  /// An option or argument, its value in capitals, and what it does beside that.
  private func lines(of option: JSONValue) -> [String] {
    let names = option.list("names").map(\.dashedName).joined(separator: ", ")
    let value = option.text("kind") == "flag" ? "" : option.text("valueName").uppercased()
    let term = [names, value].filter { !$0.isEmpty }.joined(separator: " ")
    let lines = Self.lines(term: term, meaning: option.meaning)
    let discussion = isWhole ? option.text("discussion") : ""
    return discussion.isEmpty ? lines : lines + Self.wrapped(discussion, indent: Self.textColumn)
  }

  /// A term, and its meaning beside it, or below it if the term is long.
  private static func lines(term: String, meaning: String) -> [String] {
    let term = "  \(term)"
    var lines = wrapped(meaning, indent: textColumn)
    guard term.count < textColumn - 1 else { return [term] + lines }
    lines[0] = term + lines[0].dropFirst(term.count)
    return lines
  }

  /// A text in lines of at most 80 columns.
  private static func wrapped(_ text: String, indent: Int) -> [String] {
    var lines = [String(repeating: " ", count: indent)]
    for word in text.split(whereSeparator: \.isWhitespace) {
      let last = lines[lines.count - 1]
      let isFirst = last.allSatisfy { $0 == " " }
      if !isFirst, last.count + 1 + word.count > lineLength {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] = last + (isFirst ? "" : " ") + word
      }
    }
    return lines
  }
}

extension HelpPage {
  /// What `fencepost` alone shows: where each kind of user begins.
  static let overview = """
    Fencepost replays walks past stories: which ones alert, and why not the others.

      Editors     fencepost places import stories.csv --store stories.sqlite
                  fencepost analyze walks/ --store stories.sqlite
                  fencepost explain walk.gpx --store stories.sqlite --place hall
      Analysts    fencepost advise walks/ --store stories.sqlite
                  fencepost compare before.ndjson after.ndjson
      Developers  fencepost replay walk.gpx --places app.json --profile iphone
                  fencepost schedule habits.json --from 2026-03-01T00:00Z --for 30d
      Hobbyists   fencepost live gpsd://localhost --store stories.sqlite

    All commands: fencepost help. One command: fencepost help replay

    """
}

extension JSONValue {
  /// The text of a member; empty if it is missing or no text.
  func text(_ key: String) -> String { self[key]?.string ?? "" }
  /// The elements of a member; empty if it is missing or no array.
  func list(_ key: String) -> [JSONValue] { self[key]?.array ?? [] }
  var isShown: Bool { self["shouldDisplay"]?.boolean != false }

  /// The name of an option as it is typed.
  var dashedName: String { (text("kind") == "long" ? "--" : "-") + text("name") }

  /// What an option does, with its default.
  var meaning: String {
    let standard = text("defaultValue")
    return text("abstract") + (standard.isEmpty ? "" : " Default: \(standard).")
  }
}
#endif
