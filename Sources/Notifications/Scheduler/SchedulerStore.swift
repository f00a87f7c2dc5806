/// Where a scheduler keeps its state.
///
/// `FencepostStateFile` has one in a plain file, `StateFileStore`; `FencepostStateDatabase` one in SQLite. Several
/// schedulers, also of several processes, may share a store that implements ``takeTurn()``.
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
