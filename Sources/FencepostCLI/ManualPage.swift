import FencepostFiles
import FencepostFormats

/// The manual page of a command, in the `man` macros of roff.
///
/// Made from the argument parser's dump of all help, which nests subcommands.
struct ManualPage {
  private let command: JSONValue
  private let path: [String]
  private let version: String

  /// Makes the page of the root command.
  init(root command: JSONValue, version: String) {
    self.init(command, path: [command["commandName"]?.string ?? ""], version: version)
  }

  private init(_ command: JSONValue, path: [String], version: String) {
    self.command = command
    self.path = path
    self.version = version
  }

  // MARK: Subcommands

  /// The page of a command below this one, nil if there is no such command.
  func page(of names: [String]) -> ManualPage? {
    guard let name = names.first else { return self }
    return subpages.first { $0.path.last == name }?.page(of: Array(names.dropFirst()))
  }

  /// The pages of this command and of all visible ones below it.
  var all: [ManualPage] { [self] + visibleSubpages.flatMap(\.all) }

  private var subpages: [ManualPage] {
    (command["subcommands"]?.array ?? []).map { subcommand in
      let name = subcommand["commandName"]?.string ?? ""
      return ManualPage(subcommand, path: path + [name], version: version)
    }
  }

  private var visibleSubpages: [ManualPage] {
    subpages.filter {
      // `help` is the parser's own and documented with every command.
      $0.command["shouldDisplay"]?.boolean != false && $0.path.last != "help"
    }
  }

  /// The names of the parent's and the subcommands' pages.
  private var related: [String] {
    let parents = path.count > 1 ? [path.dropLast().joined(separator: "-")] : []
    return parents + visibleSubpages.map(\.name)
  }

  // MARK: Text

  /// `fencepost-places-import.1`.
  var fileName: String { "\(name).1" }

  /// The page as roff.
  var roff: String {
    var lines = [
      ".TH \(Self.quoted(name.uppercased())) 1 \"\" \(Self.quoted("fencepost \(version)"))",
      ".SH NAME",
      "\(Self.escaped(name)) \\- \(Self.escaped(abstract))",
      ".SH SYNOPSIS",
    ]
    lines += synopsis
    if let discussion = command["discussion"]?.string {
      lines.append(".SH DESCRIPTION")
      lines += Self.paragraphs(discussion)
    }
    lines += section("ARGUMENTS", of: arguments.filter { $0["kind"]?.string == "positional" })
    lines += section("OPTIONS", of: arguments.filter { $0["kind"]?.string != "positional" })
    if !related.isEmpty {
      let pages = related.map { "\\fB\(Self.escaped($0))\\fR(1)" }
      lines += [".SH SEE ALSO", pages.joined(separator: ", ")]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var name: String { path.joined(separator: "-") }
  private var abstract: String { command["abstract"]?.string ?? "" }

  private var arguments: [JSONValue] {
    (command["arguments"]?.array ?? []).filter { $0["shouldDisplay"]?.boolean != false }
  }

  private var synopsis: [String] {
    var words = ["\\fB\(Self.escaped(path.joined(separator: " ")))\\fR"]
    for argument in arguments where argument["kind"]?.string != "flag" {
      let isOptional = argument["isOptional"]?.boolean == true
      let repeats = argument["isRepeating"]?.boolean == true ? " ..." : ""
      let term = Self.term(argument, isShort: true)
      words.append(isOptional ? "[\(term)]\(repeats)" : "\(term)\(repeats)")
    }
    if arguments.contains(where: { $0["kind"]?.string == "flag" }) { words.append("[flags]") }
    if command["subcommands"]?.array?.isEmpty == false { words.append("\\fIcommand\\fR") }
    return [words.joined(separator: " ")]
  }

  private func section(_ title: String, of arguments: [JSONValue]) -> [String] {
    guard !arguments.isEmpty else { return [] }
    var lines = [".SH \(title)"]
    for argument in arguments {
      lines += [".TP", Self.term(argument, isShort: false)]
      var text = argument["abstract"]?.string ?? ""
      if let standard = argument["defaultValue"]?.string, !standard.isEmpty {
        text += " Default: \(standard)."
      }
      lines.append(Self.escaped(text))
      if let discussion = argument["discussion"]?.string {
        lines.append(Self.escaped(discussion))
      }
    }
    return lines
  }

  /// An argument with its names in bold and its value in italics.
  private static func term(_ argument: JSONValue, isShort: Bool) -> String {
    let value = "\\fI\(escaped(argument["valueName"]?.string ?? "value"))\\fR"
    let kind = argument["kind"]?.string
    if kind == "positional" { return value }
    let all = argument["names"]?.array ?? []
    let preferred = argument["preferredName"].map { [$0] } ?? Array(all.prefix(1))
    let names = (isShort ? preferred : all).map { name in
      let dashes = name["kind"]?.string == "long" ? "--" : "-"
      return "\\fB\(escaped(dashes + (name["name"]?.string ?? "")))\\fR"
    }
    return names.joined(separator: ", ") + (kind == "option" ? " \(value)" : "")
  }

  /// Splits a text into paragraphs at blank lines; indented lines stay verbatim.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isVerbatim = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.hasPrefix("  ")
      if isIndented != isVerbatim {
        lines.append(isIndented ? ".nf" : ".fi")
        isVerbatim = isIndented
      }
      lines.append(line.isEmpty ? ".PP" : escaped(String(line)))
    }
    if isVerbatim { lines.append(".fi") }
    return lines
  }

  /// Escapes roff's requests and escapes.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\n": result += " "
      default: result.append(character)
      }
    }
    // A leading dot or apostrophe is a request.
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.filter { $0 != "\"" })\""
  }
}
