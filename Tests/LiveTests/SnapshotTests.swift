import FencepostTracks
import FencepostSession
import FencepostFixes
import Foundation
import FencepostLive
import FencepostMonitoring
import SampleStories
import Testing

@Suite("A session's snapshot")
struct SnapshotTests {
  static let rules: [@Sendable (inout MonitoringOptions) -> Void] = [
    { _ in }, { $0.refresh = .adaptive }, { $0.limit = nil },
    {
      $0.exitMarginMeters = 25
      $0.initial = .enter
    },
  ]

  @Test(
    "continues unchanged after a round trip through JSON at every fix",
    arguments: ["drive.gpx", "ride.gpx"], Array(rules.indices))
  func everyFix(track: String, rule: Int) throws {
    var options = TrackSessionOptions()
    Self.rules[rule](&options.monitoring)
    let source = try SampleStories.source()
    let fixes = try Self.fixes(track)
    var whole = TrackSession(name: track, source: source, options: options)
    var parts = TrackSession(name: track, source: source, options: options)
    var expected: [String] = []
    var events: [String] = []
    for fix in fixes {
      whole.follow(fix) { expected.append("\($0)") }
      parts.follow(fix) { events.append("\($0)") }
      let saved = try JSONEncoder().encode(parts.keyedSnapshot)
      parts = try #require(
        TrackSession(
          name: track, source: source, options: options,
          keyed: JSONDecoder().decode(TrackSession.Snapshot.self, from: saved)))
    }
    whole.finish(rejected: [:]) { _ in }
    parts.finish(rejected: [:]) { _ in }
    #expect(!expected.isEmpty)
    #expect(events == expected)
    #expect(parts.summary.fixes == whole.summary.fixes)
    #expect(parts.summary.refreshes == whole.summary.refreshes)
    #expect(parts.summary.certified == whole.summary.certified)
    #expect(parts.summary.uncertified.count == whole.summary.uncertified.count)
    #expect(abs(parts.summary.lengthMeters - whole.summary.lengthMeters) < 1e-3)
  }

  @Test("is read with the longer names that earlier versions gave to positions")
  func formerNames() throws {
    var options = TrackSessionOptions()
    options.monitoring.refresh = .adaptive
    var session = TrackSession(name: "x", source: try SampleStories.source(), options: options)
    for fix in try Self.fixes("drive.gpx").prefix(500) { session.follow(fix) { _ in } }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let today = String(decoding: try encoder.encode(session.snapshot()), as: UTF8.self)
    var former = today.replacing("\"lat\":[", with: "\"latitudes\":[")
    former = former.replacing("\"lon\":[", with: "\"longitudes\":[")
    former = former.replacing("\"lat\":", with: "\"latitude\":")
    former = former.replacing("\"lon\":", with: "\"longitude\":")
    for part in ["anchor", "lastFix", "monitored", "previous"] {
      #expect(former.contains("\"\(part)\":{"))
    }
    #expect(former.contains("\"latitudes\":[") && !former.contains("\"lat\":"))
    let read = try JSONDecoder().decode(TrackSession.Snapshot.self, from: Data(former.utf8))
    #expect(try String(decoding: encoder.encode(read), as: UTF8.self) == today)
  }

  @Test("that contradicts itself is rejected")
  func damaged() throws {
    let source = try SampleStories.source()
    var session = TrackSession(name: "x", source: source)
    session.follow(try Self.fixes("drive.gpx")) { _ in }
    let text = String(decoding: try JSONEncoder().encode(session.keyedSnapshot), as: UTF8.self)
    let damaged = text.replacing(/"radii":\[[^\]]*\]/, with: "\"radii\":[-1]")
    #expect(damaged != text)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(TrackSession.Snapshot.self, from: Data(damaged.utf8))
    }
  }

  private static func fixes(_ track: String) throws -> [Fix] {
    var reader = try FixReader(path: SampleStories.track(track))
    var batch = FixBatch()
    var fixes: [Fix] = []
    while try reader.read(into: &batch) { fixes += batch.fixes }
    return fixes
  }
}

@Suite("A live address")
struct LiveAddressTests {
  @Test(
    "is parsed as users write it",
    arguments: [
      ("-", LiveAddress.standardInput), ("/dev/ttyUSB0", .device(path: "/dev/ttyUSB0")),
      ("gpsd://", .gpsd(host: "localhost", port: "2947", device: nil)),
      ("gpsd://box", .gpsd(host: "box", port: "2947", device: nil)),
      ("gpsd://[::1]:29470/dev/ttyACM0", .gpsd(host: "::1", port: "29470", device: "/dev/ttyACM0")),
      ("tcp://10.0.0.1:10110", .tcp(host: "10.0.0.1", port: "10110")),
      ("udp://:5000", .udp(host: "", port: "5000")),
    ])
  func read(text: String, address: LiveAddress) {
    #expect(LiveAddress(text) == address)
  }

  @Test(
    "accepts nothing else",
    arguments: [
      "", "http://x", "tcp://x", "tcp://:5", "udp://x", "udp://:0", "tcp://x:99999", "tcp://[::1:5",
    ])
  func refused(text: String) {
    #expect(LiveAddress(text) == nil)
  }
}
