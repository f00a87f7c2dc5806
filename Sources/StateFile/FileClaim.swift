import Glibc

/// An advisory lock on a file that one program at a time can hold; it ends with the program, even a killed
/// one.
///
/// It binds only programs that claim the file too, and does not interfere with SQLite's own locks.
public final class FileClaim: Sendable {
  private let descriptor: Int32

  /// Claims a file.
  ///
  /// Release it after closing the file: the system drops a program's other locks on a file when any of its
  /// descriptors is closed.
  /// - Parameters:
  ///   - path: The file, which must exist.
  ///   - waitMilliseconds: How long to wait for a program that is about to end.
  /// - Throws: ``StateFileError`` with `.locked` if another program has the claim.
  public init(path: String, waitMilliseconds: Int) throws(StateFileError) {
    // The path outlives the call; the C library's sentence is copied at once.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StateFileError(
        code: .inputOutput, subject: path, detail: unsafe String(cString: strerror(errno)))
    }
    var leftMilliseconds = waitMilliseconds
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      // On a file system without such locks there is no protection.
      guard errno == EWOULDBLOCK || errno == EINTR else { return }
      guard leftMilliseconds > 0 else {
        throw StateFileError(code: .locked, subject: path)
      }
      usleep(10_000)
      leftMilliseconds -= 10
    }
  }

  deinit { close(descriptor) }
}
