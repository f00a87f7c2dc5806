import Foundation
import TestSupport
import FencepostStateDatabase
import FencepostStateFile
import Testing

@Suite("A session that is killed", .serialized)
struct LiveRestartTests {
  /// A track, and a seed for the points at which it is killed.
  struct Case: CustomTestStringConvertible {
    var track: String
    var rule: [String] = []
    var seed: UInt64
    var count: Int
    var testDescription: String { "\(track) \(rule.joined(separator: " ")), \(count) points" }
  }

  @Test(
    "gives, together with its successor, the lines of an uninterrupted one",
    arguments: [
      Case(track: "drive.nmea", seed: 1, count: 60),
      Case(track: "drive.nmea", rule: ["--refresh", "adaptive"], seed: 2, count: 20),
      Case(track: "drive.nmea", rule: ["--limit", "none"], seed: 3, count: 20),
      Case(track: "ride.gpsd.jsonl", seed: 4, count: 30),
      Case(track: "ride.owntracks.jsonl", seed: 5, count: 20),
      Case(track: "ride.csv", seed: 6, count: 20),
      Case(track: "ride.gpx", seed: 7, count: 15),
      Case(track: "ride.gpx.gz", seed: 8, count: 15),
      // Most kills find a hold, a count of fixes or a stay half-way.
      Case(track: "drive.nmea", rule: ["--hold", "3s", "--dwell", "9s"], seed: 9, count: 25),
      Case(
        track: "ride.csv",
        rule: ["--refresh", "adaptive", "--confirm-fixes", "4", "--dwell", "12s"], seed: 10,
        count: 15),
      Case(
        track: "ride.owntracks.jsonl",
        rule: [
          "--test", "fixes", "--accuracy", "contains", "--hold", "5s", "--dwell", "8s",
          "--alert-on", "dwell",
        ], seed: 11, count: 15),
      Case(
        track: "walk.nmea", rule: ["--reminders", LiveSample.reminders("errands.json")], seed: 12,
        count: 15),
    ])
  func killed(_ one: Case) throws {
    let bytes = try LiveSample.track(one.track)
    let rule = one.rule + ["--events", "alert,suppressed,enter,exit,dwell,refresh,reminder"]
    let expected = Set(try LiveSample.replayed(bytes, rule))
    var random = SplitMix64(seed: one.seed)
    for round in 0..<one.count {
      let point = 1 + Int(random.next() % UInt64(bytes.count - 1))
      let scratch = try Scratch()
      let state = scratch.path("live.state")
      let arguments =
        ["live", "-", "--places", LiveSample.places, "--state", state] + rule
      let first = try LiveProcess(nil, arguments)
      try first.write(bytes.prefix(point))
      // Half of them are killed once all input has been read, the others while they read.
      if round % 2 == 0 {
        try first.wait("the input was not read") { _ in
          try LiveSample.consumedCount(state) == point
        }
      } else {
        try first.waitUntilPartIsRead(of: point, &random)
      }
      first.signal(SIGKILL)
      #expect(try first.end() == 128 + SIGKILL)
      let consumed = try LiveSample.consumedCount(state)
      let second = try LiveProcess(nil, arguments)
      try second.write(bytes.dropFirst(consumed))
      try second.finish()
      let union = Set(first.lines).union(second.lines)
      #expect(union == expected, "killed at byte \(point), resumed at \(consumed)")
      // Only an alert that was on its way out may come twice.
      #expect(first.lines.count + second.lines.count <= expected.count + 3)
    }
  }

  @Test("does not alert again for the place it is in")
  func insideCircle() throws {
    let scratch = try Scratch()
    let places = try scratch.write("places.csv", "id,title,lat,lon,radius\na,A,40,-75,50\n")
    let arguments = [
      "live", "-", "--places", places, "--state", scratch.path("s"), "--cooldown", "none",
    ]
    let walk = [40.01, 40.0, 40.0001, 40.0].enumerated().map {
      "{\"_type\":\"location\",\"tst\":\(1_772_649_000 + 60 * $0),\"lat\":\($1),\"lon\":-75}\n"
    }
    let first = try LiveProcess(nil, arguments)
    try first.write(Data((walk[0] + walk[1]).utf8))
    try first.wait("no alert") { $0.outputText.contains("\"alert\"") }
    // A kill between an alert and its removal from the state would repeat it.
    try first.wait("the alert was not noted as told") { _ in
      try !LiveSample.owesOutput(scratch.path("s"))
    }
    first.signal(SIGKILL)
    try first.end()
    let second = try LiveProcess(nil, arguments)
    try second.write(Data((walk[2] + walk[3]).utf8))
    try second.finish()
    #expect(!second.outputText.contains("\"alert\""))
    #expect(second.outputText.contains("\"fixes\":4"))
  }
}

@Suite("A state file that cannot be used")
struct LiveStateFailureTests {
  @Test(
    "because it is damaged or another program's is reported and left untouched, and alerts still come"
  )
  func damaged() throws {
    let scratch = try Scratch()
    let contents = String(repeating: "no database at all. ", count: 400)
    let state = try scratch.write("s", contents)
    let live = try LiveProcess(
      nil, ["live", "-", "--places", LiveSample.places, "--state", state])
    try live.write(try LiveSample.track("drive.nmea"))
    try live.closeInput()
    #expect(try live.end() == 74)
    #expect(live.errorText.contains("damaged"))
    #expect(live.outputText.contains("\"type\":\"alert\""))
    #expect(try scratch.text("s") == contents)
  }

  @Test("because the disk is full is reported once, and alerts still come")
  func fullDisk() throws {
    let scratch = try Scratch()
    let log = LiveSample.path("drive.nmea")
    // To a program, a limit on file sizes looks like a full disk.
    let live = try LiveProcess(
      "sh",
      [
        "-c",
        "ulimit -f 40; \"$0\" live - --places \"$1\" --state \"$2\" < \"$3\" | cat",
        Command.executable.path, LiveSample.places, scratch.path("s"), log,
      ])
    try live.end()
    let expected = try LiveSample.replayed(try LiveSample.track("drive.nmea"))
    #expect(Set(live.lines) == Set(expected))
    #expect(live.errorText.contains("state file"))
  }
}
