import Foundation
import TestSupport
import Testing

/// Interrupting programs that wait for input.
@Suite("A command whose input stalls")
struct StalledInputTests {
  private static let commands: [[String]] = [["live", "-"], ["replay", "-"]]

  @Test(
    "reports what it has read when interrupted",
    arguments: commands, [SIGINT, SIGTERM])
  func account(command: [String], signal: Int32) throws {
    let program = try LiveProcess(nil, command + ["--places", LiveSample.places])
    try program.write(try LiveSample.track("ride.csv").prefix(6000))
    try program.wait("the input is not read") { $0.unreadCount == 0 }
    try program.stop(by: signal)
    let summary = try #require(program.lines.last)
    #expect(summary.contains(#""type":"summary""#) && summary.contains(#""error":"interrupted""#))
    #expect(!summary.contains(#""fixes":0,"#))
    #expect(program.lines.contains { $0.contains(#""type":"alert""#) })
    #expect(!program.errorText.contains("interrupted"))
  }

  @Test("ends even before any input", arguments: commands)
  func nothing(command: [String]) throws {
    let program = try LiveProcess(
      nil, command + ["--places", LiveSample.places, "--verbose"])
    // Once it reads, its signal handlers are set up.
    try program.wait("it does not run") { try $0.waitsForInput() }
    try program.stop()
    #expect(program.lines.last?.contains(#""fixes":0,"#) == true)
  }

  @Test(
    "ends without a report if that covers whole tracks, or nothing",
    arguments: [
      ["analyze", "-"], ["sweep", "-", "--limit", "20"], ["explain", "-", "--place", "bourse"],
    ])
  func analysis(command: [String]) throws {
    let program = try LiveProcess(nil, command + ["--places", LiveSample.places])
    try program.write(try LiveSample.track("ride.csv").prefix(6000))
    try program.wait("the input is not read") { $0.unreadCount == 0 }
    try program.wait("it does not wait") { try $0.waitsForInput() }
    try program.stop(by: SIGINT)
    #expect(!program.errorText.contains("error"))
  }

  @Test("leaves a store untouched when an import is interrupted")
  func importing() throws {
    let scratch = try Scratch()
    let program = try LiveProcess(
      nil, ["places", "import", "-", "--store", scratch.path("store.sqlite")])
    try program.write(Data("id,title,lat,lon\na,A,40,-75\n".utf8))
    try program.wait("the input is not read") { $0.unreadCount == 0 }
    try program.stop()
    #expect(try scratch.names().isEmpty)
  }

  @Test("ends while it waits for a named pipe's writer")
  func namedPipe() throws {
    let scratch = try Scratch()
    let pipe = scratch.path("pipe")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let program = try LiveProcess(nil, ["replay", pipe, "--places", LiveSample.places])
    try program.wait("it does not run") { try $0.waitsForInput() }
    try program.stop()
    #expect(program.lines.last?.contains(#""fixes":0,"#) == true)
  }

  @Test("reads a named pipe that is written later to the end")
  func namedPipeIsWritten() throws {
    let scratch = try Scratch()
    let pipe = scratch.path("pipe")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let program = try LiveProcess(
      nil, ["replay", pipe, "--places", LiveSample.places, "--quiet"])
    try program.wait("it does not run") { try $0.waitsForInput() }
    let log = try LiveSample.track("ride.csv")
    try FileHandle(forWritingTo: URL(fileURLWithPath: pipe)).write(contentsOf: log)
    #expect(try program.end() == 0)
    let expected = try LiveSample.replayed(log)
    #expect(
      program.lines.map { $0.replacing("\"track\":\"\(pipe)\"", with: "\"track\":\"stdin\"") }
        == expected)
  }
}

@Suite("SIGHUP")
struct HangUpTests {
  @Test("ends a session whose terminal is gone, and no other")
  func terminal() throws {
    let scratch = try Scratch()
    let state = scratch.path("state")
    var terminal: SerialEnd? = try SerialEnd()
    let server = try TalkServer()
    defer { server.stop() }
    let live = try LiveProcess(
      "sh",
      [
        "-c", "exec \"$0\" live \"$1\" --places \"$2\" --state \"$3\" < \"$4\"",
        Command.executable.path, "tcp://127.0.0.1:\(server.port)", LiveSample.places, state,
        try #require(terminal?.path),
      ])
    try live.wait("no connection") { _ in server.connectionCount == 1 }
    live.signal(SIGHUP)
    // It is alive and reads.
    server.say(try LiveSample.track("drive.nmea"))
    try live.wait("no alert") { $0.outputText.contains("\"alert\"") }
    terminal = nil
    live.signal(SIGHUP)
    #expect(try live.end() == 128 + SIGHUP)
    #expect(live.lines.last?.contains("\"summary\"") == true)
  }
}
