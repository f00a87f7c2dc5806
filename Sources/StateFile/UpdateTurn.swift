import Glibc

/// The right to bring a shared file from one state to the next, which one program has at a time.
///
/// It is for updates that take more than one transaction. It is held through a lock on an empty file
/// beside the shared one, `NAME-turn`, and ends with the program, however sudden. The empty file
/// stays: if it were removed, two programs could hold the locks of an old and a new one.
public final class UpdateTurn: Sendable {
  private let descriptor: Int32

  /// Waits for the turn; it is over when nothing refers to it any more.
  ///
  /// A file system without such locks protects nobody, and holds nobody up.
  /// - Parameters:
  ///   - path: The shared file.
  ///   - waitSeconds: How long to wait for others; no thread is held meanwhile.
  /// - Throws: ``StateFileError``, with `.locked` where others did not finish in time;
  ///   `CancellationError` where the task was cancelled while it waited.
  public init(path: String, waitSeconds: Double) async throws {
    let lock = path + "-turn"
    // The path is there until the call returns; the C library's sentence is copied at once.
    descriptor = unsafe open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StateFileError(
        code: .inputOutput, subject: lock, detail: unsafe String(cString: strerror(errno)))
    }
    let end = ContinuousClock.now.advanced(by: .seconds(waitSeconds))
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { return }
      guard ContinuousClock.now < end else {
        throw StateFileError(
          code: .locked, subject: path, detail: "its update took longer than \(waitSeconds) s")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  deinit { close(descriptor) }
}
