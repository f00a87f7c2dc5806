import Foundation
import TestSupport
import Testing

@Suite("fencepost replay")
struct ReplayCommandTests {
  private static let data = Document.project.appendingPathComponent("Data")
  private static let stories = data.appendingPathComponent("stories/philadelphia.csv").path
  private static let walk = data.appendingPathComponent("tracks/walk.gpx").path

  private func replay(_ arguments: String..., input: String = "") throws -> Command.Result {
    try Command.run(["replay", "--places", Self.stories] + arguments, input: input)
  }

  @Test("A good track exits with 0, with data on standard output and the account on standard error")
  func good() throws {
    let result = try replay(Self.walk)
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 23)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"type\":") })
    #expect(lines.last?.hasPrefix("{\"type\":\"summary\"") == true)
    #expect(result.errors.contains("22 entries, 17 alerts, 5 held back"))
    #expect(result.errors.contains("151 stories never watched"))
  }

  @Test("Misses are said wherever the summary or the account is, and change nothing else")
  func misses() throws {
    let limited = ["--limit", "3", "--events", "enter"]
    func run(_ more: [String]) throws -> Command.Result {
      try Command.run(["replay", "--places", Self.stories, Self.walk] + more)
    }
    let told = try run(limited)
    let silent = try run(limited + ["--quiet"])
    #expect(told.errors.contains("missed") && silent.errors.isEmpty)
    #expect(told.output == silent.output && !silent.output.isEmpty)
    let summary = try run(["--limit", "3", "--events", "summary", "--quiet"]).output
    #expect(summary.contains("\"missed\":"))
  }

  @Test("A profile's rules are those of the options that say the same, and give way to them")
  func profiles() throws {
    let engine = ["--limit", "none", "--test", "fixes", "--initial", "enter"]
    let server = try replay(Self.walk, "--quiet", "--profile", "tile38")
    #expect(server.status == 0 && server.errors.isEmpty)
    #expect(
      try server.output
        == Command.run(
          ["replay", "--places", Self.stories, Self.walk, "--quiet"] + engine
        ).output)
    #expect(
      try replay(Self.walk, "--quiet", "--profile", "ideal", "--limit", "20").output
        == replay(Self.walk, "--quiet").output)
  }

  @Test(
    "A phone that notices circles elsewhere enters them there, and says which it cannot monitor")
  func noticedCircles() throws {
    let scratch = try Scratch()
    var mine = try Command.run(["profiles", "show", "ideal"]).output
    for (key, value, other) in [
      ("leastRadiusMeters", "0", "100"), ("greatestRadiusMeters", "\"none\"", "149"),
    ] {
      mine = mine.replacingOccurrences(
        of: "\"\(key)\": {\n      \"value\": \(value)",
        with: "\"\(key)\": {\n      \"value\": \(other)")
    }
    let file = try scratch.write("mine.json", mine)
    let result = try replay(Self.walk, "--quiet", "--profile", file, "--events", "enter")
    #expect(result.status == 0)
    #expect(
      result.errors
        == "fencepost: ideal cannot watch 31 of 219 stories, because their circles are "
        + "too large or too small for it\n"
    )
    #expect(result.output.contains("\"type\":\"enter\""))
    #expect(result.output.contains("\"distance\":100.0}"))
    #expect(!result.output.contains("\"distance\":50.0}"))
  }

  @Test("Several tracks are followed independently")
  func severalTracks() throws {
    let one = try replay(Self.walk, "--quiet").output
    let both = try replay(Self.walk, Self.walk, "--quiet").output
    #expect(both == one + one)
  }

  @Test("A track without fixes is reported, and is bad input only if nothing could be read")
  func noFix() throws {
    let scratch = try Scratch()
    let void = try scratch.write("v.nmea", "$GPRMC,120000,V,,,,,,,040326,,,N*53\r\n")
    let damaged = try scratch.write(
      "d.nmea", "$GPRMC,120000,A,3957.0,N,07509.0,W,0,0,040326,,*00\r\n")
    let empty = try scratch.write("e.gpx", "<gpx version=\"1.1\"></gpx>\n")
    for (path, status) in [(void, 0), (damaged, 65), (empty, 0)] as [(String, Int32)] {
      let result = try replay(path, "--quiet")
      #expect(result.status == status, "\(path)")
      #expect(result.errors.hasPrefix("fencepost: \(path): no fix"), "\(result.errors)")
    }
    #expect(try replay(empty, "--quiet").errors.contains("no fix: it has no points"))
  }

  @Test("A rejected sentence is located with --verbose")
  func verbose() throws {
    let track = Self.data.appendingPathComponent("tracks/walk.nmea").path
    let result = try replay(track, "--verbose", "--quiet")
    let sentences = result.errors.split(separator: "\n")
    #expect(sentences.count == 6)
    #expect(sentences.contains { $0.contains("walk.nmea: line ") && $0.contains("checksum") })
  }

  @Test("At the track's own pace the events are the same")
  func speed() throws {
    let track = Self.data.appendingPathComponent("tracks/drive.gpx").path
    #expect(
      try replay(track, "--speed", "100000x", "--quiet").output
        == replay(track, "--quiet").output)
  }

  @Test("A bad row in --places is reported and the others are used")
  func badPlaces() throws {
    let scratch = try Scratch()
    let places = try scratch.write(
      "p.csv", "id,title,lat,lon\na,A,39.94862,-75.14813\nb,B,91,0\n")
    let result = try Command.run(["replay", Self.walk, "--places", places, "--quiet"])
    #expect(result.status == 0)
    #expect(result.errors.contains("p.csv, row 3 (B): "))
    #expect(result.output.contains("\"place\":\"a\""))
  }
}
