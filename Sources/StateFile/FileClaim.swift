import Glibc

/// A claim to a file that only one program at a time can have; it ends with the program, however sudden.
///
/// Other programs can read and write the file nevertheless: only those that ask for the claim learn of
/// it. It does not get in the way of SQLite's own locks.
public final class FileClaim: Sendable {
  private let descriptor: Int32

  /// Claims a file.
  ///
  /// Let go of it after the file was closed: the system forgets a program's other locks of a file when
  /// any of its descriptors is closed.
  /// - Parameters:
  ///   - path: The file, which must exist.
  ///   - waitMilliseconds: How long to wait for one that has just been killed, or is about to end.
  /// - Throws: ``StateFileError`` with `.locked` where another program has the claim.
  public init(path: String, waitMilliseconds: Int) throws(StateFileError) {
    // The path is there until the call returns; the C library's sentence is copied at once.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StateFileError(
        code: .inputOutput, subject: path, detail: unsafe String(cString: strerror(errno)))
    }
    var leftMilliseconds = waitMilliseconds
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      // A file system without such locks protects nobody, and holds nobody up.
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
