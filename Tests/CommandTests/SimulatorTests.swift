import Foundation
import TestSupport
import Testing

/// What simulators of phones play, read back as if it came from one.
@Suite("Tracks for simulators")
struct SimulatorTests {
  private static let data = Document.project.appendingPathComponent("Data")
  private static let stories = data.appendingPathComponent("stories/philadelphia.csv").path
  private static let events = "alert,suppressed,enter,exit,refresh"

  private func replay(_ arguments: [String], input: String = "") throws -> Command.Result {
    try Command.run(
      ["replay", "--places", Self.stories, "--events", Self.events] + arguments, input: input)
  }

  /// The events without what names their source.
  private func unnamed(_ output: String) -> [String] {
    output.split(separator: "\n").map {
      String($0).replacing(/"track":"[^"]*",/, with: "").replacing(/"segment":\d+,/, with: "")
    }
  }

  @Test(
    "What Xcode would play gives the same events",
    arguments: ["tracks/walk.gpx", "tracks/walk.nmea", "tracks/ride.gpx", "forms/ride.fit"])
  func xcode(track: String) throws {
    let path = Self.data.appendingPathComponent(track).path
    let played = try replay([path, "--format", "xcode", "--quiet"])
    #expect(played.status == 0 && played.errors.isEmpty)
    let again = try replay(["-", "--format", "ndjson", "--quiet"], input: played.output)
    let once = try replay([path, "--format", "ndjson", "--quiet"])
    #expect(unnamed(again.output) == unnamed(once.output))
    #expect(again.output.contains("\"alert\""))
  }

  @Test("simctl's waypoints at the track's mean speed bring the walk's alerts")
  func simctl() throws {
    let path = Self.data.appendingPathComponent("tracks/walk.gpx").path
    let played = try replay([path, "--format", "simctl"])
    let lines = played.output.split(separator: "\n")
    #expect(lines.count == 2760)
    #expect(lines.allSatisfy { $0.wholeMatch(of: /-?\d+\.\d+,-?\d+\.\d+/) != nil })
    let speed = try #require(played.errors.firstMatch(of: /start --speed=(\d+\.\d+) -/)).1
    let again = try Command.run(
      [
        "replay", "-", "--places", Self.stories, "--travel-speed", String(speed), "--date",
        "2026-03-04", "--events", "alert", "--format", "ndjson", "--quiet",
      ], input: played.output)
    func places(_ output: String) -> [String] {
      output.matches(of: /"place":"([^"]*)"/).map { String($0.1) }
    }
    let once = try Command.run(
      [
        "replay", path, "--places", Self.stories, "--events", "alert", "--format", "ndjson",
        "--quiet",
      ])
    #expect(places(again.output) == places(once.output) && places(once.output).count == 17)
    // As live, which reads the same.
    let live = try Command.run(
      [
        "live", "-", "--places", Self.stories, "--travel-speed", String(speed), "--date",
        "2026-03-04",
        "--events", "alert", "--format", "ndjson",
      ], input: played.output)
    #expect(places(live.output) == places(once.output))
  }

  @Test("A simulator can only write one walk, not 2, and breaks of its path are said")
  func bounds() throws {
    let drive = Self.data.appendingPathComponent("tracks/drive.gpx").path
    for format in ["xcode", "simctl"] {
      let two = try replay([drive, drive, "--format", format])
      #expect(two.status == 64 && two.errors.contains("can only write one walk, not 2"))
      #expect(try replay([drive, "--format", format]).errors.contains("the path has 2 pieces"))
    }
    let result = try replay(["-", "--travel-speed", "1.4"], input: "1,2\n")
    #expect(result.status == 64 && result.errors.contains("--travel-speed needs --date"))
    #expect(try replay(["-", "--travel-speed", "0", "--date", "2026-03-04"]).status == 64)
  }
}
