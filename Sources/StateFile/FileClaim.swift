/// An advisory lock on a file that one program at a time can hold; it ends with the program, even a killed
/// one.
///
/// It binds only programs that claim the file too, and does not interfere with SQLite's own locks.
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
      guard leftMilliseconds > 0 else {
        throw StateFileError(code: .locked, subject: path)
      }
      FileDescriptor.sleep(milliseconds: 10)
      leftMilliseconds -= 10
    }
  }
}
