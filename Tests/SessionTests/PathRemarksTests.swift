import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting
import Testing

@Suite("What is said of a path")
struct PathRemarksTests {
  private static let start: Int64 = 1_772_643_600_000

  /// A walk along a meridian past a story, as meters north at seconds, each perhaps a segment.
  private func summary(
    _ points: [(meters: Double, second: Double)], isSegmented: Bool = false,
    _ change: (inout TrackSessionOptions) -> Void = { _ in }
  ) throws -> TrackSummary {
    func coordinate(_ meters: Double) -> Coordinate {
      Coordinate(latitudeDegrees: 48.2 + meters / 111_200, longitudeDegrees: 16.37)
    }
    let places = try PlaceIndex([
      Place(id: "office", title: "Office", coordinate: coordinate(1000), radiusMeters: 50)
    ])
    var options = TrackSessionOptions()
    options.alerts.cooldown = .none
    change(&options)
    var session = TrackSession(name: "walk", source: places, options: options)
    var summary: TrackSummary?
    let fixes = points.enumerated().map { index, point in
      Fix(
        coordinate: coordinate(point.meters),
        timeMilliseconds: Self.start + Int64(point.second * 1000),
        segmentIndex: isSegmented ? Int32(index) : 0)
    }
    session.follow(fixes) { _ in }
    session.finish(rejected: [:]) { if case .summary(let last) = $0 { summary = last } }
    return try #require(summary)
  }

  @Test("Gaps and jumps that were not followed are counted, with the limit and its option")
  func gaps() throws {
    let found = try summary([(0, 0), (900, 720), (1800, 1440), (2000, 1500), (9000, 1501)])
    let breaks = found.remarks.breaks
    #expect(
      MonitoringOptions().sentence(gaps: breaks.gaps, jumps: breaks.jumps)
        == "2 gaps over 10 min and 1 jump above 340 m/s were not followed (--max-gap, --max-speed)")
    #expect(
      MonitoringOptions().sentence(gaps: 1, jumps: 0)
        == "1 gap over 10 min was not followed (--max-gap)")
    #expect(
      MonitoringOptions().sentence(gaps: 1, jumps: 0, namesOptions: false)
        == "1 gap over 10 min was not followed")
    #expect(MonitoringOptions().sentence(gaps: 0, jumps: 0) == nil)
  }

  @Test(
    "A track whose points are segments of their own names --join-segments, once it is not given")
  func segments() throws {
    let points = (0..<20).map { (Double($0) * 100, Double($0) * 60) }
    let found = try summary(points, isSegmented: true)
    #expect(
      found.remarks.sentences(fixes: found.fixes)
        == ["20 segments of 20 fixes, which are not joined. To join them: --join-segments"])
    let joined = try summary(points, isSegmented: true) { $0.monitoring.joinsSegments = true }
    #expect(joined.remarks.sentences(fixes: joined.fixes) == [])
    #expect(joined.enters == 1)
  }

  @Test("Fixes from before the newest one name --reorder, unless a clock was wrong by days")
  func memory() throws {
    let found = try summary([(0, 0), (100, 60), (1500, 500), (200, 120), (300, 180), (1600, 560)])
    #expect(
      found.remarks.sentences(fixes: found.fixes) == [
        "its times go back 1 time, by up to 6.3 min, as when a device sends its memory late. To put "
          + "its fixes in order: --reorder 7min"
      ])
    let wrong = try summary([(0, 1_000_000), (100, 60), (200, 120)])
    #expect(wrong.remarks.sentences(fixes: wrong.fixes) == [])
    var late = PathRemarks()
    var lateness = Lateness()
    lateness.add(milliseconds: 90_000)
    late.lateness = lateness
    #expect(late.sentences(fixes: 100).first?.hasPrefix("1 fix came behind newer ones, by") == true)
  }

  @Test("Ten entries of a story within an hour name the rules against drift, and nine do not")
  func drift() throws {
    func walk(_ entries: Int, seconds: Double) -> [(Double, Double)] {
      (0..<2 * entries).map { ($0 % 2 == 0 ? 940 : 960, Double($0) * seconds) }
    }
    let found = try summary(walk(12, seconds: 60))
    #expect(
      found.remarks.sentences(fixes: found.fixes) == [
        "“Office” was entered 12 times, ten times within an hour, as where fixes drift across an "
          + "edge. To count fewer: --hold, --confirm-fixes or --exit-margin"
      ])
    #expect(try summary(walk(9, seconds: 60)).remarks.drift == nil)
    #expect(try summary(walk(12, seconds: 240)).remarks.drift == nil)
  }

  private static func times(from first: Int64, count: Int64, step: Int64) -> [Int64] {
    (0..<count).map { first + $0 * step }
  }

  private static let entries: [(times: [Int64], isDrift: Bool)] = [
    (times(from: 0, count: 10, step: 1), true),
    (times(from: .min, count: 10, step: 1), true),
    (times(from: .max - 9, count: 10, step: 1), true),
    // Backwards, at one time, on both ends of time, and around a step back.
    (times(from: 0, count: 20, step: -60_000), false),
    (times(from: 7, count: 20, step: 0), false),
    ([Int64.min] + times(from: .max, count: 20, step: 0), false),
    ([Int64.max] + times(from: .min, count: 9, step: 1), false),
    (times(from: 1_000_000, count: 9, step: 1) + times(from: 0, count: 9, step: 1), false),
  ]

  @Test("Drift needs ten entries one after the other, however their times run", arguments: entries)
  func order(_ times: [Int64], isDrift: Bool) {
    var drift = EdgeDrift()
    for time in times { drift.enter(1, atMilliseconds: time) }
    #expect((drift.found { _ in "Office" } != nil) == isDrift)
  }

  @Test("A restored session still counts all breaks before it was saved")
  func restored() throws {
    let index = try PlaceIndex([])
    var session = TrackSession(name: "walk", source: index)
    func fix(_ second: Int64) -> Fix {
      Fix(
        coordinate: Coordinate(latitudeDegrees: 48, longitudeDegrees: 16),
        timeMilliseconds: Self.start + second * 1000)
    }
    session.follow([fix(0), fix(1000), fix(900)]) { _ in }
    var next = try TrackSession(
      name: "walk", source: index, options: TrackSessionOptions(), snapshot: session.snapshot())
    next.follow([fix(2000), fix(1960)]) { _ in }
    var found: BreakCounts?
    next.finish(rejected: [:]) {
      if case .summary(let last) = $0 { found = last.remarks.breaks }
    }
    let breaks = try #require(found)
    #expect(breaks.gaps == 2 && breaks.returns == 2)
    // The longer step back was before the session was saved.
    #expect(breaks.longestReturnMilliseconds == 100_000)
  }

  @Test("Where exits alert, the summary counts them and not the entries")
  func exits() throws {
    let points = [(0, 0), (1000, 600), (2000, 1200), (1000, 1800), (0, 2400)].map {
      (Double($0.0), Double($0.1))
    }
    let found = try summary(points) { $0.alertsOn = .exit }
    #expect(found.sentences.first == "2 alerts from 2 exits")
    #expect(try summary(points).sentences.first == "2 alerts from 2 entries")
  }
}
