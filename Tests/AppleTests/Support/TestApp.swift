import CoreLocation
import FencepostApple
import FencepostMonitoring
import FencepostNotifications
import Foundation
import Synchronization
import UserNotifications

/// Problems as they were reported.
final class Problems: Sendable {
  private let reported = Mutex<[PhoneProblem]>([])

  var all: [PhoneProblem] { reported.withLock { $0 } }

  func append(_ problem: PhoneProblem) { reported.withLock { $0.append(problem) } }
}

/// Ends an app in the middle of what it does: from one of its operations on, each fails.
final class Life: Sendable {
  struct Ended: Error {}

  private let operations = Mutex<(count: Int, last: Int)>((0, .max))

  /// How many operations there were.
  var count: Int { operations.withLock { $0.count } }
  var hasEnded: Bool { operations.withLock { $0.count > $0.last } }

  /// Lets so many operations happen from the beginning.
  init(operations last: Int = .max) {
    operations.withLock { $0.last = last }
  }

  func end() { operations.withLock { $0.last = -1 } }

  func live() throws {
    try operations.withLock {
      $0.count += 1
      if $0.count > $0.last { throw Ended() }
    }
  }
}

/// What an app has on its disk; it outlives the app.
final class Disk: Sendable {
  private let content = Mutex<(stories: Data?, scheduler: Data?)>((nil, nil))

  func stories(_ life: Life) -> any StoryStateStore { Stories(disk: self, life: life) }
  func scheduler(_ life: Life) -> any SchedulerStore { Scheduler(disk: self, life: life) }

  func state() throws -> StoryState? { try stories(Life()).load() }

  private struct Stories: StoryStateStore {
    var disk: Disk
    var life: Life

    func load() throws -> StoryState? {
      try life.live()
      return try disk.content.withLock { $0.stories }.map {
        try JSONDecoder().decode(StoryState.self, from: $0)
      }
    }

    func save(_ state: StoryState) throws {
      try life.live()
      let data = try JSONEncoder().encode(state)
      disk.content.withLock { $0.stories = data }
    }

    func moveAside() throws { disk.content.withLock { $0.stories = nil } }
  }

  private struct Scheduler: SchedulerStore {
    var disk: Disk
    var life: Life

    func load() async throws -> SchedulerState? {
      try life.live()
      return try disk.content.withLock { $0.scheduler }.map {
        try JSONDecoder().decode(SchedulerState.self, from: $0)
      }
    }

    func save(_ state: SchedulerState) async throws {
      try life.live()
      let data = try JSONEncoder().encode(state)
      disk.content.withLock { $0.scheduler = data }
    }
  }
}

/// A disk that reads and writes only while the phone is not locked.
final class LockableStories: StoryStateStore {
  private let file: any StoryStateStore
  private let locked = Mutex(false)

  var isLocked: Bool {
    get { locked.withLock { $0 } }
    set { locked.withLock { $0 = newValue } }
  }

  init(_ file: any StoryStateStore) { self.file = file }

  private func check() throws { if isLocked { throw Life.Ended() } }

  func load() throws -> StoryState? {
    try check()
    return try file.load()
  }

  func save(_ state: StoryState) throws {
    try check()
    try file.save(state)
  }

  func moveAside() throws {
    try check()
    try file.moveAside()
  }
}

/// A disk that neither reads nor writes.
struct BrokenStories: StoryStateStore {
  func moveAside() throws { throw Life.Ended() }
  func load() throws -> StoryState? { throw Life.Ended() }
  func save(_ state: StoryState) throws { throw Life.Ended() }
}

struct MemorySchedulerStore: SchedulerStore {
  private let disk = Disk()
  private let life = Life()

  func load() async throws -> SchedulerState? { try await disk.scheduler(life).load() }
  func save(_ state: SchedulerState) async throws { try await disk.scheduler(life).save(state) }
}

/// The center of an app that may end.
struct MortalCenter: PhoneNotificationCenter {
  var center: UserNotificationCenter
  var life: Life

  func add(_ request: NotificationRequest) async throws {
    try life.live()
    try await center.add(request)
  }

  func remove(identifiers: [String]) async throws {
    try life.live()
    try await center.remove(identifiers: identifiers)
  }

  func pending() async throws -> [NotificationRequest] {
    try life.live()
    return try await center.pending()
  }

  func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>? {
    try life.live()
    return try await center.delivered(afterMilliseconds: milliseconds)
  }
}

/// An app on the simulated phone, which the system may end and launch again.
@MainActor
final class TestApp {
  enum Regions { case manager, monitor }

  let device = SimulatedDevice.current
  let disk = Disk()
  let problems = Problems()
  var stories: PlaceIndex
  var options = StoryAlertsOptions()
  var updates = CoreLocationPhone.Updates.significantChanges
  var regions = Regions.manager
  var budget = NotificationBudget()
  var brokenState = false
  /// The state's store; nil for that of the disk.
  var store: (any StoryStateStore)?
  /// The life of the next launch.
  var nextLife = Life()
  private(set) var life = Life()
  private(set) var alerts: StoryAlerts?
  private(set) var scheduler: NotificationScheduler?
  private(set) var entries: [StoryEntry] = []
  private(set) var launchCount = 0
  private var phone: (any LocationPhone)?

  init(stories: [Place], behavior: SimulatedDevice.Behavior = .init(), at date: Date = noonDate)
    throws
  {
    self.stories = try PlaceIndex(stories)
    device.reset(at: date, behavior: behavior)
    UNUserNotificationCenter.current().reset()
    // What an operation has ended is not called any more.
    device.beforeCallback = { [weak self] _, _ in
      MainActor.assumeIsolated { if self?.life.hasEnded == true { self?.end() } }
    }
    device.launch = { [weak self] in MainActor.assumeIsolated { self?.launch() } }
  }

  private func launch() {
    launchCount += 1
    ConditionPhone.closeMonitors()
    life = nextLife
    nextLife = Life()
    let now: @Sendable () -> Int64 = {
      Int64(SimulatedDevice.current.now.timeIntervalSince1970 * 1000)
    }
    let manager = CoreLocationPhone(updates: updates, now: now)
    let phone: any LocationPhone =
      regions == .manager ? manager : ConditionPhone(fixes: manager, now: now)
    self.phone = phone
    let problems = problems
    let center = MortalCenter(
      center: UserNotificationCenter { problems.append($0) }, life: life)
    let scheduler = NotificationScheduler(
      center: center, store: disk.scheduler(life), budget: budget
    ) { .init(nowMilliseconds: now(), zone: .utc) }
    let alerts = StoryAlerts(
      stories: stories, phone: phone, center: center, scheduler: scheduler,
      store: store ?? (brokenState ? BrokenStories() : disk.stories(life)), options: options)
    alerts.onProblem = { problems.append($0) }
    alerts.onEntry = { [weak self] in self?.entries.append($0) }
    (self.alerts, self.scheduler) = (alerts, scheduler)
    alerts.start()
  }

  /// Ends the app; nothing that it still does has any effect.
  func end() {
    life.end()
    (alerts, phone) = (nil, nil)
    device.terminate()
  }

  /// Carries the phone along a track, and lets the app finish after each step what it does asynchronously.
  func follow(_ fixes: [PhoneFix]) async {
    for fix in fixes {
      device.follow([fix])
      await alerts?.finishHandover()
      // An operation has ended the app.
      if life.hasEnded { end() }
      if regions == .monitor { await settleMonitor() }
    }
  }

  /// Lets time pass at the end of a track, so that everything staggered is shown.
  func wait(seconds: Int64, after fixes: [PhoneFix]) async {
    guard var last = fixes.last else { return }
    for _ in 0..<seconds {
      last.timeMilliseconds += 1000
      await follow([last])
    }
  }

  /// Lets the tasks around a `CLMonitor` run; but for its opening they are all on the main thread.
  func settleMonitor() async {
    for _ in 0..<20 {
      while let phone, phone.regions == nil || !device.hasHandledEvents { await Task.yield() }
      await Task.yield()
      device.settle()
    }
    await alerts?.finishHandover()
  }

  /// The stories whose alerts were shown, in order.
  var shown: [String] {
    UNUserNotificationCenter.current().shown.map(\.request.identifier).compactMap {
      guard $0.hasPrefix(StoryAlerts.requestPrefix) else { return nil }
      return $0.dropFirst(StoryAlerts.requestPrefix.count).split(separator: "@").first.map(
        String.init)
    }
  }
}
