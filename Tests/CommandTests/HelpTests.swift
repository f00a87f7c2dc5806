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
    let commands = try CommandHelp.all().flatMap(\.leaves)
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
    for command in try CommandHelp.all() { command.expectEveryArgumentIsExplained() }
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
