import ArgumentParser
import Foundation

/// What a user probably meant where the parser's own message leads astray.
enum UsageHint {
  /// A sentence about an option that the command does not have; nil if it has them all.
  ///
  /// What follows a misspelt option counts as a file, so that the parser may complain of that first.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: A sentence as the parser writes it.
  static func unknownOption(in arguments: [String]) -> String? {
    let known = options(of: command(in: arguments))
    let given = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }
    guard let unknown = given.first(where: { !known.contains($0) }) else { return nil }
    let nearest = known.min { (distance($0, unknown), $0) < (distance($1, unknown), $1) }
    guard let nearest, distance(nearest, unknown) <= 3 else { return "Unknown option '\(unknown)'" }
    return "Unknown option '\(unknown)'. Did you mean '\(nearest)'?"
  }

  /// What was probably meant by a command or value that is almost right, as a sentence; nil without a guess.
  static func meant(in arguments: [String]) -> String? {
    if let first = arguments.first, !first.hasPrefix("-"),
      !FencepostCommand.configuration.subcommands.contains(where: {
        $0.configuration.commandName == first
      })
    {
      let owner = FencepostCommand.configuration.subcommands.first { group in
        group.configuration.subcommands.contains { $0.configuration.commandName == first }
      }
      if let owner {
        return "is ‘fencepost \(owner.configuration.commandName ?? "") \(first)’ meant?"
      }
    }
    let zones =
      zip(arguments, arguments.dropFirst()).first { $0.0 == "--time-zone" }?.1
      ?? arguments.first { $0.hasPrefix("--time-zone=") }.map { String($0.dropFirst(12)) }
    return zones.flatMap { zone(like: $0) }.map { "is --time-zone \($0) meant?" }
  }

  /// The zone whose city has a name: `Europe/Berlin` for `berlin`.
  static func zone(like name: String) -> String? {
    let city = name.lowercased().replacing(" ", with: "_")
    let known = TimeZone.knownTimeZoneIdentifiers
    guard !city.isEmpty, !known.contains(name) else { return nil }
    return known.first { $0.lowercased() == city }
      ?? known.first { $0.lowercased().split(separator: "/").last.map(String.init) == city }
  }

  // MARK: The command line

  /// The command that the arguments name.
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

  /// The names of a command's options, as its help has them.
  private static func options(of command: any ParsableCommand.Type) -> Set<String> {
    let help = FencepostCommand.helpMessage(for: command, includeHidden: true, columns: 10_000)
    let names = help.matches(of: /--[a-z][a-z0-9-]*/).map { String($0.output) }
    return Set(names).union(["--help", "--version"])
  }

  /// How many letters must change, be added or go to make one word of another.
  static func distance(_ one: String, _ other: String) -> Int {
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
