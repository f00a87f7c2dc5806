public import FencepostNotifications

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Keeps a scheduler's state in a ``StateFile``, or in a database of `FencepostStateDatabase`.
///
/// Several schedulers can share the file, even in different processes such as an app and its
/// extension. Their updates run one at a time, and a process that is killed does not block the
/// rest.
public struct StateFileStore: SchedulerStore {
  private let path: String
  private let waitSeconds: Double
  private let read: @Sendable () throws -> Data?
  private let write: @Sendable (Data) throws -> Void

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - path: The file. Its directory is created if it does not exist.
  ///   - waitSeconds: How long an update waits for other schedulers. After that it throws
  ///     ``StateFileError`` with `.locked` and changes nothing.
  public init(path: String, waitSeconds: Double = 5) {
    let file = StateFile(path: path)
    self.init(
      path: path, waitSeconds: waitSeconds, read: { try file.read().map { Data($0) } },
      write: { try file.write(Array($0)) })
  }

  /// Creates a store from two functions that read and durably write the document.
  package init(
    path: String, waitSeconds: Double, read: @escaping @Sendable () throws -> Data?,
    write: @escaping @Sendable (Data) throws -> Void
  ) {
    self.path = path
    self.waitSeconds = waitSeconds
    self.read = read
    self.write = write
  }

  /// Reads the state, or returns nil if none was saved.
  ///
  /// - Throws: ``StateFileError``; `.damaged` also if the document is not a scheduler's state.
  public func load() throws -> SchedulerState? {
    guard let document = try read() else { return nil }
    return try StateFileError.decode(
      SchedulerState.self, from: document, of: path,
      orSay: "its contents are not a scheduler's state")
  }

  /// Writes the state to the file, or throws ``StateFileError``.
  public func save(_ state: SchedulerState) throws {
    try write(try Self.document(of: state))
  }

  package static func document(of state: SchedulerState) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(state)
  }

  /// Waits until no other scheduler is updating the file.
  ///
  /// - Throws: ``StateFileError`` with `.locked` if that takes too long, or `CancellationError`.
  public func takeTurn() async throws -> (any Sendable)? {
    try await FileClaim(turnToUpdate: path, waitSeconds: waitSeconds)
  }
}

extension NotificationScheduler {
  /// Creates a scheduler that keeps its state in a ``StateFileStore``.
  ///
  /// - Parameters:
  ///   - statePath: The file. Its directory is created if it does not exist.
  ///   - center: Shows the notifications.
  ///   - budget: The limits, ranking and kinds.
  ///   - situation: Returns the current time, zone and position. Called once per update.
  public init(
    statePath: String, center: any PhoneNotificationCenter,
    budget: NotificationBudget = NotificationBudget(),
    situation: @escaping @Sendable () -> Situation
  ) {
    self.init(
      center: center, store: StateFileStore(path: statePath), budget: budget,
      situation: situation)
  }
}
