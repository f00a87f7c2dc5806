public import Geodesy
import StateFile

/// Keeps any number of requests for a phone that takes few: what does not fit is stored durably and
/// is scheduled when a slot is free.
///
/// Updates run strictly one after the other, each from reading to saving, also while one of them
/// waits for the store or the centre. The state is saved before the centre is touched, so that a
/// crash at any moment loses nothing: the next update finishes what was begun. Only differences
/// reach the centre; requests of other owners are counted and left alone.
public actor NotificationScheduler {
  /// The limits, ranking and kinds; a change takes effect with the next update.
  public var budget: NotificationBudget

  private let centre: any NotificationCentre
  private let store: SchedulerStore
  private let situation: @Sendable () -> Situation
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// What a plan depends on besides the requests.
  public struct Situation: Sendable {
    /// The present, in milliseconds since 1970.
    public var nowMilliseconds: Int64
    /// The zone the phone is in.
    public var zone: ClockZone
    /// Where the phone is, if that is known.
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
  ///   - store: Where the state is kept.
  ///   - budget: The limits, ranking and kinds.
  ///   - situation: Asked once an update for the time, zone and place.
  public init(
    centre: any NotificationCentre, store: SchedulerStore,
    budget: NotificationBudget = NotificationBudget(),
    situation: @escaping @Sendable () -> Situation
  ) {
    self.centre = centre
    self.store = store
    self.budget = budget
    self.situation = situation
  }

  /// Makes a scheduler that keeps its state in an SQLite file.
  ///
  /// - Parameters:
  ///   - path: Where the file is or shall be; its directory must exist.
  ///   - centre: What shows the notifications.
  ///   - budget: The limits, ranking and kinds.
  ///   - situation: Asked once an update for the time, zone and place.
  /// - Throws: `StateFileError`
  public init(
    path: String, centre: any NotificationCentre,
    budget: NotificationBudget = NotificationBudget(),
    situation: @escaping @Sendable () -> Situation
  ) throws {
    let store = SchedulerStore.stateFile(try StateFile(path: path))
    self.init(centre: centre, store: store, budget: budget, situation: situation)
  }

  /// Changes the requests and brings the centre up to date.
  ///
  /// - Parameter change: Gets all live requests, whether scheduled or stored, the soonest first, and
  ///   edits them. Of several with one identifier the last counts. If it throws, nothing changes.
  /// - Returns: What was done.
  /// - Throws: What the change throws; what loading, listing or saving throws, in which case the
  ///   centre was not touched; ``SchedulerError`` where the centre refused something.
  @discardableResult
  public func update(
    _ change: @Sendable (inout [NotificationRequest]) throws -> Void
  ) async throws -> SchedulerReport {
    try await run(change, isRestoring: false)
  }

  /// Plans again with what is there: after a delivery, a change of zone or place, or a day.
  @discardableResult
  public func refresh() async throws -> SchedulerReport {
    try await run({ _ in }, isRestoring: false)
  }

  /// Rebuilds everything from the store on a phone whose pending requests are gone.
  @discardableResult
  public func restore() async throws -> SchedulerReport {
    try await run({ _ in }, isRestoring: true)
  }

  /// All requests of the owner, scheduled and stored, as last saved.
  public func requests() async throws -> [NotificationRequest] {
    await takeTurn()
    defer { passTurn() }
    return try await store.load()?.entries.map(\.request) ?? []
  }

  private func run(
    _ change: @Sendable (inout [NotificationRequest]) throws -> Void, isRestoring: Bool
  ) async throws -> SchedulerReport {
    await takeTurn()
    defer { passTurn() }
    try Task.checkCancellation()
    let state = try await store.load() ?? SchedulerState()
    let pending = try await centre.pending()
    var step = SchedulerStep(
      state: state, pending: pending, situation: situation(), isRestoring: isRestoring)
    try step.apply(change, budget: budget)
    try await store.save(step.newState)
    try await carryOut(step)
    if let confirmed = step.confirmedState {
      try await store.save(confirmed)
    }
    return step.report
  }

  /// Removes first, so that there is never one too many; adds the most important last, because a
  /// phone that holds too many after all drops those that were added first.
  private func carryOut(_ step: SchedulerStep) async throws {
    if !step.removals.isEmpty { try await centre.remove(identifiers: step.removals) }
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
  }

  // An actor runs other calls while one of them waits, so that it alone keeps no order.
  private func takeTurn() async {
    guard isBusy else {
      isBusy = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func passTurn() {
    if waiting.isEmpty {
      isBusy = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
