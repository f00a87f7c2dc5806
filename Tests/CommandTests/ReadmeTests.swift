import Foundation
import Testing

/// The console blocks of README: a command behind `$ `, then what it prints.
struct ReadmeExample: CustomTestStringConvertible, Sendable {
  var command: String
  var output: String

  var testDescription: String { command }

  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Every example, in order; they build on one another.
  static func all() throws -> [ReadmeExample] {
    let text = try String(
      contentsOf: package.appendingPathComponent("README.md"), encoding: .utf8)
    var examples: [ReadmeExample] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        examples.append(ReadmeExample(command: String(line.dropFirst(2)), output: ""))
      } else if isInside, !examples.isEmpty {
        examples[examples.count - 1].output += line + "\n"
      }
    }
    return examples
  }
}

@Suite("README")
struct ReadmeTests {
  @Test("Every example prints what README shows")
  func examples() throws {
    let examples = try ReadmeExample.all()
    #expect(examples.count >= 8)
    let scratch = try Scratch()
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("Data"),
      withDestinationURL: ReadmeExample.package.appendingPathComponent("Data"))
    for example in examples {
      let found = try run(example.command, in: scratch.url)
      #expect(shown(found) == shown(example.output), "\(example.command)")
    }
  }

  @Test("Every option and every script that README names exists")
  func namesExist() throws {
    let text = try String(
      contentsOf: ReadmeExample.package.appendingPathComponent("README.md"), encoding: .utf8)
    let help = try [
      "replay", "places import", "places nearest", "places list", "man", "analyze", "sweep",
      "explain", "live", "serve", "schedule",
    ]
    .map { try Command.run(["help"] + $0.split(separator: " ").map(String.init)).output }
    .joined()
    for match in text.matches(of: /`[^`\n]*?(--[a-z][a-z-]+)[^`\n]*`/) {
      let option = String(match.1)
      guard option != "--generate-completion-script" else { continue }
      if let script = match.0.firstMatch(of: /Tools\/[a-z-]+/) {
        let text = try String(
          contentsOf: ReadmeExample.package.appendingPathComponent(String(script.0)),
          encoding: .utf8)
        #expect(text.contains(option), "\(option)")
      } else {
        #expect(help.contains(option), "\(option)")
      }
    }
    for match in text.matches(of: /Tools\/[a-z-]+/) {
      #expect(
        FileManager.default.isExecutableFile(
          atPath: ReadmeExample.package.appendingPathComponent(String(match.0)).path))
    }
  }

  /// What of an output README can show: not how its lines end, nor empty ones at its end.
  private func shown(_ output: String) -> String {
    output.replacingOccurrences(of: "\r\n", with: "\n")
      .trimmingCharacters(in: .newlines)
  }

  /// Runs a line as a shell would, with the built program in the path; both outputs in one.
  private func run(_ command: String, in folder: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exec 2>&1; " + command]
    process.currentDirectoryURL = folder
    let products = Command.executable.deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = ProcessInfo.processInfo.environment.merging([
      "PATH": products + ":" + path, "COLUMNS": "80", "LC_ALL": "C.UTF-8",
    ]) { $1 }
    let output = folder.appendingPathComponent(".output")
    try Data().write(to: output)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return String(decoding: try Data(contentsOf: output), as: UTF8.self)
  }
}
