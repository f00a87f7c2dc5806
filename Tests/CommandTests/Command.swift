import Foundation
import Testing

/// A run of the built program, as a user would run it.
enum Command {
  /// What a run left behind.
  struct Result {
    /// The exit status; 128 and the signal's number where one ended it.
    var status: Int32
    /// Everything on standard output, as text.
    var output: String
    /// Everything on standard error, as text.
    var errors: String
  }

  /// The program, beside the test bundle in the folder of built products.
  static let executable: URL = {
    if let path = ProcessInfo.processInfo.environment["FENCEPOST_EXECUTABLE"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("fencepost")
  }()

  /// The program did not end in time.
  struct TimeOut: Error {
    var arguments: [String]
  }

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
  ///   - seconds: when it is given up.
  /// - Returns: what the run left behind.
  /// - Throws: ``TimeOut`` when it did not end in time.
  @discardableResult
  static func run(
    _ arguments: [String],
    isTyped: Bool = false,
    input: String = "",
    in folder: URL? = nil,
    environment: [String: String] = [:],
    seconds: Double = 60
  ) throws -> Result {
    let scratch = try Scratch()
    let files = try ["in", "out", "err"].map { name in
      let url = scratch.url.appendingPathComponent(name)
      try Data(name == "in" ? input.utf8 : "".utf8).write(to: url)
      return url
    }
    let process = Process()
    process.executableURL = executable
    process.arguments = isTyped ? arguments : asRecords(arguments)
    process.currentDirectoryURL = folder
    // The machine's time zone must not decide what a test reads.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TZ": "UTC"].merging(environment) { $1 }) { $1 }
    // Files, not pipes: a pipe that nobody empties would stop the program.
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    try wait(for: process, arguments: arguments, seconds: seconds)
    let isSignal = process.terminationReason == .uncaughtSignal
    return Result(
      status: process.terminationStatus + (isSignal ? 128 : 0),
      output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
      errors: withoutLimit(String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)))
  }

  /// What a session said besides how many stories it watches, which all say first.
  static func withoutLimit(_ errors: String) -> String {
    errors.replacing(
      /fencepost: watching \d+ stor(y|ies) at a time, as a phone does; [^\n]*\n/, with: "")
  }

  private static func wait(for process: Process, arguments: [String], seconds: Double) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    while process.isRunning {
      guard Date() < end else {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        throw TimeOut(arguments: arguments)
      }
      usleep(2000)
    }
    process.waitUntilExit()
  }
}

/// A folder of a test's own, removed when the test is over.
final class Scratch {
  /// The folder.
  let url: URL

  /// Makes an empty folder.
  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // What cannot be removed is left to the system's own cleaning.
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a file into the folder and returns its path.
  @discardableResult
  func write(_ name: String, _ content: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(content.utf8).write(to: file)
    return file.path
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The text of a file in the folder.
  func text(_ name: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
  }

  /// The names of the files in the folder, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
