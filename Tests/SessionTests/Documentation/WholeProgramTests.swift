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
  private let center: any PhoneNotificationCenter
  private let file: StateFile
  private var engine = Engine()
  private var policy = AlertPolicy()
  /// Alerts that the scheduler may not have yet.
  private var owed: [NotificationRequest] = []

  /// What must survive a restart, in one document: so no alert is without the entry that it came from.
  private struct State: Codable {
    var engine: Engine.Snapshot
    var policy: AlertPolicy.State
    var owed: [NotificationRequest]
  }

  init(
    json: Data, statePath: String, center: any PhoneNotificationCenter,
    now: @escaping @Sendable () -> Int64
  ) throws {
    stories = try PlaceIndex(JSONDecoder().decode([Place].self, from: json))
    self.now = now
    scheduler = NotificationScheduler(
      statePath: statePath, center: center, budget: NotificationBudget(totalLimit: 64)
    ) {
      NotificationScheduler.Situation(nowMilliseconds: now(), zone: .utc)
    }
    self.center = center
    file = StateFile(path: statePath + ".walk")
    guard let document = try file.read() else { return }
    let state = try JSONDecoder().decode(State.self, from: Data(document))
    engine = try Engine(options: engine.options, snapshot: state.engine, source: stories)
    policy = AlertPolicy(options: policy.options, state: state.policy)
    owed = state.owed
  }

  /// The stories nearest to a point.
  func nearest(to here: Coordinate, count: Int) -> [Place] {
    stories.nearest(to: here, count: count).compactMap { stories.place(forKey: $0.key) }
  }

  /// Follows a stream to its end, and alerts on the way.
  mutating func follow(_ points: AsyncStream<PathPoint>) async throws {
    try await handOver()
    for await point in points {
      owed += alerts(onWayTo: point)
      guard !owed.isEmpty else { continue }
      // Saved before the scheduler is asked: a program that ends in between finds them at its next start.
      try save()
      try await handOver()
    }
  }

  private func save() throws {
    let state = State(
      engine: try engine.snapshot(naming: stories), policy: policy.state, owed: owed)
    try file.write(Array(JSONEncoder().encode(state)))
  }

  /// Gives the scheduler what it is owed, without what it was given before the program ended.
  private mutating func handOver() async throws {
    guard !owed.isEmpty else { return }
    let shown = try await center.delivered(afterMilliseconds: 0) ?? []
    let known = shown.union(try await scheduler.requests().map(\.identifier))
    let alerts = owed.filter { !known.contains($0.identifier) }
    try await scheduler.update { requests in
      // Shown before the scheduler could note it.
      requests.removeAll { $0.identifier.hasPrefix("story.") && shown.contains($0.identifier) }
      // A phone shows two notifications in one second, and no more.
      requests = SecondStagger().stagger(
        requests + alerts, nowMilliseconds: now(), zone: .utc)
    }
    owed = []
    try save()
  }

  private mutating func alerts(onWayTo point: PathPoint) -> [NotificationRequest] {
    var events: [EngineEvent] = []
    engine.advance(along: [point], from: stories, into: &events)
    var entries: [AlertEntry] = []
    for case .crossing(let crossing) in events where crossing.isEntry {
      guard let story = stories.place(forKey: crossing.key) else { continue }
      entries.append(AlertEntry(story, crossing))
    }
    return policy.decide(entries).filter(\.isAlert).map { entry in
      // The time tells this visit's alert from the next one's.
      NotificationRequest(
        identifier: "story.\(entry.place.id)@\(point.timeMilliseconds ?? 0)",
        content: NotificationContent(entry.place), trigger: .immediate)
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

/// The points that a phone has not passed yet.
private final class Rest: Sendable {
  private let points: Mutex<ArraySlice<PathPoint>>
  init(_ points: [PathPoint]) { self.points = Mutex(points[...]) }
  func next() -> PathPoint? { points.withLock { $0.popFirst() } }
}

/// A center whose program ends at one of its calls: what is on the disk then is what the next start finds.
private final class MortalCenter: PhoneNotificationCenter {
  struct Ended: Error {}

  private let center: any PhoneNotificationCenter
  private let halfCalls = Mutex(0)
  private let last: Int
  private let copyDisk: @Sendable () throws -> Void

  /// - Parameters:
  ///   - center: The notification center that it calls.
  ///   - last: 2n ends the program before call n, 2n + 1 after it.
  ///   - copyDisk: Keeps the disk as it is.
  init(
    _ center: any PhoneNotificationCenter, endingAt last: Int,
    copyDisk: @escaping @Sendable () throws -> Void
  ) {
    self.center = center
    self.last = last
    self.copyDisk = copyDisk
  }

  private func step() throws {
    let number = halfCalls.withLock {
      $0 += 1
      return $0 - 1
    }
    if number == last { try copyDisk() }
    if number >= last { throw Ended() }
  }

  private func live<Result: Sendable>(_ call: () async throws -> Result) async throws -> Result {
    try step()
    let result = try await call()
    try step()
    return result
  }

  func add(_ request: NotificationRequest) async throws {
    try await live { try await center.add(request) }
  }

  func remove(identifiers: [String]) async throws {
    try await live { try await center.remove(identifiers: identifiers) }
  }

  func pending() async throws -> [NotificationRequest] {
    try await live { try await center.pending() }
  }

  func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>? {
    try await live { try await center.delivered(afterMilliseconds: milliseconds) }
  }
}

@Suite("The guide's whole program")
struct WholeProgramTests {
  private static let start: Int64 = 1_772_643_600_000

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: Document.project.appendingPathComponent("Data/app/\(name)"))
  }

  private func walk() throws -> [PathPoint] {
    try data("walk.jsonl").split(separator: UInt8(ascii: "\n")).map { line in
      let fix = try JSONDecoder().decode(PhoneFix.self, from: Data(line))
      return PathPoint(coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds)
    }
  }

  @Test("finds the nearest stories, and alerts on a phone that is full of reminders")
  func program() async throws {
    let scratch = try ScratchFolder()
    let (start, clock) = (Self.start, Clock(Self.start - 1))
    let center = SimulatedCenter(
      phone: NotificationCenterModel(limits: .ios, nowMilliseconds: start, zone: .utc))
    var guide = try StoryGuide(
      json: data("stories.json"), statePath: scratch.path + "/notifications.state",
      center: center, now: { clock.now })
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
        await center.change { $0.advance(toMilliseconds: time) }
        return point
      })
    let pending = await center.pending().map(\.identifier)
    #expect(pending.count == 64 && pending.allSatisfy { $0.hasPrefix("reminder.") })
    let deliveries = await center.phone.deliveries
    // By a program that shares nothing with this one, on every fix of the walk.
    let expected = try String(
      contentsOf: Document.project.appendingPathComponent(
        "Data/expected/walk.gpx.fixed-20.oracle.ndjson"), encoding: .utf8)
    #expect(deliveries.count == 17)
    for delivery in deliveries {
      let id = delivery.identifier.dropFirst("story.".count).prefix { $0 != "@" }
      #expect(expected.contains("\"place\":\"\(id)\""), "\(id)")
    }
  }

  /// Follows the walk, ends at a call of the center, and follows the rest from what was on the disk.
  ///
  /// - Returns: What the phone showed, and whether the program was ended.
  private func deliveries(endingAt last: Int) async throws -> (shown: [String], hasEnded: Bool) {
    let (scratch, copy) = (try ScratchFolder(), try ScratchFolder())
    let clock = Clock(Self.start - 1)
    let center = SimulatedCenter(
      phone: NotificationCenterModel(limits: .ios, nowMilliseconds: Self.start, zone: .utc))
    let mortal = MortalCenter(center, endingAt: last) { [from = scratch.path, to = copy.path] in
      for name in try FileManager.default.contentsOfDirectory(atPath: from) {
        try FileManager.default.copyItem(atPath: "\(from)/\(name)", toPath: "\(to)/\(name)")
      }
    }
    let rest = Rest(try walk())
    func points() -> AsyncStream<PathPoint> {
      AsyncStream {
        guard let point = rest.next(), let time = point.timeMilliseconds else { return nil }
        clock.advance(to: time)
        await center.change { $0.advance(toMilliseconds: time) }
        return point
      }
    }
    func guide(_ folder: String, _ center: any PhoneNotificationCenter) throws -> StoryGuide {
      try StoryGuide(
        json: data("stories.json"), statePath: folder + "/notifications.state", center: center,
        now: { clock.now })
    }
    var hasEnded = false
    do {
      var first = try guide(scratch.path, mortal)
      try await first.follow(points())
    } catch {
      hasEnded = true
      var second = try guide(copy.path, center)
      try await second.follow(points())
    }
    let end = clock.now + 60_000
    await center.change { $0.advance(toMilliseconds: end) }
    return (await center.phone.deliveries.map(\.identifier), hasEnded)
  }

  @Test("loses no alert and shows none twice, wherever it is ended")
  func kills() async throws {
    let undisturbed = try await deliveries(endingAt: .max)
    #expect(!undisturbed.hasEnded && undisturbed.shown.count == 17)
    for kill in 0..<100 {
      let (shown, hasEnded) = try await deliveries(endingAt: kill)
      #expect(hasEnded, "\(kill)")
      #expect(shown.sorted() == undisturbed.shown.sorted(), "ended at \(kill)")
    }
  }
}
