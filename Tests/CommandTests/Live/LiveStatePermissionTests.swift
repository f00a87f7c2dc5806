import Foundation
import TestSupport
import Testing

@Suite("A session's state on the disk")
struct LiveStatePermissionTests {
  private static let names = ["state", "state-shm", "state-wal"]

  /// Runs a session under a mask that hides nothing.
  private static func start(_ scratch: Scratch, _ state: String = "state") throws -> LiveProcess {
    try LiveProcess(
      "sh",
      [
        "-c", "umask 0; exec \"$0\" live - --places \"$1\" --state \"$2\"",
        Command.executable.path, LiveSample.places, scratch.path(state),
      ])
  }

  private static func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private static func feed(_ live: LiveProcess, _ scratch: Scratch) throws {
    let bytes = try LiveSample.track("walk.nmea")
    try live.write(bytes)
    // Only look from outside: opening and closing the file would change it.
    try live.wait("no alert") { $0.outputText.contains("\"alert\"") }
  }

  @Test("is readable by its owner alone, even if it was not before, and after a kill")
  func permissions() throws {
    let scratch = try Scratch()
    var live = try Self.start(scratch)
    try Self.feed(live, scratch)
    #expect(try scratch.names() == Self.names)
    for name in Self.names { #expect(try Self.mode(scratch.path(name)) == 0o600, "\(name)") }
    live.signal(SIGKILL)
    try live.end()
    for name in try scratch.names() {
      #expect(try Self.mode(scratch.path(name)) == 0o600, "\(name)")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: scratch.path(name))
    }
    live = try Self.start(scratch)
    try live.wait("it does not go on") { $0.errorText.contains("resumed") }
    for name in try scratch.names() {
      #expect(try Self.mode(scratch.path(name)) == 0o600, "\(name)")
    }
    try live.finish()
  }

  @Test("behind a link is readable by its owner alone too")
  func link() throws {
    let scratch = try Scratch()
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("link"), withDestinationPath: scratch.path("state"))
    let live = try Self.start(scratch, "link")
    try Self.feed(live, scratch)
    for name in try scratch.names() where name != "link" {
      #expect(try Self.mode(scratch.path(name)) == 0o600, "\(name)")
    }
    try live.finish()
    #expect(try scratch.names() == ["link", "state"])
  }

  @Test("is one file after any clean end", arguments: [nil, SIGTERM, SIGINT])
  func cleanEnd(signal: Int32?) throws {
    let scratch = try Scratch()
    let live = try Self.start(scratch)
    try Self.feed(live, scratch)
    if let signal { live.signal(signal) } else { try live.closeInput() }
    #expect(try live.end() == signal.map { 128 + $0 } ?? 0)
    #expect(try scratch.names() == ["state"])
  }
}

@Suite("A session that resumes without more input")
struct LiveEmptyResumptionTests {
  @Test(
    "ends well, repeats nothing and counts the earlier input",
    arguments: [
      "walk.nmea", "ride.gpsd.jsonl", "ride.owntracks.jsonl", "ride.csv", "ride.gpx",
      "ride.gpx.gz",
    ])
  func empty(track: String) throws {
    let scratch = try Scratch()
    let arguments = [
      "live", "-", "--places", LiveSample.places, "--state", scratch.path("state"), "--events",
      "all",
    ]
    let first = try LiveProcess(nil, arguments)
    try first.write(try LiveSample.track(track))
    try first.finish()
    for _ in 0..<2 {
      let next = try Command.run(arguments)
      #expect(next.status == 0)
      #expect(next.output.split(separator: "\n").map(String.init) == first.lines.suffix(1))
      #expect(next.errors.contains("resumed after byte"))
      #expect(next.errors.split(separator: "\n").count == 1, "\(next.errors)")
    }
  }

  @Test("fails if the input so far is half a document")
  func cut() throws {
    let scratch = try Scratch()
    let arguments = [
      "live", "-", "--places", LiveSample.places, "--state", scratch.path("state"),
    ]
    let bytes = try LiveSample.track("ride.gpx")
    let first = try LiveProcess(nil, arguments)
    try first.write(bytes.prefix(bytes.count / 2))
    try first.wait("the input was not read") { _ in
      try LiveSample.consumedCount(scratch.path("state")) == bytes.count / 2
    }
    first.signal(SIGKILL)
    try first.end()
    #expect(try Command.run(arguments).status == 65)
  }
}
