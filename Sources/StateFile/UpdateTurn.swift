/// The exclusive right to update a shared file, for updates that take more than one transaction.
///
/// It is a lock on an empty file next to the shared one, `NAME-turn`, and ends with the program, even a
/// killed one. The empty file stays: if it were removed, two programs could lock an old and a new one.
public final class UpdateTurn: Sendable {
  private let file: FileDescriptor

  /// Waits for the turn, which lasts until this object goes.
  ///
  /// On a file system without such locks there is no protection.
  /// - Parameters:
  ///   - path: The shared file.
  ///   - waitSeconds: How long to wait for others, without blocking a thread.
  /// - Throws: ``StateFileError``, with `.locked` if others did not finish in time; `CancellationError` if
  ///   the task was cancelled while it waited.
  public init(path: String, waitSeconds: Double) async throws {
    file = try FileDescriptor(path: path + "-turn", for: .locking)
    let end = ContinuousClock.now.advanced(by: .seconds(waitSeconds))
    while !file.tryLock() {
      guard ContinuousClock.now < end else {
        throw StateFileError(
          code: .locked, subject: path, detail: "its update took longer than \(waitSeconds) s")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
