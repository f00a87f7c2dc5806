import Foundation
import TestSupport
import Testing

@Suite("A session's state under other rules, or fed again")
struct LiveStateChangeTests {
  /// A state that has followed the first half of the drive, and the bytes of either half.
  private struct Halves {
    let scratch: Scratch
    let first: Data
    let second: Data
    var state: String { scratch.path("state") }

    init() throws {
      scratch = try Scratch()
      let log = try LiveSample.track("drive.nmea")
      let middle = try #require(log[(log.count / 2)...].firstIndex(of: UInt8(ascii: "\n"))) + 1
      (first, second) = (log[..<middle], log[middle...])
      #expect(try run(first).end() == 0)
    }

    func run(_ bytes: Data, _ more: [String] = [], places: String = LiveSample.places) throws
      -> LiveProcess
    {
      let live = try LiveProcess(
        nil,
        ["live", "-", "--places", places, "--state", state, "--events", "summary"] + more)
      try live.write(bytes)
      try live.closeInput()
      try live.end()
      return live
    }
  }

  @Test("names the engine's rule that differs, and counts only what came under the new one")
  func rule() throws {
    let halves = try Halves()
    let live = try halves.run(halves.second, ["--limit", "5"])
    #expect(
      live.errorText.contains(
        "the settings have changed since the state was saved: --limit 5 (before: 20); "
          + "the watched stories are looked up again, the summary restarts, and "
          + "cooldowns are kept"),
      "\(live.errorText)")
    let expected = "\"fixes\":50,\"segments\":1,\"rejected\":{\"checksum\":1}"
    #expect(live.outputText.contains(expected), "\(live.outputText)")
    // Saved anew: the same rule is no news.
    let again = try halves.run(Data(), ["--limit", "5"])
    #expect(!again.errorText.contains("the settings have changed"))
    #expect(again.outputText.contains(expected), "\(again.outputText)")
  }

  @Test("names alert rules and places that differ, and counts what came under either")
  func alertRules() throws {
    let halves = try Halves()
    let few = try halves.scratch.write(
      "few.csv", "id,title,lat,lon,radius\na,A,40,-75,50\nb,B,41,-75,50\n")
    let live = try halves.run(
      halves.second, ["--cooldown", "none", "--quiet-hours", "22:00-07:30"], places: few)
    for words in [
      "places \(few) (before: \(LiveSample.places))", "--cooldown none (before: 7d)",
      "--quiet-hours 22:00-07:30 Z (before: none); the summary covers both",
    ] {
      #expect(live.errorText.contains(words), "\(live.errorText)")
    }
    #expect(live.outputText.contains("\"fixes\":99,"), "\(live.outputText)")
    // Of the two places both were monitored, whatever was monitored of the others.
    #expect(live.outputText.contains("\"neverMonitored\":0"), "\(live.outputText)")
  }

  @Test("that is fed its log again says that nothing is new, and how to follow it anew")
  func again() throws {
    let one = try Halves()
    let live = try one.run(one.first)
    #expect(
      live.errorText.contains(
        "nothing new: 49 fixes no newer than the last one in the state (2026-03-04T20:35:30.250Z). "
          + "To follow the input again, use another --state file, or none."), "\(live.errorText)")
    // What is held since then is no news.
    let rest = try one.run(Data())
    #expect(!rest.errorText.contains("seen"), "\(rest.errorText)")

    let other = try Halves()
    let whole = try other.run(other.first + other.second)
    #expect(
      whole.errorText.contains("skipped 49 fixes no newer than the last one before the restart"),
      "\(whole.errorText)")
  }

  @Test("that goes on as it should says nothing of that")
  func ordinary() throws {
    let halves = try Halves()
    let live = try halves.run(halves.second)
    #expect(live.errorText == "fencepost: resumed after byte \(halves.first.count) of the input\n")
  }

  @Test("that is fed another format says so, and ends with 65")
  func otherFormat() throws {
    let halves = try Halves()
    let live = try halves.run(try LiveSample.track("ride.csv"))
    #expect(try live.end() == 65)
    #expect(
      live.errorText.contains(
        "no fixes since the restart; the input was read as NMEA 0183 like before. "
          + "To follow another format, use another --state file."), "\(live.errorText)")
  }

  @Test("of one device is left alone by a session of many, and the other way round")
  func devices() throws {
    let halves = try Halves()
    let before = try Data(contentsOf: URL(fileURLWithPath: halves.state))
    let log = try LiveSample.track("ride.owntracks.jsonl")
    let many = try halves.run(log, ["--device-field", "tid"])
    #expect(try many.end() == 74)
    #expect(
      many.errorText.contains("(a session of one device); continuing without it"),
      "\(many.errorText)"
    )
    #expect(many.lines.count == 1 && many.outputText.contains("\"device\":\"fp\""))
    #expect(try Data(contentsOf: URL(fileURLWithPath: halves.state)) == before)
    try halves.scratch.remove("state")
    #expect(try halves.run(log, ["--device-field", "tid"]).end() == 0)
    let one = try halves.run(log)
    #expect(try one.end() == 74)
    #expect(one.errorText.contains("(a session of many devices)"), "\(one.errorText)")
  }

  @Test("of a source that goes on and repeats itself says so at once")
  func repeating() throws {
    let scratch = try Scratch()
    let log = try LiveSample.track("drive.nmea")
    let server = try TalkServer()
    defer { server.stop() }
    for isAgain in [false, true] {
      let live = try LiveProcess(
        nil,
        [
          "live", "tcp://127.0.0.1:\(server.port)", "--places", LiveSample.places, "--state",
          scratch.path("state"), "--events", "alert",
        ])
      // The program may be connected before the server has its connection.
      try live.wait("no connection") {
        $0.errorText.contains("connected") && server.connectionCount == (isAgain ? 2 : 1)
      }
      // The last epoch is complete when another begins.
      let whole = log + log.prefix(200)
      server.say(whole)
      if isAgain {
        try live.wait("nothing was said") { $0.errorText.contains("and counts as seen") }
      } else {
        try live.wait("the log was not read") { _ in
          try LiveSample.consumedCount(scratch.path("state")) == whole.count
        }
      }
      try live.stop()
      guard isAgain else { continue }
      #expect(
        live.errorText.contains(
          "the input is no newer than the last fix in the state (2026-03-04T21:00:30.250Z)"),
        "\(live.errorText)")
      #expect(live.errorText.components(separatedBy: "the input is no newer").count == 2)
    }
  }
}
