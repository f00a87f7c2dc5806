import FencepostAnalysis
import FencepostSession
import Foundation
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import SampleStories
import FencepostPlaces
import FencepostFixes
import FencepostTime
import Testing

private func document(_ name: String) throws -> ReminderDocument {
  let url = SampleStories.data.appendingPathComponent("reminders/\(name)")
  let bytes = Array(try Data(contentsOf: url))
  return try ReminderDocument(parsing: bytes.span)
}

private func parse(_ text: String) throws -> ReminderDocument {
  let bytes = Array(text.utf8)
  return try ReminderDocument(parsing: bytes.span)
}

private func replay(
  _ track: String, _ document: ReminderDocument,
  _ change: (inout ReplayOptions) -> Void = { _ in }
) throws -> Replayed {
  try SampleStories.replay(SampleStories.track(track)) {
    $0.reminders = ReminderWatchOptions(document: document)
    change(&$0)
  }
}

/// The walk is on 4 March 2026 from 17:00 to 17:46 UTC: so many minutes after its beginning.
private func minuteByMinute(_ minutes: Range<Int>, prefix: String = "entry.") -> String {
  minutes.map { minute in
    let time = "2026-03-04T17:\(minute < 10 ? "0" : "")\(minute):30Z"
    return #"{"id":"\#(prefix)\#(minute)","title":"x","at":"\#(time)"}"#
  }.joined(separator: ",")
}

@Suite("Reminders in a replay")
struct ReminderWatchTests {
  @Test("Reminders change nothing about what the places do", arguments: ["walk.gpx", "drive.gpx"])
  func samePlaces(track: String) throws {
    let alone = try SampleStories.replay(SampleStories.track(track))
    let shared = try replay(track, try document("two-hundred-reminders.json"))
    #expect(shared.lines.map(\.description) == alone.lines.map(\.description))
    #expect(shared.alerts == alone.alerts)
    #expect(shared.summary?.neverMonitored == alone.summary?.neverMonitored)
    #expect(alone.summary?.budget == nil && shared.summary?.budget != nil)
  }

  @Test("Twenty regions leave 44 slots, and reminders that wait for places are named")
  func slots() throws {
    let far = (0..<60).map {
      #"{"id":"far.\#($0)","title":"x","at":"2026-03-06T\#(10 + $0 % 10):00"}"#
    }
    let text = "{\"reminders\":[\(far.joined(separator: ","))]}"
    let budget = try #require(try replay("walk.gpx", try parse(text)).summary?.budget)
    #expect(budget.slots == 64 && budget.mostRegions == 20 && budget.mostReminders == 44)
    #expect(budget.due == 0)
    #expect(budget.displacements.count == 16)
    #expect(budget.displacements.allSatisfy { $0.by == ["places"] && $0.times == 1 })
    // The last in the ranking: those of the last two hours, as far as they do not fit.
    #expect(budget.displacements.contains { $0.displaced == .reminder(id: "far.59") })
  }

  @Test("Waiting for other reminders is distinguished from waiting for places")
  func forReminders() throws {
    let far = (0..<80).map {
      #"{"id":"far.\#(100 + $0)","title":"x","at":"2026-03-06T10:\#($0 / 2 + 10):\#($0 % 2 == 0 ? "00" : "30")"}"#
    }
    let text = "{\"reminders\":[\(far.joined(separator: ","))]}"
    let budget = try #require(try replay("walk.gpx", try parse(text)).summary?.budget)
    #expect(budget.displacements.count { $0.by == ["places"] } == 20)
    // The others wait behind the reminder that would be the last without places.
    #expect(budget.displacements.count { $0.by != ["places"] } == 16)
    #expect(Set(budget.displacements.map(\.by)).count == 2)
  }

  @Test("Reminders due on the way are delivered by the track's clock")
  func delivered() throws {
    let text = "{\"reminders\":[\(minuteByMinute(1..<46))]}"
    let budget = try #require(try replay("walk.gpx", try parse(text)).summary?.budget)
    #expect(budget.due == 45 && budget.onTime == 45 && budget.dropped == 0)
    // 45 at first beside 20 regions: one has to wait, and gets its slot at the next refresh.
    #expect(
      budget.displacements == [
        .init(displaced: .reminder(id: "entry.45"), by: ["places"], times: 1)
      ])
  }

  @Test("With few slots places and reminders share them, and what is dropped is named")
  func fewSlots() throws {
    let text = "{\"reminders\":[\(minuteByMinute(1..<41))]}"
    let replayed = try replay("walk.gpx", try parse(text)) { $0.reminders?.run.totalLimit = 20 }
    let budget = try #require(replayed.summary?.budget)
    #expect(budget.mostRegions == 20 && budget.mostReminders > 0)
    #expect(budget.due == 40 && budget.onTime + budget.late + budget.dropped == 40)
    // Each minute the next reminder comes sooner than the far circles can.
    #expect(budget.onTime > 0 && budget.dropped > 0)
    #expect(budget.displacements.reduce(0) { $0 + $1.dropped } == budget.dropped)
  }

  @Test("More regions than slots are never monitored")
  func fewerSlotsThanRegions() throws {
    let text = "{\"reminders\":[\(minuteByMinute(1..<3))]}"
    let replayed = try replay("walk.gpx", try parse(text)) { $0.reminders?.run.totalLimit = 7 }
    #expect(replayed.summary?.budget?.mostRegions == 7)
    #expect(replayed.lines.filter { $0.type == "refresh" }.allSatisfy { $0.counts[0] <= 7 })
  }

  @Test("A reminder's circle replaces the farthest place, fires once, and is not a story")
  func circle() throws {
    let alone = try SampleStories.replay(SampleStories.track("walk.gpx"))
    let spot = try #require(alone.lines.first { $0.type == "enter" }).coordinate
    let text = """
      {"reminders":[{"id":"milk","title":"Buy milk","region":{"lat":\(spot.latitudeDegrees),
      "lon":\(spot.longitudeDegrees),"radius":30}}]}
      """
    let shared = try replay("walk.gpx", try parse(text))
    let budget = try #require(shared.summary?.budget)
    #expect(budget.circlesFired == 1)
    #expect(!shared.alerts.contains("milk") && !shared.lines.contains { $0.place == "milk" })
    #expect(budget.displacements.contains { $0.by == ["milk"] })
    #expect(budget.mostRegions == 20)
    #expect(shared.lines.filter { $0.type == "refresh" }.allSatisfy { $0.counts[0] == 20 })
    #expect(shared.summary?.neverMonitored.map { $0 <= 219 } == true)
  }

  @Test("A circle fires on exit if asked to, and each time if it repeats")
  func exits() throws {
    let alone = try SampleStories.replay(SampleStories.track("walk.gpx"))
    let exit = try #require(alone.lines.first { $0.type == "exit" })
    func fired(_ flags: String) throws -> Int? {
      let text = """
        {"reminders":[{"id":"a","title":"x",\(flags)"region":{"lat":\(exit.coordinate.latitudeDegrees),
        "lon":\(exit.coordinate.longitudeDegrees),"radius":25,"entry":false,"exit":true}}]}
        """
      return try replay("walk.gpx", try parse(text)).summary?.budget?.circlesFired
    }
    #expect(try fired("") == 1)
    #expect(try fired("\"repeats\":true,").map { $0 >= 1 } == true)
  }

  @Test("Without a limit nothing waits")
  func oracle() throws {
    let replayed = try replay("walk.gpx", try document("two-hundred-reminders.json")) {
      $0.session.monitoring.limit = nil
    }
    let budget = try #require(replayed.summary?.budget)
    #expect(budget.slots == nil && budget.displacements.isEmpty && budget.dropped == 0)
    let alone = try SampleStories.replay(SampleStories.track("walk.gpx")) {
      $0.session.monitoring.limit = nil
    }
    #expect(replayed.lines.map(\.description) == alone.lines.map(\.description))
  }

  @Test("The adaptive refresh shares the slots too, and stays certified")
  func adaptive() throws {
    let replayed = try replay("walk.gpx", try document("two-hundred-reminders.json")) {
      $0.session.monitoring.refresh = .adaptive
    }
    let budget = try #require(replayed.summary?.budget)
    #expect(budget.mostRegions == 20 && budget.plans >= replayed.summary?.refreshes ?? .max)
    let alone = try SampleStories.replay(SampleStories.track("walk.gpx")) {
      $0.session.monitoring.refresh = .adaptive
    }
    #expect(replayed.summary?.certified == alone.summary?.certified)
  }

  @Test("On a track without times only circles fire")
  func withoutTimes() throws {
    let csv = "lat,lon\n40.50,-75.15\n40.51,-75.15\n40.52,-75.15\n"
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).csv")
    try Data(csv.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let text = """
      {"reminders":[\(minuteByMinute(1..<3)),{"id":"spot","title":"x",
      "region":{"lat":40.51,"lon":-75.15,"radius":50}}]}
      """
    let document = try parse(text)
    let replayed = try SampleStories.replay(url.path) {
      $0.reminders = ReminderWatchOptions(document: document)
    }
    let budget = try #require(replayed.summary?.budget)
    #expect(budget.plans == 0 && budget.due == 0 && budget.circlesFired == 1)
  }

  @Test("Two replays agree")
  func repeatable() throws {
    let document = try document("snoozes.json")
    #expect(
      try replay("drive.gpx", document).summary?.budget
        == replay("drive.gpx", document).summary?.budget)
  }
}

@Suite("Reminders at circles beside stories")
struct ReminderCircleTests {
  private static let start: Int64 = 1_772_625_600_000

  /// A walk to the north of 600 m in 60 steps of ten seconds.
  private let path = (0...60).map { step in
    Fix(
      coordinate: Coordinate(
        latitudeDegrees: 40 + Double(step) * 10 / 111_000, longitudeDegrees: -75),
      timeMilliseconds: ReminderCircleTests.start + Int64(step) * 10_000)
  }

  /// Stories beside the start of the walk that it never enters.
  private func stories(_ count: Int) throws -> PlaceIndex {
    try PlaceIndex(
      (0..<count).map { number in
        Place(
          id: "story-\(number + 10)", title: "",
          coordinate: Coordinate(
            latitudeDegrees: 40, longitudeDegrees: -75.0005 - Double(number) * 0.0001),
          radiusMeters: 20)
      })
  }

  /// A reminder at a circle so many meters along the walk.
  private func circle(_ id: String, meters: Double, east: Double = 0) -> String {
    """
    {"id":"\(id)","title":"x","region":{"lat":\(40 + meters / 111_000),
    "lon":\(-75 + east),"radius":20}}
    """
  }

  private func follow(
    _ reminders: [String], among places: PlaceIndex, kinds: String = "", on path: [Fix]? = nil
  ) throws -> (summary: BudgetSummary, events: [Event]) {
    let document = try parse("{\(kinds)\"reminders\":[\(reminders.joined(separator: ","))]}")
    let watch = ReminderWatch(
      options: .init(document: document), source: places, monitoring: MonitoringOptions())
    var options = TrackSessionOptions()
    options.monitoring = watch.monitoring
    var session = TrackSession(name: "walk", source: watch.source, options: options)
    session.observer = watch
    var events: [Event] = []
    session.follow(path ?? self.path) { events.append($0) }
    session.finish(rejected: [:]) { events.append($0) }
    return (try #require(session.summary.budget), events)
  }

  @Test("a circle that nearer stories keep from being watched is named, and its crossing is lost")
  func lost() throws {
    let found = try follow([circle("bread", meters: 400)], among: stories(20))
    #expect(found.summary.circlesFired == 0 && found.summary.circlesMissed == 1)
    // The lookup after 500 m finds the circle nearer than the last story.
    #expect(
      found.summary.displacements == [
        .init(displaced: .place(id: "story-29"), by: ["bread"], times: 1),
        .init(displaced: .reminder(id: "bread"), by: ["story-29"], times: 1, dropped: 1),
      ])
  }

  @Test("a user's own circle comes before stories of the same reach, and they are named")
  func own() throws {
    let kinds = #""kinds":[{"name":"own","prefix":"own.","priority":0}],"#
    let found = try follow([circle("own.bread", meters: 400)], among: stories(20), kinds: kinds)
    #expect(found.summary.circlesFired == 1 && found.summary.circlesMissed == 0)
    #expect(
      found.summary.displacements == [
        .init(displaced: .place(id: "story-29"), by: ["own.bread"], times: 1)
      ])
  }

  @Test("a user's own circle an hour away takes no slot from stories")
  func far() throws {
    let kinds = #""kinds":[{"name":"own","prefix":"own.","priority":0}],"#
    let found = try follow([circle("own.bread", meters: 150_000)], among: stories(20), kinds: kinds)
    #expect(
      found.summary.displacements == [
        .init(displaced: .reminder(id: "own.bread"), by: ["story-29"], times: 1)
      ])
  }

  @Test("of three circles in one second the third is not shown, and says for what")
  func oneSecond() throws {
    let found = try follow(
      (0..<3).map { circle("c\($0)", meters: 300, east: Double($0) * 0.00001) }, among: stories(2))
    let shown = found.events.compactMap { event -> String?? in
      if case .reminder(let encounter, _) = event { encounter.displacedBy } else { nil }
    }
    #expect(shown.count { $0 == nil } == 2 && shown.count == 3)
    #expect(found.summary.droppedInSecond == 1 && found.summary.circlesFired == 3)
    #expect(found.summary.displacements.map(\.dropped) == [1])
  }

  @Test("alerts and timed reminders share a second: an alert yields to two reminders")
  func alertsYield() throws {
    try alertYields(on: path)
  }

  @Test("an alert yields to reminders that were shown at the fix before, in the same second")
  func alertsYieldToThePast() throws {
    try alertYields(
      on: (0...1200).map { step in
        Fix(
          coordinate: Coordinate(
            latitudeDegrees: 40 + Double(step) / 2 / 111_000, longitudeDegrees: -75),
          timeMilliseconds: ReminderCircleTests.start + Int64(step) * 500)
      })
  }

  private func alertYields(on path: [Fix]) throws {
    // The walk meets the edge of the story after 280 m, within a second of its 280th.
    let story = Place(
      id: "story", title: "",
      coordinate: Coordinate(latitudeDegrees: 40 + 300.0 / 111_000, longitudeDegrees: -75),
      radiusMeters: 20)
    func delivery(_ reminders: [String]) throws -> (entered: Int64, shown: Int64) {
      let found = try follow(reminders, among: try PlaceIndex([story]), on: path)
      for case .alert(let encounter, let alert) in found.events {
        return (
          try #require(encounter.timeMilliseconds), try #require(alert.deliveryMilliseconds)
        )
      }
      Issue.record("no alert")
      return (0, 0)
    }
    let alone = try delivery([])
    #expect(alone.entered == alone.shown)
    let second = ISO8601.string(milliseconds: alone.entered / 1000 * 1000)
    let reminders = ["a", "b"].map { #"{"id":"\#($0)","title":"x","at":"\#(second)"}"# }
    let shared = try delivery(reminders)
    #expect(shared.shown == shared.entered + 1000)
    let one = try delivery(Array(reminders.prefix(1)))
    #expect(one.shown == one.entered)
  }
}
