public import FencepostGeodesy

/// Keeps any number of requests for a phone that takes few: what does not fit is stored durably and
/// scheduled when a slot is free.
///
/// Updates run strictly one after the other, each from reading the state to its last call of the centre.
/// Schedulers of several processes, such as an app and its extension, may share a store; see
/// ``SchedulerStore``. The state is saved before the centre is touched, so a crash at any moment loses
/// nothing: the next update, of any process, finishes what was begun. Only differences reach the centre;
/// requests of other owners are counted and left alone.
public actor NotificationScheduler {
  /// The limits, ranking and kinds; a change takes effect with the next update.
  public var budget: NotificationBudget

  private let centre: any NotificationCentre
  private let store: any SchedulerStore
  private let situation: @Sendable () -> Situation
  private var isBusy = false
  /// Keeps schedulers of other processes out of an update.
  private var turn: (any Sendable)?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// What a plan depends on besides the requests.
  public struct Situation: Sendable {
    /// The present, in milliseconds since 1970.
    public var nowMilliseconds: Int64
    /// The zone the phone is in.
    public var zone: ClockZone
    /// Where the phone is, if known.
    public var location: Coordinate?

    /// Makes a situation of its parts.
    public init(nowMilliseconds: Int64, zone: ClockZone, location: Coordinate? = nil) {
      self.nowMilliseconds = nowMilliseconds
      self.zone = zone
      self.location = location
    }
  }

  /// Makes a scheduler.
  ///
  /// - Parameters:
  ///   - centre: What shows the notifications.
  ///   - store: Keeps the state.
  ///   - budget: The limits, ranking and kinds.
  ///   - situation: Returns the time, zone and place; called once an update.
  public init(
    centre: any NotificationCentre, store: any SchedulerStore,
    budget: NotificationBudget = NotificationBudget(),
    situation: @escaping @Sendable () -> Situation
  ) {
    self.centre = centre
    self.store = store
    self.budget = budget
    self.situation = situation
  }

  /// Changes the requests and brings the centre up to date.
  ///
  /// - Parameter change: Edits all live requests, scheduled or stored, the soonest first. Of several
  ///   with one identifier the last counts. If it throws, nothing changes. It runs where the caller does
  ///   and may change the caller's variables.
  /// - Returns: What was done.
  /// - Throws: What the change throws; what the store or listing the centre throws, before the centre is
  ///   touched; ``SchedulerError`` if the centre refused requests.
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

  /// Plans again: after a delivery, a change of zone or place, or a day.
  @discardableResult
  public func refresh() async throws -> SchedulerReport {
    let step = try await open(isRestoring: false)
    return try await finish(step, step.live)
  }

  /// Rebuilds everything from the store on a phone whose pending requests are gone.
  @discardableResult
  public func restore() async throws -> SchedulerReport {
    let step = try await open(isRestoring: true)
    return try await finish(step, step.live)
  }

  /// All requests of the owner, scheduled and stored, as last saved.
  public func requests() async throws -> [NotificationRequest] {
    await takeTurn()
    defer { passTurn() }
    return try await store.load()?.entries.map(\.request) ?? []
  }

  /// Begins an update; unless it throws, the caller must pass the turn.
  private func open(isRestoring: Bool) async throws -> SchedulerStep {
    await takeTurn()
    do {
      try Task.checkCancellation()
      turn = try await store.takeTurn()
      let state = try await store.load() ?? SchedulerState()
      let pending = try await centre.pending()
      let situation = situation()
      var delivered: Set<String>?
      if let last = state.updatedMilliseconds,
        SchedulerStep.needsDelivered(
          state, pending: pending, nowMilliseconds: situation.nowMilliseconds)
      {
        delivered = try await centre.delivered(afterMilliseconds: last)
      }
      return SchedulerStep(
        state: state, pending: pending, deliveredByCentre: delivered, situation: situation,
        budget: budget, isRestoring: isRestoring)
    } catch {
      passTurn()
      throw error
    }
  }

  /// Plans and saves, and carries out the difference.
  private func finish(
    _ opened: SchedulerStep, _ requests: [NotificationRequest]
  ) async throws -> SchedulerReport {
    defer { passTurn() }
    var step = opened
    step.settle(requests)
    try await store.save(step.newState)
    // Removes first, so that there are never too many; adds the most important last, because a phone that
    // holds too many after all drops those that were added first.
    if !step.report.removed.isEmpty { try await centre.remove(identifiers: step.report.removed) }
    var refused: [String] = []
    var firstError: (any Error)?
    for request in step.additions {
      do {
        try await centre.add(request)
      } catch {
        refused.append(request.identifier)
        firstError = firstError ?? error
      }
    }
    if let firstError { throw SchedulerError(identifiers: refused, underlying: firstError) }
    if let confirmed = step.confirmedState { try await store.save(confirmed) }
    return step.report
  }

  // An actor is reentrant: it runs other calls while one of them waits.
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

/// What an update did; requests are named by their identifiers.
public struct SchedulerReport: Hashable, Sendable {
  /// The plan that was carried out.
  public internal(set) var plan = BudgetPlan()
  /// The requests that were added to the centre, in that order: the most important last.
  public internal(set) var added: [String] = []
  /// The requests that were removed from the centre.
  public internal(set) var removed: [String] = []
  /// The requests that have fired since the last update.
  public internal(set) var delivered: [String] = []
  /// The requests whose time passed while they waited for a slot, or was skipped when the phone moved
  /// east.
  public internal(set) var missed: [String] = []
  /// The requests that the change took out.
  public internal(set) var cancelled: [String] = []
}

/// The centre refused requests after the state was saved; the next update tries again.
public struct SchedulerError: Error, Sendable, CustomStringConvertible {
  /// The identifiers of the refused requests.
  public let identifiers: [String]
  /// The centre's error for the first of them.
  public let underlying: any Error

  /// A sentence for the user.
  public var description: String {
    "the notification centre refused \(identifiers.joined(separator: ", ")): \(underlying)"
  }
}
