#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An open file that closes itself; only this type makes system calls in this module.
struct FileDescriptor: ~Copyable {
  // Every `unsafe` of this type passes a path or a buffer with its size, or copies a string of the C
  // library at once. The system keeps no pointer to any of them.

  private let number: Int32

  struct Use {
    fileprivate let flags: Int32

    static let reading = Use(flags: O_RDONLY)
    /// Creates the file or empties it.
    static let replacing = Use(flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
    /// Creates the file if it does not exist.
    static let locking = Use(flags: O_RDWR | O_CREAT)
  }

  /// Opens a file; one that this creates is private to its owner.
  init(path: String, for use: Use) throws(StateFileError) {
    number = unsafe open(path, use.flags | O_CLOEXEC, 0o600)
    if number < 0 { throw Self.failure(path) }
  }

  deinit { close(number) }

  /// Tries to lock the file until it is closed; false if another program has the lock.
  func tryLock() -> Bool {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      return errno != EWOULDBLOCK
    }
    return true
  }

  func readAll(path: String) throws(StateFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe read(number, $0.baseAddress, $0.count)
      }
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk[..<count]
      } else if errno != EINTR {
        throw Self.failure(path)
      }
    }
  }

  /// Writes bytes and waits until they are on disk.
  func writeDurably(_ bytes: [UInt8], path: String) throws(StateFileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw Self.failure(path)
      }
    }
    if !synchronize() { throw Self.failure(path) }
  }

  /// Waits until written bytes are on disk; returns whether that worked.
  @discardableResult
  func synchronize() -> Bool {
    #if canImport(Darwin)
    // On Darwin, `fsync` leaves data in the drive's cache.
    if fcntl(number, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(number) == 0
  }

  /// Creates the directory of a file and those above it, unless they exist.
  static func createDirectory(of path: String) throws(StateFileError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let directory = String(path[..<slash])
    if exists(directory) { return }
    try createDirectory(of: directory)
    if unsafe mkdir(directory, 0o700) != 0, errno != EEXIST { throw failure(path) }
  }

  /// Replaces a file atomically: other programs see the old file or the new one.
  static func move(_ path: String, to target: String) throws(StateFileError) {
    if unsafe rename(path, target) != 0 { throw failure(target) }
  }

  private static func failure(_ path: String) -> StateFileError {
    let number = errno
    let code: StateFileError.Code =
      switch number {
      case ENOENT, ENOTDIR: .missingDirectory
      case EISDIR: .isDirectory
      case EACCES, EPERM, EROFS: .readOnly
      case ENOSPC, EDQUOT: .diskFull
      default: .inputOutput
      }
    guard code == .inputOutput else { return StateFileError(code: code, subject: path) }
    let detail = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    return StateFileError(code: code, subject: path, detail: detail)
  }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  static func sleep(milliseconds: UInt32) { usleep(milliseconds * 1000) }
}
