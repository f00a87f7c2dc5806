import FencepostGeodesy
import FencepostNotifications
import FencepostTime
import Foundation
import TestSupport
import Testing

/// A case of `Data/conformance/reminders.jsonl`, which `Tools/conformance/reminders` writes.
private struct Case: Decodable {
  struct Request: Decodable {
    struct Region: Decodable { var lat, lon, radius: Double }
    var id: String
    var at: String?
    var local: String?
    var repeats: String?
    var region: Region?
  }
  struct Location: Decodable { var lat, lon: Double }
  /// A kind, whose clock is the name of a zone.
  struct Kind: Decodable {
    var name, prefix: String
    var priority: Int
    var anchor: ClockZone?

    var kind: NotificationKind {
      NotificationKind(
        name: name, prefix: prefix, priority: priority, anchor: anchor.map { .fixed($0) })
    }
  }
  struct Answer: Decodable { var scheduled, waiting, dead: [String] }

  var name: String
  var now: String
  var slots: Int
  var circles: Int
  var policy: String
  var quotas: [String: Int]?
  var kinds: [Kind]
  /// The zone of the phone; nil for UTC.
  var zone: ClockZone?
  /// The requests that have fired.
  var fired: [String]?
  var location: Location?
  var requests: [Request]
  var answer: Answer

  private enum CodingKeys: String, CodingKey {
    case name = "case"
    case now, slots, circles, policy, quotas, kinds, zone, fired, location, requests, answer
  }
}

private func milliseconds(_ text: String) throws -> Int64 {
  try #require(ISO8601.milliseconds(parsing: text))
}

extension Case.Request {
  fileprivate func request(of kind: NotificationKind) throws -> NotificationRequest {
    let trigger: NotificationTrigger
    if let local {
      let time = try #require(LocalTime(local))
      trigger = .calendar(
        CalendarPattern(date: time.date, time: time.time), repeats: false,
        anchor: kind.anchor ?? .floating)
    } else if let region {
      let center = Coordinate(latitudeDegrees: region.lat, longitudeDegrees: region.lon)
      trigger = .region(
        try #require(RegionTrigger(center: center, radiusMeters: region.radius)))
    } else {
      let time = try milliseconds(try #require(at))
      let local = LocalTime(atMilliseconds: time, in: .utc)
      trigger =
        repeats == nil
        ? .at(milliseconds: time)
        : .calendar(CalendarPattern(time: local.time), repeats: true, anchor: .fixed(.utc))
    }
    return NotificationRequest(
      identifier: id, content: NotificationContent(title: id), trigger: trigger,
      // Long ago, so that a time that has passed is dead and not of the next year.
      askedMilliseconds: repeats == nil ? 0 : nil)
  }
}

@Suite("The conformance suite's reminders")
struct ReminderConformanceTests {
  @Test("The budget gives slots to the requests that an independent model names, in its order")
  func agrees() throws {
    let url = Document.project.appendingPathComponent("Data/conformance/reminders.jsonl")
    let cases = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
      try JSONDecoder().decode(Case.self, from: Data($0.utf8))
    }
    #expect(cases.count == 68)
    for one in cases {
      let policy: RankingPolicy =
        switch one.policy {
        case "priority": .priorityThenFireDate
        case "quotas": .quotas(one.quotas ?? [:])
        default: .fireDateThenPriority
        }
      let budget = NotificationBudget(
        totalLimit: one.slots, regionLimit: one.circles, policy: policy,
        kinds: try KindRegistry(one.kinds.map(\.kind)))
      let requests = one.requests.filter { one.fired?.contains($0.id) != true }
      let plan = budget.plan(
        try requests.map { try $0.request(of: budget.kinds.kind(ofIdentifier: $0.id)) },
        nowMilliseconds: try milliseconds(one.now), zone: one.zone ?? .utc,
        location: one.location.map {
          Coordinate(latitudeDegrees: $0.lat, longitudeDegrees: $0.lon)
        })
      let (scheduled, stored) = (plan.scheduled, plan.waiting)
      #expect(scheduled.map(\.request.identifier) == one.answer.scheduled, "\(one.name)")
      #expect(
        Set(stored.map(\.request.identifier)) == Set(one.answer.waiting), "\(one.name)")
      let dead = plan.purged.filter { $0.reason == .dead }.map(\.request.identifier)
      #expect(dead.sorted() == one.answer.dead, "\(one.name)")
    }
  }
}
