import Foundation
import TestSupport
import Testing

/// A run of the built program, as a user would run it.
enum Command {
  /// What a run left behind.
  struct Result: Sendable {
    /// The exit status; 128 and the signal's number where one ended it.
    var status: Int32
    /// Everything on standard output, as text.
    var output: String
    /// Everything on standard error, as text.
    var errors: String
  }

  /// The built program.
  static var executable: URL { Tool.fencepost }

  /// The commands that write text unless told otherwise, and the format in which tests read them.
  private static let textCommands = [
    "advise", "analyze", "compare", "explain", "schedule", "sweep", "places import", "places list",
    "places nearest", "places stats", "places check", "places delete", "profiles list",
    "profiles show",
  ]

  /// Arguments that ask for records where the command would write text.
  ///
  /// Arguments that name a format, or a file whose name does, stay as they are.
  static func asRecords(_ arguments: [String]) -> [String] {
    guard
      let command = textCommands.first(where: {
        arguments.starts(with: $0.split(separator: " ").map(String.init))
      }), !arguments.contains(where: { $0.hasPrefix("--format") || $0 == "--help" })
    else { return arguments }
    let namesFormat = zip(arguments, arguments.dropFirst()).contains { option, file in
      ["-o", "--output"].contains(option) && !URL(fileURLWithPath: file).pathExtension.isEmpty
    }
    if namesFormat { return arguments }
    let names = command.split(separator: " ").count
    let format = command == "profiles show" ? "json" : "ndjson"
    return arguments.prefix(names) + ["--format", format] + arguments.dropFirst(names)
  }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: what stands behind the program's name. Commands that write text by default are
  ///     told to write records, which most tests read; see ``asRecords(_:)``.
  ///   - isTyped: whether the arguments are passed on exactly as given.
  ///   - input: what it finds on standard input.
  ///   - folder: where it runs; nil is where the tests run.
  ///   - environment: variables besides the usual ones.
  /// - Returns: what the run left behind.
  /// - Throws: ``Hang`` when it does not end.
  @discardableResult
  static func run(
    _ arguments: [String],
    isTyped: Bool = false,
    input: String = "",
    in folder: URL? = nil,
    environment: [String: String] = [:]
  ) throws -> Result {
    let scratch = try Scratch()
    let process = try LiveProcess(
      nil, isTyped ? arguments : asRecords(arguments), in: folder, environment: environment,
      reading: try scratch.write("in", input))
    return Result(
      status: try process.end(), output: process.outputText, errors: process.errorText)
  }
}

/// A folder of a test's own, removed when the test is over.
typealias Scratch = ScratchFolder
