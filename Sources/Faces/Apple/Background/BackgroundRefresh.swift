#if STAND_INS || canImport(BackgroundTasks) && !os(macOS) && !os(watchOS)
public import FencepostNotifications
import Foundation

#if STAND_INS
import BackgroundTasksStandIn
#else
import BackgroundTasks
#endif

/// Plans an app's notifications again while nobody uses the app.
///
/// A phone holds 64 notifications. What waits for a slot gets one only when the app runs. The
/// system runs the app about once a day, and after a silent push that says nothing but "refresh".
/// Create one at every launch and call ``start()`` before the launch ends.
///
/// If the app is ended at any moment, the next run or launch does the work: each run asks for the
/// next one before anything else, and each launch asks again.
///
/// The app needs the background mode `fetch`, and the identifier under
/// `BGTaskSchedulerPermittedIdentifiers` in its `Info.plist`.
@available(iOSApplicationExtension, unavailable)
@MainActor
public final class BackgroundRefresh {
  /// Receives every problem; set it before ``start()``.
  public var onProblem: (PhoneProblem) -> Void = { problem in print(problem) }

  private let identifier: String
  private let intervalMilliseconds: Int64
  private let now: @Sendable () -> Int64
  private let plan: @MainActor @Sendable () async throws -> Void

  /// The member of a push's payload that asks for a refresh, and its value.
  private static let request = (key: "fencepost", value: "refresh")

  /// Creates a refresh, which does nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the task in the app's `Info.plist`.
  ///   - intervalMilliseconds: The least time between two runs: a day, because a sliding window
  ///     reaches seven days and so survives some that do not come.
  ///   - now: Returns the time in milliseconds since 1970.
  ///   - plan: Plans the notifications again. It must stop early if its task is canceled.
  public init(
    identifier: String, intervalMilliseconds: Int64 = 86_400_000,
    now: @escaping @Sendable () -> Int64 = { WallClock.nowMilliseconds },
    plan: @escaping @MainActor @Sendable () async throws -> Void
  ) {
    self.identifier = identifier
    self.intervalMilliseconds = intervalMilliseconds
    self.now = now
    self.plan = plan
  }

  /// Listens to the system and asks for the next run.
  public func start() {
    // The handler is called on the queue named here.
    let isAllowed = BGTaskScheduler.shared.register(
      forTaskWithIdentifier: identifier, using: .main
    ) { [weak self] task in
      let run = Run(task: task)
      MainActor.assumeIsolated { self?.take(run) }
    }
    if isAllowed { askForNext() } else { onProblem(.refreshNotAllowed) }
  }

  /// Handles a silent push, and returns whether it asked for a refresh.
  ///
  /// Pass its payload on from the app's delegate. It is `{"aps": {"content-available": 1},
  /// "fencepost": "refresh"}`, says nothing about the user, and nothing in it is shown.
  ///
  /// - Throws: The error of the plan, which is also reported.
  public func receive(_ payload: [AnyHashable: Any]) async throws -> Bool {
    guard payload[Self.request.key] as? String == Self.request.value else { return false }
    try await refresh()
    return true
  }

  /// Carries a task over to the main actor, on whose queue the system hands it over.
  private struct Run: @unchecked Sendable {
    let task: BGTask
  }

  private func take(_ run: Run) {
    // The system has used up its request. Ask first: the app may be ended before it is done.
    askForNext()
    let work = Task { try await refresh() }
    run.task.expirationHandler = { @Sendable in work.cancel() }
    Task { run.task.setTaskCompleted(success: (try? await work.value) != nil) }
  }

  private func askForNext() {
    let request = BGAppRefreshTaskRequest(identifier: identifier)
    request.earliestBeginDate = Date(
      timeIntervalSince1970: Double(now() + intervalMilliseconds) / 1000)
    do {
      try BGTaskScheduler.shared.submit(request)
    } catch {
      onProblem(.refreshNotSubmitted(reason: "\(error)"))
    }
  }

  private func refresh() async throws {
    do {
      try await plan()
    } catch {
      onProblem(.notificationFailed(reason: "\(error)"))
      throw error
    }
  }
}
#endif
