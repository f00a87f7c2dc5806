import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostTime
import Testing

@Suite("Reminders and stories on one scale")
struct ReminderRankingTests {
  /// 2026-03-04T17:00:00Z.
  private static let start: Int64 = 1_772_643_600_000

  private func follow(
    _ reminders: [String], among places: [Place], on path: [Fix], kinds: String = "",
    _ change: (inout ReminderWatchOptions) -> Void = { _ in }
  ) throws -> TrackSummary {
    let bytes = Array("{\(kinds)\"reminders\":[\(reminders.joined(separator: ","))]}".utf8)
    var options = ReminderWatchOptions(document: try ReminderDocument(parsing: bytes.span))
    change(&options)
    let watch = ReminderWatch(
      options: options, source: try PlaceIndex(places), monitoring: MonitoringOptions())
    var session = TrackSession(
      name: "walk", source: watch.source,
      options: ReminderWatch.rules(TrackSessionOptions(), beside: watch))
    session.observer = watch
    session.follow(path) { _ in }
    session.finish(rejected: [:]) { _ in }
    return session.summary
  }

  /// Two hours in one place in Philadelphia.
  private let evening = (0..<120).map { minute in
    Fix(
      coordinate: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16),
      timeMilliseconds: ReminderRankingTests.start + Int64(minute) * 60_000)
  }

  /// So many stories, south of a point.
  private func stories(_ count: Int, from latitude: Double, _ longitude: Double) -> [Place] {
    (0..<count).map { number in
      Place(
        id: "story-\(number)", title: "",
        coordinate: Coordinate(
          latitudeDegrees: latitude - Double(number) * 0.001, longitudeDegrees: longitude))
    }
  }

  /// One in each of the next minutes.
  private func reminders(_ count: Int, prefix: String = "u") -> [String] {
    (1...count).map { minute in
      let time = ISO8601.string(milliseconds: Self.start + Int64(minute) * 60_000)
      return #"{"id":"\#(prefix)\#(minute)","title":"x","at":"\#(time)"}"#
    }
  }

  @Test("stories in Sydney take no slot from tonight's reminders in Philadelphia")
  func farAway() throws {
    let sydney = stories(30, from: -33.8, 151.2)
    let summary = try follow(reminders(60), among: sydney, on: evening)
    let budget = try #require(summary.budget)
    #expect(budget.due == 60 && budget.onTime == 60 && budget.mostRegions == 4)
    #expect(summary.neverMonitored == 26)
    #expect(budget.displacements.allSatisfy { $0.by == ["u60"] && $0.times == 1 })
    #expect(budget.displacements.count == 16)
  }

  @Test("stories around the corner come before reminders of the next hours")
  func near() throws {
    let budget = try #require(
      try follow(reminders(60), among: stories(30, from: 39.94, -75.16), on: evening).budget)
    #expect(budget.mostRegions == 20 && budget.mostReminders == 44)
  }

  @Test("stories that the app monitors itself need no slot")
  func monitored() throws {
    let budget = try #require(
      try follow(reminders(64), among: stories(30, from: 39.94, -75.16), on: evening) {
        $0.placesNeedSlots = false
      }.budget)
    #expect(budget.due == 64 && budget.onTime == 64 && budget.displacements.isEmpty)
  }

  @Test("a story without a slot does not alert, because the phone does not watch it")
  func ownFirst() throws {
    let kinds = #""kinds":[{"name":"own","prefix":"own.","priority":0}],"#
    let far = (0..<64).map {
      #"{"id":"own.\#($0)","title":"x","at":"2026-03-06T\#(10 + $0 % 10):00:0\#($0 / 10)"}"#
    }
    let path = (0...60).map { step in
      Fix(
        coordinate: Coordinate(
          latitudeDegrees: 39.95 - Double(step) * 0.0001, longitudeDegrees: -75.16),
        timeMilliseconds: Self.start + Int64(step) * 10_000)
    }
    let story = stories(1, from: 39.947, -75.16)
    #expect(try follow(far, among: story, on: path, kinds: kinds).enters == 1)
    let summary = try follow(far, among: story, on: path, kinds: kinds) {
      $0.run.policy = .priorityThenFireDate
    }
    #expect(summary.enters == 0 && summary.neverMonitored == 1)
  }

  @Test("a circle that fires frees its region for the next one at once")
  func freed() throws {
    let circles = (0..<21).map { number in
      """
      {"id":"c\(number)","title":"x","region":{"lat":39.95,
      "lon":\(-75.158 + Double(number) * 0.0024),"radius":60}}
      """
    }
    let path = (0...260).map { step in
      Fix(
        coordinate: Coordinate(
          latitudeDegrees: 39.95, longitudeDegrees: -75.16 + Double(step) * 0.0002),
        timeMilliseconds: Self.start + Int64(step) * 20_000)
    }
    let budget = try #require(try follow(circles, among: [], on: path).budget)
    #expect(budget.circlesFired == 21 && budget.circlesMissed == 0)
    #expect(budget.displacements.count == 1)
  }
}
