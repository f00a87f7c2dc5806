import FencepostNotifications
import Synchronization

struct Crash: Error {}

/// A store made of closures, for one scheduler.
struct ClosureStore: SchedulerStore {
  let loading: @Sendable () async throws -> SchedulerState?
  let saving: @Sendable (SchedulerState) async throws -> Void

  init(
    load: @escaping @Sendable () async throws -> SchedulerState?,
    save: @escaping @Sendable (SchedulerState) async throws -> Void
  ) {
    (loading, saving) = (load, save)
  }

  func load() async throws -> SchedulerState? { try await loading() }
  func save(_ state: SchedulerState) async throws { try await saving(state) }
}

/// A phone and a disk that stop working after a number of calls, as if the process were killed.
final class FaultyWorld: PhoneNotificationCenter, Sendable {
  private struct State {
    var phone: NotificationCenterModel
    var saved: SchedulerState?
    var callsLeft = Int.max
    var log: [String] = []
    var isFailing: Set<String> = []
  }

  private let state: Mutex<State>

  init(limits: NotificationLimits = .ios) {
    state = Mutex(
      State(phone: NotificationCenterModel(limits: limits, nowMilliseconds: noon, zone: .utc)))
  }

  /// The call after this many others crashes, and so do all further ones.
  func crash(afterCalls calls: Int) { state.withLock { $0.callsLeft = calls } }
  func recover() { state.withLock { $0.callsLeft = .max } }
  func fail(_ calls: Set<String>) { state.withLock { $0.isFailing = calls } }
  func clearLog() { state.withLock { $0.log = [] } }

  var log: [String] { state.withLock { $0.log } }
  var phone: NotificationCenterModel { state.withLock { $0.phone } }
  var saved: SchedulerState? { state.withLock { $0.saved } }

  func changePhone(_ body: @Sendable (inout NotificationCenterModel) -> Void) {
    state.withLock { body(&$0.phone) }
  }

  private func call<Result: Sendable>(
    _ name: String, _ body: @Sendable (inout State) -> Result
  ) async throws -> Result {
    // Lets other updates interfere.
    await Task.yield()
    return try state.withLock { state in
      guard state.callsLeft > 0, !state.isFailing.contains(name) else { throw Crash() }
      state.callsLeft -= 1
      state.log.append(name)
      return body(&state)
    }
  }

  func add(_ request: NotificationRequest) async throws {
    try await call("add") { $0.phone.add(request) }
  }

  func remove(identifiers: [String]) async throws {
    try await call("remove") { $0.phone.remove(identifiers: identifiers) }
  }

  func pending() async throws -> [NotificationRequest] {
    try await call("pending") { $0.phone.pending }
  }

  var store: ClosureStore {
    ClosureStore(
      load: { try await self.call("load") { $0.saved } },
      save: { state in try await self.call("save") { $0.saved = state } })
  }

  func scheduler(_ budget: NotificationBudget = NotificationBudget()) -> NotificationScheduler {
    NotificationScheduler(center: self, store: store, budget: budget) {
      let phone = self.phone
      return .init(nowMilliseconds: phone.nowMilliseconds, zone: phone.zone)
    }
  }
}
