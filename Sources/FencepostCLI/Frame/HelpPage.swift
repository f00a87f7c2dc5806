import ArgumentParser
import FencepostFormats

/// A command's help on one screen: its purpose, examples, and the options that most people need.
///
/// The parser's own help has every option; `fencepost help X --all` shows that.
struct HelpPage {
  /// The options on a short page, of any command that has them.
  private static let essential: Set<String> = [
    "store", "places", "limit", "significant-change", "refresh", "profile", "cooldown",
    "quiet-hours", "alert-on", "time-zone", "reminders", "format", "output", "quiet", "report",
    "person-by", "trials", "fatigue", "merge", "max-alerts-per-day", "only", "apply-to", "place",
    "from", "for", "strategy", "device", "listen", "token", "state", "map", "webhook", "notify",
    "log", "radius", "polygons", "strict", "at", "count", "queries", "category", "box",
    "output-dir",
  ]

  private static let lineLength = 80
  private static let textColumn = 27

  /// The parser's description of a command.
  let command: JSONValue
  /// The names of the commands down to this one, `fencepost` first.
  let path: [String]

  /// Finds the page that the arguments ask for; nil unless it is that of one command.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Throws: ``CommandFailure`` if the parser does not describe the command.
  init?(requestedBy arguments: [String]) throws {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard !arguments.contains("--all"), let type = UsageHint.command(at: Array(words)),
      type.configuration.subcommands.isEmpty
    else { return nil }
    path = ["fencepost"] + words.prefix { !$0.hasPrefix("-") }
    command = try Self.dump(of: Array(path.dropFirst()))
  }

  /// What the parser knows of a command, as JSON.
  ///
  /// - Parameter names: The names of the commands down to it; none for the program.
  /// - Returns: Its member `command`.
  /// - Throws: ``CommandFailure`` if it is not described.
  static func dump(of names: [String]) throws -> JSONValue {
    do {
      _ = try FencepostCommand.parseAsRoot(names + ["--experimental-dump-help"])
    } catch {
      let dump = try JSONValue(parsing: FencepostCommand.fullMessage(for: error))
      if let command = dump["command"] { return command }
    }
    throw CommandFailure(.software, "the argument parser did not describe the commands")
  }

  /// The page as text.
  var text: String {
    let name = path.joined(separator: " ")
    let options = command.list("arguments").filter { $0.text("kind") != "positional" && $0.isShown }
    let chosen = options.filter {
      Self.essential.contains($0["preferredName"]?.text("name") ?? "")
        || $0["isOptional"]?.boolean == false
    }
    var lines = Self.wrapped(command.text("abstract"), indent: 0)
    lines += ["", "USAGE", "  \(name) \(usage)"]
    lines += examples
    var section: String?
    for option in chosen {
      let title = option.text("sectionTitle")
      if title != section {
        lines += ["", title.isEmpty ? "OPTIONS" : title.uppercased()]
        section = title
      }
      lines += Self.lines(of: option)
    }
    let others = options.count - chosen.count
    let names = path.dropFirst().joined(separator: " ")
    lines += ["", "\(others) more options: fencepost help \(names) --all"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var usage: String {
    let positional = command.list("arguments").filter { $0.text("kind") == "positional" }
    let words = positional.map { argument in
      argument.text("valueName").uppercased()
        + (argument["isRepeating"]?.boolean == true ? "..." : "")
    }
    return (["[options]"] + words).joined(separator: " ")
  }

  /// The commands that the discussion gives as examples.
  private var examples: [String] {
    let lines = command.text("discussion").split(separator: "\n", omittingEmptySubsequences: false)
    guard let heading = lines.firstIndex(where: { $0.hasPrefix("Example") }) else { return [] }
    let examples = lines[(heading + 1)...].prefix { $0.hasPrefix("  ") }.map(String.init)
    return ["", "EXAMPLES"] + examples
  }

  /// An option, its value in capitals, and what it does beside that.
  private static func lines(of option: JSONValue) -> [String] {
    let names = option.list("names").map {
      ($0.text("kind") == "long" ? "--" : "-") + $0.text("name")
    }
    let value = option.text("kind") == "option" ? " " + option.text("valueName").uppercased() : ""
    let term = "  " + names.joined(separator: ", ") + value
    let standard = option.text("defaultValue")
    let meaning = option.text("abstract") + (standard.isEmpty ? "" : " Default: \(standard).")
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
    Fencepost replays walks against story circles: which stories alert, when, and why not the others.

      Editors         fencepost places import stories.csv --store stories.sqlite
                      fencepost analyze walks/ --store stories.sqlite --report report.html
                      fencepost explain walk.gpx --store stories.sqlite --place "City Hall"
      Data people     fencepost advise walks/ --store stories.sqlite
                      fencepost compare before.ndjson after.ndjson
      App developers  fencepost replay walk.gpx --store stories.sqlite --profile iphone
                      fencepost schedule reminders.json --from 2026-03-01T00:00:00Z --for 30d
      Tinkerers       fencepost live gpsd://localhost --store stories.sqlite

    All commands: fencepost help. One command: fencepost help replay

    """
}

extension JSONValue {
  func text(_ key: String) -> String { self[key]?.string ?? "" }
  func list(_ key: String) -> [JSONValue] { self[key]?.array ?? [] }
  var isShown: Bool { self["shouldDisplay"]?.boolean != false }
}
