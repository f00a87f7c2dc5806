#if Command
import ArgumentParser
import FencepostSession
import FencepostFiles
import FoundationEssentials
import Glibc

/// Guesses what a user meant where the parser's own message is misleading or says too little.
///
/// ``FencepostCommand`` asks it after the parser has refused the arguments, and ``RulesFile`` before
/// the parser sees any. It compares words with the commands and options that exist.
enum UsageHint {
  /// A sentence about an option that the command does not have; nil if it has them all.
  ///
  /// The parser takes the value of a misspelled option for a file and may report that first.
  static func unknownOption(in arguments: [String]) -> String? {
    let names = commandNames(in: arguments)
    let known = options(of: command(at: names) ?? FencepostCommand.self)
    let given = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }
    guard let unknown = given.first(where: { !known.contains($0) }) else { return nil }
    let sentence = "Unknown option '\(unknown)'"
    let most = min(3, (unknown.count - 2) / 2)
    if let nearest = NearWord.nearest(to: unknown, among: known, within: most)
      ?? known.sorted().first(where: { isRelated($0, unknown) })
    {
      return "\(sentence). Did you mean '\(nearest)'?"
    }
    return "\(sentence). See: fencepost help\(names.map { " " + $0 }.joined()) --all"
  }

  /// How to write the value that a parser's message refuses; nil for values of other kinds.
  ///
  /// The name of the value, such as `<distance>`, says what it is.
  static func cure(for message: String) -> String? {
    guard
      let refused = message.firstMatch(
        of: /The value '(.*?)' is invalid for '(?:-\w, )?(--[a-z-]+) <([^>]+)>'/)
    else { return nil }
    let (value, option) = (String(refused.1), refused.2)
    switch refused.3 {
    case "distance", "distance,...", "min..max":
      return "Write a distance in m, km, ft, yd, mi or nmi, as in 500m or \"300 ft\". A number "
        + "without a unit is in meters."
    case "duration":
      return "Write a duration in ms, s, min, h, d or w, as in 90s, 10min or 1h30m. A number "
        + "without a unit is in seconds."
    case "speed" where option != "--speed":
      return "Write a speed in m/s, km/h, mph or kn, as in 30km/h. A number without a unit is in "
        + "m/s."
    case "time", "day": return MomentArgument.cure(for: value)
    case "zone":
      if let near = zone(like: value) { return "Did you mean --time-zone \(near)?" }
      return ZoneAbbreviation.cure(for: value)
        ?? "Write a time zone by its city, as in Europe/Berlin, or by its offset, as in +01:00."
    case "from-to": return "Write two times of day, as in 22:00-07:00."
    default: return nil
    }
  }

  /// The value of an option on the command line, after a space or `=`.
  static func value(of option: String, in arguments: [String]) -> String? {
    for (index, word) in arguments.enumerated().reversed() {
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
      if word == option, index + 1 < arguments.count { return arguments[index + 1] }
    }
    return nil
  }

  /// Whether an option stands on the command line, with or without a value.
  static func isTyped(_ option: String, in arguments: [String]) -> Bool {
    arguments.contains { $0 == option || $0.hasPrefix(option + "=") }
  }

  // MARK: Commands

  /// A sentence about a command that does not exist; nil if it does.
  ///
  /// The parser then knows no command and reports the first option instead.
  static func unknownCommand(in arguments: [String]) -> String? {
    let path = commandNames(in: arguments)
    let commands = (command(at: path) ?? FencepostCommand.self).configuration.subcommands
    guard !commands.isEmpty, let word = arguments.dropFirst(path.count).first,
      !word.hasPrefix("-"), word != "help"
    else { return nil }
    let sentence = "Unknown command \"\((path + [word]).joined(separator: " "))\"."
    let owner = commands.first { group in
      group.configuration.subcommands.contains { $0.configuration.commandName == word }
    }
    if let owner = owner?.configuration.commandName {
      return "\(sentence) Did you mean \"\(owner) \(word)\"?"
    }
    let names = commands.compactMap { $0.configuration.commandName }
    guard let nearest = NearWord.nearest(to: word, among: names, within: min(3, word.count / 2))
    else {
      return "\(sentence) See: fencepost help\(path.map { " " + $0 }.joined())"
    }
    return "\(sentence) Did you mean \"\((path + [nearest]).joined(separator: " "))\"?"
  }

  /// The time zone of a city: `Europe/Berlin` for `berlin`.
  static func zone(like name: String) -> String? {
    let city = name.lowercased().replacing(" ", with: "_")
    let known = zones
    guard !city.isEmpty, !known.contains(name) else { return nil }
    return known.first { $0.lowercased() == city }
      ?? known.first { $0.lowercased().split(separator: "/").last.map(String.init) == city }
  }

  /// The names of all time zones, sorted, from the system's zone database; empty without it.
  private static var zones: [String] {
    let text = (try? String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      // “Z Europe/Berlin …” is a zone, and “L Europe/Berlin Europe/Copenhagen” another name of it.
      let words = line.split(separator: " ", maxSplits: 3)
      switch words.first {
      case "Z" where words.count > 1: return String(words[1])
      case "L" where words.count > 2: return String(words[2])
      default: return nil
      }
    }.sorted()
  }

  // MARK: The command line

  /// The words in front that name a command.
  static func commandNames(in words: some Collection<String>) -> [String] {
    var names = words.prefix { !$0.hasPrefix("-") }.map { $0 }
    while command(at: names) == nil { names.removeLast() }
    return names
  }

  /// The command that the words before the first option name; nil for other words.
  static func command(at words: [String]) -> (any ParsableCommand.Type)? {
    var command: (any ParsableCommand.Type)? = FencepostCommand.self
    for name in words.prefix(while: { !$0.hasPrefix("-") }) {
      command = command?.configuration.subcommands.first { $0.configuration.commandName == name }
    }
    return command
  }

  /// Whether two options begin with the same word, such as `--radius-m` and `--radius-range`.
  private static func isRelated(_ one: String, _ other: String) -> Bool {
    func word(_ option: String) -> Substring { option.dropFirst(2).prefix { $0 != "-" } }
    return word(one).count > 3 && word(one) == word(other)
  }

  /// The names of a command's options, as its help has them.
  private static func options(of command: any ParsableCommand.Type) -> Set<String> {
    let help = FencepostCommand.helpMessage(for: command, includeHidden: true, columns: 10_000)
    let names = help.matches(of: /--[a-z][a-z0-9-]*/).map { String($0.output) }
    return Set(names).union(["--help", "--version"])
  }
}

/// Detects file names that begin with a dash.
///
/// The parser reads `-dash.gpx` as the options `-d`, `-a`, `-s`, `-h` and so on, and prints help.
enum DashedFile {
  /// Returns an argument whose `h` made the parser print help by mistake, if any.
  static func takenForHelp(in arguments: [String]) -> String? {
    let words = arguments.prefix { $0 != "--" }
    guard !words.contains(where: { $0 == "-h" || $0.hasPrefix("--help") }) else { return nil }
    // The letters of options that can share a dash.
    let letters = Set("hqv")
    return words.first { word in
      isJoined(word) && word.contains("h") && !letters.isSuperset(of: word.dropFirst())
    }
  }

  /// Returns an argument that the parser took for options but that names a file, if any.
  static func existing(in arguments: [String]) -> String? {
    arguments.prefix { $0 != "--" }.first { argument in
      guard isJoined(argument) else { return false }
      var status = stat()
      // `status` is a local variable of the size that the system expects.
      return unsafe stat(argument.fileNameBytes, &status) == 0
    }
  }

  /// How to write the name of such a file.
  static func cure(for argument: String) -> String {
    "to name the file “\(argument)”, write ./\(argument), or put -- before it"
  }

  /// Whether an argument has one dash and several letters.
  private static func isJoined(_ argument: String) -> Bool {
    argument.count > 2 && argument.hasPrefix("-") && !argument.hasPrefix("--")
  }
}
#endif
