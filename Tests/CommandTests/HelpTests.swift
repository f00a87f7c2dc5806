import Foundation
import TestSupport
import Testing

@Suite("Help")
struct HelpTests {
  @Test(
    "Help goes to standard output and exits with 0", arguments: [["--help"], ["-h"], ["help"]])
  func rootHelp(arguments: [String]) throws {
    let result = try Command.run(arguments)
    #expect(result.status == 0)
    #expect(result.output.contains("\n\nUSAGE\n  fencepost COMMAND [options]\n"))
    #expect(result.output.contains("Exit status: 0 done"))
    #expect(result.errors.isEmpty)
  }

  @Test("A command with commands below it lists them", arguments: [["places"], ["profiles"], []])
  func groups(path: [String]) throws {
    let page = try Command.run(["help"] + path)
    #expect(page.status == 0)
    #expect(try Command.run(path + ["--help"]).output == page.output)
    let listed = page.output.matches(of: /(?m)^ {2}([a-z]+)(?= {2})/).map { String($0.1) }
    let dump = try Command.run(path + ["--experimental-dump-help"]).output
    #expect(listed.count > 1 && listed.allSatisfy { dump.contains("\"\($0)\"") })
    #expect(page.output.contains("\nOne command: fencepost help "))
  }

  @Test("Without arguments the program shows where to begin, on one screen")
  func overview() throws {
    let result = try Command.run([])
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 14)
    #expect(lines.allSatisfy { $0.count <= 80 })
    let commands = try CommandHelp.all().flatMap(\.leaves).map { $0.joined(separator: " ") }
    let shown = result.output.matches(of: /fencepost ([a-z]+(?: import)?) [a-z]/).map {
      String($0.1)
    }
    #expect(shown.count >= 8)
    for command in shown { #expect(command == "help" || commands.contains(command), "\(command)") }
    #expect(result.output.contains("fencepost help replay"))
  }

  @Test("Every command has a short page: a purpose, its use, examples and the options most needed")
  func shortPages() throws {
    let commands = try CommandHelp.all().flatMap(\.leaves)
    #expect(!commands.isEmpty)
    for path in commands {
      let name = path.joined(separator: " ")
      let page = try Command.run(["help"] + path)
      #expect(page.status == 0, "\(name)")
      #expect(try Command.run(path + ["--help"]).output == page.output, "\(name)")
      let lines = page.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 60, "\(name)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(name)")
      #expect(page.output.contains("\n\nUSAGE\n  fencepost \(name) [options]"), "\(name)")
      #expect(page.output.contains("\n\nEXAMPLES\n  "), "\(name)")
      #expect(
        page.output.matches(of: /(?m)^ {2}(-[a-z], )?--/).count <= 14, "\(name)")
      #expect(page.output.contains(": fencepost help \(name) --all\n"), "\(name)")
    }
  }

  @Test("help COMMAND --all names every option, with a purpose, a usage line and an example")
  func everyCommand() throws {
    for (path, result) in try CommandHelp.pages.get() {
      let name = path.joined(separator: " ")
      #expect(result.status == 0, "\(name)")
      #expect(result.output.contains("\n\nUSAGE\n  fencepost \(name) [options]"), "\(name)")
      #expect(!result.output.contains("(values:"), "\(name)")
      let long = result.output.split(separator: "\n").filter { $0.count > 80 }
      #expect(long.isEmpty, "\(name)")
      #expect(result.output.contains("  fencepost \(name)"), "\(name) has no example")
      let options = try CommandHelp.options(of: path)
      #expect(options.contains("--help"), "\(name)")
      let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("  -") }
      let words = Set(lines.flatMap { $0.split { " ,/".contains($0) } }.map(String.init))
      for option in options { #expect(words.contains(option), "\(name) \(option)") }
    }
  }

  @Test("Help describes every option")
  func everyOption() throws {
    for command in try CommandHelp.all() { command.expectEveryArgumentIsExplained() }
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
}

@Suite("The command line")
struct CommandLineTests {

  @Test("Output that cannot be written exits with 74")
  func unwritable() throws {
    let result = try Command.run([
      "profiles", "show", "ideal", "--output", "/nonexistent/ideal.json",
    ])
    #expect(result.status == 74)
    #expect(
      result.errors
        == "fencepost: /nonexistent/ideal.json: cannot write: No such file or directory\n")
  }
}
