public import FencepostNotifications
public import FencepostStateFile

/// Keeps a scheduler's state as one document of a ``StateDatabase``.
///
/// Several schedulers, also of several processes such as an app and its extension, can share it. Their
/// updates run one after the other, each from reading the state to its last call of the centre, and each
/// sees what the others did. A process that ends or is killed within an update blocks nobody.
public struct StateDatabaseStore: SchedulerStore {
  private let file: StateDatabase
  private let id: String
  private let waitSeconds: Double
  private static let kind = "scheduler"

  /// Makes a store that is as durable as the file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - id: The document's id, to keep apart the schedulers that share a file.
  ///   - waitSeconds: How long an update waits for those of other schedulers before it throws a
  ///     `StateFileError` with `.locked`, having changed nothing.
  public init(_ file: StateDatabase, id: String = "default", waitSeconds: Double = 5) {
    self.file = file
    self.id = id
    self.waitSeconds = waitSeconds
  }

  /// The state in the file.
  ///
  /// - Throws: `StateFileError`; `.damaged` also if the document is not a state, `.newerVersion` too if the state
  ///   has a newer form.
  public func load() throws(StateFileError) -> SchedulerState? {
    do {
      return try file.update { try $0.value(SchedulerState.self, kind: Self.kind, id: id) }
    } catch let error as StateFileError {
      throw error
    } catch {
      throw StateFileError(
        decoding: error, path: file.path, detail: "it holds no scheduler's state")
    }
  }

  /// Writes the state to the file.
  ///
  /// - Throws: `StateFileError`
  public func save(_ state: SchedulerState) throws(StateFileError) {
    do {
      try file.update { try $0.put(kind: Self.kind, id: id, value: state) }
    } catch let error as StateFileError {
      throw error
    } catch {
      throw StateFileError(code: .inputOutput, subject: file.path, detail: "\(error)")
    }
  }

  /// Waits for the schedulers that share the file.
  ///
  /// - Throws: `StateFileError`, with `.locked` if others did not finish in time; `CancellationError` if the
  ///   task was cancelled while it waited.
  public func takeTurn() async throws -> (any Sendable)? {
    try await UpdateTurn(path: file.path, waitSeconds: waitSeconds)
  }
}

extension NotificationScheduler {
  /// Makes a scheduler that keeps its state in an SQLite file; see ``StateDatabaseStore`` to share it.
  ///
  /// - Parameters:
  ///   - path: Where the file is or will be; its directory must exist.
  ///   - centre: What shows the notifications.
  ///   - budget: The limits, ranking and kinds.
  ///   - situation: Returns the time, zone and place; called once an update.
  /// - Throws: `StateFileError`
  public init(
    path: String, centre: any NotificationCentre,
    budget: NotificationBudget = NotificationBudget(),
    situation: @escaping @Sendable () -> Situation
  ) throws {
    let store = StateDatabaseStore(try StateDatabase(path: path))
    self.init(centre: centre, store: store, budget: budget, situation: situation)
  }
}
