import Foundation
import Testing

@Suite("Help")
struct HelpTests {
  @Test(
    "Help goes to standard output and exits with 0", arguments: [["--help"], ["-h"], ["help"], []])
  func rootHelp(arguments: [String]) throws {
    let result = try Command.run(arguments)
    #expect(result.status == 0)
    #expect(result.output.contains("USAGE: fencepost <subcommand>"))
    #expect(result.errors.isEmpty)
  }

  @Test("Help for every command has a purpose, a usage line and an example")
  func everyCommand() throws {
    let commands = try manual().flatMap(\.leaves)
    #expect(!commands.isEmpty)
    for path in commands {
      let result = try Command.run(path + ["--help"])
      let name = path.joined(separator: " ")
      #expect(result.status == 0, "\(name)")
      #expect(result.output.contains("OVERVIEW: "), "\(name)")
      #expect(result.output.contains("USAGE: fencepost \(name)"), "\(name)")
      #expect(result.output.contains("  fencepost \(name)"), "\(name) has no example")
    }
  }

  @Test("Help describes every option")
  func everyOption() throws {
    for command in try manual() { command.expectEveryArgumentIsExplained() }
  }

  @Test("The manual pages refer to each other")
  func manualPages() throws {
    let scratch = try Scratch()
    #expect(try Command.run(["man", "--output-dir", scratch.url.path]).status == 0)
    let pages = try scratch.names()
    #expect(pages.contains("fencepost.1"))
    for page in pages {
      let text = try scratch.text(page)
      let name = page.replacing(".1", with: "")
      #expect(text.hasPrefix(".TH \"\(name.uppercased())\" 1"))
      for reference in text.matches(of: /\\fB([a-z\\-]+)\\fR\(1\)/) {
        #expect(pages.contains(String(reference.1).replacing("\\-", with: "-") + ".1"))
      }
    }
  }

  @Test("Completions exist for each shell", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let result = try Command.run(["--generate-completion-script", shell])
    #expect(result.status == 0)
    #expect(result.output.contains("fencepost"))
  }

  @Test("--version prints the version")
  func version() throws {
    let result = try Command.run(["--version"])
    #expect(result.status == 0)
    #expect(result.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  private func manual() throws -> [CommandHelp] {
    let dump = try Command.run(["--experimental-dump-help"]).output
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
    return (root.subcommands ?? []).filter { $0.commandName != "help" }
  }
}

@Suite("The command line")
struct CommandLineTests {
  @Test(
    "Wrong usage exits with 64 and a sentence",
    arguments: [["bogus"], ["--bogus"], ["man", "bogus"], ["man", "--output-dir"]])
  func wrongUse(arguments: [String]) throws {
    let result = try Command.run(arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("fencepost: "))
  }

  @Test("Output that cannot be written exits with 74")
  func unwritable() throws {
    let result = try Command.run(["man", "--output-dir", "/nonexistent"])
    #expect(result.status == 74)
    #expect(
      result.errors
        == "fencepost: /nonexistent/fencepost.1: cannot write: No such file or directory\n")
  }
}

/// The argument parser's account of the commands, as far as the tests look at it.
private struct Dump: Decodable {
  var command: CommandHelp
}

private struct CommandHelp: Decodable {
  struct Argument: Decodable {
    var abstract: String?
    var valueName: String?
  }

  var commandName: String
  var subcommands: [CommandHelp]?
  var arguments: [Argument]?

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
