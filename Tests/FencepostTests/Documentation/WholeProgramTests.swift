// sample: imports
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostStateFile
import Foundation
// end
import Synchronization
import TestSupport
import Testing

// The guide's whole program, between marks; DocumentationTests compares the guide with it.

// sample: program
/// Follows a stream of positions past stories, and alerts within a phone's 64 notifications.
struct StoryGuide {
  let stories: PlaceIndex
  let scheduler: NotificationScheduler
  let now: @Sendable () -> Int64
  private var engine = Engine()
  private var policy = AlertPolicy()

  init(
    json: Data, statePath: String, centre: any NotificationCentre,
    now: @escaping @Sendable () -> Int64
  ) throws {
    stories = try PlaceIndex(JSONDecoder().decode([Place].self, from: json))
    self.now = now
    scheduler = NotificationScheduler(
      statePath: statePath, centre: centre, budget: NotificationBudget(totalLimit: 64)
    ) {
      NotificationScheduler.Situation(nowMilliseconds: now(), zone: .utc)
    }
  }

  /// The stories nearest to a point.
  func nearest(to here: Coordinate, count: Int) -> [Place] {
    stories.nearest(to: here, count: count).compactMap { stories.place(forKey: $0.key) }
  }

  /// Follows a stream to its end, and alerts on the way.
  mutating func follow(_ points: AsyncStream<PathPoint>) async throws {
    for await point in points {
      let alerts = alerts(onWayTo: point)
      guard !alerts.isEmpty else { continue }
      try await scheduler.update { requests in
        // A phone shows two notifications in one second, and no more.
        requests = SecondStagger().stagger(
          requests + alerts, nowMilliseconds: now(), zone: .utc)
      }
    }
  }

  private mutating func alerts(onWayTo point: PathPoint) -> [NotificationRequest] {
    var events: [EngineEvent] = []
    var request = engine.advance(to: point, into: &events)
    while let asked = request {
      request = engine.resume(with: stories.answer(asked), into: &events)
    }
    var entered: [Place] = []
    var entries: [AlertPolicy.Entry] = []
    for case .crossing(let crossing) in events where crossing.isEnter {
      guard let story = stories.place(forKey: crossing.key) else { continue }
      entered.append(story)
      entries.append(AlertPolicy.Entry(story, timeMilliseconds: crossing.timeMilliseconds))
    }
    return zip(entered, policy.decide(entries)).compactMap { story, decision in
      guard case .alert = decision else { return nil }
      return NotificationRequest(
        identifier: "story.\(story.id)", content: NotificationContent(story), trigger: .immediate)
    }
  }
}
// end

/// The time at which the simulated phone is.
private final class Clock: Sendable {
  private let milliseconds: Mutex<Int64>
  var now: Int64 { milliseconds.withLock { $0 } }

  init(_ milliseconds: Int64) { self.milliseconds = Mutex(milliseconds) }

  func advance(to later: Int64) { milliseconds.withLock { $0 = later } }
}

@Suite("The guide's whole program")
struct WholeProgramTests {
  private static let start: Int64 = 1_772_643_600_000

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: Document.project.appendingPathComponent("Data/app/\(name)"))
  }

  private func walk() throws -> [PathPoint] {
    struct Line: Decodable {
      var latitudeDegrees: Double
      var longitudeDegrees: Double
      var timeMilliseconds: Int64
    }
    return try data("walk.jsonl").split(separator: UInt8(ascii: "\n")).map { line in
      let fix = try JSONDecoder().decode(Line.self, from: Data(line))
      return PathPoint(
        coordinate: Coordinate(
          latitudeDegrees: fix.latitudeDegrees, longitudeDegrees: fix.longitudeDegrees),
        timeMilliseconds: fix.timeMilliseconds)
    }
  }

  @Test("finds the nearest stories, and alerts on a phone that is full of reminders")
  func program() async throws {
    let scratch = try ScratchFolder()
    let (start, clock) = (Self.start, Clock(Self.start - 1))
    let centre = SimulatedCentre(
      phone: SimulatedPhone(profile: .ios, nowMilliseconds: start, zone: .utc))
    var guide = try StoryGuide(
      json: data("stories.json"), statePath: scratch.path + "/notifications.state",
      centre: centre, now: { clock.now })
    let points = try walk()
    #expect(
      guide.nearest(to: points[0].coordinate, count: 2).map(\.id) == [
        "elfreths-alley", "firemans-hall",
      ])
    let reminders = (1...200).map { number in
      NotificationRequest(
        identifier: "reminder.\(number)", content: NotificationContent(title: "Walk"),
        trigger: .at(milliseconds: start + Int64(number) * 86_400_000))
    }
    try await guide.scheduler.update { $0 += reminders }
    try await guide.follow(
      AsyncStream {
        guard let point = points.first(where: { ($0.timeMilliseconds ?? 0) > clock.now }),
          let time = point.timeMilliseconds
        else { return nil }
        clock.advance(to: time)
        await centre.change { $0.advance(toMilliseconds: time) }
        return point
      })
    let pending = await centre.pending().map(\.identifier)
    #expect(pending.count == 64 && pending.allSatisfy { $0.hasPrefix("reminder.") })
    let deliveries = await centre.phone.deliveries
    // By a program that shares nothing with this one, on every fix of the walk.
    let expected = try String(
      contentsOf: Document.project.appendingPathComponent(
        "Data/expected/walk.gpx.fixed-20.oracle.ndjson"), encoding: .utf8)
    #expect(deliveries.count == 17)
    for delivery in deliveries {
      let id = delivery.identifier.dropFirst("story.".count)
      #expect(expected.contains("\"place\":\"\(id)\""), "\(id)")
    }
  }
}
