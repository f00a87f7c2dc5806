#if Command
import ArgumentParser
import FencepostFormats
import FencepostReporting

struct ManCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man", abstract: "Write a manual page, or all of them into a folder.",
    discussion: """
      The pages are made from the help texts.

      Examples:
        fencepost man places import | man -l -
        fencepost man --output-dir /usr/share/man/man1
      """,
    shouldDisplay: false)

  @Argument(help: .value("command", "Command whose page to write. Default: fencepost itself."))
  var command: [String] = []

  @Option("folder", "Write the pages of all commands into this folder.", completion: .directory)
  var outputDir: String?

  func run() async throws {
    let dump = try HelpPage.dump(of: [])
    let root = ManualPage(command: dump, path: [dump.text("commandName")])
    guard let outputDir else {
      guard let page = root.page(of: command) else {
        throw ValidationError(
          "no command “\(command.joined(separator: " "))”. To list all: fencepost help")
      }
      return try OutputFile.write { $0.append(verbatim: page.roff) }
    }
    for page in root.all {
      try OutputFile.write(to: "\(outputDir)/\(page.name).1") { $0.append(verbatim: page.roff) }
    }
  }
}

/// The manual page of a command, in the `man` macros of roff.
private struct ManualPage {
  let command: JSONValue
  let path: [String]

  /// `fencepost-places-import`.
  var name: String { path.joined(separator: "-") }

  /// The page of a command below this one; nil if there is no such command.
  func page(of names: [String]) -> ManualPage? {
    guard let name = names.first else { return self }
    return subpages.first { $0.path.last == name }?.page(of: Array(names.dropFirst()))
  }

  /// The pages of this command and of all visible ones below it.
  var all: [ManualPage] { [self] + visibleSubpages.flatMap(\.all) }

  private var subpages: [ManualPage] {
    command.list("subcommands").map {
      ManualPage(command: $0, path: path + [$0.text("commandName")])
    }
  }

  private var visibleSubpages: [ManualPage] {
    // `help` belongs to the parser and is documented with every command.
    subpages.filter { $0.command.isShown && $0.path.last != "help" }
  }

  var roff: String {
    let version = "fencepost \(FencepostCommand.configuration.version)"
    var lines = [
      ".TH \(Self.quoted(name.uppercased())) 1 \"\" \(Self.quoted(version))",
      ".SH NAME", "\(Self.escaped(name)) \\- \(Self.escaped(command.text("abstract")))",
      ".SH SYNOPSIS", synopsis,
    ]
    if let discussion = command["discussion"]?.string {
      lines += [".SH DESCRIPTION"] + Self.paragraphs(discussion)
    }
    lines += section("ARGUMENTS", of: arguments.filter { $0.text("kind") == "positional" })
    lines += section("OPTIONS", of: arguments.filter { $0.text("kind") != "positional" })
    let parents = path.count > 1 ? [path.dropLast().joined(separator: "-")] : []
    let related = parents + visibleSubpages.map(\.name)
    if !related.isEmpty {
      let pages = related.map { "\\fB\(Self.escaped($0))\\fR(1)" }
      lines += [".SH SEE ALSO", pages.joined(separator: ", ")]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var arguments: [JSONValue] { command.list("arguments").filter(\.isShown) }

  private var synopsis: String {
    var words = ["\\fB\(Self.escaped(path.joined(separator: " ")))\\fR"]
    for argument in arguments where argument.text("kind") != "flag" {
      let repeats = argument["isRepeating"]?.boolean == true ? " ..." : ""
      let term = Self.term(argument, isShort: true)
      words.append((argument["isOptional"]?.boolean == true ? "[\(term)]" : term) + repeats)
    }
    if arguments.contains(where: { $0.text("kind") == "flag" }) { words.append("[flags]") }
    if !command.list("subcommands").isEmpty { words.append("\\fIcommand\\fR") }
    return words.joined(separator: " ")
  }

  private func section(_ title: String, of arguments: [JSONValue]) -> [String] {
    guard !arguments.isEmpty else { return [] }
    var lines = [".SH \(title)"]
    for argument in arguments {
      lines += [".TP", Self.term(argument, isShort: false), Self.escaped(argument.meaning)]
      if let discussion = argument["discussion"]?.string { lines.append(Self.escaped(discussion)) }
    }
    return lines
  }

  /// Formats an argument, with its names in bold and its value in italics.
  private static func term(_ argument: JSONValue, isShort: Bool) -> String {
    let value = "\\fI\(escaped(argument["valueName"]?.string ?? "value"))\\fR"
    let kind = argument.text("kind")
    if kind == "positional" { return value }
    let all = argument.list("names")
    let preferred = argument["preferredName"].map { [$0] } ?? Array(all.prefix(1))
    let names = (isShort ? preferred : all).map { "\\fB\(escaped($0.dashedName))\\fR" }
    return names.joined(separator: ", ") + (kind == "option" ? " \(value)" : "")
  }

  /// Splits a text into paragraphs at blank lines; indented lines stay verbatim.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isVerbatim = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  ") != isVerbatim {
        isVerbatim.toggle()
        lines.append(isVerbatim ? ".nf" : ".fi")
      }
      lines.append(line.isEmpty ? ".PP" : escaped(String(line)))
    }
    return isVerbatim ? lines + [".fi"] : lines
  }

  private static func escaped(_ text: String) -> String {
    let result = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("\n", with: " ")
    // A leading dot or apostrophe begins a request.
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }

  private static func quoted(_ text: String) -> String { "\"\(text.filter { $0 != "\"" })\"" }
}
#endif
