public import FencepostNotifications
package import Foundation

/// Keeps a scheduler's state in a ``StateFile``, or in a database with `FencepostStateDatabase`.
///
/// Several schedulers, also of several processes such as an app and its extension, can share the file. Their
/// updates run one after the other, each from reading the state to its last call of the centre, and each
/// sees what the others did. A process that ends or is killed within an update blocks nobody.
public struct StateFileStore: SchedulerStore {
  private let path: String
  private let waitSeconds: Double
  private let read: @Sendable () throws -> Data?
  private let write: @Sendable (Data) throws -> Void

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - path: Where the file is or will be; its directory must exist.
  ///   - waitSeconds: How long an update waits for those of other schedulers before it throws a
  ///     ``StateFileError`` with `.locked`, having changed nothing.
  public init(path: String, waitSeconds: Double = 5) {
    let file = StateFile(path: path)
    self.init(
      path: path, waitSeconds: waitSeconds, read: { try file.read().map { Data($0) } },
      write: { try file.write(Array($0)) })
  }

  /// Makes a store of the document that two functions read and write durably.
  package init(
    path: String, waitSeconds: Double, read: @escaping @Sendable () throws -> Data?,
    write: @escaping @Sendable (Data) throws -> Void
  ) {
    self.path = path
    self.waitSeconds = waitSeconds
    self.read = read
    self.write = write
  }

  /// The state in the file, nil before the first.
  ///
  /// - Throws: ``StateFileError``; `.damaged` also if the document is not a state, `.newerVersion` too if the
  ///   state has a newer form.
  public func load() throws -> SchedulerState? {
    guard let document = try read() else { return nil }
    do {
      return try JSONDecoder().decode(SchedulerState.self, from: document)
    } catch {
      throw StateFileError(decoding: error, path: path, detail: "it holds no scheduler's state")
    }
  }

  /// Writes the state to the file.
  ///
  /// - Throws: ``StateFileError``
  public func save(_ state: SchedulerState) throws {
    try write(try Self.document(of: state))
  }

  /// A state as it is written.
  package static func document(of state: SchedulerState) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(state)
  }

  /// Waits for the schedulers that share the file.
  ///
  /// - Throws: ``StateFileError``, with `.locked` if others did not finish in time; `CancellationError` if
  ///   the task was cancelled while it waited.
  public func takeTurn() async throws -> (any Sendable)? {
    try await FileClaim(turnToUpdate: path, waitSeconds: waitSeconds)
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
    self.init(
      centre: centre, store: StateFileStore(path: statePath), budget: budget,
      situation: situation)
  }
}
