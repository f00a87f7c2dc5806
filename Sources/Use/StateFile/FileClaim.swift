/// An advisory lock on a file, held until this object is released or the program ends.
///
/// It binds only programs that also use `FileClaim`, does not interfere with SQLite's locks, and
/// protects nothing on a file system without `flock`.
package final class FileClaim: Sendable {
  private let file: FileDescriptor

  /// Locks an existing file.
  ///
  /// Close your own descriptors of the file before you release the claim: the system drops a
  /// program's other locks on a file when it closes any descriptor of it.
  ///
  /// - Throws: ``StateFileError`` with `.locked` if another program still holds it.
  package init(path: String, waitMilliseconds: Int) throws(StateFileError) {
    file = try FileDescriptor(path: path, for: .reading)
    var leftMilliseconds = waitMilliseconds
    while !file.tryLock() {
      guard leftMilliseconds > 0 else { throw StateFileError(code: .locked, subject: path) }
      FileDescriptor.sleep(milliseconds: 10)
      leftMilliseconds -= 10
    }
  }

  /// Waits for the turn to update a shared file, for updates that take several transactions.
  ///
  /// Locks an empty file next to the shared one, `NAME-turn`, which is never deleted: otherwise one
  /// program could lock the old file and another the new one.
  ///
  /// - Throws: ``StateFileError`` with `.locked` after that time, or `CancellationError`.
  package init(turnToUpdate path: String, waitSeconds: Double) async throws {
    try FileDescriptor.createDirectory(of: path)
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
