import Foundation
import Testing

/// The argument parser's account of a command, as far as the tests look at it.
struct CommandHelp: Decodable, Sendable {
  struct Argument: Decodable, Sendable {
    struct Name: Decodable, Sendable {
      var kind: String
      var name: String
    }

    var abstract: String?
    var names: [Name]?
    var shouldDisplay: Bool?
    var valueName: String?

    /// The names with their dashes; none if help does not show the option.
    var shownNames: [String] {
      guard shouldDisplay != false else { return [] }
      return (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
    }
  }

  private struct Dump: Decodable {
    var command: CommandHelp
  }

  var commandName: String
  var subcommands: [CommandHelp]?
  var arguments: [Argument]?

  /// Every command below `fencepost` but `help`.
  static func all() throws -> [CommandHelp] { try every.get() }

  private static let every = Result {
    let dump = try Command.run(["--experimental-dump-help"]).output
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
    return (root.subcommands ?? []).filter { $0.commandName != "help" }
  }

  /// What `help` prints of each command, with all its options.
  static let pages = Result {
    try all().flatMap(\.leaves).map { (path: $0, run: try Command.run(["help"] + $0 + ["--all"])) }
  }

  /// The names of every option of a command, with their dashes, as the parser knows them.
  static func options(of path: [String]) throws -> [String] {
    let dump = try Command.run(path + ["--experimental-dump-help"]).output
    let command = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
    return (command.arguments ?? []).flatMap(\.shownNames)
  }

  /// The paths of names to the commands that have no commands below them.
  var leaves: [[String]] {
    let below = (subcommands ?? []).filter { $0.commandName != "help" }
    if below.isEmpty { return [[commandName]] }
    return below.flatMap { $0.leaves.map { [commandName] + $0 } }
  }

  func expectEveryArgumentIsExplained() {
    for argument in arguments ?? [] {
      #expect(argument.abstract?.isEmpty == false, "\(commandName) \(argument.valueName ?? "")")
    }
    for subcommand in subcommands ?? [] { subcommand.expectEveryArgumentIsExplained() }
  }
}
