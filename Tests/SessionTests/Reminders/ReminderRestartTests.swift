import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import Foundation
import Testing

/// 2026-03-04T17:00:00Z, when the sample walk begins.
private let start: Int64 = 1_772_643_600_000

private func parse(_ text: String) throws -> ReminderDocument {
  let bytes = Array(text.utf8)
  return try ReminderDocument(parsing: bytes.span)
}

@Suite("Reminders beside a session that is restarted or long")
struct ReminderRestartTests {
  /// A session, and the reminders that it shares the phone with.
  private struct Following {
    var session: TrackSession
    var watch: ReminderWatch
    var events: [String] = []

    init(_ document: ReminderDocument, _ source: any PlaceSource) {
      watch = ReminderWatch(
        options: .init(document: document), source: source, monitoring: MonitoringOptions())
      session = TrackSession(
        name: "walk", source: watch.source,
        options: ReminderWatch.rules(TrackSessionOptions(), beside: watch))
      session.observer = watch
    }

    mutating func follow(_ fixes: some Sequence<Fix>) {
      for fix in fixes { session.follow(fix) { events.append("\($0)") } }
    }

    /// Continues in another process, which has only what was saved as JSON.
    func restarted(_ document: ReminderDocument, _ source: any PlaceSource) throws -> Following {
      let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
      let saved = try encoder.encode(session.keyedSnapshot)
      let reminders = try encoder.encode(watch.snapshot)
      var next = Following(document, source)
      next.session = try #require(
        TrackSession(
          name: "walk", source: next.watch.source,
          options: ReminderWatch.rules(TrackSessionOptions(), beside: next.watch),
          keyed: try decoder.decode(TrackSession.Snapshot.self, from: saved)))
      next.watch.restore(
        try decoder.decode(ReminderWatch.Snapshot.self, from: reminders), isSameRule: true)
      next.session.observer = next.watch
      next.events = events
      return next
    }

    mutating func finish() throws -> BudgetSummary {
      session.finish(rejected: [:]) { _ in }
      return try #require(session.summary.budget)
    }
  }

  /// A walk of 700 m to the north past twelve stories, a fix every ten seconds.
  private let fixes = (0...70).map { step in
    Fix(
      coordinate: Coordinate(
        latitudeDegrees: 40 + Double(step) * 10 / 111_000, longitudeDegrees: -75),
      timeMilliseconds: start + Int64(step) * 10_000)
  }

  private func stories() throws -> PlaceIndex {
    try PlaceIndex(
      (0..<30).map { number in
        Place(
          id: "story-\(number)", title: "",
          coordinate: Coordinate(
            latitudeDegrees: 40 + Double(number % 12) * 60 / 111_000,
            longitudeDegrees: -75 + Double(number / 12) * 0.0004),
          radiusMeters: 20)
      })
  }

  /// Circles along the walk, some of which wait, and more times than there are slots.
  private func reminders() throws -> ReminderDocument {
    let circles = (0..<6).map { number in
      """
      {"id":"c\(number)","title":"x","repeats":\(number % 2 == 0),"region":{"lat":\
      \(40 + Double(100 + number * 110) / 111_000),"lon":-75,"radius":15}}
      """
    }
    let times = (0..<90).map { number in
      let (minute, second) = (1 + number / 10, 10 + number % 10 * 5)
      return #"{"id":"t\#(number)","title":"x","at":"2026-03-04T17:0\#(minute):\#(second)Z"}"#
    }
    // Intervals count from the beginning of the walk, not from the restart.
    let rest = [100, 300, 500].map { #"{"id":"after\#($0)","title":"x","after":\#($0)}"# }
    return try parse("{\"reminders\":[\((circles + times + rest).joined(separator: ","))]}")
  }

  @Test("a session that is restarted on the way goes on as if nothing had happened")
  func restarted() throws {
    let (document, places) = (try reminders(), try stories())
    var whole = Following(document, places)
    whole.follow(fixes)
    let budget = try whole.finish()
    #expect(budget.circlesFired > 2 && budget.due > 60 && budget.displacements.count > 5)
    for cut in stride(from: 1, to: fixes.count, by: 4) {
      var first = Following(document, places)
      first.follow(fixes[..<cut])
      var second = try first.restarted(document, places)
      second.follow(fixes[cut...])
      let found = try second.finish()
      #expect(second.events == whole.events, "\(cut)")
      #expect(found.circlesFired == budget.circlesFired, "\(cut)")
      #expect(found.circlesMissed == budget.circlesMissed, "\(cut)")
      #expect(found.due == budget.due && found.onTime == budget.onTime, "\(cut)")
      #expect(found.late == budget.late && found.dropped == budget.dropped, "\(cut)")
      #expect(found.displacements == budget.displacements, "\(cut)")
    }
  }

  @Test("under other rules a circle that has fired once stays silent, and counts begin anew")
  func otherRules() throws {
    let document = try parse(
      #"{"reminders":[{"id":"c","title":"x","region":{"lat":40,"lon":-75,"radius":50}}]}"#)
    var before = Following(document, try stories())
    let outside = Fix(
      coordinate: Coordinate(latitudeDegrees: 39.999, longitudeDegrees: -75),
      timeMilliseconds: start - 60_000)
    before.follow([outside] + fixes)
    #expect(before.events.contains { $0.contains("reminder") })
    var after = Following(document, try stories())
    after.watch.restore(before.watch.snapshot, isSameRule: false)
    after.follow([outside] + fixes)
    let budget = try after.finish()
    #expect(budget.circlesFired == 0)
  }

  @Test("half a year of daily reminders is counted in full, month by month")
  func long() throws {
    let document = try parse(#"{"reminders":[{"id":"a","title":"x","times":"09:00"}]}"#)
    var following = Following(document, try PlaceIndex([]))
    let days = 180
    following.follow(
      (0...days * 4).map { step in
        Fix(
          coordinate: fixes[0].coordinate, timeMilliseconds: start + Int64(step) * 6 * 3_600_000)
      })
    let budget = try following.finish()
    #expect(budget.due == days && budget.onTime == days)
  }
}
