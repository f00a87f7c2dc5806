public import FencepostGeodesy

/// A phone's notification center, which requests of other owners share, or ``SimulatedCenter``.
///
/// Foundation has a `NotificationCenter` already, for messages between the parts of an app.
public protocol PhoneNotificationCenter: Sendable {
  /// Adds a request, replacing a pending one with the same identifier.
  func add(_ request: NotificationRequest) async throws

  /// Removes pending requests; unknown identifiers are ignored.
  func remove(identifiers: [String]) async throws

  /// The pending requests of all owners.
  func pending() async throws -> [NotificationRequest]

  /// The identifiers of requests shown after a time in milliseconds since 1970; nil if unknown.
  ///
  /// Called when a future local time is missing from the pending requests after the phone changed
  /// zones. A request in the answer was shown. One that is not in it is added again, so a user who
  /// cleared it can see it twice. If the answer is nil, the request counts as shown once any zone's
  /// clock has reached its time, unless the phone is full or lacks other requests too.
  func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>?
}

extension PhoneNotificationCenter {
  /// Returns nil.
  public func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>? { nil }

  /// Ranks all pending notifications, including those of other code, and removes what does not fit.
  ///
  /// Nothing is kept or added, so this needs no scheduler. An app that has one calls
  /// ``NotificationScheduler/enforceLimit()`` instead.
  ///
  /// - Parameters:
  ///   - budget: The limits, ranking and kinds.
  ///   - nowMilliseconds: The current time in milliseconds since 1970.
  ///   - zone: The time zone of the phone.
  ///   - location: The position of the phone; nil if unknown.
  /// - Returns: The plan: what stays is scheduled, and what was removed is stored or purged.
  /// - Throws: The center's error.
  @discardableResult
  public func enforce(
    _ budget: NotificationBudget, nowMilliseconds: Int64, zone: ClockZone,
    location: Coordinate? = nil
  ) async throws -> BudgetPlan {
    let plan = budget.plan(
      try await pending(), nowMilliseconds: nowMilliseconds, zone: zone, location: location)
    let removed = (plan.waiting + plan.purged).map(\.request.identifier)
    if !removed.isEmpty { try await remove(identifiers: removed) }
    return plan
  }
}

/// Keeps the state of a scheduler: `StateFileStore` in `FencepostStateFile`, for example.
///
/// Several schedulers, even in different processes, can share a store with ``takeTurn()``.
public protocol SchedulerStore: Sendable {
  /// The last saved state; nil if none was saved.
  func load() async throws -> SchedulerState?

  /// Saves a state durably.
  func save(_ state: SchedulerState) async throws

  /// Waits until no other scheduler is updating the same state.
  ///
  /// - Returns: A value that keeps other schedulers out for as long as it exists.
  func takeTurn() async throws -> (any Sendable)?
}

extension SchedulerStore {
  /// Returns at once, for a store with only one scheduler.
  public func takeTurn() async throws -> (any Sendable)? { nil }
}
