import Foundation
import TestSupport
import Testing

@Suite("README and guides")
struct GuideTests {
  @Test(
    "Every example prints what the document shows",
    arguments: Document.all.filter { !$0.examples.isEmpty })
  func examples(document: Document) throws {
    let scratch = try Scratch()
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("Data"),
      withDestinationURL: Document.project.appendingPathComponent("Data"))
    if document.path != "README.md" {
      // The guides start from the store that the README's first command imports.
      let readme = try #require(Document.all.first { $0.path == "README.md" })
      _ = try run(try #require(readme.examples.first).command, in: scratch.url)
    }
    for example in document.examples {
      let found = try run(example.command, in: scratch.url)
      #expect(shown(found) == shown(example.output), "\(example.command)")
    }
  }

  @Test("There are examples of every use")
  func uses() {
    let commands = Document.all.flatMap(\.examples).map(\.command)
    #expect(commands.count >= 30)
    for use in [
      "replay", "live", "analyze", "sweep", "compare", "advise", "explain", "schedule",
      "places import",
      "places nearest", "places delete",
    ] {
      #expect(commands.contains { $0.contains("fencepost \(use) ") }, "\(use)")
    }
  }

  /// The change log also names options that versions since have left out.
  @Test(
    "Every option and every script that a document names exists",
    arguments: Document.all.filter { !$0.path.hasSuffix("/CHANGELOG.md") })
  func namesExist(document: Document) throws {
    for match in document.prose.matches(of: /`([^`\n]*?(--[a-z][a-z-]+)[^`\n]*)`/) {
      let (span, option) = (match.1, String(match.2))
      if let script = span.firstMatch(of: Self.script) {
        #expect(try text(of: String(script.0)).contains(option), "\(span)")
      } else if !["swift ", "git ", "fencepost --"].contains(where: { span.hasPrefix($0) }) {
        // The notes on data and scripts name options without the script, whose modules are beside the notes.
        let isNotes = ["Data/", "Tools/"].contains { document.path.hasPrefix($0) }
        let named = isNotes ? document.prose.matches(of: Self.script).map { String($0.0) } : []
        let notes =
          named + (document.path.hasPrefix("Tools/") ? modules(beside: document.path) : [])
          + (document.text.contains("fencepost.tables") ? Self.pythonCommands : [])
        #expect(
          try Self.help.get().contains(option)
            || notes.contains { ((try? text(of: $0)) ?? "").contains(option) }, "\(span)")
      }
    }
    for match in document.text.matches(of: Self.script) {
      let path = Document.project.appendingPathComponent(String(match.0)).path
      #expect(FileManager.default.isExecutableFile(atPath: path), "\(match.0)")
    }
  }

  /// Where the commands of the Python package name their options.
  private static let pythonCommands = ["spark/__main__.py", "tables/_columns.py"].map {
    "Sources/Faces/Python/fencepost/\($0)"
  }

  private static var script: Regex<Substring> {
    /Tools\/[a-z]+(?:-[a-z]+)*(?:\/[a-z]+(?:\.py)?)?/
  }

  @Test("Every relative link leads to a file and a heading", arguments: Document.all)
  func links(document: Document) {
    let folder = Document.project.appendingPathComponent(document.path).deletingLastPathComponent()
    for match in document.prose.matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains(":") {
      let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target =
        parts[0].isEmpty
        ? document.path
        : folder.appendingPathComponent(String(parts[0])).standardizedFileURL.path
          .replacingOccurrences(of: Document.project.standardizedFileURL.path + "/", with: "")
      let path = Document.project.appendingPathComponent(target).path
      #expect(FileManager.default.fileExists(atPath: path), "\(match.1)")
      guard parts.count == 2 else { continue }
      let anchors = Document.all.first { $0.path == target }?.anchors ?? []
      #expect(anchors.contains(String(parts[1])), "\(match.1)")
    }
  }

  @Test(
    "Guides have fewer than 200 lines, and at most 100 characters in a line of prose",
    arguments: Document.all.filter {
      $0.path.contains(".docc/") && !$0.path.hasSuffix("/Benchmark.md")
    })
  func sizes(document: Document) {
    #expect(document.text.count { $0 == "\n" } < 200)
    for line in document.prose.split(separator: "\n") where !line.hasPrefix("|") {
      #expect(line.count <= 100, "\(line)")
    }
  }

  @Test("Every product that a document names is a product of the package")
  func products() throws {
    let manifest = try text(of: "Package.swift")
    let list = try #require(manifest.firstMatch(of: /\n  products: \[\n((?s:.*?))\n  traits:/)).1
    let products = list.matches(of: /"(\w+)"/).map { "Fencepost\($0.1)" }
    var count = 0
    for document in Document.all {
      for match in document.text.matches(of: /\.product\(name: "(\w+)", package: "fencepost"\)/) {
        #expect(products.contains(String(match.1)), "\(match.1)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  /// The help of every command.
  private static let help = Result { try CommandHelp.pages.get().map(\.run.output).joined() }

  /// The modules in Python in the folder of a document and below.
  private func modules(beside path: String) -> [String] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().relativePath
    let found = FileManager.default.enumerator(
      atPath: Document.project.appendingPathComponent(folder).path)
    return (found?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".py") }
      .map { "\(folder)/\($0)" }
  }

  private func text(of path: String) throws -> String {
    try String(contentsOf: Document.project.appendingPathComponent(path), encoding: .utf8)
  }

  /// Drops what a document cannot show of an output: carriage returns, and empty lines at its end.
  private func shown(_ output: String) -> String {
    output.replacingOccurrences(of: "\r\n", with: "\n")
      .trimmingCharacters(in: .newlines)
  }

  /// Runs a line as a shell would, with the built program in the path; both outputs in one.
  private func run(_ command: String, in folder: URL) throws -> String {
    let products = Command.executable.deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let process = try LiveProcess(
      "sh", ["-c", "exec 2>&1; " + command], in: folder,
      environment: ["PATH": products + ":" + path, "COLUMNS": "80", "LC_ALL": "C.UTF-8"],
      reading: "/dev/null")
    try process.end()
    return process.outputText
  }
}
