public import FencepostGeodesy

/// Keeps any number of requests for a phone that holds only a few.
///
/// Requests that do not fit are stored and scheduled when a slot is free. Updates run one at a
/// time, even across processes that share a ``SchedulerStore``. The state is saved before the
/// center changes, so a crash loses nothing: the next update finishes what was started. Only
/// differences are sent to the center. Requests of other owners are counted but never changed.
public actor NotificationScheduler {
  /// The limits, ranking and kinds.
  public private(set) var budget: NotificationBudget

  private let center: any PhoneNotificationCenter
  private let store: any SchedulerStore
  private let currentSituation: @Sendable () -> Situation
  private var isBusy = false
  /// Keeps schedulers of other processes out during an update.
  private var turn: (any Sendable)?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// What a plan depends on besides the requests.
  ///
  /// The app provides it once per update, so that a scheduler needs no clock of its own.
  public struct Situation: Sendable {
    /// The current time in milliseconds since 1970.
    public var nowMilliseconds: Int64
    /// The time zone of the phone.
    public var zone: ClockZone
    /// The position of the phone; nil if unknown.
    public var location: Coordinate?

    /// Creates a situation.
    public init(nowMilliseconds: Int64, zone: ClockZone, location: Coordinate? = nil) {
      self.nowMilliseconds = nowMilliseconds
      self.zone = zone
      self.location = location
    }
  }

  /// Creates a scheduler.
  ///
  /// - Parameters:
  ///   - center: Shows the notifications.
  ///   - store: Keeps the state.
  ///   - budget: The limits, ranking and kinds.
  ///   - situation: Returns the current time, zone and position. Called once per update.
  public init(
    center: any PhoneNotificationCenter, store: any SchedulerStore,
    budget: NotificationBudget = NotificationBudget(),
    situation: @escaping @Sendable () -> Situation
  ) {
    self.center = center
    self.store = store
    self.budget = budget
    currentSituation = situation
  }

  /// Creates a scheduler that keeps its state wherever two functions put it.
  ///
  /// The functions must not be slower than an update may be, and saving must be durable: what
  /// ``SchedulerState`` holds is lost otherwise. It is `Codable`.
  ///
  /// - Parameters:
  ///   - center: Shows the notifications.
  ///   - load: Returns the last saved state; nil if none was saved.
  ///   - save: Saves a state.
  ///   - budget: The limits, ranking and kinds.
  ///   - situation: Returns the current time, zone and position. Called once per update.
  public init(
    center: any PhoneNotificationCenter,
    load: @escaping @Sendable () async throws -> SchedulerState?,
    save: @escaping @Sendable (SchedulerState) async throws -> Void,
    budget: NotificationBudget = NotificationBudget(),
    situation: @escaping @Sendable () -> Situation
  ) {
    self.init(
      center: center, store: ClosureStore(loadState: load, saveState: save), budget: budget,
      situation: situation)
  }

  /// Replaces the limits, ranking and kinds; takes effect with the next update.
  public func setBudget(_ budget: NotificationBudget) { self.budget = budget }

  /// Changes the requests and updates the center.
  ///
  /// - Parameter change: Edits all live requests, scheduled or stored, sorted by time. Of equal
  ///   identifiers, one that it adds or changes replaces one that was there; of several, the first
  ///   counts. ``SchedulerReport/replaced`` names those that lost one. It runs in the caller's
  ///   context and may change its variables.
  /// - Returns: What the update did.
  /// - Throws: The error of `change`, the store or the list of pending requests, with nothing
  ///   changed; or ``SchedulerError`` if the center refused requests.
  @discardableResult
  public nonisolated(nonsending) func update(
    _ change: (inout [NotificationRequest]) throws -> Void
  ) async throws -> SchedulerReport {
    let step = try await open(isRestoring: false)
    var requests = step.live
    do {
      try change(&requests)
    } catch {
      await passTurn()
      throw error
    }
    return try await finish(step, requests)
  }

  /// Plans again, for example after a delivery, a new zone or position, or a day.
  ///
  /// - Returns: What the update did.
  /// - Throws: The error of the store or of the list of pending requests, with nothing changed; or
  ///   ``SchedulerError`` if the center refused requests.
  @discardableResult
  public func refresh() async throws -> SchedulerReport {
    let step = try await open(isRestoring: false)
    return try await finish(step, step.live)
  }

  /// Schedules everything again on a phone that lost its pending requests.
  ///
  /// Call this at the first launch on a new phone, whose state came from a backup, and nowhere else.
  /// An update takes a circle that is not pending for one that has fired.
  @discardableResult
  public func restore() async throws -> SchedulerReport {
    let step = try await open(isRestoring: true)
    return try await finish(step, step.live)
  }

  /// Plans again, and ranks whatever is pending with it, whoever added it.
  ///
  /// Call this once, after everything that adds notifications in your app. Requests that the app
  /// added by the system's own interface compete for the slots like those of this scheduler. Those
  /// that rank too low are removed and ``SchedulerReport/evicted`` names them; they are not kept,
  /// and add themselves again when the app next schedules them. The others stay as they are.
  @discardableResult
  public func enforceLimit() async throws -> SchedulerReport {
    let step = try await open(isRestoring: false)
    return try await finish(step, step.live, rankingOthers: true)
  }

  /// The current time, zone and position.
  package nonisolated var situation: Situation { currentSituation() }

  /// All requests of the owner, scheduled and stored, as last saved.
  ///
  /// It waits for a running update to finish.
  ///
  /// - Throws: The error of the store.
  public func requests() async throws -> [NotificationRequest] {
    await takeTurn()
    defer { passTurn() }
    return try await store.load()?.entries.map(\.request) ?? []
  }

  /// Begins an update; unless this throws, the caller must call `passTurn()`.
  private func open(isRestoring: Bool) async throws -> SchedulerStep {
    await takeTurn()
    do {
      try Task.checkCancellation()
      turn = try await store.takeTurn()
      let state = try await store.load() ?? SchedulerState()
      let pending = try await center.pending()
      let situation = situation
      var delivered: Set<String>?
      if let last = state.updatedMilliseconds,
        SchedulerStep.needsDelivered(
          state, pending: pending, nowMilliseconds: situation.nowMilliseconds)
      {
        delivered = try await center.delivered(afterMilliseconds: last)
      }
      return SchedulerStep(
        state: state, pending: pending, deliveredByCenter: delivered, situation: situation,
        budget: budget, isRestoring: isRestoring)
    } catch {
      passTurn()
      throw error
    }
  }

  private func finish(
    _ opened: SchedulerStep, _ requests: [NotificationRequest], rankingOthers: Bool = false
  ) async throws -> SchedulerReport {
    defer { passTurn() }
    var step = opened
    step.settle(requests, rankingOthers: rankingOthers)
    try await store.save(step.newState)
    // Removing first never exceeds the limit. The most important requests come last, because a full
    // phone drops the oldest ones.
    if !step.report.removed.isEmpty { try await center.remove(identifiers: step.report.removed) }
    var refused: [String] = []
    var firstError: (any Error)?
    for request in step.additions {
      do {
        try await center.add(request)
      } catch {
        refused.append(request.identifier)
        firstError = firstError ?? error
      }
    }
    if let firstError { throw SchedulerError(identifiers: refused, underlying: firstError) }
    if let confirmed = step.confirmedState { try await store.save(confirmed) }
    return step.report
  }

  // An actor is reentrant: other calls can run while one waits.
  private func takeTurn() async {
    guard isBusy else {
      isBusy = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func passTurn() {
    turn = nil
    if waiting.isEmpty {
      isBusy = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}

/// What an update did, with requests by identifier.
///
/// Every update returns one. Identifiers are those of the requests.
public struct SchedulerReport: Hashable, Sendable {
  /// The plan that was carried out.
  public internal(set) var plan = BudgetPlan()
  /// The requests added to the center, in that order; the most important last.
  public internal(set) var added: [String] = []
  /// The requests removed from the center.
  public internal(set) var removed: [String] = []
  /// The requests that fired since the last update.
  public internal(set) var delivered: [String] = []
  /// The requests whose time passed while they waited, or was skipped when the phone moved east.
  public internal(set) var missed: [String] = []
  /// The requests that the change removed.
  public internal(set) var cancelled: [String] = []
  /// The identifiers for which the change left several requests; one of each counts.
  public internal(set) var replaced: [String] = []
  /// The requests of other owners that ``NotificationScheduler/enforceLimit()`` removed.
  public internal(set) var evicted: [BudgetPlan.Item] = []
}

/// Keeps a scheduler's state wherever two functions put it.
private struct ClosureStore: SchedulerStore {
  let loadState: @Sendable () async throws -> SchedulerState?
  let saveState: @Sendable (SchedulerState) async throws -> Void

  func load() async throws -> SchedulerState? { try await loadState() }
  func save(_ state: SchedulerState) async throws { try await saveState(state) }
}

/// The center refused requests after the state was saved; the next update tries again.
///
/// The other requests of the update have been added.
public struct SchedulerError: Error, Sendable, CustomStringConvertible {
  /// The identifiers of the refused requests.
  public let identifiers: [String]
  /// The center's error for the first refused request.
  public let underlying: any Error

  /// The error as one sentence.
  public var description: String {
    "the notification center refused \(identifiers.joined(separator: ", ")): \(underlying)"
  }
}
