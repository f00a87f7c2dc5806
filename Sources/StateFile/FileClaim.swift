/// An advisory lock on a file that one program at a time can hold; it lasts until this object goes or its
/// program ends, even a killed one.
///
/// It binds only programs that claim the file too, and does not interfere with SQLite's own locks. On a file
/// system without such locks there is no protection.
public final class FileClaim: Sendable {
  private let file: FileDescriptor

  /// Claims a file.
  ///
  /// Release it after closing the file: the system drops a program's other locks on a file when any of its
  /// descriptors is closed.
  /// - Parameters:
  ///   - path: The file, which must exist.
  ///   - waitMilliseconds: How long to wait for a program that is about to end; blocks the thread.
  /// - Throws: ``StateFileError`` with `.locked` if another program has the claim.
  public init(path: String, waitMilliseconds: Int) throws(StateFileError) {
    file = try FileDescriptor(path: path, for: .reading)
    var leftMilliseconds = waitMilliseconds
    while !file.tryLock() {
      guard leftMilliseconds > 0 else { throw StateFileError(code: .locked, subject: path) }
      FileDescriptor.sleep(milliseconds: 10)
      leftMilliseconds -= 10
    }
  }

  /// Waits for the turn to update a shared file, for updates that take more than one transaction.
  ///
  /// The lock is on an empty file next to the shared one, `NAME-turn`. That file stays: if it were removed,
  /// two programs could lock an old and a new one.
  /// - Parameters:
  ///   - path: The shared file.
  ///   - waitSeconds: How long to wait for others, without blocking a thread.
  /// - Throws: ``StateFileError``, with `.locked` if others did not finish in time; `CancellationError` if
  ///   the task was cancelled while it waited.
  public init(turnToUpdate path: String, waitSeconds: Double) async throws {
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
