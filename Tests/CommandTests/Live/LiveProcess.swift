import Foundation
import StateFile
import Synchronization
import Testing

/// A program that runs while a test goes on: the built one, or one of those that it works with.
final class LiveProcess {
  /// A condition did not come about in time.
  struct TimeOut: Error, CustomStringConvertible {
    var description: String
  }

  /// What came from the program so far.
  private final class Collected: Sendable {
    let text = Mutex(Data())
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Collected()
  private let errors = Collected()
  private let endings = DispatchGroup()

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: its path, or its name in the usual folders; nil is the built program.
  ///   - arguments: what stands behind its name.
  ///   - environment: variables besides the usual ones.
  /// - Throws: where it cannot be started.
  init(
    _ executable: String? = nil, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    process.executableURL =
      try executable.map { try #require(Tool.path($0)) } ?? Command.executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = collect(output)
    process.standardError = collect(errors)
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  private func collect(_ collected: Collected) -> Pipe {
    let pipe = Pipe()
    endings.enter()
    Thread.detachNewThread { [endings] in
      while true {
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty { break }
        collected.text.withLock { $0.append(data) }
      }
      endings.leave()
    }
    return pipe
  }

  var identifier: Int32 { process.processIdentifier }
  var outputText: String { String(decoding: output.text.withLock { $0 }, as: UTF8.self) }
  var errorText: String { String(decoding: errors.text.withLock { $0 }, as: UTF8.self) }
  var lines: [String] { outputText.split(separator: "\n").map(String.init) }

  /// Gives the program bytes on standard input.
  func write(_ data: Data) throws {
    try input.fileHandleForWriting.write(contentsOf: data)
  }

  /// Ends standard input.
  func closeInput() throws {
    try input.fileHandleForWriting.close()
  }

  /// Waits until a condition holds, with a bound.
  func wait(
    _ what: String, seconds: Double = 20, until condition: (LiveProcess) throws -> Bool
  ) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    while try !condition(self) {
      guard Date() < end else {
        throw TimeOut(description: "\(what); standard error: \(errorText)")
      }
      usleep(2000)
    }
  }

  /// Sends a signal.
  func signal(_ number: Int32) {
    kill(process.processIdentifier, number)
  }

  /// Waits until the program has ended and all it wrote is here.
  ///
  /// - Returns: its status; 128 and the signal's number where one ended it.
  @discardableResult
  func end(seconds: Double = 20) throws -> Int32 {
    try wait("the program did not end", seconds: seconds) { !$0.process.isRunning }
    process.waitUntilExit()
    _ = endings.wait(timeout: .now() + seconds)
    let isSignal = process.terminationReason == .uncaughtSignal
    return process.terminationStatus + (isSignal ? 128 : 0)
  }
}

/// Programs that tests work with, where they are installed.
enum Tool {
  /// Where a program is, nil where it is not installed.
  static func path(_ name: String) -> URL? {
    if name.hasPrefix("/") { return URL(fileURLWithPath: name) }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (folders + ["/usr/sbin", "/usr/local/sbin", "/sbin"])
      .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Whether all of these are installed.
  static func has(_ names: String...) -> Bool { names.allSatisfy { path($0) != nil } }

  /// A port that nothing listens on.
  static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The system reads and writes a socket address of the size told.
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor, generic, length) + getsockname(descriptor, generic, &length)
      }
    }
    try #require(code == 0)
    return Int(UInt16(bigEndian: address.sin_port))
  }
}

/// The sample data, and what comes of it.
enum LiveSample {
  private static let data = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Data")

  static let places = data.appendingPathComponent("stories/philadelphia.csv").path

  static func track(_ name: String) throws -> Data {
    try Data(contentsOf: data.appendingPathComponent("tracks/\(name)"))
  }

  static func path(_ name: String) -> String {
    data.appendingPathComponent("tracks/\(name)").path
  }

  /// The lines that a replay of the bytes from standard input writes.
  static func replayed(_ bytes: Data, _ more: [String] = []) throws -> [String] {
    let scratch = try Scratch()
    let file = scratch.url.appendingPathComponent("log")
    try bytes.write(to: file)
    let result = try Command.run(["replay", file.path, "--places", places, "--quiet"] + more)
    return result.output.split(separator: "\n").map { line in
      String(line).replacing("\"track\":\"\(file.path)\"", with: "\"track\":\"stdin\"")
    }
  }

  /// How many bytes of input a session has put into its state file.
  static func consumedCount(_ path: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let file = try StateFile(path: path)
    defer { try? file.close() }
    return try file.update { transaction in
      guard let last = try transaction.ids(kind: "input").last, let offset = Int(last),
        let body = try transaction.body(kind: "input", id: last)
      else { return 0 }
      return offset + body.count
    }
  }
}
