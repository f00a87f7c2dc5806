import Formats

/// A command with its subcommands, as the argument parser's dump of all help describes them.
struct Manual {
  private let command: JSONValue
  private let path: [String]
  private let version: String

  /// Makes the manual of the root command.
  init(_ command: JSONValue, version: String) {
    self.init(command, path: [command["commandName"]?.string ?? ""], version: version)
  }

  private init(_ command: JSONValue, path: [String], version: String) {
    self.command = command
    self.path = path
    self.version = version
  }

  /// The page of this command.
  var page: ManualPage {
    ManualPage(command: command, path: path, version: version, related: relatedPages)
  }

  /// The page of a command below this one, nil where there is no such command.
  func page(of names: [String]) -> ManualPage? {
    guard let name = names.first else { return page }
    let subcommand = subcommands.first { $0.path.last == name }
    return subcommand?.page(of: Array(names.dropFirst()))
  }

  /// The pages of this command and of all below it that the help shows.
  func pages() -> [ManualPage] {
    [page] + shownSubcommands.flatMap { $0.pages() }
  }

  private var subcommands: [Manual] {
    (command["subcommands"]?.array ?? []).map { subcommand in
      let name = subcommand["commandName"]?.string ?? ""
      return Manual(subcommand, path: path + [name], version: version)
    }
  }

  private var shownSubcommands: [Manual] {
    subcommands.filter {
      // `help` is the parser's own and shown with every command.
      $0.command["shouldDisplay"]?.boolean != false && $0.path.last != "help"
    }
  }

  private var relatedPages: [String] {
    let parents = path.count > 1 ? [path.dropLast().joined(separator: "-")] : []
    return parents + shownSubcommands.map { $0.path.joined(separator: "-") }
  }
}
