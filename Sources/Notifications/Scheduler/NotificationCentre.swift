/// Shows notifications: a phone's notification centre, or ``SimulatedPhone`` in its place.
///
/// Other owners keep requests in it too. It need not report that it drops a request.
public protocol NotificationCentre: Sendable {
  /// Adds a request, replacing a pending one with the same identifier.
  func add(_ request: NotificationRequest) async throws

  /// Removes pending requests; identifiers that are not pending are ignored.
  func remove(identifiers: [String]) async throws

  /// The pending requests of all owners.
  func pending() async throws -> [NotificationRequest]

  /// The identifiers of requests that it has shown after an instant, in milliseconds since 1970; nil if
  /// it cannot say.
  ///
  /// Called after a journey, when a local time that is still to come is gone from the pending requests:
  /// it was shown in another zone, or the clock skipped it on the way. If the answer has its identifier,
  /// it was shown. If not, it is added again, which shows it twice to a user who has cleared it. Without
  /// an answer, it counts as shown once any zone's clock has reached it, unless the phone lacks other
  /// requests too or is full.
  func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>?
}

extension NotificationCentre {
  /// Cannot say.
  public func delivered(afterMilliseconds milliseconds: Int64) async throws -> Set<String>? { nil }
}

/// Where a scheduler keeps its state.
///
/// `FencepostStateFile` has one in a plain file, `StateFileStore`, which can be made of a database of
/// `FencepostStateDatabase` too. Several schedulers, also of several processes, may share a store that
/// implements ``takeTurn()``.
public protocol SchedulerStore: Sendable {
  /// The state that was saved last, nil before the first.
  func load() async throws -> SchedulerState?

  /// Saves durably: once it returns, nothing may be lost.
  func save(_ state: SchedulerState) async throws

  /// Waits until no other scheduler is updating the same state.
  ///
  /// - Returns: A value that keeps other schedulers out while it exists.
  func takeTurn() async throws -> (any Sendable)?
}

extension SchedulerStore {
  /// Does not wait: one scheduler has the state to itself.
  public func takeTurn() async throws -> (any Sendable)? { nil }
}
