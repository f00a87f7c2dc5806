import ArgumentParser
import FencepostNotifications
import FencepostTime
import Foundation

/// Guesses what a user meant where the parser's own message is misleading.
enum UsageHint {
  /// A sentence about an option that the command does not have; nil if it has them all.
  ///
  /// The parser takes the value of a misspelled option for a file and may report that first.
  static func unknownOption(in arguments: [String]) -> String? {
    let known = options(of: command(in: arguments))
    let given = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }
    guard let unknown = given.first(where: { !known.contains($0) }) else { return nil }
    guard let nearest = nearest(to: unknown, among: known, within: 3) else {
      return "Unknown option '\(unknown)'"
    }
    return "Unknown option '\(unknown)'. Did you mean '\(nearest)'?"
  }

  /// A guess at a misspelled command or value, as a sentence; nil without a guess.
  static func meant(in arguments: [String]) -> String? {
    let zone = value(of: "--time-zone", in: arguments)
    if let zone, let near = self.zone(like: zone) { return "is --time-zone \(near) meant?" }
    if let zone, ClockZone(argument: zone) == nil {
      return "Write a time zone by its city, as in Europe/Berlin, or by its offset, as in +01:00."
    }
    for option in ["--from", "--to", "--date"] {
      guard let text = value(of: option, in: arguments), PeriodEnd(argument: text) == nil else {
        continue
      }
      if let day = day(in: text) { return "is \(option) \(day) meant?" }
      return "Write a day as in 2026-03-04, and a time with its offset, as in 2026-03-04T17:00:00Z."
    }
    return nil
  }

  /// The value of an option on the command line, after a space or `=`.
  static func value(of option: String, in arguments: [String]) -> String? {
    for (index, word) in arguments.enumerated().reversed() {
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
      if word == option, index + 1 < arguments.count { return arguments[index + 1] }
    }
    return nil
  }

  /// Whether an option is on the command line, with a value or without.
  static func isTyped(_ option: String, in arguments: [String]) -> Bool {
    arguments.contains { $0 == option || $0.hasPrefix(option + "=") }
  }

  /// The name most like a word, if few letters differ.
  static func nearest(to word: String, among names: some Sequence<String>, within most: Int)
    -> String?
  {
    let nearest = names.min { (distance($0, word), $0) < (distance($1, word), $1) }
    return nearest.flatMap { distance($0, word) <= most ? $0 : nil }
  }

  /// The unambiguous day of a text such as `16.11.2026`, in the form that options expect.
  private static func day(in text: String) -> String? {
    guard case .since1970(let day)? = CivilText(Array(text.utf8).span)?.day else { return nil }
    return String(ISO8601.string(milliseconds: Int64(day) * 86_400_000).prefix(10))
  }

  // MARK: Commands

  /// A sentence about a command that does not exist; nil if it does.
  ///
  /// The parser then knows no command and reports the first option instead.
  static func unknownCommand(in arguments: [String]) -> String? {
    var (group, path): (any ParsableCommand.Type, [String]) = (FencepostCommand.self, [])
    for argument in arguments {
      let commands = group.configuration.subcommands
      guard !commands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
      guard let next = commands.first(where: { $0.configuration.commandName == argument }) else {
        return unknown((path + [argument]).joined(separator: " "), argument, path, commands)
      }
      (group, path) = (next, path + [argument])
    }
    return nil
  }

  private static func unknown(
    _ name: String, _ word: String, _ path: [String], _ commands: [any ParsableCommand.Type]
  ) -> String {
    let sentence = "Unknown command \"\(name)\"."
    let names = commands.compactMap { $0.configuration.commandName }
    let owner = commands.first { group in
      group.configuration.subcommands.contains { $0.configuration.commandName == word }
    }
    if let owner = owner?.configuration.commandName {
      return "\(sentence) Did you mean \"\(owner) \(word)\"?"
    }
    guard let nearest = nearest(to: word, among: names, within: min(3, word.count / 2)) else {
      return "\(sentence) See: fencepost help\(path.map { " " + $0 }.joined())"
    }
    return "\(sentence) Did you mean \"\((path + [nearest]).joined(separator: " "))\"?"
  }

  /// The time zone of a city: `Europe/Berlin` for `berlin`.
  static func zone(like name: String) -> String? {
    let city = name.lowercased().replacing(" ", with: "_")
    let known = TimeZone.knownTimeZoneIdentifiers
    guard !city.isEmpty, !known.contains(name) else { return nil }
    return known.first { $0.lowercased() == city }
      ?? known.first { $0.lowercased().split(separator: "/").last.map(String.init) == city }
  }

  // MARK: The command line

  private static func command(in arguments: [String]) -> any ParsableCommand.Type {
    var command: any ParsableCommand.Type = FencepostCommand.self
    for argument in arguments {
      let next = command.configuration.subcommands.first {
        $0.configuration.commandName == argument
      }
      guard let next else { break }
      command = next
    }
    return command
  }

  /// The command that the words before the first option name exactly; nil if there is none.
  static func command(at words: [String]) -> (any ParsableCommand.Type)? {
    let names = words.prefix { !$0.hasPrefix("-") }
    var command: any ParsableCommand.Type = FencepostCommand.self
    for name in names {
      guard
        let next = command.configuration.subcommands.first(where: {
          $0.configuration.commandName == name
        })
      else { return nil }
      command = next
    }
    return command
  }

  /// The names of a command's options, as its help has them.
  private static func options(of command: any ParsableCommand.Type) -> Set<String> {
    let help = FencepostCommand.helpMessage(for: command, includeHidden: true, columns: 10_000)
    let names = help.matches(of: /--[a-z][a-z0-9-]*/).map { String($0.output) }
    return Set(names).union(["--help", "--version"])
  }

  /// The edit distance between two words.
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, another) in other.enumerated() {
        let replaced = diagonal + (letter == another ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(replaced, row[place] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
