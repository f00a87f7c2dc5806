import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import Foundation
import TestSupport
import Testing

@Suite("A watch for misses")
struct MissTests {
  /// A walk of random turns among many circles.
  private static func scene(_ seed: UInt64) throws -> (places: [Place], walk: [Fix]) {
    var generator = SplitMix64(seed: seed)
    func degrees() -> Double { Double.random(in: -0.02...0.02, using: &generator) }
    let places = (0..<150).map { number in
      Place(
        id: "p\(number)",
        coordinate: Coordinate(latitudeDegrees: degrees(), longitudeDegrees: degrees()),
        radiusMeters: Double.random(in: 40...250, using: &generator))
    }.enumerated().map { index, place in
      var place = place
      place.key = Int64(index + 1)
      return place
    }
    var (latitude, longitude) = (0.0, 0.0)
    let walk = (0..<400).map { number in
      latitude += Double.random(in: -0.0025...0.0025, using: &generator)
      longitude += Double.random(in: -0.0025...0.0025, using: &generator)
      var fix = Fix(
        coordinate: Coordinate(
          latitudeDegrees: max(-0.02, min(0.02, latitude)),
          longitudeDegrees: max(-0.02, min(0.02, longitude))))
      fix.rawTimeMilliseconds = 1_772_643_600_000 + Int64(number) * 60_000
      return fix
    }
    return (places, walk)
  }

  private static func options(_ limit: Int?, margin: Double = 0) -> TrackSessionOptions {
    var options = TrackSessionOptions()
    options.monitoring.limit = limit
    options.monitoring.exitMarginMeters = margin
    return options
  }

  private static func finish(_ session: TrackSession) -> TrackSummary {
    var session = session
    session.finish(rejected: [:]) { _ in }
    return session.summary
  }

  @Test("counts what a session without a limit enters in addition", arguments: 0..<20)
  func difference(seed: Int) throws {
    let (places, walk) = try Self.scene(UInt64(seed))
    let source = try PlaceIndex(places)
    var limited = TrackSession(name: "a", source: source, options: Self.options(8))
    limited.watchForMisses(in: source, collects: true)
    var whole = TrackSession(name: "a", source: source, options: Self.options(nil))
    var misses = 0
    for start in stride(from: 0, to: walk.count, by: 7) {
      let piece = Array(walk[start..<min(start + 7, walk.count)])
      limited.follow(piece) { _ in }
      misses += limited.takeMisses().count
      whole.follow(piece) { _ in }
    }
    let summary = Self.finish(limited)
    let counts = try #require(summary.misses)
    #expect(counts.total > 0)
    #expect(summary.enters + counts.total == Self.finish(whole).enters)
    #expect(misses == counts.total)
  }

  @Test("goes on after each restart without a false miss", arguments: [0.0, 30.0], 0..<5)
  func restarts(margin: Double, seed: Int) throws {
    let (places, walk) = try Self.scene(UInt64(100 + seed))
    let source = try PlaceIndex(places)
    let options = Self.options(8, margin: margin)
    var through = TrackSession(name: "a", source: source, options: options)
    through.watchForMisses(in: source, collects: false)
    var broken = through
    for fix in walk {
      through.follow(fix) { _ in }
      broken.follow(fix) { _ in }
      let saved = try JSONEncoder().encode(broken.keyedSnapshot)
      let snapshot = try JSONDecoder().decode(TrackSession.Snapshot.self, from: saved)
      broken = try #require(
        TrackSession(name: "a", source: source, options: options, keyed: snapshot))
      broken.watchForMisses(in: source, collects: false)
    }
    #expect(Self.finish(broken).misses == Self.finish(through).misses)
  }

  @Test("counts none where every place is watched")
  func enough() throws {
    let (places, walk) = try Self.scene(3)
    let source = try PlaceIndex(Array(places.prefix(8)))
    for limit in [8, nil] {
      var session = TrackSession(name: "a", source: source, options: Self.options(limit))
      session.watchForMisses(in: source, collects: true)
      session.follow(walk) { _ in }
      #expect(session.takeMisses().isEmpty)
      #expect(Self.finish(session).misses == limit.map { _ in MissCounts() })
    }
  }

  @Test("says what was missed, why, and which option would not have missed it")
  func sentences() throws {
    var (places, walk) = try Self.scene(1)
    // Their edges are met where their centers are far.
    for (number, corner) in [(1, 1), (1, -1), (-1, 1), (-1, -1)].enumerated() {
      places.append(
        Place(
          id: "wide\(number)",
          coordinate: Coordinate(
            latitudeDegrees: 0.012 * Double(corner.0), longitudeDegrees: 0.012 * Double(corner.1)),
          radiusMeters: 1000))
    }
    let source = try PlaceIndex(places)
    var session = TrackSession(name: "a", source: source, options: Self.options(8))
    session.watchForMisses(in: source, collects: true)
    session.follow(walk) { _ in }
    let misses = session.takeMisses()
    #expect(Set(misses.map(\.reason)) == [.nearerPlaces(8), .lookedUpTooLate])
    let near = try #require(misses.first { $0.reason == .nearerPlaces(8) })
    #expect(
      near.sentence(at: "noon")
        == "missed the entry into \(near.title) at noon: the phone was watching 8 nearer stories. To miss none: "
        + "--refresh adaptive or --limit none")
    var counts = MissCounts()
    counts.missed = 5
    #expect(
      counts.sentence(under: MonitoringOptions())
        == "5 entries were missed because only 20 circles were watched. To miss none: --refresh adaptive or "
        + "--limit none.")
    #expect(MissCounts().sentence(under: MonitoringOptions()) == nil)
  }
}
