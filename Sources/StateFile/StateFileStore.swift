import Foundation
public import FencepostNotifications

/// Keeps a scheduler's state in a ``StateFile``.
///
/// Several schedulers, also of several processes such as an app and its extension, can share the file. Their
/// updates run one after the other, each from reading the state to its last call of the centre, and each
/// sees what the others did. A process that ends or is killed within an update blocks nobody.
public struct StateFileStore: SchedulerStore {
  private let file: StateFile
  private let waitSeconds: Double

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - path: Where the file is or will be; its directory must exist.
  ///   - waitSeconds: How long an update waits for those of other schedulers before it throws a
  ///     ``StateFileError`` with `.locked`, having changed nothing.
  public init(path: String, waitSeconds: Double = 5) {
    file = StateFile(path: path)
    self.waitSeconds = waitSeconds
  }

  /// The state in the file, nil before the first.
  ///
  /// - Throws: ``StateFileError``; `.damaged` also if the document is not a state, `.newerVersion` too if the
  ///   state has a newer form.
  public func load() throws(StateFileError) -> SchedulerState? {
    guard let document = try file.read() else { return nil }
    do {
      return try JSONDecoder().decode(SchedulerState.self, from: Data(document))
    } catch {
      throw StateFileError(
        decoding: error, path: file.path, detail: "it holds no scheduler's state")
    }
  }

  /// Writes the state to the file.
  ///
  /// - Throws: ``StateFileError``
  public func save(_ state: SchedulerState) throws(StateFileError) {
    try file.write(document(of: state))
  }

  /// A state as it is written.
  package func document(of state: SchedulerState) throws(StateFileError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(state))
    } catch {
      throw StateFileError(code: .inputOutput, subject: file.path, detail: "\(error)")
    }
  }

  /// Waits for the schedulers that share the file.
  ///
  /// - Throws: ``StateFileError``, with `.locked` if others did not finish in time; `CancellationError` if
  ///   the task was cancelled while it waited.
  public func takeTurn() async throws -> (any Sendable)? {
    try await UpdateTurn(path: file.path, waitSeconds: waitSeconds)
  }
}

extension NotificationScheduler {
  /// Makes a scheduler that keeps its state in a file; see ``StateFileStore`` to share it.
  ///
  /// - Parameters:
  ///   - statePath: Where the file is or will be; its directory must exist.
  ///   - centre: What shows the notifications.
  ///   - budget: The limits, ranking and kinds.
  ///   - situation: Returns the time, zone and place; called once an update.
  public init(
    statePath: String, centre: any NotificationCentre,
    budget: NotificationBudget = NotificationBudget(),
    situation: @escaping @Sendable () -> Situation
  ) {
    let store = StateFileStore(path: statePath)
    self.init(centre: centre, store: store, budget: budget, situation: situation)
  }
}
