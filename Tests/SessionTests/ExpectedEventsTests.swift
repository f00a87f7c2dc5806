import FencepostAnalysis
import FencepostSession
import Foundation
import FencepostMonitoring
import SampleStories
import Testing

@Suite("The sample tracks against an independent oracle")
struct ExpectedEventsTests {
  static let tracks = [
    "walk.gpx", "walk.nmea", "ride.gpx", "ride.csv", "drive.gpx", "drive.nmea",
    "standstill.gpx",
  ]

  private func expected(_ track: String, _ rule: String) throws -> [EventLine] {
    try EventLine.lines(
      ofFile: SampleStories.data.appendingPathComponent("expected/\(track).\(rule).oracle.ndjson"))
  }

  private func expectSame(_ found: [EventLine], _ expected: [EventLine]) {
    #expect(!expected.isEmpty)
    #expect(found.count == expected.count)
    for (one, other) in zip(found, expected) where !one.agrees(with: other) {
      Issue.record("found \(one), expected \(other)")
      return
    }
  }

  @Test("With 20 regions and 500 m, every enter, exit and refresh agrees", arguments: tracks)
  func fixedRule(track: String) throws {
    let replayed = try SampleStories.replay(SampleStories.track(track))
    expectSame(replayed.lines, try expected(track, "fixed-20"))
  }

  @Test("With every place monitored, every enter and exit agrees", arguments: tracks)
  func everyPlace(track: String) throws {
    let replayed = try SampleStories.replay(SampleStories.track(track)) {
      $0.session.monitoring.limit = nil
    }
    expectSame(
      replayed.lines.filter { $0.type != "refresh" },
      try expected(track, "none").filter { $0.type != "refresh" })
  }

  @Test(
    "Adaptive refresh with 20 regions enters everything that monitoring every place would",
    arguments: tracks)
  func adaptive(track: String) throws {
    let replayed = try SampleStories.replay(SampleStories.track(track)) {
      $0.session.monitoring.refresh = .adaptive
    }
    expectSame(
      replayed.lines.filter { $0.type == "enter" },
      try expected(track, "none").filter { $0.type == "enter" })
    #expect(replayed.summary?.certified == true)
  }

  @Test(
    "Holds, counted fixes and dwells agree",
    arguments: ["walk.gpx", "ride.csv", "drive.nmea"])
  func held(track: String) throws {
    let replayed = try SampleStories.replay(SampleStories.track(track)) {
      $0.session.monitoring.confirmation.holdMilliseconds = 10_000
      $0.session.monitoring.confirmation.dwellMilliseconds = 30_000
      $0.session.monitoring.confirmation.fixes = 2
    }
    expectSame(replayed.lines, try expected(track, "held-20"))
  }

  @Test(
    "Judged at fixes, events and dwells agree",
    arguments: ["walk.gpx", "ride.csv", "drive.nmea"])
  func atFixes(track: String) throws {
    let replayed = try SampleStories.replay(SampleStories.track(track)) {
      $0.session.monitoring.limit = nil
      $0.session.monitoring.test = .fixes
      $0.session.monitoring.confirmation.dwellMilliseconds = 20_000
    }
    expectSame(
      replayed.lines.filter { $0.type != "refresh" },
      try expected(track, "fixes-none").filter { $0.type != "refresh" })
  }

  @Test(
    "One ride in five formats has the same events",
    arguments: ["ride.gpx.gz", "ride.gpsd.jsonl", "ride.owntracks.jsonl", "ride.csv"])
  func oneRideFiveForms(track: String) throws {
    // OwnTracks stamps whole seconds, as the ride does; the positions are the same digits.
    expectSame(
      try SampleStories.replay(SampleStories.track(track)).lines,
      try expected("ride.csv", "fixed-20"))
  }
}
