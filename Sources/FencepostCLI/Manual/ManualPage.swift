import Formats

/// One manual page, in the `man` macros of roff.
struct ManualPage {
  private let command: JSONValue
  private let path: [String]
  private let version: String
  private let related: [String]

  /// Makes the page of a command.
  ///
  /// - Parameters:
  ///   - command: the command in the argument parser's dump.
  ///   - path: the names from the program's down to the command's.
  ///   - version: the program's version.
  ///   - related: names of the pages to point to.
  init(command: JSONValue, path: [String], version: String, related: [String]) {
    self.command = command
    self.path = path
    self.version = version
    self.related = related
  }

  /// `fencepost-places-import.1`.
  var fileName: String { "\(name).1" }

  /// The page's text.
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

  /// How an argument is written: its names in bold, its value in italics.
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

  /// A text with a blank line between paragraphs; indented lines are shown as they are.
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

  /// A text without anything that roff would take for a request or an escape.
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
    // A dot or an apostrophe at the beginning of a line is a request.
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.filter { $0 != "\"" })\""
  }
}
