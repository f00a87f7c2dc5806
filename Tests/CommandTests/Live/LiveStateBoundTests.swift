import Foundation
import FencepostStateDatabase
import FencepostStateFile
import TestSupport
import Testing

/// The input that a state file keeps for a restart is bounded.
@Suite("A session's state file and long input")
struct LiveStateBoundTests {
  private static let rule = ["--events", "alert,suppressed,enter,exit,refresh"]

  /// Makes a session read the input from a file, as it may stop reading early.
  private static func run(_ scratch: Scratch, _ bytes: some DataProtocol) throws -> LiveProcess {
    try Data(bytes).write(to: scratch.url.appendingPathComponent("input"))
    let command = #""$0" live - --places "$1" --state "$2" \#(rule.joined(separator: " ")) < "$3""#
    return try LiveProcess(
      "sh",
      [
        "-c", command,
        Command.executable.path, LiveSample.places, scratch.path("state"), scratch.path("input"),
      ])
  }

  private static func keptCount(_ path: String) throws -> Int {
    let file = try StateDatabase(path: path)
    defer { try? file.close() }
    return try file.update { transaction in
      try transaction.ids(kind: "input").reduce(0) {
        $0 + (try transaction.body(kind: "input", id: $1)?.count ?? 0)
      }
    }
  }

  @Test("GPX of more than 16 MiB ends with a message, after the events before it")
  func longDocument() throws {
    let scratch = try Scratch()
    let walk = String(decoding: try LiveSample.track("walk.gpx"), as: UTF8.self)
    let end = try #require(walk.range(of: "</trkseg>"))
    let comment = "<!--" + String(repeating: " ", count: 60_000) + "-->\n"
    let long =
      walk[..<end.lowerBound] + String(repeating: comment, count: 300) + walk[end.lowerBound...]
    let live = try Self.run(scratch, Data(long.utf8))
    #expect(try live.end() == 65)
    #expect(
      live.errorText.contains(
        "with a state file, input that is not in lines is limited to 16 MiB"))
    #expect(live.lines == (try LiveSample.replayed(Data(walk.utf8), Self.rule)))
  }

  @Test("A table with quotes and line breaks in its fields keeps only its last rows")
  func quotedTable() throws {
    let scratch = try Scratch()
    let rows = String(decoding: try LiveSample.track("ride.csv"), as: UTF8.self)
      .split(separator: "\n")
    let note = String(repeating: "\"\"a\"\",\n", count: 400)
    let table = Data(
      ("\"a \"\"note\"\"\",\(rows[0])\n"
        + rows.dropFirst().map { "\"\(note)\",\($0)\n" }.joined()).utf8)
    #expect(table.count > 400_000)
    let state = scratch.path("state")
    // Within a note.
    let point = table.count * 3 / 4
    let first = try LiveProcess(
      nil, ["live", "-", "--places", LiveSample.places, "--state", state] + Self.rule)
    try first.write(table.prefix(point))
    try first.wait("the input was not read") { _ in
      try LiveSample.consumedCount(state) == point
    }
    first.signal(SIGKILL)
    #expect(try first.end() == 128 + SIGKILL)
    #expect(try Self.keptCount(state) < 300_000)
    let second = try Self.run(scratch, table.dropFirst(point))
    #expect(try second.end() == 0)
    #expect(
      Set(first.lines).union(second.lines) == Set(try LiveSample.replayed(table, Self.rule)))
  }

  @Test("A receiver without a fix for hours does not keep all input, and continues")
  func noFix() throws {
    let scratch = try Scratch()
    let void = Data("$GPRMC,120000,V,,,,,,,040326,,*31\r\n".utf8)
    var silence = Data()
    while silence.count < 18 << 20 { silence += void }
    let state = scratch.path("state")
    let first = try Self.run(scratch, silence)
    #expect(try first.end() == 0)
    #expect(try Self.keptCount(state) < 4 << 20)
    let drive = try LiveSample.track("drive.nmea")
    let second = try Self.run(scratch, drive)
    #expect(try second.end() == 0)
    #expect(second.lines == (try LiveSample.replayed(drive, Self.rule)))
    #expect(!second.lines.isEmpty)
  }
}
