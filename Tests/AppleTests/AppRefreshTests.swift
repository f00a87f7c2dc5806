import BackgroundTasks
import CoreLocation
import FencepostApple
import FencepostNotifications
import Foundation
import Testing
import UserNotifications

private let identifier = "org.example.refresh"
private var push: [AnyHashable: Any] {
  ["aps": ["content-available": 1], "fencepost": "refresh"]
}

/// An app with more reminders a week than a phone holds, in one launch.
@MainActor
private final class App {
  let life: Life
  let problems = Problems()
  let refresh: BackgroundRefresh

  /// 20 a day: the phone holds those of three days.
  static let reminders = (0..<20).map { number in
    Reminder(
      id: "r\(number)", content: NotificationContent(title: "Reminder \(number)"),
      schedule: .weekly(
        Set(Weekday.allCases), [TimeOfDay(hour: 8, minute: number)].compactMap { $0 },
        anchor: .floating))
  }

  init(_ disk: Disk, _ life: Life = Life()) {
    self.life = life
    let now: @Sendable () -> Int64 = {
      Int64(SimulatedDevice.current.now.timeIntervalSince1970 * 1000)
    }
    let problems = problems
    let scheduler = NotificationScheduler(
      center: MortalCenter(center: UserNotificationCenter { problems.append($0) }, life: life),
      store: disk.scheduler(life), budget: NotificationBudget()
    ) { .init(nowMilliseconds: now(), zone: .utc) }
    BGTaskScheduler.shared.beforeSubmit = { try life.live() }
    refresh = BackgroundRefresh(identifier: identifier, now: now) {
      try await scheduler.update {
        $0 = SlidingWindow().requests(
          for: App.reminders, nowMilliseconds: now(), zone: .utc, keepingLate: $0)
      }
    }
    refresh.onProblem = { problems.append($0) }
    refresh.start()
  }
}

extension OnePhone {
  @Suite("Planning in the background")
  @MainActor
  struct AppRefreshTests {
    private let device = SimulatedDevice.current
    private let tasks = BGTaskScheduler.shared
    private let center = UNUserNotificationCenter.current()

    private func begin() {
      device.reset(at: noonDate)
      center.reset()
      tasks.reset(permitted: [identifier])
    }

    /// Lets days pass, so that what is due is shown.
    private func pass(toDay day: Int64) {
      device.follow([fix(0, 0, second: day * 86_400)])
    }

    /// Runs the app for its request, as the system does, until it has finished or been ended.
    private func runInBackground(launching launch: () -> Void = {}) async -> BGTask? {
      guard let task = tasks.run(at: device.now, launching: launch) else { return nil }
      while task.success == nil { await Task.yield() }
      return task
    }

    private func pending() async throws -> [String] {
      try await UserNotificationCenter { _ in }.pending().map(\.identifier).sorted()
    }

    /// The plan after three days, if the run of the first or its push ends after some operations.
    private func threeDays(
      endedAfter operations: Int, byPush: Bool
    ) async throws -> (pending: [String], shown: Int, operations: Int, isArmed: Bool) {
      begin()
      let disk = Disk()
      let opened = App(disk)
      _ = try await opened.refresh.receive(push)
      tasks.terminate()
      pass(toDay: 1)
      let life = Life(operations: operations)
      var ended: App?
      if byPush {
        ended = App(disk, life)
        _ = try? await ended?.refresh.receive(push)
      } else {
        _ = await runInBackground { ended = App(disk, life) }
      }
      #expect(ended != nil)
      let count = life.count
      tasks.terminate()
      pass(toDay: 2)
      var next: App?
      if await runInBackground(launching: { next = App(disk) }) == nil {
        // A request that was lost with the app is made again when the user opens it.
        next = App(disk)
        _ = try await next?.refresh.receive(push)
      }
      let isArmed = tasks.pending?.earliestBeginDate.map { $0 > device.now } == true
      return (try await pending(), center.shown.count, count, isArmed)
    }

    @Test(
      "a run or a push that ends after any of its steps loses nothing", arguments: [false, true])
    func ended(byPush: Bool) async throws {
      let whole = try await threeDays(endedAfter: .max, byPush: byPush)
      #expect(whole.pending.count == 64 && whole.shown == 40 && whole.isArmed)
      #expect(whole.operations > 5)
      for last in 0..<whole.operations {
        let cut = try await threeDays(endedAfter: last, byPush: byPush)
        #expect(cut.pending == whole.pending && cut.shown == whole.shown, "\(last)")
        #expect(cut.isArmed, "\(last)")
      }
    }

    @Test("each run asks for the next one before it plans")
    func armedFirst() async throws {
      begin()
      let disk = Disk()
      _ = App(disk)
      tasks.terminate()
      pass(toDay: 1)
      // The launch asks, and so does the run; everything after that fails.
      var app: App?
      let task = await runInBackground { app = App(disk, Life(operations: 2)) }
      #expect(task?.success == false)
      #expect(tasks.pending?.earliestBeginDate == device.now.addingTimeInterval(86_400))
      #expect(app?.problems.all.count == 1)
    }

    @Test("a run does not come before a day has passed")
    func daily() async throws {
      begin()
      let app = App(Disk())
      #expect(await runInBackground() == nil)
      pass(toDay: 1)
      #expect(await runInBackground()?.success == true)
      #expect(try await pending().count == 64)
      #expect(app.problems.all.isEmpty)
    }

    @Test("a run whose time is up stops planning and says that it failed")
    func expired() async throws {
      begin()
      let refresh = BackgroundRefresh(
        identifier: identifier, intervalMilliseconds: 0, now: { noon }
      ) {
        while !Task.isCancelled { await Task.yield() }
        throw CancellationError()
      }
      refresh.start()
      let task = try #require(tasks.run(at: device.now))
      await Task.yield()
      #expect(task.success == nil)
      task.expirationHandler?()
      while task.success == nil { await Task.yield() }
      #expect(task.success == false)
    }

    @Test("a push without the word does nothing")
    func otherPush() async throws {
      begin()
      let app = App(Disk())
      #expect(try await !app.refresh.receive(["aps": ["content-available": 1]]))
      #expect(try await !app.refresh.receive(["fencepost": "restore"]))
      #expect(try await pending().isEmpty)
      #expect(try await app.refresh.receive(push))
      #expect(try await pending().count == 64)
    }

    @Test("says what is missing: the identifier, or the user's consent")
    func problems() {
      begin()
      tasks.reset(permitted: [])
      #expect(App(Disk()).problems.all == [.refreshNotAllowed])
      tasks.reset(permitted: [identifier])
      tasks.setAvailable(false)
      let sentences = App(Disk()).problems.all.map(\.description)
      #expect(sentences.count == 1)
      #expect(sentences[0].hasPrefix("the app's next run in the background was not requested: "))
    }
  }
}
