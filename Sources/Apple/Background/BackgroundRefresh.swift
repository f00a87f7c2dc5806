/// Runs an app in the background from time to time, when the system sees fit.
@MainActor
public protocol RefreshScheduler: AnyObject {
  /// Sets what happens at each run; call this once at every launch, before the launch ends.
  ///
  /// - Returns: Whether the system accepts it.
  func register(_ onRun: @escaping @MainActor (any RefreshRun) -> Void) -> Bool
  /// Asks for one run, not before a time in milliseconds since 1970; replaces an earlier request.
  func submit(notBeforeMilliseconds milliseconds: Int64) throws
}

/// One run in the background, which the system can cut short.
@MainActor
public protocol RefreshRun: AnyObject {
  /// Called when the time is up; the app must then finish at once.
  var onExpiration: (@MainActor @Sendable () -> Void)? { get set }
  /// Ends the run; the system may then suspend the app.
  func finish(success: Bool)
}

/// Plans an app's notifications again while nobody uses the app.
///
/// A phone holds 64 notifications. What waits for a slot gets one only when the app runs. The
/// system runs the app about once a day, and after a silent push that says nothing but "refresh".
/// Create one at every launch and call ``start()`` before the launch ends.
///
/// If the app is ended at any moment, the next run or launch does the work: each run asks for the
/// next one before anything else, and each launch asks again.
@MainActor
public final class BackgroundRefresh {
  /// The result of a silent push, as the system wants to know it.
  public enum Outcome: Sendable {
    /// The notifications were planned again.
    case planned
    /// The push does not ask for a refresh.
    case notAsked
    /// Planning failed.
    case failed
  }

  /// Receives every problem; set it before ``start()``.
  public var onProblem: (PhoneProblem) -> Void = { _ in }

  private let system: any RefreshScheduler
  private let intervalMilliseconds: Int64
  private let now: @Sendable () -> Int64
  private let plan: @MainActor @Sendable () async throws -> Void

  /// The member of a push's payload that asks for a refresh, and its value.
  private static let request = (key: "fencepost", value: "refresh")

  /// Creates a refresh, which does nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - system: Runs the app.
  ///   - intervalMilliseconds: The least time between two runs: a day, because a sliding window
  ///     reaches seven days and so survives some that do not come.
  ///   - now: Returns the time in milliseconds since 1970.
  ///   - plan: Plans the notifications again. It must stop early if its task is canceled.
  public init(
    system: any RefreshScheduler, intervalMilliseconds: Int64 = 86_400_000,
    now: @escaping @Sendable () -> Int64 = { WallClock.nowMilliseconds },
    plan: @escaping @MainActor @Sendable () async throws -> Void
  ) {
    self.system = system
    self.intervalMilliseconds = intervalMilliseconds
    self.now = now
    self.plan = plan
  }

  /// Listens to the system and asks for the next run.
  public func start() {
    guard system.register({ [weak self] in self?.take($0) }) else {
      return onProblem(.refreshNotAllowed)
    }
    askForNext()
  }

  /// Handles a silent push; pass its payload on from the app's delegate.
  ///
  /// The payload is `{"aps": {"content-available": 1}, "fencepost": "refresh"}`. It says nothing
  /// about the user, and nothing in it is shown.
  public func receive(_ payload: [AnyHashable: Any]) async -> Outcome {
    guard payload[Self.request.key] as? String == Self.request.value else { return .notAsked }
    return await refresh() ? .planned : .failed
  }

  private func take(_ run: any RefreshRun) {
    // The system has used up its request. Ask first: the app may be ended before it is done.
    askForNext()
    let work = Task { await refresh() }
    run.onExpiration = { work.cancel() }
    Task { run.finish(success: await work.value) }
  }

  private func askForNext() {
    do {
      try system.submit(notBeforeMilliseconds: now() + intervalMilliseconds)
    } catch {
      onProblem(.refreshNotSubmitted(reason: "\(error)"))
    }
  }

  private func refresh() async -> Bool {
    do {
      try await plan()
      return true
    } catch {
      onProblem(.notificationFailed(reason: "\(error)"))
      return false
    }
  }
}
