import Foundation
import FencepostStateDatabase
import FencepostStateFile
import Synchronization
import TestSupport
import Testing

extension LiveProcess {
  /// Ends standard input, and expects that the program ends well.
  func finish(at place: SourceLocation = #_sourceLocation) throws {
    try closeInput()
    let status = try end()
    #expect(status == 0, "\(errorText)", sourceLocation: place)
  }

  /// Sends a signal, and expects that the program ends with it.
  func stop(by number: Int32 = SIGTERM, at place: SourceLocation = #_sourceLocation) throws {
    signal(number)
    let status = try end()
    #expect(status == 128 + number, "\(errorText)", sourceLocation: place)
  }
}

/// The sample data and its replays.
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

  static func reminders(_ name: String) -> String {
    data.appendingPathComponent("reminders/\(name)").path
  }

  private struct Replayed: Hashable {
    var bytes: Data
    var options: [String]
  }

  /// What replays have written, since many tests ask for the same.
  private static let replays = Mutex<[Replayed: [String]]>([:])

  /// The lines that a replay of the bytes from standard input writes.
  static func replayed(_ bytes: Data, _ more: [String] = []) throws -> [String] {
    let question = Replayed(bytes: bytes, options: more)
    if let known = replays.withLock({ $0[question] }) { return known }
    let scratch = try Scratch()
    let file = scratch.url.appendingPathComponent("log")
    try bytes.write(to: file)
    let result = try Command.run(["replay", file.path, "--places", places, "--quiet"] + more)
    let lines = result.output.split(separator: "\n").map { line in
      String(line).replacing("\"track\":\"\(file.path)\"", with: "\"track\":\"stdin\"")
    }
    replays.withLock { $0[question] = lines }
    return lines
  }

  /// The number of bytes of input in a session's state file.
  static func consumedCount(_ path: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let file = try StateDatabase(path: path, waitSeconds: 3600)
    defer { try? file.close() }
    return try file.update { transaction in
      guard let last = try transaction.ids(kind: "input").last, let offset = Int(last),
        let body = try transaction.body(kind: "input", id: last)
      else { return 0 }
      return offset + body.count
    }
  }

  /// Whether a session's state file holds lines for standard output that are not noted as written.
  static func owesOutput(_ path: String) throws -> Bool {
    let file = try StateDatabase(path: path, waitSeconds: 3600)
    defer { try? file.close() }
    return try file.update { transaction in
      try !transaction.ids(kind: "owed/output").isEmpty
    }
  }
}
